-- SPDX-License-Identifier: BSD-2-Clause
-- The functions with the highest own weight: event, function, own weight, weight with callees.
SELECT event, name AS function, sum(weight * last) AS self, sum(weight) AS total FROM (
	SELECT event, stack, name, any(weight) AS weight, max(position = depth) AS last FROM (
		SELECT event, stack, weight, frame, position, length(frames) AS depth FROM
			(SELECT event, stack, weight, frames FROM (SELECT event, stack, sum(weight) AS weight FROM @selected@ GROUP BY event, stack)
				GLOBAL ANY INNER JOIN @stacks@ USING stack)
			ARRAY JOIN frames AS frame, arrayEnumerate(frames) AS position)
		GLOBAL ANY LEFT JOIN @names@ USING frame GROUP BY event, stack, name)
	GROUP BY event, name ORDER BY self DESC, total DESC, name LIMIT 50 FORMAT TSVWithNames
