-- SPDX-License-Identifier: BSD-2-Clause
-- Rows of each function for fleet/query: side (0 is the version --base), host, number of samples, own weight, function.
-- Columns: version, host, path
SELECT version != @base@ AS side, host, sum(all_samples), sum(all_weight) AS own, text AS function FROM
	(SELECT version, host, all_samples, all_weight, functions[length(functions)] AS number FROM sums WHERE notEmpty(functions))
	ANY LEFT JOIN (SELECT function AS number, text FROM texts) USING number
	GROUP BY side, host, function HAVING own > 0 ORDER BY side, host, function FORMAT TSV
