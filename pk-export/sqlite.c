// SPDX-License-Identifier: BSD-2-Clause
/* The format sqlite: samples, stacks, frames and objects as tables of a database file. A recording
 * has a key that depends on its samples; if the database has it already, nothing is added. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content_keys.h"
#include "export.h"
#include "cli.h"
#include "lookups.h"
#include "sqlite_store.h"
#include "vector.h"

/* ---- Schema ---- */

/* The tables, indexes and views of a database (docs/exports.md). Each text is SQL that has no
 * effect on a database which has these already. */

#define SQLITE_SCHEMA_VERSION 1 /* PRAGMA user_version */

/* The columns of labels are added by the program: those of --by. Keys become unique by the indexes,
 * which are faster to make after the first recording. */
static const char sqlite_tables[] =
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

static const char sqlite_indexes[] =
	"CREATE UNIQUE INDEX IF NOT EXISTS recordings_by_key ON recordings(key);"
	"CREATE UNIQUE INDEX IF NOT EXISTS objects_by_key ON objects(key);"
	"CREATE UNIQUE INDEX IF NOT EXISTS frames_by_key ON frames(key);"
	"CREATE UNIQUE INDEX IF NOT EXISTS stacks_by_key ON stacks(key);"
	"CREATE INDEX IF NOT EXISTS samples_by_time ON samples(time);"
	"CREATE INDEX IF NOT EXISTS labels_by_recording ON labels(recording);"
	"CREATE INDEX IF NOT EXISTS frames_by_function ON frames(function);";

/* named_frames has frames with a name for each. stack_frames has the names in each stack, once
 * each. all_weights has sums for each stack in all recordings. */
static const char sqlite_views[] =
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

/* ---- The database ---- */

/* The ids of rows, by number of the item, or 0 if it is unknown. */
struct ids {
	uint64_t *ids;
	size_t count;
};

/* A table whose rows have a key: the statements that add and find one. */
struct keyed {
	struct store_statement *insert;
	struct store_statement *find; /* NULL: the database is new, no row is there yet */
	struct ids ids;
};

/* One statement inserts many samples, which takes half of the time. */
#define BATCH	64
#define COLUMNS 6 /* of samples */

struct database {
	struct exporter base; /* cells: by number of the stack; the rows are 0 */
	struct content_keys keys;
	struct store *store;
	struct keyed objects, frames, stacks;
	struct store_statement *event, *labels, *sample;
	struct store_statement *batch_insert; /* the same for BATCH samples */
	struct batch_row {
		bool known[COLUMNS]; /* else NULL */
		uint64_t values[COLUMNS];
	} batch[BATCH];
	size_t batch_count;
	struct ids events;     /* by series */
	struct ids rows;       /* of labels */
	struct digest *digest; /* of events and labels, then of the sums of stacks */
	uint64_t recording;    /* its id */
	bool is_new;	       /* the database has no recordings yet */
	bool prepared;	       /* the statements */
	bool added;	       /* something */
};

static bool set_id(struct ids *ids, uint32_t number, uint64_t id)
{
	if (!pk_extend(&ids->ids, &ids->count, number))
		return false;
	ids->ids[number] = id;
	return true;
}

static uint64_t id_of(const struct ids *ids, uint32_t number)
{
	return number < ids->count ? ids->ids[number] : 0;
}

/* ---- Items with keys ---- */

/* The id of the row with the key, or 0 if there is none. */
static uint64_t find_keyed(struct keyed *table, const struct content_item *item)
{
	store_bind_bytes(table->find, 1, item->key, sizeof(item->key));
	return store_execute(table->find);
}

/* Executes `insert`, whose first parameter is the key, unless the row is there. */
static bool add_keyed(struct database *d, struct keyed *table, const struct content_item *item)
{
	uint64_t id = find_keyed(table, item);

	store_bind_bytes(table->insert, 1, item->key, sizeof(item->key));
	if (!id)
		id = store_execute(table->insert);
	return set_id(&table->ids, item->number, id) && store_is_good(d->store);
}

static void bind_item(struct store_statement *statement, int index, const struct keyed *table,
		      const struct content_item *item)
{
	if (item)
		store_bind_number(statement, index, id_of(&table->ids, item->number));
}

static void bind_string(struct database *d, struct store_statement *statement, int index,
			uint32_t id)
{
	size_t size;
	const char *text = pk_dictionary_get_string(d->base.samples.names, id, &size);

	if (text)
		store_bind_text(statement, index, text, size);
}

static bool add_object(void *arg, const struct content_item *object, const struct pk_dso *dso)
{
	struct database *d = arg;
	struct buffer hex = {0};
	size_t size;
	const char *path = content_path(&d->keys, dso, &size);

	if (path)
		store_bind_text(d->objects.insert, 2, path, size);
	buffer_hex_bytes(&hex, dso->build_id, dso->build_id_size);
	if (hex.size)
		store_bind_text(d->objects.insert, 3, hex.data, hex.size);
	free(hex.data);
	store_bind_number(d->objects.insert, 4, dso->kind);
	return !hex.failed && add_keyed(d, &d->objects, object);
}

static bool add_frame(void *arg, const struct content_item *item, const struct content_item *object,
		      const struct pk_frame *frame)
{
	struct database *d = arg;
	struct store_statement *insert = d->frames.insert;
	const char *mode = content_mode(frame);

	bind_item(insert, 2, &d->objects, object);
	if (!frame->function) {
		store_bind_number(insert, 6, frame->address);
	} else {
		bind_string(d, insert, 3, frame->function);
		bind_string(d, insert, 4, frame->file);
		if (frame->line)
			store_bind_number(insert, 5, frame->line);
	}
	store_bind_text(insert, 7, mode, strlen(mode));
	store_bind_number(insert, 8, (frame->flags & PK_FRAME_INLINED) != 0);
	return add_keyed(d, &d->frames, item);
}

static bool add_stack(void *arg, const struct content_item *stack,
		      const struct content_item *parent, const struct content_item *frame)
{
	struct database *d = arg;

	bind_item(d->stacks.insert, 2, &d->stacks, parent);
	bind_item(d->stacks.insert, 3, &d->frames, frame);
	store_bind_number(d->stacks.insert, 4, stack->depth);
	return add_keyed(d, &d->stacks, stack);
}

/* ---- Events and labels ---- */

static void hash_text(struct database *d, const char *text, size_t size)
{
	digest_add(d->digest, &(uint32_t){(uint32_t)size}, sizeof(uint32_t));
	digest_add(d->digest, text, size);
}

/* Adds the event of a series, if it is new. Returns false if that fails. */
static bool add_event(struct database *d, uint32_t index)
{
	const struct series *series = &d->base.samples.series[index];
	const size_t name = strlen(series->event), unit = strlen(series->unit);

	if (id_of(&d->events, index))
		return true;
	hash_text(d, series->event, name);
	hash_text(d, series->unit, unit);
	store_bind_text(d->event, 1, series->event, name);
	store_bind_text(d->event, 2, series->unit, unit);
	return set_id(&d->events, index, store_execute(d->event)) && store_is_good(d->store);
}

static void bind_label(struct database *d, int index, struct pk_row_value value)
{
	const char *text;
	size_t size;

	digest_add(d->digest, &(uint32_t){pk_kind_as_data(value.kind)}, sizeof(uint32_t));
	if (value.kind == PK_VALUE_NONE)
		return;
	if (value.kind != PK_VALUE_TEXT) {
		digest_add(d->digest, &value.number, sizeof(value.number));
		store_bind_number(d->labels, index, value.number);
		return;
	}
	text = pk_texts_get(&d->base.samples.rows.texts, (uint32_t)value.number, &size);
	hash_text(d, text, size);
	store_bind_text(d->labels, index, text, size);
}

static bool add_labels(struct database *d, uint32_t row)
{
	const struct pk_rows *rows = &d->base.samples.rows;

	if (id_of(&d->rows, row))
		return true;
	store_bind_number(d->labels, 1, d->recording);
	for (unsigned int i = 0; i < rows->columns_count; i++)
		bind_label(d, (int)i + 2, pk_rows_value(rows, row, i));
	return set_id(&d->rows, row, store_execute(d->labels)) && store_is_good(d->store);
}

/* ---- Statements ---- */

/* Adds a name in double quotes. */
static void add_name(struct buffer *sql, const char *name)
{
	buffer_char(sql, '"');
	for (; *name; name++) {
		if (*name == '"')
			buffer_char(sql, '"');
		buffer_char(sql, *name);
	}
	buffer_char(sql, '"');
}

/* The SQL is complete. NULL: out of memory. */
static const char *sql_of(struct database *d, struct buffer *sql)
{
	buffer_char(sql, '\0');
	d->base.failed |= sql->failed;
	return sql->failed ? NULL : sql->data;
}

/* Adds a column to the table of labels, unless it has the column. */
static void add_label_column(struct database *d, const char *name)
{
	struct store_statement *find = store_prepare(
		d->store, "SELECT 1 FROM pragma_table_info('labels') WHERE lower(name) = lower(?)");
	struct buffer sql = {0};
	const char *text;

	store_bind_text(find, 1, name, strlen(name));
	buffer_text(&sql, "ALTER TABLE labels ADD COLUMN ");
	add_name(&sql, name);
	text = sql_of(d, &sql);
	if (!store_execute(find) && text)
		store_run(d->store, text);
	store_statement_free(find);
	free(sql.data);
}

static void prepare_labels(struct database *d)
{
	const unsigned int count = d->base.samples.rows.columns_count;
	struct buffer sql = {0};
	const char *text;

	for (unsigned int i = 0; i < count; i++)
		add_label_column(d, samples_label(&d->base.samples, i));
	buffer_text(&sql, "INSERT INTO labels(recording");
	for (unsigned int i = 0; i < count; i++) {
		buffer_char(&sql, ',');
		add_name(&sql, samples_label(&d->base.samples, i));
	}
	buffer_text(&sql, ") VALUES(?");
	for (unsigned int i = 0; i < count; i++)
		buffer_text(&sql, ",?");
	buffer_char(&sql, ')');
	text = sql_of(d, &sql);
	if (text)
		d->labels = store_prepare(d->store, text);
	free(sql.data);
}

static void prepare_keyed(struct database *d, struct keyed *table, const char *insert,
			  const char *find)
{
	table->insert = store_prepare(d->store, insert);
	table->find = d->is_new ? NULL : store_prepare(d->store, find);
}

static void prepare_samples(struct database *d)
{
	struct buffer sql = {0};
	const char *text;

	d->sample = store_prepare(d->store, "INSERT INTO samples VALUES(?,?,?,?,?,?)");
	buffer_text(&sql, "INSERT INTO samples VALUES(?,?,?,?,?,?)");
	for (unsigned int i = 1; i < BATCH; i++)
		buffer_text(&sql, ",(?,?,?,?,?,?)");
	text = sql_of(d, &sql);
	if (text)
		d->batch_insert = store_prepare(d->store, text);
	free(sql.data);
}

/* Called before the first sample, when the fields of the samples are known. */
static void prepare(struct database *d)
{
	d->prepared = true;
	d->keys.names = d->base.samples.names;
	prepare_keyed(d, &d->objects,
		      "INSERT INTO objects(key, path, build_id, kind) VALUES(?,?,?,?)",
		      "SELECT id FROM objects WHERE key = ?");
	prepare_keyed(
		d, &d->frames,
		"INSERT INTO frames(key, object, function, file, line, address, mode, inlined)"
		" VALUES(?,?,?,?,?,?,?,?)",
		"SELECT id FROM frames WHERE key = ?");
	prepare_keyed(d, &d->stacks,
		      "INSERT INTO stacks(key, parent, frame, depth) VALUES(?,?,?,?)",
		      "SELECT id FROM stacks WHERE key = ?");
	d->event = store_prepare(d->store, "INSERT INTO events(name, unit) VALUES(?,?)"
					   " ON CONFLICT DO UPDATE SET unit = unit RETURNING id");
	prepare_samples(d);
	prepare_labels(d);
}

static void free_statements(struct database *d)
{
	struct keyed *keyed[] = {&d->objects, &d->frames, &d->stacks};

	for (size_t i = 0; i < sizeof(keyed) / sizeof(keyed[0]); i++) {
		store_statement_free(keyed[i]->insert);
		store_statement_free(keyed[i]->find);
		free(keyed[i]->ids.ids);
	}
	store_statement_free(d->event);
	store_statement_free(d->labels);
	store_statement_free(d->sample);
	store_statement_free(d->batch_insert);
	free(d->events.ids);
	free(d->rows.ids);
}

/* ---- Samples ---- */

static void bind_rows(struct store_statement *insert, const struct batch_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t column = 0; column < COLUMNS; column++)
			if (rows[i].known[column])
				store_bind_number(insert, (int)(i * COLUMNS + column) + 1,
						  rows[i].values[column]);
	store_execute(insert);
}

static void put_batch(struct database *d)
{
	if (d->batch_count == BATCH)
		bind_rows(d->batch_insert, d->batch, BATCH);
	else
		for (size_t i = 0; i < d->batch_count; i++)
			bind_rows(d->sample, &d->batch[i], 1);
	d->batch_count = 0;
}

/* False: out of memory. */
static bool put_sample(struct database *d, const struct export_sample *sample,
		       const struct content_item *stack)
{
	d->batch[d->batch_count++] = (struct batch_row){
		.known = {true, sample->time, true, true, true, stack},
		.values = {d->recording, sample->time, id_of(&d->events, sample->series),
			   id_of(&d->rows, sample->row),
			   sample->weight > INT64_MAX ? INT64_MAX : sample->weight,
			   stack ? id_of(&d->stacks.ids, stack->number) : 0}};
	if (d->batch_count == BATCH)
		put_batch(d);
	return !stack || cells_add(&d->base.cells, &(struct cell){.stack = stack->number,
								  .series = sample->series,
								  .samples = 1,
								  .weight = sample->weight});
}

static bool add_sample(void *arg, const struct export_sample *sample)
{
	struct database *d = arg;
	const struct content_item *stack;

	if (!d->prepared)
		prepare(d);
	stack = content_keys_stack(&d->keys, sample->stack, &d->base.failed);
	if (!d->base.failed && add_event(d, sample->series) && add_labels(d, sample->row)) {
		d->base.failed = !put_sample(d, sample, stack);
		return !d->base.failed;
	}
	d->base.samples.stop = !store_is_good(d->store);
	return false;
}

/* The key of the recording: that of the times, and of the sums for each stack. */
static void make_key(struct database *d, uint8_t key[DIGEST_SIZE])
{
	const struct export_samples *samples = &d->base.samples;
	const uint64_t times[] = {samples->first, samples->last, samples->count};

	digest_add(d->digest, times, sizeof(times));
	for (size_t i = 0; i < d->base.cells.count; i++) {
		const struct cell *cell = &d->base.cells.items[i];
		const uint64_t sums[] = {cell->series, cell->samples, cell->weight};

		digest_add(d->digest, content_keys_of_number(&d->keys, cell->stack),
			   CONTENT_KEY_SIZE);
		digest_add(d->digest, sums, sizeof(sums));
	}
	digest_end(d->digest, key);
}

static void put_weights(struct database *d)
{
	struct store_statement *insert =
		store_prepare(d->store, "INSERT INTO weights VALUES(?,?,?,?,?)");

	for (size_t i = 0; i < d->base.cells.count; i++) {
		const struct cell *cell = &d->base.cells.items[i];

		store_bind_number(insert, 1, d->recording);
		store_bind_number(insert, 2, id_of(&d->events, cell->series));
		store_bind_number(insert, 3, id_of(&d->stacks.ids, cell->stack));
		store_bind_number(insert, 4, cell->samples);
		store_bind_number(insert, 5, cell->weight);
		store_execute(insert);
	}
	store_statement_free(insert);
}

/* ---- Recordings ---- */

/* Whether the database has the recording already. If not, adds it. */
static bool is_known(struct database *d)
{
	struct store_statement *find =
		store_prepare(d->store, "SELECT id FROM recordings WHERE key = ?");
	struct store_statement *insert = store_prepare(
		d->store, "INSERT INTO recordings(id, key, first, last, wall_offset, samples)"
			  " VALUES(?,?,?,?,?,?)");
	uint8_t digest[DIGEST_SIZE];
	bool known;

	make_key(d, digest);
	store_bind_bytes(find, 1, digest, CONTENT_KEY_SIZE);
	known = store_execute(find);
	store_bind_number(insert, 1, d->recording);
	store_bind_bytes(insert, 2, digest, CONTENT_KEY_SIZE);
	if (d->base.samples.first) {
		store_bind_number(insert, 3, d->base.samples.first);
		store_bind_number(insert, 4, d->base.samples.last);
	}
	if (d->base.samples.wall_offset)
		store_bind_number(insert, 5, d->base.samples.wall_offset);
	store_bind_number(insert, 6, d->base.samples.count);
	if (!known)
		store_execute(insert);
	store_statement_free(find);
	store_statement_free(insert);
	return known;
}

/* Creates the tables if there are none. Returns false after a message. */
static bool begin(struct database *d, const char *path)
{
	const uint64_t version = store_number(d->store, "PRAGMA user_version");
	char sql[64];

	if (version != SQLITE_SCHEMA_VERSION &&
	    (version || store_number(d->store, "SELECT count(*) FROM sqlite_master"))) {
		pk_error("%s: not a database of this version of pk-export", path);
		return false;
	}
	store_run(d->store, sqlite_tables);
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d", SQLITE_SCHEMA_VERSION);
	store_run(d->store, sql);
	d->is_new = !version;
	d->recording = 1 + store_number(d->store, "SELECT max(id) FROM recordings");
	return store_is_good(d->store);
}

static int start(void *format)
{
	struct database *d = format;
	const char *path = d->base.path;
	int result = PK_EXIT_FAILED;

	if (!path || !strcmp(path, "-"))
		return pk_usage_error("a database can only be written with -o FILE");
	d->digest = digest_new();
	if (!d->digest)
		return pk_no_memory();
	d->store = store_open(path, &result);
	if (!d->store || !begin(d, path))
		return result;
	d->keys = (struct content_keys){
		.object = add_object, .frame = add_frame, .stack = add_stack, .arg = d};
	return PK_EXIT_OK;
}

/* Completes the recording, if the database does not have it. */
static void finish(void *format)
{
	struct database *d = format;
	const struct pk_run *run = d->base.run;

	put_batch(d);
	if (!store_is_good(d->store) || d->base.failed)
		return;
	if (is_known(d)) {
		pk_warn("%s has these samples already, nothing was added", d->base.path);
		return;
	}
	put_weights(d);
	store_run(d->store, sqlite_indexes);
	store_run(d->store, sqlite_views);
	d->added = run->input.readable || !run->input.damaged;
}

static int end(void *format, int result)
{
	struct database *d = format;

	free_statements(d);
	if (d->store && !store_close(d->store, d->added) && !result)
		result = PK_EXIT_FAILED;
	digest_free(d->digest);
	content_keys_free(&d->keys);
	return result;
}

/* ---- Options ---- */

#define AT(member) PK_AT(struct database, member)

static const struct pk_option rows[] = {
	PK_TITLE("The tables"),
	{0, "by", "FIELD,...", PK_CALL, "columns of labels (default: comm,pid,tid,cpu); none",
	 AT(base.options.tail), .parse = pk_set_by},
	{.kind = PK_ROWS, .rows = sample_frames_row, AT(base.options)},
	{.kind = PK_ROWS, .rows = export_sample_rows},
	PK_OPTIONS_END,
};

const struct export_format export_sqlite = {
	.name = "sqlite",
	.description = "a database file: samples, stacks, frames and objects as tables",
	.by = "comm,pid,tid,cpu",
	.command = {.usage = "Usage: pk-export sqlite [OPTION...] [FILE...]\n\n"
			     "Adds the samples to a database file of SQLite, -o, which is created "
			     "if necessary.\n",
		    .options = rows,
		    .examples =
			    "  pk-export sqlite -o app.db app.pk\n"
			    "  sqlite3 app.db 'SELECT symbol, self, total FROM top LIMIT 20'\n"},
	.size = sizeof(struct database),
	.output = OUTPUT_NONE,
	.start = start,
	.sample = add_sample,
	.write = finish,
	.end = end,
};
