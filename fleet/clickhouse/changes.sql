-- SPDX-License-Identifier: BSD-2-Clause
-- Own share of each function, in per cent of a host's weight, in the versions --base and --version: means over hosts, their difference, and
-- Welch's t of it. |t| above 3 with ten hosts or more on each side is hardly chance. Select one event and one service.
-- Columns: version, host, path
SELECT name AS function, round(base_mean, 3) AS base, round(new_mean, 3) AS new, round(new_mean - base_mean, 3) AS change,
	if(base_hosts > 1 AND new_hosts > 1 AND error > 0, toString(round((new_mean - base_mean) / sqrt(error), 2)), '') AS t, base_hosts, new_hosts FROM (
	SELECT name, sumIf(x, version = @base@) / any(bases) AS base_mean, sumIf(x, version != @base@) / any(news) AS new_mean,
		greatest(sumIf(x * x, version = @base@) / any(bases) - base_mean * base_mean, 0) / (any(bases) - 1)
		+ greatest(sumIf(x * x, version != @base@) / any(news) - new_mean * new_mean, 0) / (any(news) - 1) AS error,
		any(bases) AS base_hosts, any(news) AS new_hosts FROM (
		SELECT version, host, name, 100 * weight / host_weight AS x, 1 AS one FROM (
			SELECT version, host, name, sum(weight) AS weight FROM
				(SELECT version, host, weight, frames[length(frames)] AS frame FROM selected ANY INNER JOIN paths USING path)
				ANY LEFT JOIN (SELECT frame, name FROM named) USING frame GROUP BY version, host, name)
			ANY INNER JOIN (SELECT version, host, sum(weight) AS host_weight FROM selected GROUP BY version, host HAVING host_weight > 0)
			USING version, host)
		ANY INNER JOIN (SELECT 1 AS one, uniqExactIf(host, version = @base@) AS bases, uniqExactIf(host, version != @base@) AS news FROM
			(SELECT version, host, sum(weight) AS weight FROM selected GROUP BY version, host HAVING weight > 0)) USING one
		GROUP BY name)
	WHERE base_hosts > 0 AND new_hosts > 0 ORDER BY abs(change) DESC, function LIMIT 50 FORMAT TSVWithNames
