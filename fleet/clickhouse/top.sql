-- SPDX-License-Identifier: BSD-2-Clause
-- The functions with the highest own weight: event, function, own weight, weight with callees.
-- Columns: event, path
SELECT event, function, sum(own) AS self, sum(with_callees) AS total FROM
	(SELECT event, function, self AS own, total AS with_callees FROM by_function WHERE @summaries@ AND function != ''
	UNION ALL SELECT event, function, self AS own, total AS with_callees FROM (@functions@) WHERE function != '')
	GROUP BY event, function ORDER BY self DESC, total DESC, function LIMIT 50 FORMAT TSVWithNames
