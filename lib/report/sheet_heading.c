// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>

#include "text_table.h"

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

void pk_report_print_sheet_heading(struct table *table, bool first)
{
	if (table->results->layout->sets == SETS_SIDES)
		print_comparison(table, first);
	else
		print_counts(table);
}
