-- SPDX-License-Identifier: BSD-2-Clause
-- Not a query: the weight of functions, of the tables `sums` and `texts`, by the columns @by@. The function with the number 0 is '', for all samples.
SELECT @by@, text AS function, self, total FROM
	(SELECT @by@, number, sum(all_weight * (number = last)) AS self, sum(all_weight) AS total FROM
		(SELECT @by@, all_weight, arrayDistinct(arrayPushFront(functions, toUInt64(0))) AS each, functions[length(functions)] AS last FROM sums)
		ARRAY JOIN each AS number GROUP BY @by@, number)
	ANY LEFT JOIN (SELECT function AS number, text FROM texts) USING number
