-- SPDX-License-Identifier: BSD-2-Clause
-- Folded text.
SELECT concat(path, ' ', toString(sum(weight))) FROM (
	SELECT stack, any(weight) AS weight, arrayStringConcat(arrayMap(x -> x.2, arraySort(groupArray((position, name)))), ';') AS path FROM (
		SELECT stack, weight, frame, position FROM
			(SELECT stack, weight, frames FROM (SELECT stack, sum(weight) AS weight FROM @selected@ GROUP BY stack)
				GLOBAL ANY INNER JOIN @stacks@ USING stack)
			ARRAY JOIN frames AS frame, arrayEnumerate(frames) AS position)
		GLOBAL ANY LEFT JOIN @names@ USING frame GROUP BY stack)
	GROUP BY path ORDER BY path FORMAT TSVRaw
