-- SPDX-License-Identifier: BSD-2-Clause
-- The functions with the highest own weight: event, function, own weight, weight with callees.
-- Columns: event, path
SELECT event, name AS function, self, total FROM
	(SELECT event_number, name, self, total FROM
		(SELECT event_number, function, sum(weight * last) AS self, sum(weight) AS total FROM (
			SELECT event_number, path, function, any(weight) AS weight, max(position = depth) AS last FROM (
				SELECT event_number, path, weight, frame, position, length(frames) AS depth FROM
					(SELECT cityHash64(event) AS event_number, path, weight, frames FROM selected ANY INNER JOIN paths USING path)
					ARRAY JOIN frames AS frame, arrayEnumerate(frames) AS position)
				ANY LEFT JOIN (SELECT frame, function FROM named) USING frame GROUP BY event_number, path, function)
			GROUP BY event_number, function)
		ANY LEFT JOIN (SELECT function, any(name) AS name FROM named GROUP BY function) USING function)
	ANY LEFT JOIN (SELECT DISTINCT cityHash64(event) AS event_number, event FROM selected) USING event_number
	ORDER BY self DESC, total DESC, name LIMIT 50 FORMAT TSVWithNames
