-- SPDX-License-Identifier: BSD-2-Clause
-- Rows of each function for fleet/query: side (0 is the version --base), host, number of samples, own weight, function.
SELECT version <> (SELECT base FROM arguments) AS side, replace(replace(host, char(9), ' '), char(10), ' ') AS host, sum(samples), sum(weight),
	replace(name, char(10), ' ') AS function FROM selected JOIN stacks ON stacks.id = stack JOIN frame_names ON frame_names.id = frame
	GROUP BY 1, 2, 5 HAVING sum(weight) > 0 ORDER BY 1, 2, 5;
