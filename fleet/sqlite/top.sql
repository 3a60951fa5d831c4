-- SPDX-License-Identifier: BSD-2-Clause
-- The functions with the highest own weight: event, function, own weight, weight with callees, hosts.
.headers on
WITH sums AS MATERIALIZED (SELECT event, stack, sum(weight) AS weight FROM selected GROUP BY event, stack),
own AS (SELECT event, name, sum(weight) AS self FROM sums JOIN stacks ON stacks.id = stack JOIN frame_names ON frame_names.id = frame GROUP BY 1, 2),
walk(event, leaf, at, weight) AS (SELECT event, stack, stack, weight FROM sums UNION ALL
	SELECT event, leaf, parent, weight FROM walk JOIN stacks ON stacks.id = at WHERE parent IS NOT NULL),
each AS (SELECT DISTINCT event, leaf, name, weight FROM walk JOIN stacks ON stacks.id = at JOIN frame_names ON frame_names.id = frame)
SELECT each.event AS event, each.name AS function, coalesce(self, 0) AS self, sum(weight) AS total
	FROM each LEFT JOIN own ON own.event = each.event AND own.name = each.name
	GROUP BY 1, 2 ORDER BY self DESC, total DESC, function LIMIT 50;
