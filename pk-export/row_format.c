// SPDX-License-Identifier: BSD-2-Clause
/* The format rows. It is for databases, spreadsheets and scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "cli.h"
#include "lookups.h"
#include "number.h"
#include "row_options.h"
#include "row_writer.h"
#include "rows_tables.h"
#include "vector.h"

/* ---- Texts of frames ---- */

/* The texts of frames in a list of frames. Each text is made only once. It is the name of the
 * function. If the function is unknown, the text is "[object]", or "1f2e...+0x1234", which is the
 * build-id or path of the object and the address. */

struct frame_texts {
	/* The caller sets these members: */
	const struct export_samples *samples;
	struct profile_tables *tables; /* makes the texts valid; the member `raw` is set */
	enum row_format format;
	bool addresses;
	/* Only the functions of this section use these members: */
	struct buffer plain, text;
};

static void add_address(struct frame_texts *texts, const struct pk_frame *frame)
{
	const struct pk_dictionary *names = texts->samples->names;
	const struct pk_dso *dso = pk_dictionary_get_dso(names, frame->dso);
	size_t size = 0;
	const char *path = dso ? pk_dictionary_get_string(names, dso->path, &size) : NULL;

	if (dso && dso->build_id_size)
		buffer_hex_bytes(&texts->plain, dso->build_id, dso->build_id_size);
	else if (path)
		buffer_add(&texts->plain, path, size);
	buffer_text(&texts->plain, "+0x");
	buffer_hex(&texts->plain, frame->address, 0);
}

static void make_plain(struct frame_texts *texts, const struct pk_frame *frame)
{
	const struct pk_dictionary *names = texts->samples->names;
	const struct pk_dso *dso = pk_dictionary_get_dso(names, frame->dso);
	size_t size = 0;
	const char *name = pk_dictionary_get_string(names, frame->function, &size);

	texts->plain.size = 0;
	if (name)
		buffer_add(&texts->plain, name, size);
	else if (texts->addresses)
		add_address(texts, frame);
	else
		names_object_text(names, dso ? dso->path : 0, &texts->plain);
}

/* Makes texts->text from texts->plain. In TSV and CSV, ';' separates the frames of a list, so each
 * ';' in the text becomes ':'. */
static void make_text(struct frame_texts *texts)
{
	texts->text.size = 0;
	if (texts->format == ROW_JSON) {
		buffer_quoted(&texts->text, texts->plain.data, texts->plain.size);
		return;
	}
	buffer_valid(&texts->text, texts->plain.data, texts->plain.size, SIZE_MAX);
	for (size_t i = 0; i < texts->text.size && !row_is_binary(texts->format); i++)
		if (texts->text.data[i] == ';')
			texts->text.data[i] = ':';
}

/* Returns the text of a frame for row_list_item(). Returns NULL if memory is exhausted. */
static const char *frame_text(struct frame_texts *texts, uint32_t id, size_t *size)
{
	uint32_t *number = profile_of_frame(texts->tables, id);

	if (!number)
		return NULL;
	if (!*number) {
		make_plain(texts, pk_dictionary_get_frame(texts->samples->names, id));
		make_text(texts);
		if (texts->plain.failed || texts->text.failed)
			return NULL;
		*number = profile_string(texts->tables, texts->text.data ? texts->text.data : "",
					 texts->text.size);
	}
	return pk_texts_get(&texts->tables->strings, *number, size);
}

/* ---- Labels ---- */

/* The labels of samples are columns of rows. */

/* Returns the type of a label's column. A field of a tracepoint can have another kind of values in
 * another event, so its column has texts. */
static enum row_type type_of(const struct pk_reference *reference)
{
	if (!reference->field)
		return ROW_ANY_TEXT;
	switch (pk_kind_as_data(reference->field->kind)) {
	case PK_VALUE_NUMBER:
	case PK_VALUE_HEX:
	case PK_VALUE_TIME: return ROW_ANY_NUMBER;
	case PK_VALUE_SIGNED:
	case PK_VALUE_INT: return ROW_ANY_SIGNED;
	default: return ROW_ANY_TEXT;
	}
}

static void label_headings(struct row_writer *writer, const struct pk_tail_options *tail)
{
	for (unsigned int i = 0; i < tail->by_count; i++)
		row_heading(writer, samples_name_of(&tail->by[i]), type_of(&tail->by[i]));
}

static void put_value(struct row_writer *writer, const struct pk_rows *rows,
		      struct pk_row_value value)
{
	char text[PK_VALUE_SIZE];
	const char *name;
	size_t size;

	switch (pk_kind_as_data(value.kind)) {
	case PK_VALUE_NONE: row_none(writer); break;
	case PK_VALUE_TEXT:
		name = pk_texts_get(&rows->texts, (uint32_t)value.number, &size);
		row_text(writer, name, size);
		break;
	case PK_VALUE_HEX: row_number(writer, value.number); break;
	default:
		size = pk_number_text(pk_kind_as_data(value.kind), value.number, text);
		row_plain(writer, text, size, value.number);
		break;
	}
}

static void label_columns(struct row_writer *writer, const struct export_samples *samples,
			  uint32_t row)
{
	for (unsigned int i = 0; i < samples->rows.columns_count; i++) {
		row_column(writer, samples_label(samples, i));
		put_value(writer, &samples->rows, pk_rows_value(&samples->rows, row, i));
	}
}

/* ---- Rows ---- */

struct rows {
	struct exporter base; /* with --every, `base.cells` has the sums of the interval that starts
			       * at `start` */

	/* The options: */
	enum row_format format;
	bool each;	    /* write a row for each sample, and not for each sum of samples */
	const char *folder; /* path of the folder for the tables; NULL to write only one table */
	bool flat;	    /* write no missing values, and write stacks as lists of frames */
	bool print_schema;
	struct row_options options;
	uint64_t from, to; /* arguments of --from and --to in seconds since 1970; `to` is 0 if there
			    * is no limit */

	uint64_t start;
	uint64_t untimed; /* number of samples that were left out with --every because they have no
			   * time of day */
	uint64_t outside; /* number of samples that are not between --from and --to */
	struct frame_texts texts;
	struct stack_frames frames;
	struct rows_tables tables; /* used with --tables */
	struct row_writer single, *writer;
	uint64_t cut; /* number of samples whose stack was cut */
};

static struct export_output *output_of(struct rows *r)
{
	return r->folder ? &r->tables.outputs[TABLE_SAMPLES] : &r->base.out;
}

/* ---- Rows ---- */

static void put_heading(struct rows *r)
{
	for (unsigned int i = 0; i < r->options.constants_count; i++)
		row_heading(r->writer, r->options.constants[i].name, ROW_TEXT);
	if (r->each)
		row_heading(r->writer, "time", ROW_ANY_NUMBER);
	else if (r->options.every)
		row_heading(r->writer, "time", ROW_SECONDS);
	label_headings(r->writer, &r->base.options.tail);
	row_heading(r->writer, "event", ROW_TEXT);
	row_heading(r->writer, "unit", ROW_TEXT);
	if (!r->each)
		row_heading(r->writer, "samples", ROW_NUMBER);
	row_heading(r->writer, "weight", ROW_NUMBER);
	row_heading(r->writer, "stack", r->folder ? ROW_ANY_KEY : ROW_TEXTS);
	row_end(r->writer);
}

/* Limits for lists of frames in bytes. An input can define a stack with thousands of frames and
 * long names in a few bytes. So a list longer than LIST_MAX loses its outermost frames. When all
 * lists together have cost more than the input allows, lists longer than LIST_SHORT lose frames,
 * too. pk-fold has similar limits. */
#define LIST_MAX   (UINT64_C(1) << 20)
#define LIST_SHORT (UINT64_C(4) << 10)

/* Reads as many frames of a stack as fit into the limit. */
static enum pk_status read_frames(struct rows *r, uint32_t stack)
{
	struct stack_frames *frames = &r->frames;
	struct pk_allowance *allowance = &r->base.samples.allowance;
	uint64_t limit = LIST_MAX, bytes = 0;
	size_t size;

	stack_frames_read(frames, r->base.samples.names, allowance, stack);
	for (size_t i = 0; i < frames->count; i++) {
		if (!frame_text(&r->texts, frames->ids[i], &size))
			return PK_NOMEM;
		bytes += size + 1;
		if (!pk_allowance_spend(allowance, size + 1))
			limit = LIST_SHORT;
		frames->cut |= bytes > limit;
		if (bytes > limit && i)
			frames->count = i;
	}
	return PK_OK;
}

/* Writes the list of frames, the outermost frame first. */
static enum pk_status put_frames(struct rows *r, uint32_t stack, uint64_t samples)
{
	const char *more = r->writer->format == ROW_JSON ? "\"[...]\"" : "[...]", *text;
	size_t size;

	PK_TRY(read_frames(r, stack));
	r->cut += r->frames.cut ? samples : 0;
	row_column(r->writer, "stack");
	row_list_begin(r->writer, r->frames.count + r->frames.cut);
	if (r->frames.cut)
		row_list_item(r->writer, more, strlen(more), true);
	for (size_t left = r->frames.count; left; left--) {
		text = frame_text(&r->texts, r->frames.ids[left - 1], &size);
		row_list_item(r->writer, text, size, left == r->frames.count && !r->frames.cut);
	}
	row_list_end(r->writer);
	return PK_OK;
}

static void put_series(struct rows *r, uint32_t index)
{
	const struct series *series = &r->base.samples.series[index];

	row_column(r->writer, "event");
	row_text(r->writer, series->event, strlen(series->event));
	row_column(r->writer, "unit");
	row_text(r->writer, series->unit, strlen(series->unit));
}

static void put_count(struct rows *r, const char *name, uint64_t count)
{
	row_column(r->writer, name);
	row_number(r->writer, count);
}

/* Writes the columns from "weight" on, and ends the row. */
static enum pk_status put_rest(struct rows *r, uint32_t stack, uint64_t samples, uint64_t weight)
{
	struct export_output *out = output_of(r);

	put_count(r, "weight", weight);
	PK_TRY(r->folder ? rows_tables_stack(&r->tables, stack, samples, r->start)
			 : put_frames(r, stack, samples));
	row_end(r->writer);
	output_part(out);
	if (out->failed)
		return PK_END;
	return out->text.failed ? PK_NOMEM : PK_OK;
}

/* Writes the columns before those of --by. Without --each and --every, there is no column for the
 * time. */
static void put_start(struct rows *r, uint64_t time)
{
	for (unsigned int i = 0; i < r->options.constants_count; i++) {
		row_column(r->writer, r->options.constants[i].name);
		row_text(r->writer, r->options.constants[i].value,
			 strlen(r->options.constants[i].value));
	}
	if (!r->each && !r->options.every)
		return;
	row_column(r->writer, "time");
	if (time || r->options.every)
		row_number(r->writer, time);
	else
		row_none(r->writer);
}

static enum pk_status put_cell(struct rows *r, const struct cell *cell)
{
	put_start(r, r->start);
	label_columns(r->writer, &r->base.samples, cell->row);
	put_series(r, cell->series);
	put_count(r, "samples", cell->samples);
	return put_rest(r, cell->stack, cell->samples, cell->weight);
}

static enum pk_status put_sample(struct rows *r, const struct export_sample *sample)
{
	put_start(r, sample->time);
	label_columns(r->writer, &r->base.samples, sample->row);
	put_series(r, sample->series);
	return put_rest(r, sample->stack, 1, sample->weight);
}

/* ---- The format ---- */

/* Writes the sums so far, and clears them. */
static enum pk_status put_cells(struct rows *r)
{
	for (size_t i = 0; i < r->base.cells.count; i++)
		PK_TRY(put_cell(r, &r->base.cells.items[i]));
	cells_clear(&r->base.cells);
	return PK_OK;
}

static enum pk_status add_to_cells(struct rows *r, const struct export_sample *sample)
{
	uint64_t start;

	if (r->options.every) {
		start = row_interval(&r->options, &r->base.samples, sample->time);
		r->untimed += !sample->time || !r->base.samples.clock.known;
		if (start < r->from || (r->to && start >= r->to)) {
			r->outside++;
			return PK_OK;
		}
		if (start != r->start)
			PK_TRY(put_cells(r));
		r->start = start;
	}
	return cells_add_sample(&r->base.cells, sample);
}

static enum pk_status count_sample(void *arg, const struct export_sample *sample)
{
	struct rows *r = arg;

	return r->each ? put_sample(r, sample) : add_to_cells(r, sample);
}

static void report(uint64_t samples, const char *before, const char *after)
{
	char number[32];

	if (samples)
		pk_warn("%s%s samples %s", before, pk_number(number, samples), after);
}

static void write_all(void *format)
{
	struct rows *r = format;
	char number[32];

	r->base.failed = put_cells(r) == PK_NOMEM;
	report(r->cut, "the stacks of ", "are too long; \"[...]\" replaces their outermost frames");
	report(r->untimed, "",
	       "have no time of day (pk-record -k); their times are those of the recording's "
	       "clock");
	if (r->outside) {
		pk_error("%s samples are outside the time of --from and --to",
			 pk_number(number, r->outside));
		r->base.status = PK_EXIT_FAILED;
	}
}

static int check_options(const struct rows *r)
{
	static const char *const columns[] = {"time",	"samples", "event", "unit",
					      "weight", "level",   "stack", NULL};
	const bool timed = r->each || r->options.every;

	if (r->each && r->options.every)
		return pk_usage_error("--each and --every cannot be together");
	if ((r->from || r->to) && !r->options.every)
		return pk_usage_error("--from, --to: need --every");
	return row_options_check(&r->options, &r->base.options.tail, timed ? columns : columns + 1);
}

/* Prints a line for each table. The line has the name and the columns of the table. Returns an exit
 * status. */
static int print_schema(struct rows *r)
{
	struct buffer out = {0};

	r->writer = &r->single;
	r->single = (struct row_writer){.out = &out, .format = ROW_SCHEMA, .no_null = r->flat};
	buffer_text(&out, "samples(");
	put_heading(r);
	if (r->folder)
		rows_tables_schema(&r->tables, &out);
	if (out.failed)
		return pk_no_memory();
	fwrite(out.data, 1, out.size, stdout);
	free(out.data);
	return pk_finish(PK_EXIT_OK);
}

/* Opens the files of the tables. Returns PK_CONTINUE, or an exit status after an error message. */
static int start_tables(struct rows *r)
{
	int result;

	r->base.kind = OUTPUT_NONE;
	r->writer = &r->tables.writers[TABLE_SAMPLES];
	result = rows_tables_open(&r->tables, r->folder, r->format, &r->base.samples);
	if (result)
		return result;
	put_heading(r);
	return PK_CONTINUE;
}

static int start(void *format)
{
	struct rows *r = format;
	const int result = check_options(r);

	if (result >= 0)
		return result;
	r->tables.flat = r->flat;
	r->tables.hours = r->flat && r->options.every;
	if (r->print_schema)
		return print_schema(r);
	r->base.tables.raw = true;
	r->texts = (struct frame_texts){.samples = &r->base.samples,
					.tables = &r->base.tables,
					.format = r->format,
					.addresses = r->base.options.no_names};
	if (r->folder)
		return start_tables(r);
	r->base.kind = row_is_binary(r->format) ? OUTPUT_BINARY : OUTPUT_TEXT;
	r->writer = &r->single;
	r->single = (struct row_writer){
		.out = &r->base.out.text, .format = r->format, .no_null = r->flat};
	put_heading(r);
	return PK_CONTINUE;
}

static int end(void *format, int result)
{
	struct rows *r = format;

	if (r->folder)
		result = rows_tables_close(&r->tables, result);
	free(r->texts.plain.data);
	free(r->texts.text.data);
	row_free(&r->single);
	return result;
}

/* ---- Options ---- */

#define AT(member) PK_AT(struct rows, member)

static const struct pk_option rows[] = {
	PK_TITLE("The rows"),
	{0, "format", "tsv|csv|json|rowbinary|rowbinary-types", PK_WORD,
	 "tsv is the default; json: an object on each line; rowbinary, rowbinary-types: for "
	 "ClickHouse",
	 AT(format)},
	{0, "by", "FIELD,...", PK_CALL,
	 "columns before event, unit, samples, weight and stack (default: comm,pid,tid); none",
	 AT(base.options.tail), .parse = pk_set_by},
	{0, "each", NULL, PK_FLAG, "a line for each sample, with its time", AT(each)},
	{.kind = PK_ROWS, .rows = row_options_rows, AT(options)},
	{0, "from", "SECONDS", PK_NUMBER,
	 "with --every, only intervals that start at this time of day or later; others are an "
	 "error",
	 AT(from), .wants = "seconds since 1970"},
	{0, "to", "SECONDS", PK_NUMBER, "the same for intervals that start before it", AT(to),
	 .wants = "seconds since 1970"},
	{.kind = PK_ROWS, .rows = sample_frames_row, AT(base.options)},
	{0, "tables", "FOLDER", PK_TEXT, "samples, stacks, frames and objects as files in FOLDER",
	 AT(folder)},
	{0, "flat", NULL, PK_FLAG, "no missing values; in tables, stacks are lists of frames",
	 AT(flat)},
	{0, "schema", NULL, PK_FLAG, "print the columns, as in CREATE TABLE of ClickHouse",
	 AT(print_schema)},
	{.kind = PK_ROWS, .rows = export_sample_rows},
	PK_OPTIONS_END,
};

const struct export_format export_rows = {
	.name = "rows",
	.description = "TSV, CSV, JSON lines or RowBinary for databases, awk, spreadsheets",
	.by = "comm,pid,tid",
	.command = {.usage = "Usage: pk-export rows [OPTION...] [FILE...]\n\n"
			     "Writes a line for each distinct stack of samples with equal fields, "
			     "or for each\n"
			     "sample.\n",
		    .options = rows,
		    .examples = "  pk-export rows --by comm --format csv app.pk >app.csv\n"
				"  pk-export rows --each --frames address --tables rows host.pk\n"},
	.size = sizeof(struct rows),
	.next = "clickhouse-client",
	.start = start,
	.sample = count_sample,
	.write = write_all,
	.end = end,
};
