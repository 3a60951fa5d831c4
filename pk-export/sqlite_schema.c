// SPDX-License-Identifier: BSD-2-Clause
#include "sqlite_schema.h"

/* The columns of labels are added by the program: those of --by. Keys become unique by the indexes,
 * which are faster to make after the first recording. */
const char sqlite_tables[] =
	"CREATE TABLE IF NOT EXISTS recordings("
	" id INTEGER PRIMARY KEY, key BLOB NOT NULL,"
	" first INTEGER, last INTEGER, wall_offset INTEGER, samples INTEGER NOT NULL);"
	"CREATE TABLE IF NOT EXISTS objects("
	" id INTEGER PRIMARY KEY, key BLOB NOT NULL,"
	" path TEXT, build_id TEXT, kind INTEGER NOT NULL);"
	"CREATE TABLE IF NOT EXISTS frames("
	" id INTEGER PRIMARY KEY, key BLOB NOT NULL, object INTEGER REFERENCES objects,"
	" function TEXT, file TEXT, line INTEGER, address INTEGER, mode TEXT NOT NULL,"
	" inlined INTEGER NOT NULL);"
	"CREATE TABLE IF NOT EXISTS stacks("
	" id INTEGER PRIMARY KEY, key BLOB NOT NULL, parent INTEGER REFERENCES stacks,"
	" frame INTEGER NOT NULL REFERENCES frames, depth INTEGER NOT NULL);"
	"CREATE TABLE IF NOT EXISTS events("
	" id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, UNIQUE(name, unit));"
	"CREATE TABLE IF NOT EXISTS labels("
	" id INTEGER PRIMARY KEY, recording INTEGER NOT NULL REFERENCES recordings);"
	"CREATE TABLE IF NOT EXISTS samples("
	" recording INTEGER NOT NULL REFERENCES recordings, time INTEGER,"
	" event INTEGER NOT NULL REFERENCES events, labels INTEGER NOT NULL REFERENCES labels,"
	" weight INTEGER NOT NULL, stack INTEGER REFERENCES stacks);"
	"CREATE TABLE IF NOT EXISTS weights("
	" recording INTEGER NOT NULL REFERENCES recordings, event INTEGER NOT NULL REFERENCES "
	"events,"
	" stack INTEGER NOT NULL REFERENCES stacks, samples INTEGER NOT NULL,"
	" weight INTEGER NOT NULL);";

const char sqlite_indexes[] =
	"CREATE UNIQUE INDEX IF NOT EXISTS recordings_by_key ON recordings(key);"
	"CREATE UNIQUE INDEX IF NOT EXISTS objects_by_key ON objects(key);"
	"CREATE UNIQUE INDEX IF NOT EXISTS frames_by_key ON frames(key);"
	"CREATE UNIQUE INDEX IF NOT EXISTS stacks_by_key ON stacks(key);"
	"CREATE INDEX IF NOT EXISTS samples_by_time ON samples(time);"
	"CREATE INDEX IF NOT EXISTS labels_by_recording ON labels(recording);"
	"CREATE INDEX IF NOT EXISTS frames_by_function ON frames(function);";

/* named_frames: frames with a name for each. stack_frames: the names in each stack, once each.
 * all_weights: sums for each stack in all
 * recordings. */
const char sqlite_views[] =
	"CREATE VIEW IF NOT EXISTS named_frames AS"
	" SELECT frames.id, coalesce(function, '[' || coalesce(path, 'unknown') || ']') AS name"
	" FROM frames LEFT JOIN objects ON objects.id = object;"

	"CREATE VIEW IF NOT EXISTS stack_frames AS"
	" WITH RECURSIVE walk(stack, at) AS (SELECT id, id FROM stacks UNION ALL"
	" SELECT stack, parent FROM walk JOIN stacks ON stacks.id = at WHERE parent IS NOT NULL)"
	" SELECT DISTINCT stack, name FROM walk JOIN stacks ON stacks.id = at"
	" JOIN named_frames ON named_frames.id = frame;"

	"CREATE VIEW IF NOT EXISTS all_weights AS"
	" SELECT event, stack, sum(samples) AS samples, sum(weight) AS weight"
	" FROM weights GROUP BY event, stack;"

	"CREATE VIEW IF NOT EXISTS top AS"
	" WITH self AS (SELECT event, name, sum(samples) AS samples, sum(weight) AS weight"
	" FROM all_weights JOIN stacks ON stacks.id = stack JOIN named_frames ON named_frames.id = "
	"frame"
	" GROUP BY event, name),"
	" total AS (SELECT event, name, sum(samples) AS samples, sum(weight) AS weight"
	" FROM all_weights JOIN stack_frames USING (stack) GROUP BY event, name)"
	" SELECT events.name AS event, unit, total.name AS symbol,"
	" coalesce(self.samples, 0) AS self_samples, coalesce(self.weight, 0) AS self,"
	" total.samples AS total_samples, total.weight AS total"
	" FROM total LEFT JOIN self ON self.event = total.event AND self.name = total.name"
	" JOIN events ON events.id = total.event"
	" ORDER BY events.id, self DESC, total DESC, symbol;"

	"CREATE VIEW IF NOT EXISTS folded AS"
	" WITH RECURSIVE path(stack, next, text) AS"
	" (SELECT stacks.id, parent, name FROM (SELECT DISTINCT stack FROM weights)"
	" JOIN stacks ON stacks.id = stack JOIN named_frames ON named_frames.id = frame"
	" UNION ALL"
	" SELECT stack, parent, name || ';' || text FROM path JOIN stacks ON stacks.id = next"
	" JOIN named_frames ON named_frames.id = frame)"
	" SELECT events.name AS event, unit, text AS path, samples, weight, stack"
	" FROM path JOIN all_weights USING (stack) JOIN events ON events.id = event"
	" WHERE next IS NULL;"

	"CREATE VIEW IF NOT EXISTS flame AS"
	" SELECT name AS symbol, event, unit, path, samples, weight"
	" FROM stack_frames JOIN folded USING (stack);"

	"CREATE VIEW IF NOT EXISTS by_minute AS"
	" SELECT recording, events.name AS event, unit,"
	" (time - first) / 60000000000 AS minute,"
	" datetime((first + wall_offset) / 1000000000 + (time - first) / 60000000000 * 60,"
	" 'unixepoch') AS start, count(*) AS samples, sum(weight) AS weight"
	" FROM samples JOIN recordings ON recordings.id = recording"
	" JOIN events ON events.id = event"
	" GROUP BY recording, event, (time - first) / 60000000000;";
