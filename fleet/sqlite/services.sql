-- SPDX-License-Identifier: BSD-2-Clause
-- Weight by service, version and event (for example off-CPU time), and the number of hosts.
.headers on
SELECT event, unit, service, version, count(DISTINCT host) AS hosts, sum(samples) AS samples, sum(weight) AS weight
	FROM selected GROUP BY 1, 2, 3, 4 ORDER BY weight DESC, service, version;
