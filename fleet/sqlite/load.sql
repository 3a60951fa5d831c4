-- SPDX-License-Identifier: BSD-2-Clause
-- Copies the recording of the database `new`, which pk-export sqlite has written, into the store in one transaction.
-- It is skipped if the store has its key.
BEGIN IMMEDIATE;
CREATE TEMP TABLE fresh AS SELECT * FROM new.recordings WHERE key NOT IN (SELECT key FROM main.files);
INSERT INTO main.files(key, first, last, samples)
	SELECT key, (first + coalesce(wall_offset, 0)) / 1000000000, (last + coalesce(wall_offset, 0)) / 1000000000, samples FROM fresh;
INSERT OR IGNORE INTO main.events(name, unit) SELECT name, unit FROM new.events;
INSERT OR IGNORE INTO main.labels(service, version, region, host, comm, container, pod)
	SELECT coalesce(service, ''), coalesce(version, ''), coalesce(region, ''), coalesce(host, ''), coalesce(comm, ''),
	coalesce(container, ''), coalesce(pod, '') FROM new.labels WHERE recording IN (SELECT id FROM fresh);
INSERT OR IGNORE INTO main.objects(key, path, build_id, kind) SELECT key, path, build_id, kind FROM new.objects;
INSERT OR IGNORE INTO main.frames(key, object, function, address, mode)
	SELECT f.key, (SELECT o.id FROM main.objects o JOIN new.objects n ON n.key = o.key WHERE n.id = f.object), function, address, mode
	FROM new.frames f;
CREATE TEMP TABLE stack_ids(id INTEGER PRIMARY KEY, old INTEGER, parent INTEGER, frame INTEGER, key BLOB);
INSERT INTO stack_ids(old, parent, frame, key)
	SELECT s.id, s.parent, (SELECT f.id FROM main.frames f JOIN new.frames n ON n.key = f.key WHERE n.id = s.frame), s.key FROM new.stacks s ORDER BY depth;
INSERT OR IGNORE INTO main.stacks(key, frame) SELECT key, frame FROM stack_ids ORDER BY id;
UPDATE main.stacks SET parent = (SELECT p.id FROM new.stacks n JOIN new.stacks np ON np.id = n.parent JOIN main.stacks p ON p.key = np.key
	WHERE n.key = main.stacks.key) WHERE key IN (SELECT key FROM stack_ids WHERE parent IS NOT NULL) AND parent IS NULL;
CREATE TEMP TABLE added AS
	SELECT e.id AS event, (s.time + coalesce(r.wall_offset, 0)) / 1000000000 AS time, l.id AS labels, k.id AS stack, f.id AS file,
	count(*) AS samples, sum(s.weight) AS weight
	FROM new.samples s JOIN fresh r ON r.id = s.recording JOIN main.files f ON f.key = r.key
	JOIN new.events ne ON ne.id = s.event JOIN main.events e ON e.name = ne.name AND e.unit = ne.unit
	JOIN new.labels nl ON nl.id = s.labels JOIN main.labels l ON l.service = coalesce(nl.service, '')
		AND l.version = coalesce(nl.version, '') AND l.region = coalesce(nl.region, '') AND l.host = coalesce(nl.host, '')
		AND l.comm = coalesce(nl.comm, '') AND l.container = coalesce(nl.container, '') AND l.pod = coalesce(nl.pod, '')
	JOIN new.stacks ns ON ns.id = s.stack JOIN main.stacks k ON k.key = ns.key
	GROUP BY 1, 2, 3, 4, 5;
INSERT INTO main.samples(event, time, labels, stack, file, samples, weight)
	SELECT event, time, labels, stack, file, samples, weight FROM added;
INSERT INTO main.by_minute(event, minute, labels, samples, weight)
	SELECT event, time / 60 * 60, labels, sum(samples), sum(weight) FROM added WHERE true GROUP BY 1, 2, 3
	ON CONFLICT DO UPDATE SET samples = samples + excluded.samples, weight = weight + excluded.weight;
INSERT INTO main.by_hour(event, hour, labels, samples, weight)
	SELECT event, time / 3600 * 3600, labels, sum(samples), sum(weight) FROM added WHERE true GROUP BY 1, 2, 3
	ON CONFLICT DO UPDATE SET samples = samples + excluded.samples, weight = weight + excluded.weight;
COMMIT;
SELECT (SELECT count(*) FROM fresh) || ' of ' || (SELECT count(*) FROM new.recordings) || ' recordings loaded, '
	|| (SELECT coalesce(sum(samples), 0) FROM added) || ' samples';
