-- SPDX-License-Identifier: BSD-2-Clause
-- Folded text.
WITH RECURSIVE sums AS (SELECT stack, sum(weight) AS weight FROM selected GROUP BY stack),
path(stack, next, text) AS (
	SELECT sums.stack, parent, name FROM sums JOIN stacks ON stacks.id = sums.stack JOIN frame_names ON frame_names.id = frame
	UNION ALL
	SELECT stack, parent, name || ';' || text FROM path JOIN stacks ON stacks.id = next JOIN frame_names ON frame_names.id = frame)
SELECT text || ' ' || sum(weight) FROM path JOIN sums USING (stack) WHERE next IS NULL GROUP BY text ORDER BY text;
