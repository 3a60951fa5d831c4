// SPDX-License-Identifier: BSD-2-Clause
/* The format sqlite. It writes samples, stacks, frames and objects to tables of a database file,
 * which is called a store. The key of a recording depends on its samples. If the store already has
 * the recording, nothing is added. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "content_keys.h"
#include "export.h"
#include "cli.h"
#include "lookups.h"
#include "row_options.h"
#include "sqlite_schema.h"
#include "sqlite_store.h"
#include "vector.h"

/* ---- The database ---- */

/* The ids that items have in a table of the database. The index is the number of the item. The id
 * is 0 if it is unknown. */
struct ids {
	uint64_t *ids;
	size_t count;
};

/* A table whose rows have keys, with the statements that add and find a row. */
struct keyed {
	struct store_statement *insert;
	/* NULL if the database is new, so that the table is empty. That of objects also keeps the
	 * least path; see content_keys.c. */
	struct store_statement *find;
	struct ids ids;
};

/* BATCH samples are inserted by one statement, which takes only half of the time. */
#define BATCH	64
#define COLUMNS 7 /* columns of the table samples */

#define MINUTE UINT64_C(60000000000)
#define HOUR   (60 * MINUTE)

struct database {
	struct exporter base; /* with --every, `base.cells` has the sums of the interval that starts
			       * at `start` */

	/* The options: */
	struct row_options options;
	bool whole; /* If there was an error, such as a damaged input, add nothing to the database.
		     */
	bool print_schema;

	struct content_keys keys;
	struct store *store;
	struct keyed tables[CONTENT_TABLES];
	struct keyed labels; /* ids of labels in the database, by row of labels */
	struct store_statement *event, *sample;
	/* Like `sample`, but inserts BATCH samples. */
	struct store_statement *batch_insert;
	uint64_t batch[BATCH][COLUMNS];
	size_t batch_count;
	struct ids events; /* ids of events in the database; the index is the index of the series */
	uint64_t start;	   /* start of the current interval, in seconds */
	struct cells minutes; /* the sums of the minute that starts at `minute`, without stacks */
	uint64_t minute;      /* start of the current minute, in ns */
	struct store_statement *by_minute, *by_hour;
	struct digest *digest; /* calculates a hash of all rows, which identifies the recording */
	struct digest *labels_keys; /* calculates a hash of one row of labels */
	struct buffer host;	    /* name of the host in the first sample */
	uint64_t recording;	    /* id of the recording */
	uint64_t samples;	    /* number of samples in all rows */
	uint64_t bytes;		    /* size of the input files */
	bool is_new;		    /* the store has no recordings yet */
	bool begun;		    /* the transaction was started */
	bool added;		    /* the recording was added */
};

static enum pk_status set_id(struct ids *ids, uint32_t number, uint64_t id)
{
	PK_TRY(pk_extend(&ids->ids, &ids->count, number));
	ids->ids[number] = id;
	return PK_OK;
}

static uint64_t id_of(const struct ids *ids, uint32_t number)
{
	return number < ids->count ? ids->ids[number] : 0;
}

/* ---- Rows with keys ---- */

/* Returns the id of the row with this key, or 0 if there is no such row. */
static uint64_t find_keyed(struct keyed *table, const uint8_t key[CONTENT_KEY_SIZE])
{
	store_bind_bytes(table->find, 1, key, CONTENT_KEY_SIZE);
	return store_execute(table->find);
}

/* Executes table->insert. Its other parameters were set before. Returns the id of the new row. */
static uint64_t insert_keyed(struct keyed *table, const uint8_t key[CONTENT_KEY_SIZE])
{
	store_bind_bytes(table->insert, 1, key, CONTENT_KEY_SIZE);
	return store_execute(table->insert);
}

static void bind_value(struct database *d, struct store_statement *insert, int index,
		       const struct content_column *column, const struct content_value *value)
{
	switch (value->kind) {
	case CONTENT_NONE: break;
	case CONTENT_NUMBER: store_bind_number(insert, index, value->number); break;
	case CONTENT_TEXT: store_bind_text(insert, index, value->text, value->size); break;
	case CONTENT_ITEM:
		store_bind_number(insert, index,
				  id_of(&d->tables[column->of].ids, value->item->number));
		break;
	}
}

/* The callback content_keys.add. It adds the row of a new object, frame or stack. */
static enum pk_status add_content(void *arg, enum content_table table,
				  const struct content_row *row)
{
	struct database *d = arg;
	const struct content_item *item = row->values[0].item;
	const struct content_columns *columns = &content_tables[table];

	uint64_t id;

	if (table == CONTENT_OBJECTS)
		bind_value(d, d->tables[table].find, 2, &columns->columns[1], &row->values[1]);
	id = find_keyed(&d->tables[table], item->key);
	if (!id) {
		for (unsigned int i = 1; i < columns->count; i++)
			bind_value(d, d->tables[table].insert, (int)i + 1, &columns->columns[i],
				   &row->values[i]);
		id = insert_keyed(&d->tables[table], item->key);
	}
	if (table == CONTENT_STACKS)
		digest_add(d->digest, item->key, CONTENT_KEY_SIZE);
	PK_TRY(set_id(&d->tables[table].ids, item->number, id));
	return store_is_good(d->store) ? PK_OK : PK_FAILED;
}

/* ---- Events and labels ---- */

static void hash_text(struct digest *digest, const char *text, size_t size)
{
	digest_add(digest, &(uint32_t){(uint32_t)size}, sizeof(uint32_t));
	digest_add(digest, text, size);
}

/* Adds the event of a series if it is new. Returns another status than PK_OK if that fails. */
static enum pk_status add_event(struct database *d, uint32_t index)
{
	const struct series *series = &d->base.samples.series[index];
	const size_t name = strlen(series->event), unit = strlen(series->unit);

	if (id_of(&d->events, index))
		return PK_OK;
	hash_text(d->digest, series->event, name);
	hash_text(d->digest, series->unit, unit);
	store_bind_text(d->event, 1, series->event, name);
	store_bind_text(d->event, 2, series->unit, unit);
	PK_TRY(set_id(&d->events, index, store_execute(d->event)));
	return store_is_good(d->store) ? PK_OK : PK_NOMEM;
}

/* Adds a label to the key of its row. The key depends on the name and the value of each label that
 * has a value. */
static void hash_label(struct database *d, const char *name, const void *value, size_t size)
{
	hash_text(d->labels_keys, name, strlen(name));
	hash_text(d->labels_keys, value, size);
}

/* Remembers the host of the first sample. It becomes the host of the recording. */
static void note_host(struct database *d, const char *name, const char *text, size_t size)
{
	if (!d->host.size && !strcmp(name, "host"))
		buffer_add(&d->host, text, size);
}

static void bind_text_label(struct database *d, int index, const char *name, const char *text,
			    size_t size)
{
	hash_label(d, name, text, size);
	note_host(d, name, text, size);
	store_bind_text(d->labels.insert, index, text, size);
}

static void bind_label(struct database *d, int index, const char *name, struct pk_row_value value)
{
	const char *text;
	size_t size;

	if (value.kind == PK_VALUE_TEXT) {
		text = pk_texts_get(&d->base.samples.rows.texts, (uint32_t)value.number, &size);
		bind_text_label(d, index, name, text, size);
	} else if (value.kind != PK_VALUE_NONE) {
		hash_label(d, name, &value.number, sizeof(value.number));
		store_bind_number(d->labels.insert, index, value.number);
	}
}

static enum pk_status add_labels(struct database *d, uint32_t row)
{
	const struct pk_rows *rows = &d->base.samples.rows;
	uint8_t key[DIGEST_SIZE];
	uint64_t id;
	int index = 2;

	if (id_of(&d->labels.ids, row))
		return PK_OK;
	for (unsigned int i = 0; i < d->options.constants_count; i++) {
		const struct row_constant *constant = &d->options.constants[i];

		bind_text_label(d, index++, constant->name, constant->value,
				strlen(constant->value));
	}
	for (unsigned int i = 0; i < rows->columns_count; i++)
		bind_label(d, index++, samples_label(&d->base.samples, i),
			   pk_rows_value(rows, row, i));
	digest_end(d->labels_keys, key);
	digest_add(d->digest, key, CONTENT_KEY_SIZE);
	id = find_keyed(&d->labels, key);
	if (id)
		store_clear(d->labels.insert);
	else
		id = insert_keyed(&d->labels, key);
	PK_TRY(set_id(&d->labels.ids, row, id));
	if (!store_is_good(d->store))
		return PK_NOMEM;
	return d->host.failed ? PK_NOMEM : PK_OK;
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

/* Adds a NUL to the SQL, and returns the SQL. Returns NULL if memory is exhausted. */
static const char *sql_of(struct database *d, struct buffer *sql)
{
	buffer_char(sql, '\0');
	d->base.failed |= sql->failed;
	return sql->failed ? NULL : sql->data;
}

/* Prepares a statement, and frees the text. Returns NULL if memory is exhausted or the store has
 * failed. */
static struct store_statement *prepare(struct database *d, struct buffer *sql)
{
	const char *text = sql_of(d, sql);
	struct store_statement *statement = text ? store_prepare(d->store, text) : NULL;

	free(sql->data);
	return statement;
}

/* Executes the statements in the text, and frees the text. */
static void run(struct database *d, struct buffer *sql)
{
	const char *text = sql_of(d, sql);

	if (text)
		store_run(d->store, text);
	free(sql->data);
}

/* Returns the name of a column of the table of labels. The columns of --column come first, and then
 * those of --by. */
static const char *label_name(const struct database *d, unsigned int index)
{
	return index < d->options.constants_count
		       ? d->options.constants[index].name
		       : samples_label(&d->base.samples, index - d->options.constants_count);
}

/* Adds a column to the table of labels if the table does not have this column. */
static void add_label_column(struct database *d, const char *name)
{
	struct store_statement *find = store_prepare(
		d->store, "SELECT 1 FROM pragma_table_info('labels') WHERE lower(name) = lower(?)");
	struct buffer sql = {0};

	store_bind_text(find, 1, name, strlen(name));
	if (!store_execute(find)) {
		buffer_text(&sql, "ALTER TABLE labels ADD COLUMN ");
		add_name(&sql, name);
		run(d, &sql);
	}
	store_statement_free(find);
}

static void prepare_keyed(struct database *d, struct keyed *table, const char *name,
			  struct buffer *insert)
{
	struct buffer find = {0};

	table->insert = prepare(d, insert);
	if (d->is_new && table != &d->tables[CONTENT_OBJECTS])
		return;
	if (table == &d->tables[CONTENT_OBJECTS]) {
		buffer_text(&find, "UPDATE objects SET path = coalesce(min(path, ?2), path, ?2) "
				   "WHERE key = ?1 RETURNING id");
	} else {
		buffer_text(&find, "SELECT id FROM ");
		buffer_text(&find, name);
		buffer_text(&find, " WHERE key = ?");
	}
	table->find = prepare(d, &find);
}

static void prepare_labels(struct database *d)
{
	const unsigned int count = d->options.constants_count + d->base.samples.rows.columns_count;
	struct buffer sql = {0};

	for (unsigned int i = 0; i < count; i++)
		add_label_column(d, label_name(d, i));
	buffer_text(&sql, "INSERT INTO labels(key");
	for (unsigned int i = 0; i < count; i++) {
		buffer_char(&sql, ',');
		add_name(&sql, label_name(d, i));
	}
	buffer_text(&sql, ") VALUES(?");
	for (unsigned int i = 0; i < count; i++)
		buffer_text(&sql, ",?");
	buffer_char(&sql, ')');
	prepare_keyed(d, &d->labels, "labels", &sql);
}

static struct store_statement *prepare_samples(struct database *d, unsigned int rows)
{
	struct buffer sql = {0};

	buffer_text(&sql, "INSERT INTO samples VALUES(?,?,?,?,?,?,?)");
	for (unsigned int i = 1; i < rows; i++)
		buffer_text(&sql, ",(?,?,?,?,?,?,?)");
	buffer_text(&sql, SQLITE_ADD_SUMS);
	return prepare(d, &sql);
}

static void prepare_all(struct database *d)
{
	for (unsigned int i = 0; i < CONTENT_TABLES; i++) {
		struct buffer sql = {0};

		sqlite_insert(&sql, i);
		prepare_keyed(d, &d->tables[i], content_tables[i].table, &sql);
	}
	prepare_labels(d);
	d->event = store_prepare(d->store, "INSERT INTO events(name, unit) VALUES(?,?)"
					   " ON CONFLICT DO UPDATE SET unit = unit RETURNING id");
	d->sample = prepare_samples(d, 1);
	d->batch_insert = prepare_samples(d, BATCH);
	d->by_minute =
		store_prepare(d->store, "INSERT INTO by_minute VALUES(?,?,?,?,?)" SQLITE_ADD_SUMS);
	d->by_hour =
		store_prepare(d->store, "INSERT INTO by_hour VALUES(?,?,?,?,?)" SQLITE_ADD_SUMS);
}

static void free_keyed(struct keyed *table)
{
	store_statement_free(table->insert);
	store_statement_free(table->find);
	free(table->ids.ids);
}

static void free_statements(struct database *d)
{
	for (unsigned int i = 0; i < CONTENT_TABLES; i++)
		free_keyed(&d->tables[i]);
	free_keyed(&d->labels);
	store_statement_free(d->event);
	store_statement_free(d->sample);
	store_statement_free(d->batch_insert);
	store_statement_free(d->by_minute);
	store_statement_free(d->by_hour);
	free(d->events.ids);
}

/* ---- The transaction ---- */

/* Starts the transaction, and creates the tables if there are none. Called before the first row,
 * because the fields of the samples are known then. Before the transaction starts, other programs
 * can add recordings to the store. */
static void begin(struct database *d)
{
	struct buffer sql = {0};

	d->begun = true;
	store_begin(d->store);
	sqlite_tables(&sql);
	run(d, &sql);
	d->recording = 1 + store_number(d->store, "SELECT max(id) FROM recordings");
	d->is_new = d->recording == 1;
	d->keys.names = d->base.samples.names;
	prepare_all(d);
}

/* ---- Rows ---- */

static void bind_rows(struct store_statement *insert, uint64_t (*rows)[COLUMNS], size_t count)
{
	int index = 1;

	for (size_t i = 0; i < count; i++)
		for (size_t column = 0; column < COLUMNS; column++)
			store_bind_number(insert, index++, rows[i][column]);
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

static void add_to(struct store_statement *insert, uint64_t time, struct database *d,
		   const struct cell *cell)
{
	uint64_t row[] = {time, id_of(&d->events, cell->series), id_of(&d->labels.ids, cell->row),
			  cell->samples, cell->weight};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		store_bind_number(insert, (int)i + 1, row[i]);
	store_execute(insert);
}

static void put_minute(struct database *d)
{
	for (size_t i = 0; i < d->minutes.count; i++) {
		add_to(d->by_minute, d->minute, d, &d->minutes.items[i]);
		add_to(d->by_hour, d->minute - d->minute % HOUR, d, &d->minutes.items[i]);
	}
	cells_clear(&d->minutes);
}

static enum pk_status add_to_minute(struct database *d, uint64_t time, const struct cell *cell)
{
	struct cell sums = *cell;

	sums.stack = 0;
	if (time - time % MINUTE != d->minute)
		put_minute(d);
	d->minute = time - time % MINUTE;
	return cells_add(&d->minutes, &sums);
}

/* Adds a row of samples to the batch. stack is NULL if the stack has no frames. Its id and number
 * are 0 then. */
static void put_row(struct database *d, uint64_t time, const struct cell *cell,
		    const struct content_item *stack)
{
	const uint32_t number = stack ? stack->number : 0;
	const uint64_t row[COLUMNS] = {time,
				       id_of(&d->events, cell->series),
				       id_of(&d->labels.ids, cell->row),
				       id_of(&d->tables[CONTENT_STACKS].ids, number),
				       d->recording,
				       cell->samples,
				       cell->weight > INT64_MAX ? INT64_MAX : cell->weight};
	/* The row is hashed with the numbers of the event, labels and stack. The hash already
	 * includes their content. */
	const uint64_t content[] = {time, cell->samples, cell->weight,
				    (uint64_t)cell->series << 32 | cell->row, number};

	memcpy(d->batch[d->batch_count++], row, sizeof(row));
	if (d->batch_count == BATCH)
		put_batch(d);
	digest_add(d->digest, content, sizeof(content));
	d->samples += cell->samples;
}

/* Adds a row of samples. Returns PK_END if the store has failed. */
static enum pk_status add_cell(struct database *d, uint64_t time, const struct cell *cell)
{
	const struct content_item *stack;
	enum pk_status status;

	if (!d->begun)
		begin(d);
	stack = content_keys_stack(&d->keys, cell->stack, &d->base.failed);
	status = d->base.failed ? PK_NOMEM : add_event(d, cell->series) ?: add_labels(d, cell->row);
	if (status == PK_OK) {
		put_row(d, time, cell, stack);
		status = add_to_minute(d, time, cell);
	}
	if (!store_is_good(d->store))
		return PK_END;
	d->base.failed |= status != PK_OK;
	return status;
}

/* Adds the rows of the interval, and clears the cells. */
static enum pk_status put_cells(struct database *d)
{
	for (size_t i = 0; i < d->base.cells.count; i++)
		PK_TRY(add_cell(d, d->start * UINT64_C(1000000000), &d->base.cells.items[i]));
	cells_clear(&d->base.cells);
	return PK_OK;
}

static enum pk_status add_to_interval(struct database *d, const struct export_sample *sample)
{
	const uint64_t start = row_interval(&d->options, &d->base.samples, sample->time);

	if (start != d->start)
		PK_TRY(put_cells(d));
	d->start = start;
	return cells_add_sample(&d->base.cells, sample);
}

static enum pk_status add_sample(void *arg, const struct export_sample *sample)
{
	struct database *d = arg;

	if (d->options.every)
		return add_to_interval(d, sample);
	return add_cell(d, samples_time_of_day(&d->base.samples, sample->time),
			&(struct cell){.row = sample->row,
				       .stack = sample->stack,
				       .series = sample->series,
				       .samples = 1,
				       .weight = sample->weight});
}

/* ---- Recordings ---- */

static void put_recording(struct database *d, const uint8_t key[CONTENT_KEY_SIZE])
{
	const struct export_samples *samples = &d->base.samples;
	struct store_statement *insert = store_prepare(
		d->store, "INSERT INTO recordings(id, key, first, last, wall_offset, samples, host,"
			  " bytes) VALUES(?,?,?,?,?,?,?,?)");

	store_bind_number(insert, 1, d->recording);
	store_bind_bytes(insert, 2, key, CONTENT_KEY_SIZE);
	if (samples->first) {
		store_bind_number(insert, 3, samples->first + samples->wall_offset);
		store_bind_number(insert, 4, samples->last + samples->wall_offset);
	}
	if (samples->wall_offset)
		store_bind_number(insert, 5, samples->wall_offset);
	store_bind_number(insert, 6, d->samples);
	if (d->host.size)
		store_bind_text(insert, 7, d->host.data, d->host.size);
	store_bind_number(insert, 8, d->bytes);
	store_execute(insert);
	store_statement_free(insert);
}

/* Returns true if the store already has the recording. If not, adds the recording. */
static bool is_known(struct database *d)
{
	const uint64_t times[] = {d->base.samples.first, d->base.samples.last};
	struct store_statement *find =
		store_prepare(d->store, "SELECT id FROM recordings WHERE key = ?");
	uint8_t digest[DIGEST_SIZE];
	bool known;

	digest_add(d->digest, times, sizeof(times));
	digest_end(d->digest, digest);
	store_bind_bytes(find, 1, digest, CONTENT_KEY_SIZE);
	known = store_execute(find);
	if (!known)
		put_recording(d, digest);
	store_statement_free(find);
	return known;
}

/* Returns the total size of those inputs that are files, in bytes. */
static uint64_t bytes_of(const struct pk_run *run)
{
	uint64_t bytes = 0;
	struct stat st;

	for (int i = 0; i < run->files_count; i++)
		if (!stat(run->files[i], &st) && S_ISREG(st.st_mode))
			bytes += (uint64_t)st.st_size;
	return bytes;
}

/* Prints the SQL that creates the tables. Returns an exit status. */
static int print_schema(void)
{
	struct buffer sql = {0};

	sqlite_tables(&sql);
	sqlite_indexes(&sql);
	if (sql.failed)
		return pk_no_memory();
	fwrite(sql.data, 1, sql.size, stdout);
	free(sql.data);
	return pk_finish(PK_EXIT_OK);
}

/* Opens the store. Returns PK_CONTINUE, or an exit status after an error message. */
static int open_store(struct database *d)
{
	int result = PK_EXIT_FAILED;
	uint64_t tables, version;

	d->store = store_open(d->base.path, &result);
	if (!d->store)
		return result;
	/* Another program can create the tables at this moment. If they are there, so is the
	 * version. */
	tables = store_number(d->store, "SELECT count(*) FROM sqlite_master");
	version = store_number(d->store, "PRAGMA user_version");
	if (version != SQLITE_SCHEMA_VERSION && (version || tables)) {
		pk_error("%s: not a database of this version of pk-export", d->base.path);
		return PK_EXIT_FAILED;
	}
	return store_is_good(d->store) ? PK_CONTINUE : PK_EXIT_FAILED;
}

/* Sets the fields that are used without --by. These are all labels of the table except those of
 * --column. If samples are added up, the labels of threads and processors are left out, too. */
static int set_default_by(struct database *d)
{
	bool has_host = false;
	char text[128];
	int result;

	for (unsigned int i = 0; i < d->options.constants_count; i++)
		has_host |= !strcmp(d->options.constants[i].name, "host");
	snprintf(text, sizeof(text),
		 "%slabel.service,label.version,label.region,container,pod,comm%s",
		 has_host ? "" : "host,", d->options.every ? "" : ",pid,tid,cpu");
	result = pk_tail_by(&d->base.options.tail, text, PK_GROUP_COLUMNS);
	d->base.options.tail.by_default = true;
	return result;
}

static int check_options(struct database *d)
{
	static const char *const columns[] = {"id", "key", NULL};
	int result = PK_CONTINUE;

	if (d->base.options.tail.by_default)
		result = set_default_by(d);
	return result < 0 ? row_options_check(&d->options, &d->base.options.tail, columns) : result;
}

static int start(void *format)
{
	struct database *d = format;
	const char *path = d->base.path;
	int result;

	if (d->print_schema)
		return print_schema();
	result = check_options(d);
	if (result >= 0)
		return result;
	if (!path || !strcmp(path, "-"))
		return pk_usage_error("a database can only be written with -o FILE");
	d->digest = digest_new();
	d->labels_keys = digest_new();
	if (!d->digest || !d->labels_keys)
		return pk_no_memory();
	d->bytes = bytes_of(d->base.run);
	d->keys = (struct content_keys){.add = add_content, .arg = d};
	return open_store(d);
}

/* Adds the recording unless the store already has it. */
static void finish(void *format)
{
	struct database *d = format;
	const struct pk_run *input = d->base.run;
	struct buffer sql = {0};

	if (put_cells(d) != PK_OK)
		return;
	if (!d->begun)
		begin(d);
	put_batch(d);
	put_minute(d);
	if (!store_is_good(d->store) || d->base.failed)
		return;
	if (is_known(d)) {
		pk_warn("%s has these samples already, nothing was added", d->base.path);
		return;
	}
	sqlite_indexes(&sql);
	run(d, &sql);
	d->added = input->input.readable || !input->input.damaged;
}

static int end(void *format, int result)
{
	struct database *d = format;

	free_statements(d);
	if (d->store && !store_close(d->store, d->added && !(d->whole && result)) && !result)
		result = PK_EXIT_FAILED;
	digest_free(d->digest);
	digest_free(d->labels_keys);
	content_keys_free(&d->keys);
	cells_free(&d->minutes);
	free(d->host.data);
	return result;
}

/* ---- Options ---- */

#define AT(member) PK_AT(struct database, member)

static const struct pk_option rows[] = {
	PK_TITLE("The tables"),
	{0, "by", "FIELD,...", PK_CALL,
	 "columns of labels (default: host,label.service,label.version,label.region,container,pod,"
	 "comm, and without --every pid,tid,cpu); none",
	 AT(base.options.tail), .parse = pk_set_by},
	{.kind = PK_ROWS, .rows = row_options_rows, AT(options)},
	{.kind = PK_ROWS, .rows = sample_frames_row, AT(base.options)},
	{0, "whole", NULL, PK_FLAG,
	 "add nothing if the exit status is not 0, for example for a damaged input", AT(whole)},
	{0, "schema", NULL, PK_FLAG, "print the SQL that creates the tables", AT(print_schema)},
	{.kind = PK_ROWS, .rows = export_sample_rows},
	PK_OPTIONS_END,
};

const struct export_format export_sqlite = {
	.name = "sqlite",
	.description = "a database file: samples, stacks, frames and objects as tables",
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
