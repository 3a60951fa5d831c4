-- SPDX-License-Identifier: BSD-2-Clause
-- Copies the recording of the database `new`, which pk-export sqlite has written, into the store in one transaction, and prints 1. It prints 0 if
-- the store has the key of the recording. temp.step: how many seconds become one row, and the host and size of the file. The rows that are new get the ids that follow the largest one.
BEGIN IMMEDIATE;
CREATE TEMP TABLE fresh AS SELECT * FROM new.recordings WHERE key NOT IN (SELECT key FROM main.files);
INSERT INTO main.files(key, first, last, samples, host, bytes)
	SELECT key, (first + coalesce(wall_offset, 0)) / 1000000000, (last + coalesce(wall_offset, 0)) / 1000000000, samples, host, bytes FROM fresh, step;
INSERT OR IGNORE INTO main.events(name, unit) SELECT name, unit FROM new.events;
INSERT OR IGNORE INTO main.labels(service, version, region, host, comm, container, pod)
	SELECT coalesce(service, ''), coalesce(version, ''), coalesce(region, ''), coalesce(host, ''), coalesce(comm, ''),
	coalesce(container, ''), coalesce(pod, '') FROM new.labels WHERE recording IN (SELECT id FROM fresh);
INSERT OR IGNORE INTO main.objects(key, path, build_id, kind) SELECT key, path, build_id, kind FROM new.objects WHERE EXISTS (SELECT 1 FROM fresh);

CREATE TEMP TABLE frame_ids(old INTEGER PRIMARY KEY, id INTEGER, known INTEGER);
INSERT INTO frame_ids SELECT n.id, coalesce(m.id, (SELECT coalesce(max(id), 0) FROM main.frames) + n.id), m.id
	FROM new.frames n LEFT JOIN main.frames m ON m.key = n.key WHERE EXISTS (SELECT 1 FROM fresh);
INSERT INTO main.frames(id, key, object, function, address, mode)
	SELECT i.id, n.key, (SELECT o.id FROM new.objects x JOIN main.objects o ON o.key = x.key WHERE x.id = n.object), function, address, mode
	FROM frame_ids i JOIN new.frames n ON n.id = i.old WHERE known IS NULL;

CREATE TEMP TABLE stack_ids(old INTEGER PRIMARY KEY, id INTEGER, known INTEGER);
INSERT INTO stack_ids SELECT n.id, coalesce(m.id, (SELECT coalesce(max(id), 0) FROM main.stacks) + n.id), m.id
	FROM new.stacks n LEFT JOIN main.stacks m ON m.key = n.key WHERE EXISTS (SELECT 1 FROM fresh);
INSERT INTO main.stacks(id, key, parent, frame)
	SELECT i.id, n.key, p.id, f.id FROM stack_ids i JOIN new.stacks n ON n.id = i.old
	JOIN frame_ids f ON f.old = n.frame LEFT JOIN stack_ids p ON p.old = n.parent WHERE i.known IS NULL ORDER BY i.id;

CREATE TEMP TABLE label_ids AS SELECT nl.id AS old, l.id AS id FROM new.labels nl JOIN main.labels l ON l.service = coalesce(nl.service, '')
	AND l.version = coalesce(nl.version, '') AND l.region = coalesce(nl.region, '') AND l.host = coalesce(nl.host, '')
	AND l.comm = coalesce(nl.comm, '') AND l.container = coalesce(nl.container, '') AND l.pod = coalesce(nl.pod, '')
	WHERE nl.recording IN (SELECT id FROM fresh);
CREATE TEMP TABLE added AS
	SELECT e.id AS event, (s.time + coalesce(r.wall_offset, 0)) / 1000000000 / (SELECT seconds FROM step) * (SELECT seconds FROM step) AS time,
	s.labels AS labels, s.stack AS stack, count(*) AS samples, sum(s.weight) AS weight
	FROM new.samples s JOIN fresh r ON r.id = s.recording JOIN new.events ne ON ne.id = s.event
	JOIN main.events e ON e.name = ne.name AND e.unit = ne.unit WHERE s.stack IS NOT NULL GROUP BY 1, 2, 3, 4;
INSERT INTO main.samples(event, time, labels, stack, file, samples, weight)
	SELECT event, time, l.id, k.id, (SELECT f.id FROM fresh JOIN main.files f USING (key)), sum(samples), sum(weight)
	FROM added JOIN label_ids l ON l.old = labels JOIN stack_ids k ON k.old = stack GROUP BY 1, 2, 3, 4;
INSERT INTO main.by_minute(event, minute, labels, samples, weight)
	SELECT event, time / 60 * 60, l.id, sum(samples), sum(weight) FROM added JOIN label_ids l ON l.old = labels WHERE true GROUP BY 1, 2, 3
	ON CONFLICT DO UPDATE SET samples = samples + excluded.samples, weight = weight + excluded.weight;
INSERT INTO main.by_hour(event, hour, labels, samples, weight)
	SELECT event, time / 3600 * 3600, l.id, sum(samples), sum(weight) FROM added JOIN label_ids l ON l.old = labels WHERE true GROUP BY 1, 2, 3
	ON CONFLICT DO UPDATE SET samples = samples + excluded.samples, weight = weight + excluded.weight;
COMMIT;
SELECT count(*) FROM fresh;
