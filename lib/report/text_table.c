// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "text_table.h"

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
