// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report.h"

#define WIDTH 20

/* A column: one of the metrics beside an event. */
struct column {
	size_t event, nth;
	char name[160];
};

struct table {
	const struct stat_options *options;
	const struct stat_result *result;
	struct column *columns;
	size_t count;
	struct derived *derived;
	size_t most;
};

/* Rates and shares of time say little without the counts. */
static bool is_shown(const struct derived *derived)
{
	return derived->format && derived->unit[0] && !strstr(derived->unit, "/sec") &&
	       strcmp(derived->unit, "CPUs utilized");
}

static size_t derive_there(const struct table *table, size_t event, size_t group)
{
	if (table->result->hidden[event] || !stat_is_counted(table->result, event, group))
		return 0;
	return derive(table->result, event, group, table->derived, table->most);
}

static bool has_column(const struct table *table, size_t from, size_t nth)
{
	for (size_t i = from; i < table->count; i++)
		if (table->columns[i].nth == nth)
			return true;
	return false;
}

static bool add_column(struct table *table, size_t event, size_t nth)
{
	const char *name = table->result->events->items[event].name;
	const char *unit = table->derived[nth].unit;
	struct column *columns;

	columns = reallocarray(table->columns, table->count + 1, sizeof(*columns));
	if (!columns) {
		pk_error("out of memory");
		return false;
	}
	table->columns = columns;
	columns[table->count] = (struct column){.event = event, .nth = nth};
	/* "of all branches" is said of what */
	snprintf(columns[table->count].name, sizeof(columns->name), "%s%s%s",
		 strncmp(unit, "of all", 6) ? "" : name, strncmp(unit, "of all", 6) ? "" : " ",
		 unit);
	table->count++;
	return true;
}

/* What any of the groups has. */
static bool find_columns(struct table *table)
{
	for (size_t event = 0; event < table->result->events->count; event++) {
		const size_t from = table->count;

		for (size_t group = 0; group < table->result->groups->count; group++) {
			const size_t n = derive_there(table, event, group);

			for (size_t nth = 0; nth < n; nth++)
				if (is_shown(&table->derived[nth]) &&
				    !has_column(table, from, nth) && !add_column(table, event, nth))
					return false;
		}
	}
	return true;
}

/* "%7.2f%%" without blanks; "": there is none. */
static void cell(const struct table *table, const struct column *column, size_t group, char *text,
		 size_t size)
{
	const struct derived *derived = &table->derived[column->nth];

	text[0] = '\0';
	if (column->nth < derive_there(table, column->event, group) && derived->format)
		snprintf(text, size, derived->format, isnan(derived->value) ? NAN : derived->value);
}

static int width_of(const struct column *column)
{
	const int length = (int)strlen(column->name);

	return length > WIDTH ? length : WIDTH;
}

static void print_row(const struct table *table, size_t group)
{
	const struct stat_options *options = table->options;
	const struct stat_group *of = &table->result->groups->items[group];
	char text[64];

	if (options->format == STAT_JSON)
		report_json_group(options, table->result, of);
	else if (options->format == STAT_CSV)
		report_csv_group(options, table->result, of);
	else
		report_text_group(options, table->result, of);
	for (size_t i = 0; i < table->count; i++) {
		const struct column *column = &table->columns[i];
		size_t blanks;

		cell(table, column, group, text, sizeof(text));
		blanks = strspn(text, " ");
		if (options->format == STAT_TEXT) {
			fprintf(options->out, "%*s ", width_of(column), text);
			continue;
		}
		text[blanks + strcspn(text + blanks, " %")] = '\0';
		if (options->format == STAT_CSV) {
			fprintf(options->out, "%s%s", text + blanks, options->separator);
			continue;
		}
		fputs(i ? ", " : "", options->out);
		report_json_string(options->out, column->name);
		fprintf(options->out, " : \"%s\"", text + blanks);
	}
	fputs(options->format == STAT_JSON ? "}\n" : "\n", options->out);
}

static void print_header(const struct table *table)
{
	const struct stat_options *options = table->options;
	static const char *const names[] = {
		[STAT_ALL] = "",
		[STAT_CPU] = "cpu,",
		[STAT_CORE] = "core,cpus,",
		[STAT_DIE] = "die,cpus,",
		[STAT_SOCKET] = "socket,cpus,",
		[STAT_NODE] = "node,cpus,",
		[STAT_THREAD] = "comm-pid,",
	};
	const enum stat_by by = table->result->groups->by;
	const struct stat_group *first = table->result->groups->items;

	if (options->format == STAT_CSV) {
		if (table->result->at >= 0)
			fprintf(options->out, " time%s", options->separator);
		for (const char *c = names[by]; *c; c++)
			*c == ',' ? fputs(options->separator, options->out)
				  : fputc(*c, options->out);
	} else if (table->result->at < 0 && by != STAT_ALL && table->result->groups->count) {
		fprintf(options->out, "%*s",
			first->ahead + (int)strlen(first->name) + first->behind + 1 +
				(stat_adds_cpus(by) ? 5 : 0),
			"");
	}
	for (size_t i = 0; i < table->count; i++) {
		if (options->format == STAT_CSV)
			fprintf(options->out, "%s%s", table->columns[i].name, options->separator);
		else
			fprintf(options->out, "%*s ", WIDTH, table->columns[i].name);
	}
	fputc('\n', options->out);
}

void report_metrics(const struct stat_options *options, const struct stat_result *result,
		    bool header)
{
	struct table table = {
		.options = options,
		.result = result,
		.most = derived_most(result),
	};

	table.derived = calloc(table.most, sizeof(*table.derived));
	if (!table.derived)
		pk_error("out of memory");
	else if (find_columns(&table)) {
		if (header && options->format != STAT_JSON)
			print_header(&table);
		for (size_t i = 0; !header && i < result->groups->count; i++)
			print_row(&table, i);
	}
	free(table.columns);
	free(table.derived);
}
