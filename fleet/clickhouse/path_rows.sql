-- SPDX-License-Identifier: BSD-2-Clause
-- Not a query: the weight of folded stacks, of the tables `sums` and `texts`, by the columns @by@. transform() needs arrays that are not empty.
SELECT @by@,
	arrayStringConcat(arrayMap(x -> transform(x, (SELECT arrayPushBack(groupArray(function), toUInt64(0)) FROM texts),
		(SELECT arrayPushBack(groupArray(text), '') FROM texts), ''), functions), ';') AS folded, all_weight AS weight
	FROM sums WHERE notEmpty(functions)
