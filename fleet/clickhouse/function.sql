-- SPDX-License-Identifier: BSD-2-Clause
-- The weight of stacks with the function --function, by service and version, and its share of all.
-- Columns: event, service, version, path
SELECT event, service, version, sum(weight * (function = @function@)) AS inside_weight, sum(weight * (function = '')) AS of, round(100 * inside_weight / of, 2) AS percent FROM
	(SELECT event, service, version, function, total AS weight FROM by_function WHERE @summaries@ AND function IN ('', @function@)
	UNION ALL SELECT event, service, version, function, total AS weight FROM (@functions@) WHERE function IN ('', @function@))
	GROUP BY event, service, version ORDER BY inside_weight DESC, service, version, event FORMAT TSVWithNames
