-- SPDX-License-Identifier: BSD-2-Clause
-- Time that is no processor time, such as that of locks and off the processor, by event and service, in all and for each host.
-- Columns: event, unit, service, version, host
SELECT event, service, version, uniqExact(host) AS hosts, round(sum(weight) / 1e9, 3) AS time_s, round(sum(weight) / 1e9 / uniqExact(host), 3) AS host_s
	FROM selected WHERE unit = 'nanoseconds' AND event NOT IN ('cpu-clock', 'task-clock') GROUP BY event, service, version
	ORDER BY sum(weight) DESC, service, version, event FORMAT TSVWithNames
