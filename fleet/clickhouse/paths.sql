-- SPDX-License-Identifier: BSD-2-Clause
-- Not a query, but a part of queries and of fleet/summarize: the stacks of the table `selected`, and the names of their frames. @needed@ are the frames
-- of a stack that the query needs. Within a query, the first half of a content key is enough: numbers are faster than strings. `functions` are the
-- numbers of names, outermost first. `texts` has each name once. `sums` has the sums by the columns @by@ and the stack of functions, which is empty
-- for samples without a stack.
CREATE TEMPORARY TABLE stacks_of AS SELECT path, any(arrayMap(x -> reinterpretAsUInt64(x), @needed@)) AS frames FROM stacks@suffix@
	WHERE @times@ AND (reinterpretAsUInt64(stack) AS path) GLOBAL IN (SELECT path FROM selected) GROUP BY path;
CREATE TEMPORARY TABLE inside AS SELECT DISTINCT arrayJoin(frames) AS frame FROM stacks_of;
CREATE TEMPORARY TABLE named AS SELECT frame, cityHash64(name) AS function, name FROM
	(SELECT frame, replaceAll(multiIf(known != '', known, own != '', own, concat('[', if(path = '', 'unknown', replaceRegexpOne(path, '.*/', '')), ']')),
		';', ':') AS name FROM
		(SELECT frame, own, path FROM
			(SELECT reinterpretAsUInt64(key) AS frame, any(of) AS object, any(text) AS own FROM
				(SELECT frame AS key, object AS of, function AS text FROM frames@suffix@
					WHERE @times@ AND reinterpretAsUInt64(frame) GLOBAL IN (SELECT frame FROM inside)) GROUP BY frame)
			ANY LEFT JOIN (SELECT object, minIf(name, name != '') AS path FROM (SELECT object, path AS name FROM objects) GROUP BY object) USING object)
		ANY LEFT JOIN (SELECT reinterpretAsUInt64(key) AS frame, known FROM (SELECT frame AS key, name AS known FROM names
			WHERE reinterpretAsUInt64(frame) GLOBAL IN (SELECT frame FROM inside))) USING frame);
CREATE TEMPORARY TABLE paths AS SELECT path, arraySort((x, y) -> y, groupArray(function), groupArray(place)) AS functions FROM
	(SELECT path, frame, place FROM stacks_of ARRAY JOIN frames AS frame, arrayEnumerate(frames) AS place)
	ANY LEFT JOIN (SELECT frame, function FROM named) USING frame GROUP BY path;
CREATE TEMPORARY TABLE texts AS SELECT function, any(name) AS text FROM named GROUP BY function;
CREATE TEMPORARY TABLE sums AS SELECT @by@, functions, sum(samples) AS all_samples, sum(weight) AS all_weight
	FROM selected ANY LEFT JOIN paths USING path GROUP BY @by@, functions;
