-- SPDX-License-Identifier: BSD-2-Clause
-- The weight of stacks with the function --function, by service and version, and its share of all.
SELECT event, service, version, sum(weight * inside) AS inside_weight, sum(weight) AS of, round(100 * sum(weight * inside) / sum(weight), 2) AS percent FROM
	(SELECT event, service, version, stack, sum(weight) AS weight FROM @selected@ GROUP BY event, service, version, stack)
	GLOBAL ANY LEFT JOIN (SELECT DISTINCT stack, 1 AS inside FROM (SELECT stack, frame FROM @stacks@ ARRAY JOIN frames AS frame)
		WHERE frame GLOBAL IN (SELECT frame FROM @names@ WHERE name = @function@)) USING stack
	GROUP BY event, service, version ORDER BY inside_weight DESC, service, version, event FORMAT TSVWithNames
