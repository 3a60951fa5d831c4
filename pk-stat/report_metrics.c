// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "report.h"
#include "vector.h"

#define WIDTH 20

struct table {
	const struct stat_options *options;
	const struct stat_result *result;
	struct stat_columns *columns;
	struct derived *derived;
	size_t most;
};

/* Whether to print a derived number: not rates (/sec) and CPUs utilized, which need the count next
 * to them. */
static bool is_shown(const struct derived *derived)
{
	const char *unit = derived->unit;

	return derived->format && unit[0] && strcmp(unit, "/sec") != 0 &&
	       strcmp(unit + 1, "/sec") != 0 && strcmp(unit, "CPUs utilized") != 0;
}

static size_t derive_there(const struct table *table, size_t event, size_t group)
{
	if (table->result->hidden[event] || !stat_is_counted(table->result, event, group))
		return 0;
	return derive(table->result, event, group, table->derived, table->most);
}

static bool has_column(const struct stat_columns *columns, size_t event, size_t nth)
{
	for (size_t i = 0; i < columns->count; i++)
		if (columns->items[i].event == event && columns->items[i].nth == nth)
			return true;
	return false;
}

static bool add_column(struct table *table, size_t event, size_t nth)
{
	struct stat_columns *columns = table->columns;
	const char *name = table->result->events->items[event].name;
	const char *unit = table->derived[nth].unit;
	const bool share = !strncmp(unit, "of all", 6); /* unit of the metric */
	struct stat_column *column;

	if (!pk_vector_reserve(columns, 1)) {
		pk_no_memory();
		return false;
	}
	column = &columns->items[columns->count++];
	*column = (struct stat_column){.event = event, .nth = nth};
	snprintf(column->name, sizeof(column->name), "%s%s%s", share ? name : "", share ? " " : "",
		 unit);
	return true;
}

/* Adds a column for each metric that has a value in any group. Columns of earlier results stay. */
static bool find_columns(struct table *table)
{
	for (size_t event = 0; event < table->result->events->count; event++) {
		for (size_t group = 0; group < table->result->groups->count; group++) {
			const size_t n = derive_there(table, event, group);

			for (size_t nth = 0; nth < n; nth++)
				if (is_shown(&table->derived[nth]) &&
				    !has_column(table->columns, event, nth) &&
				    !add_column(table, event, nth))
					return false;
		}
	}
	return true;
}

/* Formats the value of a column in a group; "": no value. */
static void cell(const struct table *table, const struct stat_column *column, size_t group,
		 char *text, size_t size)
{
	const struct derived *derived = &table->derived[column->nth];

	text[0] = '\0';
	if (column->nth < derive_there(table, column->event, group) && derived->format)
		snprintf(text, size, derived->format, isnan(derived->value) ? NAN : derived->value);
}

static int width_of(const struct stat_column *column)
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
	for (size_t i = 0; i < table->columns->count; i++) {
		const struct stat_column *column = &table->columns->items[i];
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
	} else if (table->result->at >= 0) {
		report_text_columns(options, by);
	} else if (by != STAT_ALL && table->result->groups->count) {
		fprintf(options->out, "%*s",
			first->ahead + (int)strlen(first->name) + first->behind + 1 +
				(stat_adds_cpus(by) ? 5 : 0),
			"");
	}
	for (size_t i = 0; i < table->columns->count; i++) {
		if (options->format == STAT_CSV)
			fprintf(options->out, "%s%s", table->columns->items[i].name,
				options->separator);
		else
			fprintf(options->out, "%*s ", WIDTH, table->columns->items[i].name);
	}
	fputc('\n', options->out);
}

void report_metrics(const struct stat_options *options, const struct stat_result *result)
{
	struct table table = {
		.options = options,
		.result = result,
		.columns = result->columns,
		.most = derived_most(result),
	};
	const size_t known = result->columns->count;

	table.derived = calloc(table.most, sizeof(*table.derived));
	if (!table.derived) {
		pk_no_memory();
	} else if (find_columns(&table)) {
		if ((table.columns->count > known || !table.columns->titled) &&
		    options->format != STAT_JSON)
			print_header(&table);
		table.columns->titled = true;
		for (size_t i = 0; table.columns->count && i < result->groups->count; i++)
			print_row(&table, i);
	}
	free(table.derived);
}

void stat_columns_free(struct stat_columns *columns)
{
	free(columns->items);
	*columns = (struct stat_columns){0};
}
