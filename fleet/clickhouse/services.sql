-- SPDX-License-Identifier: BSD-2-Clause
-- Weight by service, version and event (for example off-CPU time), and the number of hosts.
-- Columns: event, unit, service, version, host
SELECT event, unit, service, version, uniqExact(host) AS hosts, sum(samples) AS samples, sum(weight) AS weight
	FROM selected GROUP BY event, unit, service, version ORDER BY weight DESC, service, version FORMAT TSVWithNames
