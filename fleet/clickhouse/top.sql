-- SPDX-License-Identifier: BSD-2-Clause
-- The functions with the highest own weight: event, function, own weight, weight with callees.
-- Columns: event, path
SELECT event, text AS function, self, total FROM
	(SELECT event, text, self, total FROM
		(SELECT event, function, sum(weight * (function = last)) AS self, sum(weight) AS total FROM
			(SELECT event, weight, arrayDistinct(functions) AS each, functions[length(functions)] AS last FROM selected ANY INNER JOIN paths USING path)
			ARRAY JOIN each AS function GROUP BY event, function)
		ANY LEFT JOIN (SELECT function, text FROM texts) USING function)
	ORDER BY self DESC, total DESC, text LIMIT 50 FORMAT TSVWithNames
