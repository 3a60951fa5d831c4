// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "amount_text.h"
#include "buffer.h"
#include "data_source.h"
#include "formats.h"
#include "module_name.h"
#include "safe_text.h"
#include "terminal.h"
#include "text_width.h"

/* A column of the table, and its width. */
struct table_column {
	const struct column *column;
	const char *title;
	unsigned int sets; /* how many numbers are side by side in each cell */
	size_t set_width;  /* width of each number, in columns of a terminal */
	size_t width;	   /* width of the whole column, in columns of a terminal */
	bool fixed;	   /* texts that are longer than `width` are cut */
	bool right;	   /* cells are aligned to the right */
};

/* The state of printing a table. */
struct table {
	const struct results *results;
	const struct sheet *sheet;
	const struct text_options *options;
	struct table_column columns[LAYOUT_COLUMNS];
	unsigned int columns_count;
	struct buffer cell, text, joined;
	struct pk_text_width widths;
};

/* Longer texts are cut. Without this limit, one long name in the input would make all lines long.
 */
#define CELL_MAX 1024 /* in characters */

/* ---- Cells ---- */

/* Returns the number of bytes at the start of the text that can be copied unchanged. The first '-'
 * and the first character that is not printable ASCII end them. */
static size_t plain_prefix(const char *text, size_t size)
{
	size_t i = 0;

	while (i < size && text[i] >= ' ' && text[i] <= '~' && text[i] != '-')
		i++;
	return i;
}

/* Appends a text of the input to the cell, without harmful characters or the separator. `dash`
 * replaces each '-'. */
static void add_with_dash(struct table *table, const char *text, size_t size, char dash)
{
	const char *separator = table->options->separator;
	const size_t plain = separator ? 0 : plain_prefix(text, size < CELL_MAX ? size : CELL_MAX);

	buffer_add(&table->cell, text, plain);
	for (size_t i = plain, count = plain; i < size; count++) {
		const size_t length = pk_utf8_size(text + i, size - i);
		const char byte = text[i] == '-' ? dash : text[i];

		if (count == CELL_MAX) {
			buffer_text(&table->cell, "...");
			break;
		}
		if (!length || pk_is_harmful(text + i, length))
			buffer_char(&table->cell, '?');
		else if (separator && length == 1 && strchr(separator, byte))
			buffer_char(&table->cell, '.');
		else if (length == 1)
			buffer_char(&table->cell, byte);
		else
			buffer_add(&table->cell, text + i, length);
		i += length ? length : 1;
	}
}

static void add_safe(struct table *table, const char *text, size_t size)
{
	add_with_dash(table, text, size, '-');
}

/* Sets table->cell to a text of the input. Harmful characters and the separator are replaced. */
static void text_table_safe(struct table *table, const char *text, size_t size)
{
	table->cell.size = 0;
	add_safe(table, text, size);
}

/* Appends the last component of a path. As in perf, the name of a kernel module is in brackets. */
static void add_dso(struct table *table, const char *path, size_t size)
{
	const char *name = path, *suffix;

	if (size > 1 && path[0] == '/' && path[1] != '/')
		for (size_t i = 0; i + 1 < size; i++)
			if (path[i] == '/')
				name = path + i + 1;
	size -= (size_t)(name - path);
	suffix = name == path ? NULL : pk_module_suffix(name);
	if (!suffix) {
		add_safe(table, name, size);
		return;
	}
	buffer_char(&table->cell, '[');
	add_with_dash(table, name, (size_t)(suffix - name), '_');
	buffer_char(&table->cell, ']');
}

static char mode_mark(uint8_t mode)
{
	switch (mode) {
	case PERF_RECORD_MISC_KERNEL: return 'k';
	case PERF_RECORD_MISC_GUEST_KERNEL: return 'g';
	case PERF_RECORD_MISC_GUEST_USER: return 'u';
	case PERF_RECORD_MISC_HYPERVISOR: return 'H';
	default: return '.';
	}
}

static void add_text(struct table *table, const struct column *column, const char *text,
		     size_t size)
{
	if (!size)
		buffer_text(&table->cell, "[unknown]");
	else if (column->style == STYLE_DSO && !table->options->full_paths)
		add_dso(table, text, size);
	else
		add_safe(table, text, size);
}

/* Appends the text of perf's column for threads, such as "   1234:name". */
static void add_task(struct table *table, const struct column *column, const struct pk_amount *tid)
{
	size_t size;
	const char *comm = pk_task_names_get(table->results->tasks, tid->integer.low, &size);

	buffer_format(&table->cell, "%7" PRId64 ":", (int64_t)tid->integer.low);
	if (comm)
		add_text(table, column, comm, size);
}

/* Appends a time in perf's format: seconds, with six decimals. */
static void add_time(struct buffer *out, uint64_t ns)
{
	buffer_format(out, "%" PRIu64 ".%06" PRIu64, ns / 1000000000, ns / 1000 % 1000000);
}

/* Appends perf's words for the bits of PERF_SAMPLE_TRANSACTION, and the code of an abort. */
static void add_transaction(struct buffer *out, uint64_t bits)
{
	static const char *const words[] = {"EL",    "TX",  "SYNC",	 "ASYNC",
					    "RETRY", "CON", "CAP-WRITE", "CAP-READ"};
	const uint64_t synchronous = 1 << 2, asynchronous = 1 << 3;
	const size_t start = out->size;

	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(bits >> i & 1))
			continue;
		buffer_text(out, out->size > start ? " " : "");
		buffer_text(out, words[i]);
	}
	if (bits && !(bits & (synchronous | asynchronous)))
		buffer_text(out, out->size > start ? " NEITHER" : "NEITHER");
	if (bits >> 32)
		buffer_format(out, " :%" PRIx64, bits >> 32);
}

static bool is_text_field(const struct table *table, const struct column *column)
{
	const struct pk_field *field = table->results->layout->shown[column->field];

	return column->kind == COLUMN_FIELD && field && field->kind == PK_VALUE_TEXT;
}

/* Does the same as buffer_format() with "%.2f%%", but faster. buffer_format() is used only for
 * numbers close to the middle between two results, because these need its exact rounding. */
static void add_share(struct buffer *out, double percent)
{
	const double scaled = percent * 100;
	const double near = scaled >= 0 && scaled < 1e6 ? floor(scaled) : -1;
	const double rest = scaled - near;
	uint64_t hundredths;

	if (near < 0 || (rest > 0.499 && rest < 0.501)) {
		buffer_format(out, "%.2f%%", percent);
		return;
	}
	hundredths = (uint64_t)near + (rest > 0.5);
	buffer_decimal(out, hundredths / 100, 0);
	buffer_char(out, '.');
	buffer_char(out, (char)('0' + hundredths / 10 % 10));
	buffer_char(out, (char)('0' + hundredths % 10));
	buffer_char(out, '%');
}

static void add_mode(struct buffer *out, uint8_t mode)
{
	const char text[] = {'[', mode_mark(mode), ']', ' '};

	buffer_add(out, text, sizeof(text));
}

/* Returns the unit of a column's numbers, or NULL if there is none. Durations have the unit of
 * time. Sizes and counts of events have the unit of numbers. Numbers of samples have no unit. */
static const struct amount_unit *unit_of(const struct table *table, const struct column *column,
					 enum pk_value_kind kind)
{
	const struct units *units = &table->options->units;
	const struct pk_reference *field =
		column->kind == COLUMN_AGGREGATE
			? &table->results->layout->measures[column->measure].column.reference
			: NULL;

	if (column->kind == COLUMN_PERIOD || column->kind == COLUMN_BASE_PERIOD)
		return units->number;
	if (kind == PK_VALUE_DURATION)
		return units->time;
	if (!field || kind == PK_VALUE_TIME || pk_kind_is_hex(kind) || pk_kind_has_names(kind) ||
	    column->aggregate.kind == PK_AGGREGATE_COUNT ||
	    column->aggregate.kind == PK_AGGREGATE_DISTINCT)
		return NULL;
	return units->number;
}

/* Appends a time as the time of day. Returns false if the recording does not relate its clock to
 * the time of day. */
static bool add_time_of_day(struct table *table, const struct pk_amount *value)
{
	const struct pk_wall_clock *wall = &table->results->wall;
	char text[16];
	struct tm tm;
	uint32_t ns;

	if (value->kind != PK_AMOUNT_INTEGER ||
	    !pk_wall_clock_at(wall, value->integer.low, &tm, &ns) ||
	    !strftime(text, sizeof(text), "%H:%M:%S", &tm))
		return false;
	buffer_format(&table->cell, "%s.%06u", text, ns / 1000);
	return true;
}

static void add_amount(struct table *table, const struct column *column,
		       const struct pk_amount *value, uint32_t line)
{
	const enum pk_value_kind kind = pk_results_kind(table->results, column, line);
	const struct amount_unit *unit = unit_of(table, column, kind);

	if (column->kind == COLUMN_AGGREGATE && kind == PK_VALUE_TIME &&
	    add_time_of_day(table, value))
		return;
	if (unit)
		pk_amount_add_unit(&table->cell, value, unit);
	else
		pk_amount_add(&table->cell, value, kind, AMOUNT_TABLE);
}

/* Returns the text that is shown for a missing value. */
static const char *missing_text(const struct table *table, const struct column *column,
				uint32_t line)
{
	const bool both = column->kind == COLUMN_RATIO || column->kind == COLUMN_WDIFF;

	if (column->kind == COLUMN_FIELD)
		return is_text_field(table, column) ? "[unknown]" : "-";
	if (both && results_row(table->results, line, 0))
		return "N/A";
	return table->results->layout->sets == SETS_SIDES ? "" : "-";
}

static void add_coloured_share(struct table *table, double percent)
{
	const char *colour = table->options->colour ? pk_share_colour(percent) : "";

	buffer_text(&table->cell, colour);
	add_share(&table->cell, percent);
	buffer_text(&table->cell, *colour ? PK_COLOUR_END : "");
}

/* Returns whether the column shows the difference of two numbers, in percent. */
static bool is_change(const struct column *column)
{
	switch (column->kind) {
	case COLUMN_DELTA:
	case COLUMN_DELTA_ABS:
	case COLUMN_CHANGE:
	case COLUMN_CHANGE_LOW:
	case COLUMN_CHANGE_HIGH:
	case COLUMN_DETECTABLE: return true;
	default: return false;
	}
}

/* Returns whether the column shows a rate that is a share. */
static bool is_share(const struct table *table, const struct column *column)
{
	const bool rate = column->kind == COLUMN_BASE_RATE || column->kind == COLUMN_RATE;

	return pk_column_is_share(column) ||
	       (rate && table->results->blocks.unit == ROW_UNIT_SHARE);
}

static void add_number(struct table *table, const struct column *column,
		       const struct pk_amount *value, uint32_t line)
{
	if (is_change(column))
		buffer_format(&table->cell, "%+.2f%%", value->real);
	else if (column->kind == COLUMN_DISCOVERY)
		buffer_format(&table->cell, "%.2g", value->real);
	else if (column->kind == COLUMN_RATIO)
		buffer_format(&table->cell, "%.6f", value->real);
	else if (column->style == STYLE_CPU)
		buffer_format(&table->cell, "%03" PRId64, (int64_t)value->integer.low);
	else if (column->style == STYLE_TIME)
		add_time(&table->cell, value->integer.low);
	else if (column->style == STYLE_TX)
		add_transaction(&table->cell, value->integer.low);
	else if (column->style == STYLE_PAGE)
		pk_page_size_text(&table->cell, value->integer.low);
	else if (is_share(table, column))
		add_coloured_share(table, value->real);
	else
		add_amount(table, column, value, line);
}

/* Sets table->cell to the value that a line has in a column, for one set. */
static void make_value(struct table *table, const struct column *column, uint32_t line,
		       unsigned int set)
{
	const struct pk_amount value =
		pk_results_value(table->results, table->sheet, column, line, set);

	table->cell.size = 0;
	if (column->style == STYLE_SYMBOL)
		add_mode(&table->cell,
			 table->results->rows.modes[results_any_row(table->results, line)]);
	if (value.kind == PK_AMOUNT_NONE)
		buffer_text(&table->cell, missing_text(table, column, line));
	else if (column->kind == COLUMN_MARK)
		buffer_add(&table->cell, value.text, value.size);
	else if (value.kind == PK_AMOUNT_TEXT)
		add_text(table, column, value.text, value.size);
	else if (column->style == STYLE_TASK)
		add_task(table, column, &value);
	else
		add_number(table, column, &value, line);
}

static size_t cell_width(const struct table *table)
{
	return pk_text_columns(&table->widths, table->cell.data, table->cell.size);
}

enum pk_status pk_text_table_cell(const struct results *results, const struct sheet *sheet,
				  const struct text_options *options, const struct column *column,
				  uint32_t line, struct buffer *out)
{
	struct table table = {.results = results, .sheet = sheet, .options = options, .cell = *out};

	make_value(&table, column, line, 0);
	*out = table.cell;
	return out->failed ? PK_NOMEM : PK_OK;
}

const char *pk_text_table_title(const struct results *results, const struct column *column)
{
	return column->kind == COLUMN_SHARE && results->has_children ? "Self" : column->title;
}

/* Appends the character `with` `count` times. */
static void text_table_pad(struct buffer *out, size_t count, char with)
{
	while (count--)
		buffer_char(out, with);
}

/* Sets table->cell to the whole cell of a line in a column, with the values of all sets. */
static void text_table_make_cell(struct table *table, const struct table_column *column,
				 uint32_t line)
{
	struct buffer joined;

	if (column->sets == 1) {
		make_value(table, column->column, line, 0);
		return;
	}
	table->joined.size = 0;
	for (unsigned int set = 0; set < column->sets; set++) {
		size_t size;

		make_value(table, column->column, line, set);
		size = cell_width(table);
		if (!table->options->separator && size < column->set_width)
			text_table_pad(&table->joined, column->set_width - size, ' ');
		else if (set)
			buffer_char(&table->joined, ' ');
		buffer_add(&table->joined, table->cell.data, table->cell.size);
	}
	joined = table->joined;
	table->joined = table->cell;
	table->cell = joined;
}

/* ---- Columns ---- */

/* Returns the smallest width of a column. It is perf's width, which is enough for all shares and
 * most numbers. */
static size_t least_width(const struct table *table, const struct column *column)
{
	const bool compares = table->results->layout->sets == SETS_SIDES;

	switch (column->kind) {
	case COLUMN_DELTA:
	case COLUMN_DELTA_ABS: return 7;
	case COLUMN_BASE_PERIOD:
	case COLUMN_RATIO:
	case COLUMN_WDIFF: return 14;
	case COLUMN_SAMPLES:
	case COLUMN_PERIOD: return compares ? 14 : 12;
	case COLUMN_MARK: return strlen("unchanged");
	default: return pk_column_is_share(column) ? 8 : 0;
	}
}

static bool is_right(const struct table *table, const struct column *column)
{
	if (column->kind != COLUMN_FIELD)
		return true;
	if (column->style == STYLE_TASK)
		return false;
	for (size_t i = 0; i < table->sheet->count; i++) {
		const enum pk_value_kind kind =
			pk_results_kind(table->results, column, table->sheet->lines[i]);

		if (kind != PK_VALUE_NONE)
			return kind != PK_VALUE_TEXT && !pk_kind_is_words(kind);
	}
	return !is_text_field(table, column);
}

static void measure_cells(struct table *table, struct table_column *column)
{
	for (size_t i = 0; i < table->sheet->count; i++)
		for (unsigned int set = 0; set < column->sets; set++) {
			size_t size;

			make_value(table, column->column, table->sheet->lines[i], set);
			size = cell_width(table) + (column->sets > 1);
			if (size > column->set_width)
				column->set_width = size;
		}
}

/* Returns whether the column always has perf's width, even if some numbers are wider. */
static bool has_fixed_width(const struct column *column)
{
	return pk_column_is_share(column) || column->kind == COLUMN_DELTA ||
	       column->kind == COLUMN_DELTA_ABS;
}

static void measure_column(struct table *table, struct table_column *column)
{
	const size_t title = strlen(column->title);

	column->sets = pk_results_sets(table->results, table->sheet, column->column);
	column->right = is_right(table, column->column);
	column->set_width = least_width(table, column->column);
	if (!table->options->separator && !has_fixed_width(column->column))
		measure_cells(table, column);
	if (title > column->set_width * column->sets)
		column->set_width = (title + column->sets - 1) / column->sets;
	column->width = column->set_width * column->sets;
}

/* Sets the widths and titles of table->columns. */
static enum pk_status text_table_measure_columns(struct table *table)
{
	const struct layout *layout = table->results->layout;

	for (unsigned int i = 0; i < layout->columns_count; i++) {
		struct table_column *column = &table->columns[i];

		*column = (struct table_column){
			.column = &layout->columns[i],
			.title = pk_text_table_title(table->results, &layout->columns[i])};
		measure_column(table, column);
		column->fixed = table->options->column_widths[i] && !table->options->separator;
		if (column->fixed) {
			column->width = table->options->column_widths[i];
			column->set_width = column->width / column->sets;
		}
	}
	table->columns_count = layout->columns_count;
	return table->cell.failed ? PK_NOMEM : PK_OK;
}

/* ---- Lines ---- */

/* Appends the cell to the line, aligned. With pad_end, also appends blanks after the cell. */
static void text_table_add_cell(struct table *table, const struct table_column *column,
				bool pad_end)
{
	size_t size = cell_width(table), blanks;

	if (column->fixed && !column->right && size > column->width) {
		table->cell.size = pk_text_fit(&table->widths, table->cell.data, table->cell.size,
					       column->width);
		size = cell_width(table);
	}
	blanks = table->options->separator || size > column->width ? 0 : column->width - size;
	if (column->right)
		text_table_pad(&table->text, blanks, ' ');
	buffer_add(&table->text, table->cell.data, table->cell.size);
	if (!column->right && pad_end)
		text_table_pad(&table->text, blanks, ' ');
}

/* Prints the lines in table->text. Each line is cut to the width of the terminal. */
static void text_table_print_lines(struct table *table)
{
	const char *line = table->text.data, *const end = line + table->text.size, *newline;
	FILE *out = table->options->out;
	size_t size, fits;

	for (; table->options->width && line < end; line += size + 1) {
		newline = memchr(line, '\n', (size_t)(end - line));
		size = (size_t)((newline ? newline : end) - line);
		fits = pk_text_fit(&table->widths, line, size, table->options->width);
		fwrite(line, 1, fits, out);
		if (fits < size && table->options->colour)
			fputs(PK_COLOUR_END, out);
		fputc('\n', out);
	}
	if (line < end)
		fwrite(line, 1, (size_t)(end - line), out);
	table->text.size = 0;
}

/* Prints the text in table->text as a line. */
static enum pk_status text_table_print_line(struct table *table)
{
	buffer_char(&table->text, '\n');
	text_table_print_lines(table);
	if (table->text.failed)
		return PK_NOMEM;
	if (table->cell.failed)
		return PK_NOMEM;
	return table->joined.failed ? PK_NOMEM : PK_OK;
}

/* ---- Headings ---- */

/* Shortens a number of samples as perf does. For example, 2179 becomes "2K". */
static uint64_t shorten(uint64_t value, char *unit)
{
	static const char units[] = " KMG";
	size_t i = 0;

	for (; value > 1000 && units[i + 1]; i++)
		value /= 1000;
	*unit = units[i];
	return value;
}

static void print_safe(struct table *table, const char *text, size_t size)
{
	text_table_safe(table, text, size);
	fprintf(table->options->out, "%.*s", (int)table->cell.size,
		table->cell.data ? table->cell.data : "");
}

static void print_event(struct table *table, uint32_t event)
{
	size_t size = 0;
	const char *name = pk_results_event(table->results, event, &size);

	print_safe(table, name ? name : "", size);
}

/* Prints the events of a table: "event 'x'" or "events 'x, y'". */
static void print_events(struct table *table)
{
	const struct sheet *sheet = table->sheet;
	const bool group = sheet->recorded && sheet->sets_count > 1;

	if (!sheet->event) {
		fputs("all events\n", table->options->out);
		return;
	}
	fprintf(table->options->out, "event%s '%s", sheet->sets_count > 1 ? "s" : "",
		group ? "anon group { " : "");
	for (unsigned int i = 0; i < sheet->sets_count; i++) {
		fputs(i ? ", " : "", table->options->out);
		print_event(table, sheet->sets[i].event);
	}
	fputs(group ? " }'\n" : "'\n", table->options->out);
}

static void print_counts(struct table *table)
{
	const struct sheet *sheet = table->sheet;
	uint64_t samples = 0, weight = 0;
	char unit;

	for (unsigned int i = 0; i < sheet->sets_count; i++) {
		samples += sheet->sets[i].samples;
		weight += sheet->sets[i].weight;
	}
	samples = shorten(samples, &unit);
	fprintf(table->options->out, "# Samples: %" PRIu64 "%c of ", samples, unit);
	print_events(table);
	fprintf(table->options->out, "# Event count (approx.): %" PRIu64 "\n#\n", weight);
}

static void print_name(struct table *table, const char *name)
{
	print_safe(table, name, strlen(name));
}

/* Prints the names of the inputs, with the numbers that the columns have. */
static void print_inputs(struct table *table)
{
	const struct text_options *options = table->options;
	const unsigned int bases = table->results->layout->bases;

	fputs("# Data files:\n#  [0]", table->options->out);
	for (int i = 0; i < options->files_count; i++) {
		fputc(' ', table->options->out);
		print_name(table, options->files[i]);
	}
	fputs(options->files_count ? "\n" : " -\n", table->options->out);
	for (unsigned int i = 0; i < bases; i++) {
		fprintf(table->options->out, "#  [%u] ", i + 1);
		print_name(table, options->bases[i]);
		fputs(" (Baseline)\n", table->options->out);
	}
	fputs("#\n", table->options->out);
}

static void print_comparison(struct table *table, bool first)
{
	fputs(first ? "# " : "\n# ", table->options->out);
	if (table->sheet->event) {
		fputs("Event '", table->options->out);
		print_event(table, table->sheet->event);
		fputs("'\n#\n", table->options->out);
	} else {
		fputs("All events\n#\n", table->options->out);
	}
	if (table->results->layout->bases > 1)
		print_inputs(table);
}

/* Prints the lines before the table. They show the samples and events, or what is compared. `first`
 * is true for the first of all tables. */
static void pk_report_print_sheet_heading(struct table *table, bool first)
{
	if (table->results->layout->sets == SETS_SIDES)
		print_comparison(table, first);
	else
		print_counts(table);
}

/* ---- Levels ---- */

/* The number of blanks that each level adds before its lines. */
#define INDENT 3

/* Returns the column that shows the field of a level. */
static const struct table_column *column_at(const struct table *table, unsigned int level)
{
	for (unsigned int i = 0; i < table->columns_count; i++)
		if (table->columns[i].column->kind == COLUMN_FIELD && !level--)
			return &table->columns[i];
	return NULL;
}

static size_t blanks_of(const struct table *table, unsigned int levels)
{
	return table->options->separator ? 0 : (size_t)levels * INDENT;
}

/* Returns the next column that shows numbers, from index *i on. Returns NULL if there is none. */
static const struct table_column *next_number(const struct table *table, unsigned int *i)
{
	while (*i < table->columns_count && table->columns[*i].column->kind == COLUMN_FIELD)
		++*i;
	return *i < table->columns_count ? &table->columns[(*i)++] : NULL;
}

static void add_separator(struct table *table)
{
	buffer_text(&table->text, table->options->separator ? table->options->separator : "  ");
}

/* Appends the titles of all levels, such as "Command / Symbol". Returns the width of the column
 * that shows the fields of all levels. */
static size_t add_names(struct table *table)
{
	const unsigned int levels = table->results->layout->levels_count;
	const size_t start = table->text.size;
	size_t width, most = 0;

	for (unsigned int level = 0; level < levels; level++) {
		const struct table_column *column = column_at(table, level);
		const char *title = column->title + strspn(column->title, " ");

		buffer_text(&table->text, level ? " / " : "");
		text_table_safe(table, title, strlen(title));
		buffer_add(&table->text, table->cell.data, table->cell.size);
		width = (size_t)level * INDENT + column->width;
		most = width > most ? width : most;
	}
	width = table->text.size - start;
	return width > most ? width : most;
}

static void add_dots(struct table *table, size_t indent, size_t names)
{
	const struct table_column *column;

	buffer_text(&table->text, "\n# ");
	text_table_pad(&table->text, indent, '.');
	for (unsigned int i = 0, first = 1; (column = next_number(table, &i)); first = 0)
		text_table_pad(&table->text, column->width + (first ? 0 : 2), '.');
	buffer_text(&table->text, "  ");
	text_table_pad(&table->text, names, '.');
	buffer_text(&table->text, "\n#");
}

/* Prints the titles of a table with levels. */
static enum pk_status pk_report_print_level_titles(struct table *table)
{
	const size_t indent = blanks_of(table, table->results->layout->levels_count - 1);
	const struct table_column *column;
	size_t names;

	buffer_text(&table->text, "# ");
	text_table_pad(&table->text, indent, ' ');
	for (unsigned int i = 0; (column = next_number(table, &i));) {
		text_table_safe(table, column->title, strlen(column->title));
		text_table_add_cell(table, column, true);
		add_separator(table);
	}
	names = add_names(table);
	if (!table->options->separator)
		add_dots(table, indent, names);
	return text_table_print_line(table);
}

/* Appends the value of the field of the line's level. Blanks at the start of the value are removed.
 */
static void add_name(struct table *table, uint32_t line, unsigned int level)
{
	const struct table_column *column = column_at(table, level);
	const size_t start = table->text.size;
	size_t blanks = 0;

	text_table_make_cell(table, column, line);
	while (blanks < table->cell.size && table->cell.data[blanks] == ' ')
		blanks++;
	memmove(table->cell.data, table->cell.data + blanks, table->cell.size - blanks);
	table->cell.size -= blanks;
	text_table_add_cell(table, column, column->column->style != STYLE_SYMBOL);
	if (!column->right)
		return;
	/* In this column, numbers are aligned to the left, too, although their column is aligned to
	 * the right. */
	table->text.size = start;
	buffer_add(&table->text, table->cell.data, table->cell.size);
}

static enum pk_status pk_report_print_level_line(struct table *table, uint32_t line)
{
	const unsigned int level = pk_results_level(table->results, line);
	const struct table_column *column;

	text_table_pad(&table->text, (size_t)level * INDENT, ' ');
	for (unsigned int i = 0, first = 1; (column = next_number(table, &i)); first = 0) {
		if (!first || !table->options->separator)
			add_separator(table);
		text_table_make_cell(table, column, line);
		text_table_add_cell(table, column, true);
	}
	text_table_pad(&table->text, blanks_of(table, table->results->layout->levels_count - 1),
		       ' ');
	add_separator(table);
	add_name(table, line, level);
	return text_table_print_line(table);
}

static enum pk_status pk_report_print_level_empty(struct table *table, uint32_t line)
{
	const unsigned int level = pk_results_level(table->results, line);
	const struct table_column *column;
	size_t width = 4;

	for (unsigned int i = 0, first = 1; (column = next_number(table, &i)); first = 0)
		width += column->width + (first ? 0 : 2);
	text_table_pad(&table->text, blanks_of(table, table->results->layout->levels_count + level),
		       ' ');
	text_table_pad(&table->text, width, ' ');
	buffer_format(&table->text, "no entry >= %.2f%%", table->options->percent_limit);
	return text_table_print_line(table);
}

/* ---- Lines ---- */

/* Returns whether blanks fill the column to its width. perf fills all columns except a symbol at
 * the end of the line. */
static bool is_filled(const struct table *table, unsigned int i)
{
	return i + 1 < table->columns_count || table->columns[i].column->style != STYLE_SYMBOL;
}

static enum pk_status print_titles(struct table *table)
{
	const char *separator = table->options->separator;

	buffer_text(&table->text, "# ");
	for (unsigned int i = 0; i < table->columns_count; i++) {
		buffer_text(&table->text, !i ? "" : separator ? separator : "  ");
		text_table_safe(table, table->columns[i].title, strlen(table->columns[i].title));
		text_table_add_cell(table, &table->columns[i], true);
	}
	if (separator)
		return text_table_print_line(table);
	buffer_text(&table->text, "\n# ");
	for (unsigned int i = 0; i < table->columns_count; i++) {
		buffer_text(&table->text, i ? "  " : "");
		text_table_pad(&table->text, table->columns[i].width, '.');
	}
	buffer_text(&table->text, "\n#");
	return text_table_print_line(table);
}

static enum pk_status print_row(struct table *table, uint32_t line)
{
	const char *separator = table->options->separator;

	for (unsigned int i = 0; i < table->columns_count; i++) {
		if (i || !separator)
			buffer_text(&table->text, separator ? separator : "  ");
		text_table_make_cell(table, &table->columns[i], line);
		text_table_add_cell(table, &table->columns[i], is_filled(table, i));
	}
	return text_table_print_line(table);
}

/* Prints the callers or callees of the first set of a line. */
static enum pk_status print_tree(struct table *table, uint32_t line)
{
	struct graph_text *graph = table->options->graph;
	const uint32_t row = results_row(table->results, line, 0);

	if (!graph || !row || !pk_results_is_leaf(table->results, line))
		return PK_OK;
	PK_TRY(pk_graph_text(graph, &table->text, row, pk_results_weight(table->results, row),
			     table->sheet->sets[0].weight));
	text_table_print_lines(table);
	return PK_OK;
}

/* ---- Sheets ---- */

/* Returns whether all lines below the line at index `at` are hidden. */
static bool is_empty(const struct table *table, size_t at)
{
	const struct sheet *sheet = table->sheet;
	const unsigned int level = pk_results_level(table->results, sheet->lines[at]);

	if (pk_results_is_leaf(table->results, sheet->lines[at]))
		return false;
	if (at + 1 == sheet->count)
		return !sheet->limited;
	return pk_results_level(table->results, sheet->lines[at + 1]) <= level;
}

static enum pk_status print_table_line(struct table *table, size_t at)
{
	const uint32_t line = table->sheet->lines[at];
	const bool levels = table->results->layout->levels_count;

	PK_TRY(levels ? pk_report_print_level_line(table, line) : print_row(table, line));
	PK_TRY(print_tree(table, line));
	return !levels || !is_empty(table, at) ? PK_OK : pk_report_print_level_empty(table, line);
}

static enum pk_status print_sheet(struct table *table, bool first)
{
	const bool comments = table->options->comments;
	enum pk_status status = text_table_measure_columns(table);

	if (comments) {
		pk_report_print_sheet_heading(table, first);
		if (status == PK_OK)
			status = table->results->layout->levels_count
					 ? pk_report_print_level_titles(table)
					 : print_titles(table);
	}
	for (size_t i = 0; i < table->sheet->count && status == PK_OK; i++)
		status = print_table_line(table, i);
	if (comments && table->results->layout->sets != SETS_SIDES)
		fputs("\n\n", table->options->out);
	return status;
}

enum pk_status pk_report_print_text(const struct results *results,
				    const struct text_options *options)
{
	struct table table = {.results = results, .options = options};
	enum pk_status status = PK_OK;

	/* Without any table, the messages say why. */
	if (!results->sheets_count && !options->losses)
		return PK_OK;
	pk_text_width_start(&table.widths);
	if (options->comments && results->layout->sets != SETS_SIDES)
		fprintf(options->out, "#\n# Total Lost Samples: %" PRIu64 "\n#\n", options->lost);
	for (size_t i = 0; i < results->sheets_count && status == PK_OK; i++) {
		table.sheet = &results->sheets[i];
		status = print_sheet(&table, !i);
	}
	if (options->comments && options->losses)
		fprintf(options->out, "#\n# %s\n#\n", options->losses);
	pk_text_width_end(&table.widths);
	free(table.cell.data);
	free(table.text.data);
	free(table.joined.data);
	return status;
}
