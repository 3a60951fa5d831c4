// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "text_table.h"

/* ---- Headings ---- */

/* Shortens a number of samples as perf does: 2179 is "2K". */
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
	pk_text_table_safe(table, text, size);
	fprintf(table->options->out, "%.*s", (int)table->cell.size,
		table->cell.data ? table->cell.data : "");
}

static void print_event(struct table *table, uint32_t event)
{
	size_t size = 0;
	const char *name = pk_results_event(table->results, event, &size);

	print_safe(table, name ? name : "", size);
}

/* The events of a table: "event 'x'", "events 'x, y'". */
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

/* The inputs, numbered like the columns. */
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

/* The lines before the table: samples and events, or what is compared. first: of all tables. */
static void pk_report_print_sheet_heading(struct table *table, bool first)
{
	if (table->results->layout->sets == SETS_SIDES)
		print_comparison(table, first);
	else
		print_counts(table);
}

/* ---- Levels ---- */

/* Blanks before the lines of a level, for each level above it. */
#define INDENT 3

/* The column of a level. */
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

/* The next column of numbers from *i on; NULL: none. */
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

/* Adds the titles of all levels: "Command / Symbol". Returns the width of this column. */
static size_t add_names(struct table *table)
{
	const unsigned int levels = table->results->layout->levels_count;
	const size_t start = table->text.size;
	size_t width, most = 0;

	for (unsigned int level = 0; level < levels; level++) {
		const struct table_column *column = column_at(table, level);
		const char *title = column->title + strspn(column->title, " ");

		buffer_text(&table->text, level ? " / " : "");
		pk_text_table_safe(table, title, strlen(title));
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
	pk_text_table_pad(&table->text, indent, '.');
	for (unsigned int i = 0, first = 1; (column = next_number(table, &i)); first = 0)
		pk_text_table_pad(&table->text, column->width + (first ? 0 : 2), '.');
	buffer_text(&table->text, "  ");
	pk_text_table_pad(&table->text, names, '.');
	buffer_text(&table->text, "\n#");
}

/* The titles of a table with levels, a line of it, and "no entry" if percent_limit hides all lines
 * below that line. False: out of memory. */
static bool pk_report_print_level_titles(struct table *table)
{
	const size_t indent = blanks_of(table, table->results->layout->levels_count - 1);
	const struct table_column *column;
	size_t names;

	buffer_text(&table->text, "# ");
	pk_text_table_pad(&table->text, indent, ' ');
	for (unsigned int i = 0; (column = next_number(table, &i));) {
		pk_text_table_safe(table, column->title, strlen(column->title));
		pk_text_table_add_cell(table, column, true);
		add_separator(table);
	}
	names = add_names(table);
	if (!table->options->separator)
		add_dots(table, indent, names);
	return pk_text_table_print_line(table);
}

/* Adds the value of the line's own field, without blanks before it. */
static void add_name(struct table *table, uint32_t line, unsigned int level)
{
	const struct table_column *column = column_at(table, level);
	const size_t start = table->text.size;
	size_t blanks = 0;

	pk_text_table_make_cell(table, column, line);
	while (blanks < table->cell.size && table->cell.data[blanks] == ' ')
		blanks++;
	memmove(table->cell.data, table->cell.data + blanks, table->cell.size - blanks);
	table->cell.size -= blanks;
	pk_text_table_add_cell(table, column, column->column->style != STYLE_SYMBOL);
	if (!column->right)
		return;
	/* Numbers are to the left, too. */
	table->text.size = start;
	buffer_add(&table->text, table->cell.data, table->cell.size);
}

static bool pk_report_print_level_line(struct table *table, uint32_t line)
{
	const unsigned int level = pk_results_level(table->results, line);
	const struct table_column *column;

	pk_text_table_pad(&table->text, (size_t)level * INDENT, ' ');
	for (unsigned int i = 0, first = 1; (column = next_number(table, &i)); first = 0) {
		if (!first || !table->options->separator)
			add_separator(table);
		pk_text_table_make_cell(table, column, line);
		pk_text_table_add_cell(table, column, true);
	}
	pk_text_table_pad(&table->text, blanks_of(table, table->results->layout->levels_count - 1),
			  ' ');
	add_separator(table);
	add_name(table, line, level);
	return pk_text_table_print_line(table);
}

static bool pk_report_print_level_empty(struct table *table, uint32_t line)
{
	const unsigned int level = pk_results_level(table->results, line);
	const struct table_column *column;
	size_t width = 4;

	for (unsigned int i = 0, first = 1; (column = next_number(table, &i)); first = 0)
		width += column->width + (first ? 0 : 2);
	pk_text_table_pad(&table->text,
			  blanks_of(table, table->results->layout->levels_count + level), ' ');
	pk_text_table_pad(&table->text, width, ' ');
	buffer_format(&table->text, "no entry >= %.2f%%", table->options->percent_limit);
	return pk_text_table_print_line(table);
}

/* ---- Lines ---- */

/* perf fills up all columns but a symbol at the end of the line. */
static bool is_filled(const struct table *table, unsigned int i)
{
	return i + 1 < table->columns_count || table->columns[i].column->style != STYLE_SYMBOL;
}

static bool print_titles(struct table *table)
{
	const char *separator = table->options->separator;

	buffer_text(&table->text, "# ");
	for (unsigned int i = 0; i < table->columns_count; i++) {
		buffer_text(&table->text, !i ? "" : separator ? separator : "  ");
		pk_text_table_safe(table, table->columns[i].title, strlen(table->columns[i].title));
		pk_text_table_add_cell(table, &table->columns[i], true);
	}
	if (separator)
		return pk_text_table_print_line(table);
	buffer_text(&table->text, "\n# ");
	for (unsigned int i = 0; i < table->columns_count; i++) {
		buffer_text(&table->text, i ? "  " : "");
		pk_text_table_pad(&table->text, table->columns[i].width, '.');
	}
	buffer_text(&table->text, "\n#");
	return pk_text_table_print_line(table);
}

static bool print_row(struct table *table, uint32_t line)
{
	const char *separator = table->options->separator;

	for (unsigned int i = 0; i < table->columns_count; i++) {
		if (i || !separator)
			buffer_text(&table->text, separator ? separator : "  ");
		pk_text_table_make_cell(table, &table->columns[i], line);
		pk_text_table_add_cell(table, &table->columns[i], is_filled(table, i));
	}
	return pk_text_table_print_line(table);
}

/* Prints the callers or callees of a line: those of its first set. */
static bool print_tree(struct table *table, uint32_t line)
{
	struct graph_text *graph = table->options->graph;
	const uint32_t row = results_row(table->results, line, 0);

	if (!graph || !row || !pk_results_is_leaf(table->results, line))
		return true;
	if (!pk_graph_text(graph, &table->text, row, pk_results_weight(table->results, row),
			   table->sheet->sets[0].weight))
		return false;
	pk_text_table_print_lines(table);
	return true;
}

/* ---- Sheets ---- */

/* Whether all lines below a line are hidden. */
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

static bool print_table_line(struct table *table, size_t at)
{
	const uint32_t line = table->sheet->lines[at];
	const bool levels = table->results->layout->levels_count;

	return (levels ? pk_report_print_level_line(table, line) : print_row(table, line)) &&
	       print_tree(table, line) &&
	       (!levels || !is_empty(table, at) || pk_report_print_level_empty(table, line));
}

static bool print_sheet(struct table *table, bool first)
{
	const bool comments = table->options->comments;
	bool done = pk_text_table_measure_columns(table);

	if (comments) {
		pk_report_print_sheet_heading(table, first);
		done = done &&
		       (table->results->layout->levels_count ? pk_report_print_level_titles(table)
							     : print_titles(table));
	}
	for (size_t i = 0; i < table->sheet->count && done; i++)
		done = print_table_line(table, i);
	if (comments && table->results->layout->sets != SETS_SIDES)
		fputs("\n\n", table->options->out);
	return done;
}

bool pk_report_print_text(const struct results *results, const struct text_options *options)
{
	struct table table = {.results = results, .options = options};
	bool done = true;

	pk_text_width_start(&table.widths);
	if (options->comments && results->layout->sets != SETS_SIDES)
		fprintf(options->out, "#\n# Total Lost Samples: %" PRIu64 "\n#\n", options->lost);
	for (size_t i = 0; i < results->sheets_count && done; i++) {
		table.sheet = &results->sheets[i];
		done = print_sheet(&table, !i);
	}
	if (options->comments && options->losses)
		fprintf(options->out, "#\n# %s\n#\n", options->losses);
	pk_text_width_end(&table.widths);
	free(table.cell.data);
	free(table.text.data);
	free(table.joined.data);
	return done;
}
