-- SPDX-License-Identifier: BSD-2-Clause
-- Folded text.
-- Columns: path
SELECT concat(arrayStringConcat(arrayMap(x -> transform(x, (SELECT arrayPushBack(groupArray(function), toUInt64(0)) FROM texts),
	(SELECT arrayPushBack(groupArray(text), '') FROM texts), ''),
	functions), ';'), ' ', toString(sum(weight))) AS line FROM selected ANY INNER JOIN paths USING path GROUP BY functions ORDER BY line FORMAT TSVRaw
