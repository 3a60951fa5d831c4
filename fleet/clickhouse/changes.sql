-- SPDX-License-Identifier: BSD-2-Clause
-- Rows of each function for fleet/query: side (0 is the version --base), host, number of samples, own weight, function.
-- Columns: version, host, path
SELECT version != @base@ AS side, host, sum(samples), sum(weight) AS own, name AS function FROM
	(SELECT version, host, samples, weight, frames[length(frames)] AS frame FROM selected ANY INNER JOIN paths USING path)
	ANY LEFT JOIN (SELECT frame, name FROM named) USING frame
	GROUP BY side, host, function HAVING own > 0 ORDER BY side, host, function FORMAT TSV
