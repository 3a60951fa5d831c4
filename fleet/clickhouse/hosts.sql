-- SPDX-License-Identifier: BSD-2-Clause
-- Hosts by how much their weight differs from the mean of the hosts of the same service and event.
-- Columns: event, service, host
SELECT event, service, host, weight, round(weight / mean, 3) AS ratio, hosts FROM selected
	ANY INNER JOIN (SELECT event, service, avg(weight) AS mean, count() AS hosts FROM selected GROUP BY event, service)
	USING event, service ORDER BY abs(weight / mean - 1) DESC, host LIMIT 50 FORMAT TSVWithNames
