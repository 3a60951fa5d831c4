-- SPDX-License-Identifier: BSD-2-Clause
-- Hosts by how much their weight differs from the mean of the hosts of the same service and event.
.headers on
WITH host AS (SELECT event, service, host, sum(weight) AS weight FROM selected GROUP BY 1, 2, 3),
peers AS (SELECT event, service, avg(weight) AS mean, count(*) AS hosts FROM host GROUP BY 1, 2)
SELECT event, service, host, weight, round(weight / mean, 3) AS ratio, hosts FROM host JOIN peers USING (event, service)
	ORDER BY abs(weight / mean - 1) DESC, host LIMIT 50;
