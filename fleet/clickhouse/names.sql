-- SPDX-License-Identifier: BSD-2-Clause
-- Not a query: @names@ of the queries, the frames of the selected stacks with their names.
(SELECT frame, replaceAll(multiIf(named != '', named, function != '', function,
	concat('[', if(path = '', 'unknown', replaceRegexpOne(path, '.*/', '')), ']')), ';', ':') AS name
	FROM (SELECT frame, function, path FROM
		(SELECT frame, object, function FROM frames WHERE frame GLOBAL IN (SELECT arrayJoin(frames) FROM @stacks@))
		GLOBAL ANY LEFT JOIN (SELECT object, path FROM objects) USING object)
	GLOBAL ANY LEFT JOIN (SELECT frame, name AS named FROM names) USING frame)
