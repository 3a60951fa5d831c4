-- SPDX-License-Identifier: BSD-2-Clause
-- Not a query: the weight of folded stacks, of the tables `selected`, `paths` and `texts`, by the columns @by@.
SELECT @by@,
	arrayStringConcat(arrayMap(x -> transform(x, (SELECT arrayPushBack(groupArray(function), toUInt64(0)) FROM texts),
		(SELECT arrayPushBack(groupArray(text), '') FROM texts), ''), functions), ';') AS folded, sum(weight) AS weight
	FROM selected ANY INNER JOIN paths USING path GROUP BY @by@, functions
