-- SPDX-License-Identifier: BSD-2-Clause
-- The weight of stacks with the function --function, by service and version, and its share of all.
.headers on
WITH RECURSIVE inside(stack) AS (
	SELECT stacks.id FROM stacks JOIN frame_names ON frame_names.id = frame 
		WHERE instr(';' || name || ';', ';' || (SELECT function FROM arguments) || ';') > 0
	UNION SELECT stacks.id FROM inside JOIN stacks ON stacks.parent = inside.stack)
SELECT event, service, version, sum(CASE WHEN stack IN inside THEN weight ELSE 0 END) AS inside_weight, sum(weight) AS of,
	round(100.0 * sum(CASE WHEN stack IN inside THEN weight ELSE 0 END) / sum(weight), 2) AS percent
	FROM selected GROUP BY 1, 2, 3 ORDER BY inside_weight DESC, service, version, event;
