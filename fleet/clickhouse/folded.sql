-- SPDX-License-Identifier: BSD-2-Clause
-- Folded text.
-- Columns: path
SELECT concat(arrayStringConcat(arrayMap(x -> transform(x, (SELECT groupArray(function) FROM texts), (SELECT groupArray(text) FROM texts), ''),
	functions), ';'), ' ', toString(sum(weight))) AS line FROM selected ANY INNER JOIN paths USING path GROUP BY functions ORDER BY line FORMAT TSVRaw
