-- SPDX-License-Identifier: BSD-2-Clause
-- Folded text.
-- Columns: event, path
SELECT concat(folded, ' ', toString(sum(part))) AS line FROM
	(SELECT folded, weight AS part FROM by_path WHERE @summaries@ UNION ALL SELECT folded, weight AS part FROM (@paths@))
	GROUP BY folded ORDER BY line FORMAT TSVRaw
