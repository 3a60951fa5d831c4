-- SPDX-License-Identifier: BSD-2-Clause
-- The weight of stacks with the function --function, by service and version, and its share of all.
-- Columns: event, service, version, path
SELECT event, service, version, sum(weight * inside) AS inside_weight, sum(weight) AS of, round(100 * sum(weight * inside) / sum(weight), 2) AS percent
	FROM selected ANY LEFT JOIN (SELECT path, 1 AS inside FROM paths WHERE has(functions, cityHash64(@function@))) USING path
	GROUP BY event, service, version ORDER BY inside_weight DESC, service, version, event FORMAT TSVWithNames
