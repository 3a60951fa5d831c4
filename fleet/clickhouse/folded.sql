-- SPDX-License-Identifier: BSD-2-Clause
-- Folded text.
-- Columns: path
SELECT concat(line, ' ', toString(sum(weight))) FROM (
	SELECT path, any(weight) AS weight, arrayStringConcat(arrayMap(x -> x.2, arraySort(groupArray((position, name)))), ';') AS line FROM (
		SELECT path, weight, frame, position FROM (SELECT path, weight, frames FROM selected ANY INNER JOIN paths USING path)
			ARRAY JOIN frames AS frame, arrayEnumerate(frames) AS position)
		ANY LEFT JOIN (SELECT frame, name FROM named) USING frame GROUP BY path)
	GROUP BY line ORDER BY line FORMAT TSVRaw
