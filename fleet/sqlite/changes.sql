-- SPDX-License-Identifier: BSD-2-Clause
-- Own share of each function, in per cent of a host's weight, in the versions --base and --version: means over hosts, their difference, and
-- Welch's t of it. |t| above 3 with ten hosts or more on each side is hardly chance. Select one event and one service.
.headers on
WITH own AS (SELECT version, host, name, sum(weight) AS weight FROM selected JOIN stacks ON stacks.id = stack
	JOIN frame_names ON frame_names.id = frame GROUP BY 1, 2, 3),
side AS (SELECT version, host, sum(weight) AS weight FROM own GROUP BY 1, 2),
names AS (SELECT DISTINCT name FROM own),
share AS (SELECT side.version, side.host, names.name, 100.0 * coalesce(own.weight, 0) / side.weight AS x FROM side CROSS JOIN names
	LEFT JOIN own ON own.version = side.version AND own.host = side.host AND own.name = names.name WHERE side.weight > 0),
moment AS (SELECT version, name, count(*) AS n, avg(x) AS mean, max(avg(x * x) - avg(x) * avg(x), 0) AS variance FROM share GROUP BY 1, 2)
SELECT a.name AS function, round(a.mean, 3) AS base, round(b.mean, 3) AS new, round(b.mean - a.mean, 3) AS change,
	round((b.mean - a.mean) / nullif(sqrt(a.variance / nullif(a.n - 1, 0) + b.variance / nullif(b.n - 1, 0)), 0), 2) AS t, a.n AS base_hosts, b.n AS new_hosts
	FROM moment a JOIN moment b USING (name) WHERE a.version = (SELECT base FROM arguments) AND b.version <> a.version
	ORDER BY abs(change) DESC, function LIMIT 50;
