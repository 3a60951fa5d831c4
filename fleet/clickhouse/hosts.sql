-- SPDX-License-Identifier: BSD-2-Clause
-- Hosts by how much their weight differs from the mean of the hosts of the same service and event.
SELECT event, service, host, weight, round(weight / mean, 3) AS ratio, hosts FROM
	(SELECT event, service, host, sum(weight) AS weight FROM @selected@ GROUP BY event, service, host)
	ANY INNER JOIN (SELECT event, service, avg(weight) AS mean, count() AS hosts FROM
		(SELECT event, service, host, sum(weight) AS weight FROM @selected@ GROUP BY event, service, host) GROUP BY event, service)
	USING event, service ORDER BY abs(weight / mean - 1) DESC, host LIMIT 50 FORMAT TSVWithNames
