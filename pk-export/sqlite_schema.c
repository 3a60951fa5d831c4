// SPDX-License-Identifier: BSD-2-Clause
#include "sqlite_schema.h"

/* The program adds columns to the table `labels` for other fields of --by. The stack of a sample is
 * 0 if it has no frames. */
static const char tables[] =
	"CREATE TABLE IF NOT EXISTS recordings(id INTEGER PRIMARY KEY, key BLOB NOT NULL,"
	" first INTEGER, last INTEGER, wall_offset INTEGER, samples INTEGER NOT NULL, host TEXT,"
	" bytes INTEGER NOT NULL, loaded INTEGER NOT NULL DEFAULT (strftime('%s', 'now')));\n"

	"CREATE TABLE IF NOT EXISTS events(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
	" unit TEXT NOT NULL, UNIQUE(name, unit));\n"

	"CREATE TABLE IF NOT EXISTS labels(id INTEGER PRIMARY KEY, key BLOB NOT NULL,"
	" host TEXT, service TEXT, version TEXT, region TEXT, container TEXT, pod TEXT, comm TEXT,"
	" pid INTEGER, tid INTEGER, cpu INTEGER);\n"

	"CREATE TABLE IF NOT EXISTS samples(time INTEGER NOT NULL,"
	" event INTEGER NOT NULL REFERENCES events, labels INTEGER NOT NULL REFERENCES labels,"
	" stack INTEGER NOT NULL, recording INTEGER NOT NULL REFERENCES recordings,"
	" samples INTEGER NOT NULL, weight INTEGER NOT NULL,"
	" PRIMARY KEY(time, event, labels, stack, recording)) WITHOUT ROWID;\n"

	"CREATE TABLE IF NOT EXISTS by_minute(time INTEGER NOT NULL,"
	" event INTEGER NOT NULL REFERENCES events, labels INTEGER NOT NULL REFERENCES labels,"
	" samples INTEGER NOT NULL, weight INTEGER NOT NULL,"
	" PRIMARY KEY(time, event, labels)) WITHOUT ROWID;\n"

	"CREATE TABLE IF NOT EXISTS by_hour(time INTEGER NOT NULL,"
	" event INTEGER NOT NULL REFERENCES events, labels INTEGER NOT NULL REFERENCES labels,"
	" samples INTEGER NOT NULL, weight INTEGER NOT NULL,"
	" PRIMARY KEY(time, event, labels)) WITHOUT ROWID;\n";

/* In names, the separators of folded text are replaced. In the views, a missing label is an empty
 * text, as in ClickHouse, because NULL would not be equal to NULL. */
static const char views[] =
	"CREATE VIEW IF NOT EXISTS frame_names AS SELECT frames.id,"
	" replace(coalesce(function, '[' || coalesce("
	"replace(path, rtrim(path, replace(path, '/', '')), ''), 'unknown') || ']'), ';', ':')"
	" AS name FROM frames LEFT JOIN objects ON objects.id = object;\n"

	"CREATE VIEW IF NOT EXISTS label_texts AS SELECT id AS labels,"
	" coalesce(host, '') AS host, coalesce(service, '') AS service,"
	" coalesce(version, '') AS version, coalesce(region, '') AS region,"
	" coalesce(container, '') AS container, coalesce(pod, '') AS pod,"
	" coalesce(comm, '') AS comm, pid, tid, cpu FROM labels;\n"

	"CREATE VIEW IF NOT EXISTS all_samples AS SELECT time, host, service, version, region,"
	" container, pod, comm, pid, tid, cpu, name AS event, unit, stack, samples, weight"
	" FROM samples CROSS JOIN events ON events.id = event"
	" CROSS JOIN label_texts USING (labels);\n"

	"CREATE VIEW IF NOT EXISTS all_by_minute AS SELECT time, host, service, version, region,"
	" container, pod, comm, pid, tid, cpu, name AS event, unit, samples, weight"
	" FROM by_minute CROSS JOIN events ON events.id = event"
	" CROSS JOIN label_texts USING (labels);\n"

	"CREATE VIEW IF NOT EXISTS stack_sums AS SELECT event, stack,"
	" sum(samples) AS samples, sum(weight) AS weight FROM samples GROUP BY event, stack;\n"

	"CREATE VIEW IF NOT EXISTS stack_frames AS WITH RECURSIVE"
	" walk(stack, at) AS (SELECT stack, stack FROM (SELECT DISTINCT stack FROM samples)"
	" UNION ALL SELECT stack, parent FROM walk JOIN stacks ON stacks.id = at"
	" WHERE parent IS NOT NULL)"
	" SELECT DISTINCT stack, name FROM walk JOIN stacks ON stacks.id = at"
	" JOIN frame_names ON frame_names.id = frame;\n"

	"CREATE VIEW IF NOT EXISTS top AS WITH"
	" sums AS MATERIALIZED (SELECT * FROM stack_sums),"
	" self AS (SELECT event, name, sum(samples) AS samples, sum(weight) AS weight"
	" FROM sums JOIN stacks ON stacks.id = stack JOIN frame_names ON frame_names.id = frame"
	" GROUP BY event, name),"
	" total AS (SELECT event, name, sum(samples) AS samples, sum(weight) AS weight"
	" FROM sums JOIN stack_frames USING (stack) GROUP BY event, name)"
	" SELECT events.name AS event, unit, total.name AS symbol,"
	" coalesce(self.samples, 0) AS self_samples, coalesce(self.weight, 0) AS self,"
	" total.samples AS total_samples, total.weight AS total"
	" FROM total LEFT JOIN self ON self.event = total.event AND self.name = total.name"
	" JOIN events ON events.id = total.event"
	" ORDER BY events.id, self DESC, total DESC, symbol;\n"

	"CREATE VIEW IF NOT EXISTS folded AS WITH RECURSIVE"
	" sums AS MATERIALIZED (SELECT * FROM stack_sums),"
	" path(stack, next, text) AS"
	" (SELECT stacks.id, parent, name FROM (SELECT DISTINCT stack FROM sums)"
	" JOIN stacks ON stacks.id = stack JOIN frame_names ON frame_names.id = frame"
	" UNION ALL SELECT stack, parent, name || ';' || text FROM path"
	" JOIN stacks ON stacks.id = next JOIN frame_names ON frame_names.id = frame)"
	" SELECT events.name AS event, unit, text AS path, samples, weight, stack"
	" FROM path JOIN sums USING (stack) JOIN events ON events.id = event"
	" WHERE next IS NULL;\n"

	"CREATE VIEW IF NOT EXISTS flame AS"
	" SELECT name AS symbol, event, unit, path, samples, weight"
	" FROM stack_frames JOIN folded USING (stack);\n";

/* ---- Tables of content ---- */

/* Adds a column of a table. The key column becomes two columns: the id of the row, by which other
 * tables refer to it, and the key. */
static void add_column(struct buffer *sql, const struct content_column *column)
{
	buffer_text(sql, ", ");
	buffer_text(sql, column->name);
	switch (column->type) {
	case ROW_TEXT: buffer_text(sql, " TEXT NOT NULL"); break;
	case ROW_ANY_TEXT: buffer_text(sql, " TEXT"); break;
	case ROW_NUMBER: buffer_text(sql, " INTEGER NOT NULL"); break;
	case ROW_KEY:
	case ROW_ANY_KEY:
		buffer_text(sql, " INTEGER");
		buffer_text(sql, column->type == ROW_KEY ? " NOT NULL" : "");
		buffer_text(sql, " REFERENCES ");
		buffer_text(sql, content_tables[column->of].table);
		break;
	default: buffer_text(sql, " INTEGER"); break;
	}
}

static void add_table(struct buffer *sql, const struct content_columns *table)
{
	buffer_text(sql, "CREATE TABLE IF NOT EXISTS ");
	buffer_text(sql, table->table);
	buffer_text(sql, "(id INTEGER PRIMARY KEY, key BLOB NOT NULL");
	for (unsigned int i = 1; i < table->count; i++)
		add_column(sql, &table->columns[i]);
	buffer_text(sql, ");\n");
}

void sqlite_insert(struct buffer *sql, enum content_table table)
{
	const struct content_columns *columns = &content_tables[table];

	buffer_text(sql, "INSERT INTO ");
	buffer_text(sql, columns->table);
	buffer_text(sql, "(key");
	for (unsigned int i = 1; i < columns->count; i++) {
		buffer_text(sql, ", ");
		buffer_text(sql, columns->columns[i].name);
	}
	buffer_text(sql, ") VALUES(?");
	for (unsigned int i = 1; i < columns->count; i++)
		buffer_text(sql, ",?");
	buffer_char(sql, ')');
}

void sqlite_tables(struct buffer *sql)
{
	for (unsigned int i = 0; i < CONTENT_TABLES; i++)
		add_table(sql, &content_tables[i]);
	buffer_text(sql, tables);
	buffer_text(sql, "PRAGMA user_version = ");
	buffer_decimal(sql, SQLITE_SCHEMA_VERSION, 0);
	buffer_text(sql, ";\n");
}

void sqlite_indexes(struct buffer *sql)
{
	static const char *const keyed[] = {"objects", "frames", "stacks", "labels", "recordings"};

	for (size_t i = 0; i < sizeof(keyed) / sizeof(keyed[0]); i++) {
		buffer_text(sql, "CREATE UNIQUE INDEX IF NOT EXISTS ");
		buffer_text(sql, keyed[i]);
		buffer_text(sql, "_by_key ON ");
		buffer_text(sql, keyed[i]);
		buffer_text(sql, "(key);\n");
	}
	buffer_text(sql, views);
}
