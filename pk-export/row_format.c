// SPDX-License-Identifier: BSD-2-Clause
/* The format rows: for databases, spreadsheets and scripts. */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "lookups.h"
#include "number.h"
#include "row_level.h"
#include "row_writer.h"
#include "rows_tables.h"
#include "samples.h"
#include "vector.h"

/* ---- Texts of frames ---- */

/* The texts of frames in a list, each made once: the function; without one, "[object]", or the
 * build-id or path of the object and the address: "1f2e...+0x1234". */

struct frame_texts {
	/* Set by the caller: */
	const struct export_samples *samples;
	enum row_format format;
	bool addresses;
	/* Private to the texts: */
	struct pk_texts texts;
	uint32_t *numbers; /* by id of the frame; 0: not made yet */
	size_t numbers_count;
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
		samples_object_text(texts->samples, dso ? dso->path : 0, &texts->plain);
}

/* In texts without quotes, ';' separates the frames. */
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

/* For row_list_item(). NULL: out of memory. */
static const char *frame_text(struct frame_texts *texts, uint32_t id, size_t *size)
{
	if (!pk_extend(&texts->numbers, &texts->numbers_count, id))
		return NULL;
	if (!texts->numbers[id]) {
		make_plain(texts, pk_dictionary_get_frame(texts->samples->names, id));
		make_text(texts);
		if (texts->plain.failed || texts->text.failed)
			return NULL;
		texts->numbers[id] = pk_texts_add(
			&texts->texts, texts->text.data ? texts->text.data : "", texts->text.size);
	}
	return pk_texts_get(&texts->texts, texts->numbers[id], size);
}

static void row_frames_free(struct frame_texts *texts)
{
	pk_texts_free(&texts->texts);
	free(texts->numbers);
	free(texts->plain.data);
	free(texts->text.data);
}

/* ---- Labels ---- */

/* The labels of samples as columns of rows. */

/* The kind of values of a tracepoint's field can differ from event to event. */
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

static void label_headings(struct row_writer *writer, const struct export_samples *samples)
{
	for (unsigned int i = 0; i < samples->rows.columns_count; i++)
		row_heading(writer, samples_label(samples, i),
			    type_of(&samples->tail.groups.columns[i].reference));
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
	const struct export_options *options;
	struct export_samples samples;
	struct cells cells; /* without --each; with --every, those of the seconds from `start` on */
	uint64_t start;
	uint64_t untimed; /* samples of --every without a time of day */
	uint64_t outside; /* samples that are not within --from and --to */
	struct frame_texts texts;
	struct stack_frames frames;
	struct rows_tables tables; /* with --tables */
	struct export_output out;  /* else */
	struct row_writer single, *writer;
	struct row_levels levels;
	bool headed;  /* the heading was written */
	uint64_t cut; /* samples */
};

static struct export_output *output_of(struct rows *r)
{
	return r->options->tables ? &r->tables.outputs[TABLE_SAMPLES] : &r->out;
}

/* ---- Rows ---- */

/* The labels are known when the inputs are read. */
static void put_heading(struct rows *r)
{
	r->headed = true;
	for (unsigned int i = 0; i < r->options->constants_count; i++)
		row_heading(r->writer, r->options->constants[i].name, ROW_TEXT);
	if (r->options->each)
		row_heading(r->writer, "time", ROW_ANY_NUMBER);
	else if (r->options->every)
		row_heading(r->writer, "time", ROW_SECONDS);
	label_headings(r->writer, &r->samples);
	row_heading(r->writer, "event", ROW_TEXT);
	row_heading(r->writer, "unit", ROW_TEXT);
	if (!r->options->each)
		row_heading(r->writer, "samples", ROW_NUMBER);
	row_heading(r->writer, "weight", ROW_NUMBER);
	if (r->options->levels)
		row_heading(r->writer, "level", ROW_NUMBER);
	row_heading(r->writer, "stack", r->options->tables ? ROW_ANY_KEY : ROW_TEXTS);
	row_end(r->writer);
}

/* A few bytes can define a stack with thousands of frames and long names. A list longer than
 * LIST_MAX loses its outermost frames. So does one longer than LIST_SHORT if all lists so far cost
 * more than the input allows, as in pk-fold. */
#define LIST_MAX   (UINT64_C(1) << 20)
#define LIST_SHORT (UINT64_C(4) << 10)

/* Reads the frames of a stack, as many as fit into the limit. False: out of memory. */
static bool read_frames(struct rows *r, uint32_t stack)
{
	struct stack_frames *frames = &r->frames;
	struct pk_allowance *allowance = &r->samples.allowance;
	uint64_t limit = LIST_MAX, bytes = 0;
	size_t size;

	stack_frames_read(frames, r->samples.names, allowance, stack);
	for (size_t i = 0; i < frames->count; i++) {
		if (!frame_text(&r->texts, frames->ids[i], &size))
			return false;
		bytes += size + 1;
		if (!pk_allowance_spend(allowance, size + 1))
			limit = LIST_SHORT;
		frames->cut |= bytes > limit;
		if (bytes > limit && i)
			frames->count = i;
	}
	return true;
}

/* The list of frames, outermost first. False: out of memory. */
static bool put_frames(struct rows *r, uint32_t stack, uint64_t samples)
{
	const char *more = r->writer->format == ROW_JSON ? "\"[...]\"" : "[...]", *text;
	size_t size;

	if (!read_frames(r, stack))
		return false;
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
	return true;
}

static void put_series(struct rows *r, uint32_t index)
{
	const struct series *series = &r->samples.series[index];

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

/* The end of a row. False: out of memory. */
static bool put_rest(struct rows *r, uint32_t series, uint32_t stack, uint64_t samples,
		     uint64_t weight)
{
	struct export_output *out = output_of(r);
	unsigned int level = 0;

	put_count(r, "weight", weight);
	if (r->options->levels) {
		level = row_level(&r->levels, samples, weight,
				  r->samples.series[series].nanoseconds);
		put_count(r, "level", level);
	}
	if (r->options->tables ? !rows_tables_stack(&r->tables, stack,
						    &(struct rows_for){samples, r->start, level})
			       : !put_frames(r, stack, samples))
		return false;
	row_end(r->writer);
	output_part(out);
	r->samples.stop = out->failed;
	return !out->failed && !out->text.failed;
}

/* The columns before those of --by; without --each and --every, there is no time. */
static void put_start(struct rows *r, uint64_t time)
{
	const struct export_options *options = r->options;

	for (unsigned int i = 0; i < options->constants_count; i++) {
		row_column(r->writer, options->constants[i].name);
		row_text(r->writer, options->constants[i].value,
			 strlen(options->constants[i].value));
	}
	if (!options->each && !options->every)
		return;
	row_column(r->writer, "time");
	if (time || options->every)
		row_number(r->writer, time);
	else
		row_none(r->writer);
}

static bool put_cell(struct rows *r, const struct cell *cell)
{
	put_start(r, r->start);
	label_columns(r->writer, &r->samples, cell->row);
	put_series(r, cell->series);
	put_count(r, "samples", cell->samples);
	return put_rest(r, cell->series, cell->stack, cell->samples, cell->weight);
}

static bool put_sample(struct rows *r, const struct export_sample *sample)
{
	if (!r->headed)
		put_heading(r);
	put_start(r, sample->time);
	label_columns(r->writer, &r->samples, sample->row);
	put_series(r, sample->series);
	return put_rest(r, sample->series, sample->stack, 1, sample->weight);
}

/* ---- All ---- */

/* Writes the sums so far, and starts again. False: out of memory. */
static bool put_cells(struct rows *r)
{
	if (!r->headed)
		put_heading(r);
	for (size_t i = 0; i < r->cells.count; i++)
		if (!put_cell(r, &r->cells.items[i]))
			return r->samples.stop;
	cells_clear(&r->cells);
	return true;
}

/* The start of the interval of --every, in seconds since 1970. Without a time of day, the times of
 * the recording's clock count. */
static uint64_t interval_of(struct rows *r, uint64_t time)
{
	const struct pk_wall_clock *clock = &r->samples.clock;
	const uint64_t seconds =
		(time && clock->known ? time + clock->offset : time) / UINT64_C(1000000000);

	r->untimed += !time || !clock->known;
	return seconds - seconds % r->options->every;
}

/* False: out of memory, or the output failed. */
static bool add_to_cells(struct rows *r, const struct export_sample *sample)
{
	uint64_t start;

	if (r->options->every) {
		start = interval_of(r, sample->time);
		if (start < r->options->from || (r->options->to && start >= r->options->to)) {
			r->outside++;
			return true;
		}
		if (start != r->start && !put_cells(r))
			return false;
		r->start = start;
	}
	return !r->samples.stop && cells_add_sample(&r->cells, sample);
}

static bool count_sample(void *arg, const struct export_sample *sample)
{
	struct rows *r = arg;

	return r->options->each ? put_sample(r, sample) : add_to_cells(r, sample);
}

static int open_outputs(struct rows *r)
{
	const struct export_options *options = r->options;

	if (options->tables) {
		r->writer = &r->tables.writers[TABLE_SAMPLES];
		r->tables.flat = options->flat;
		r->tables.levels = options->levels;
		return rows_tables_open(&r->tables, options->tables, options->rows, &r->samples);
	}
	r->writer = &r->single;
	r->single = (struct row_writer){
		.out = &r->out.text, .format = options->rows, .no_null = options->flat};
	return output_open(&r->out, row_is_binary(options->rows) ? OUTPUT_BINARY : OUTPUT_TEXT,
			   options->output, "clickhouse-client");
}

static void report(uint64_t samples, const char *before, const char *after)
{
	char number[32];

	if (samples)
		pk_warn("%s%s samples %s", before, pk_number(number, samples), after);
}

static int write_all(struct rows *r, struct pk_run *run)
{
	int result = samples_read(&r->samples, run);
	char number[32];

	if (!put_cells(r))
		result = pk_no_memory();
	report(r->cut, "the stacks of ", "are too long; \"[...]\" replaces their outermost frames");
	report(r->untimed, "",
	       "have no time of day (pk-record -k); their times are those of the recording's "
	       "clock");
	if (r->outside) {
		pk_error("%s samples are outside the time of --from and --to",
			 pk_number(number, r->outside));
		result = PK_EXIT_FAILED;
	}
	return samples_finish(&r->samples, result);
}

static void free_all(struct rows *r)
{
	cells_free(&r->cells);
	row_frames_free(&r->texts);
	row_free(&r->single);
	free(r);
}

/* Whether a field of --by has the name of another column. */
static bool is_taken(const struct export_options *options, const struct pk_reference *by)
{
	static const char *const columns[] = {"time",	"samples", "event", "unit",
					      "weight", "level",   "stack"};
	const char *name = by->field ? by->field->name : by->name;

	for (size_t i = options->each || options->every ? 0 : 1;
	     i < sizeof(columns) / sizeof(columns[0]); i++)
		if (!strcmp(columns[i], name))
			return true;
	for (unsigned int i = 0; i < options->constants_count; i++)
		if (!strcmp(options->constants[i].name, name))
			return true;
	return false;
}

static int check_columns(const struct export_options *options)
{
	const struct pk_tail_options *samples = &options->samples.tail;

	for (unsigned int i = 0; i < samples->by_count; i++)
		if (is_taken(options, &samples->by[i]))
			return pk_usage_error("--by: rows have another column %s",
					      samples->by[i].field ? samples->by[i].field->name
								   : samples->by[i].name);
	return PK_EXIT_OK;
}

static int export(struct pk_run *run, struct export_options *options)
{
	int result = check_columns(options);
	struct rows *r;

	if (result)
		return result;
	if (options->each && options->every)
		return pk_usage_error("--each and --every cannot be together");
	if ((options->from || options->to) && !options->every)
		return pk_usage_error("--from, --to: need --every");
	if (options->levels && options->tables && (!options->flat || !options->every))
		return pk_usage_error("--levels: tables need --flat and --every");
	r = calloc(1, sizeof(*r));
	if (!r)
		return pk_no_memory();
	r->options = options;
	r->samples.options = &options->samples;
	r->samples.sample = count_sample;
	r->samples.arg = r;
	r->texts = (struct frame_texts){.samples = &r->samples,
					.format = options->rows,
					.addresses = options->samples.no_names};
	result = open_outputs(r);
	if (!result)
		result = write_all(r, run);
	if (options->tables)
		result = rows_tables_close(&r->tables, result);
	else if (r->out.name)
		result = output_close(&r->out, result);
	free_all(r);
	return result;
}

/* ---- Options ---- */

enum {
	OPT_FORMAT = OPT_FORMATS,
	OPT_EACH,
	OPT_EVERY,
	OPT_FROM,
	OPT_TO,
	OPT_TABLES,
	OPT_FLAT,
	OPT_LEVELS,
	OPT_COLUMN,
	OPT_FRAMES
};

static const struct option long_options[] = {
	{"format", required_argument, NULL, OPT_FORMAT},
	{"each", no_argument, NULL, OPT_EACH},
	{"every", required_argument, NULL, OPT_EVERY},
	{"from", required_argument, NULL, OPT_FROM},
	{"to", required_argument, NULL, OPT_TO},
	{"tables", required_argument, NULL, OPT_TABLES},
	{"flat", no_argument, NULL, OPT_FLAT},
	{"levels", no_argument, NULL, OPT_LEVELS},
	{"column", required_argument, NULL, OPT_COLUMN},
	{"frames", required_argument, NULL, OPT_FRAMES},
	SAMPLE_OPTIONS_LONG,
	PK_COMMON_LONG,
};

static int parse_format(struct export_options *options)
{
	static const char *const formats[] = {"tsv", "csv", "json", "rowbinary", "rowbinary-types"};

	for (unsigned int i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (!strcmp(optarg, formats[i])) {
			options->rows = i;
			return -1;
		}
	}
	return pk_usage_error("--format=%s: must be tsv, csv, json, rowbinary or "
			      "rowbinary-types",
			      optarg);
}

static int parse_every(struct export_options *options)
{
	const uint64_t second = UINT64_C(1000000000);
	uint64_t ns;

	if (!pk_parse_time(optarg, &ns) || !ns || ns % second)
		return pk_usage_error("--every=%s: must be whole seconds, such as 10s", optarg);
	options->every = ns / second;
	return -1;
}

static int parse_seconds(const char *option, uint64_t *seconds)
{
	if (!pk_parse_u64(optarg, seconds))
		return pk_usage_error("--%s=%s: must be seconds since 1970", option, optarg);
	return -1;
}

static int parse_column(struct export_options *options)
{
	char *equals = strchr(optarg, '=');

	if (!equals || equals == optarg)
		return pk_usage_error("--column=%s: must be NAME=TEXT", optarg);
	if (options->constants_count == EXPORT_CONSTANTS_MAX)
		return pk_usage_error("--column: more than %d", EXPORT_CONSTANTS_MAX);
	*equals = '\0';
	options->constants[options->constants_count++] =
		(struct constant_column){.name = optarg, .value = equals + 1};
	return -1;
}

static int parse_option(struct export_options *options, int c)
{
	switch (c) {
	case OPT_FORMAT: return parse_format(options);
	case OPT_EACH: options->each = true; return -1;
	case OPT_EVERY: return parse_every(options);
	case OPT_FROM: return parse_seconds("from", &options->from);
	case OPT_TO: return parse_seconds("to", &options->to);
	case OPT_COLUMN: return parse_column(options);
	case OPT_FLAT: options->flat = true; return -1;
	case OPT_LEVELS: options->levels = true; return -1;
	case OPT_TABLES: options->tables = optarg; return -1;
	case OPT_FRAMES: return sample_option_frames(&options->samples);
	default: return sample_option(&options->samples, c);
	}
}

const struct export_format export_rows = {
	.name = "rows",
	.description = "TSV, CSV, JSON lines or RowBinary for databases, awk, spreadsheets",
	.by = "comm,pid,tid",
	.help = "Writes a line for each distinct stack of samples with equal fields, or "
		"for each sample.\n"
		"\n"
		"      --format=FORMAT   tsv (default), csv, json: an object on each line;\n"
		"                        rowbinary, rowbinary-types: for ClickHouse\n"
		"      --by=FIELD,...    columns before event, unit, samples, weight and "
		"stack\n"
		"                        (default: comm,pid,tid); none\n"
		"      --each            a line for each sample, with its time\n"
		"      --every=TIME      a line for each distinct stack in each interval, with the "
		"time of\n"
		"                        day: seconds since 1970\n"
		"      --from=SECONDS, --to=SECONDS  of --every, only intervals that start in "
		"this\n"
		"                        time of day; others are an error\n"
		"      --frames=KIND     function (default), or address: build-id and "
		"offset\n"
		"      --tables=FOLDER   samples, stacks, frames and objects as files in "
		"FOLDER\n"
		"      --flat            no missing values; in tables, stacks are lists of frames\n"
		"      --levels          a column of random levels, for estimates from a part of "
		"the "
		"rows\n"
		"      --column=NAME=TEXT  a column with this text in each line\n" //
	SAMPLE_OPTIONS_HELP PK_COMMON_HELP "\n"
		"  pk-export rows --by comm --format csv app.pk >app.csv\n"
		"  pk-export rows --each --frames address --tables rows host.pk",
	.options = long_options,
	.option = parse_option,
	.run = export,
};
