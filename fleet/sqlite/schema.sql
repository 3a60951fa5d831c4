-- SPDX-License-Identifier: BSD-2-Clause
-- The store for SQLite. Times are seconds since 1970. Keys are content keys (format/SPEC.md, appendix C).
PRAGMA journal_mode = WAL;
-- A row for each recording that was loaded. Its key is a hash of its samples.
CREATE TABLE IF NOT EXISTS files(
	id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, first INTEGER, last INTEGER,
	samples INTEGER NOT NULL, host TEXT NOT NULL, bytes INTEGER NOT NULL, loaded INTEGER NOT NULL DEFAULT (strftime('%s', 'now')));
CREATE TABLE IF NOT EXISTS labels(
	id INTEGER PRIMARY KEY, service TEXT NOT NULL, version TEXT NOT NULL, region TEXT NOT NULL, host TEXT NOT NULL,
	comm TEXT NOT NULL, container TEXT NOT NULL, pod TEXT NOT NULL,
	UNIQUE(service, version, region, host, comm, container, pod));
CREATE TABLE IF NOT EXISTS events(id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, UNIQUE(name, unit));
CREATE TABLE IF NOT EXISTS objects(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, path TEXT, build_id TEXT, kind INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS frames(
	id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, object INTEGER REFERENCES objects, function TEXT, address INTEGER, mode TEXT NOT NULL,
	-- The function that fleet/name has found. NULL: none yet.
	named TEXT);
CREATE TABLE IF NOT EXISTS stacks(
	id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, parent INTEGER REFERENCES stacks, frame INTEGER NOT NULL REFERENCES frames);
CREATE TABLE IF NOT EXISTS samples(
	event INTEGER NOT NULL, time INTEGER NOT NULL, labels INTEGER NOT NULL, stack INTEGER NOT NULL, file INTEGER NOT NULL,
	samples INTEGER NOT NULL, weight INTEGER NOT NULL,
	PRIMARY KEY(event, time, labels, stack, file)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS by_minute(
	event INTEGER NOT NULL, minute INTEGER NOT NULL, labels INTEGER NOT NULL, samples INTEGER NOT NULL, weight INTEGER NOT NULL,
	PRIMARY KEY(event, minute, labels)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS by_hour(
	event INTEGER NOT NULL, hour INTEGER NOT NULL, labels INTEGER NOT NULL, samples INTEGER NOT NULL, weight INTEGER NOT NULL,
	PRIMARY KEY(event, hour, labels)) WITHOUT ROWID;

CREATE VIEW IF NOT EXISTS frame_names AS
	SELECT frames.id, coalesce(replace(coalesce(named, function), ';', ':'),
		'[' || replace(replace(coalesce(path, 'unknown'), rtrim(coalesce(path, ''), replace(coalesce(path, ''), '/', '')), ''), ';', ':') || ']') AS name
	FROM frames LEFT JOIN objects ON objects.id = object;

CREATE VIEW IF NOT EXISTS all_samples AS
	SELECT time, service, version, region, host, comm, container, pod, events.name AS event, unit, stack, samples, weight
	FROM events CROSS JOIN samples ON samples.event = events.id CROSS JOIN labels ON labels.id = labels;
CREATE VIEW IF NOT EXISTS all_by_minute AS
	SELECT minute AS time, service, version, region, host, comm, container, pod, events.name AS event, unit, samples, weight
	FROM events CROSS JOIN by_minute ON by_minute.event = events.id CROSS JOIN labels ON labels.id = labels;
