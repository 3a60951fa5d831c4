// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "cli.h"
#include "lookups.h"
#include "report.h"
#include "safe_text.h"
#include "vector.h"

/* ---- Fields with a separator ---- */

static void report_csv_group(const struct stat_options *options, const struct stat_result *result,
			     const struct stat_group *group)
{
	FILE *out = options->out;
	const char *s = options->print.separator;

	if (result->at >= 0)
		fprintf(out, "%16.9f%s", result->at, s);
	else if (result->summary && !options->print.no_csv_summary)
		fprintf(out, "%16s%s", "summary", s);
	if (result->groups->by == STAT_ALL)
		return;
	fprintf(out, "%s%s%s", pk_is_formula(group->name, strlen(group->name)) ? "'" : "",
		group->name, s);
	if (stat_adds_cpus(result->groups->by))
		fprintf(out, "%u%s", group->cpus, s);
}

static void print_derived(const struct stat_line *line, const struct derived *derived)
{
	FILE *out = line->options->out;
	const char *s = line->options->print.separator;
	int places;

	if (!derived || !derived->format) {
		fprintf(out, "%s%s\n", s, s);
		return;
	}
	places = derived->format[strcspn(derived->format, ".") + 1] - '0';
	fprintf(out, "%s%.*f%s%s\n", s, places, isnan(derived->value) ? NAN : derived->value, s,
		derived->unit);
}

/* Prints the second and further metrics of an event on lines of their own. As in perf, each of
 * these lines starts with empty fields. */
static void print_others(const struct stat_line *line)
{
	const enum stat_by by = line->result->groups->by;
	const int free_fields = 3 + (by != STAT_ALL) + stat_adds_cpus(by) + line->result->cgroups;

	for (size_t i = 1; i < line->derived_count; i++) {
		report_csv_group(line->options, line->result, line->group);
		for (int n = 0; n < free_fields; n++)
			fputs(line->options->print.separator, line->options->out);
		print_derived(line, &line->derived[i]);
	}
}

static void report_csv_line(const struct stat_line *line)
{
	FILE *out = line->options->out;
	const char *s = line->options->print.separator;
	char number[64];

	report_csv_group(line->options, line->result, line->group);
	line_number(number, sizeof(number), line);
	fprintf(out, "%s%s%s%s%s", line->there ? number : line_absence(line), s, line->unit, s,
		line->event->name);
	if (line->result->cgroups)
		fprintf(out, "%s%s", s, line->event->cgroup ? line->event->cgroup : "");
	if (line->deviation >= 0)
		fprintf(out, "%s%.2f%%", s, line->deviation);
	fprintf(out, "%s%" PRIu64 "%s%.2f", s, line->count->running, s, line_percent_running(line));
	print_derived(line, line->derived_count ? &line->derived[0] : NULL);
	print_others(line);
}

/* ---- JSON ---- */

static void report_json_string(FILE *out, const char *text)
{
	struct buffer buffer = {0};

	buffer_quoted(&buffer, text, strlen(text));
	if (buffer.failed) {
		pk_no_memory();
		fputs("null", out);
	} else
		fwrite(buffer.data, 1, buffer.size, out);
	free(buffer.data);
}

/* Prints the start of an object. It consists of the brace, the time (with -I) and the group. */
static void report_json_group(const struct stat_options *options, const struct stat_result *result,
			      const struct stat_group *group)
{
	static const char *const keys[] = {
		[STAT_CPU] = "cpu",	[STAT_CORE] = "core",	  [STAT_CLUSTER] = "cluster",
		[STAT_CACHE] = "cache", [STAT_DIE] = "die",	  [STAT_SOCKET] = "socket",
		[STAT_NODE] = "node",	[STAT_THREAD] = "thread",
	};
	FILE *out = options->out;
	const enum stat_by by = result->groups->by;

	fputc('{', out);
	if (result->at >= 0)
		fprintf(out, "\"interval\" : %.9f, ", result->at);
	if (by == STAT_ALL)
		return;
	fprintf(out, "\"%s\" : ", keys[by]);
	report_json_string(out, group->number);
	if (stat_adds_cpus(by))
		fprintf(out, ", \"counters\" : %u", group->cpus);
	fputs(", ", out);
}

/* Prints a metric. Prints null if its value is not finite. */
static void print_metric(FILE *out, const struct derived *derived)
{
	const bool there = derived && derived->format;

	if (there && !isfinite(derived->value))
		fputs("\"metric-value\" : null, \"metric-unit\" : ", out);
	else
		fprintf(out,
			"\"metric-value\" : %f, \"metric-unit\" : ", there ? derived->value : 0);
	report_json_string(out, there ? derived->unit : "");
	fputs("}\n", out);
}

static void report_json_line(const struct stat_line *line)
{
	FILE *out = line->options->out;

	report_json_group(line->options, line->result, line->group);
	if (line->there)
		fprintf(out, "\"counter-value\" : \"%f\"", line->value);
	else
		fprintf(out, "\"counter-value\" : \"%s\"", line_absence(line));
	fputs(", \"unit\" : ", out);
	report_json_string(out, line->unit);
	fputs(", \"event\" : ", out);
	report_json_string(out, line->event->name);
	if (line->result->cgroups) {
		fputs(", \"cgroup\" : ", out);
		report_json_string(out, line->event->cgroup ? line->event->cgroup : "");
	}
	if (line->deviation >= 0)
		fprintf(out, ", \"variance\" : %.2f", line->deviation);
	fprintf(out, ", \"event-runtime\" : %" PRIu64 ", \"pcnt-running\" : %.2f, ",
		line->count->running, line_percent_running(line));
	print_metric(out, line->derived_count ? &line->derived[0] : NULL);
	for (size_t i = 1; i < line->derived_count; i++) {
		report_json_group(line->options, line->result, line->group);
		print_metric(out, &line->derived[i]);
	}
}

/* ---- Texts ---- */

#define NAME_WIDTH	  32
#define NAME_WIDTH_ABSENT 25
#define METRIC_WIDTH	  35
#define SECOND_WIDTH	  49 /* number of blanks before a metric that has its own line */
#define SECOND_CPU_WIDTH  57 /* SECOND_WIDTH for lines that start with a CPU */
#define BAR_MOST	  60

/* ---- Lines ---- */

/* Copies a number. Inserts the locale's separator of thousands. */
static void group_digits(const char *number, char *out, size_t size)
{
	const char *separator = nl_langinfo(THOUSEP);
	size_t digits = strspn(number, "0123456789"), at = 0, length = strlen(separator);

	for (size_t i = 0; number[i] && at + length + 2 < size; i++) {
		if (i && i < digits && (digits - i) % 3 == 0) {
			memcpy(out + at, separator, length);
			at += length;
		}
		out[at++] = number[i];
	}
	out[at] = '\0';
}

static void report_text_group(const struct stat_options *options, const struct stat_result *result,
			      const struct stat_group *group)
{
	FILE *out = options->out;

	if (result->at >= 0)
		fprintf(out, "%16.9f ", result->at);
	if (result->groups->by == STAT_ALL)
		return;
	fprintf(out, "%*s%s%*s ", group->ahead, "", group->name, group->behind, "");
	if (stat_adds_cpus(result->groups->by))
		fprintf(out, "%4u ", group->cpus);
}

static void print_text_derived(FILE *out, const struct derived *derived)
{
	int written;

	if (!derived || !derived->format) {
		fprintf(out, "%-*s", METRIC_WIDTH, "");
		return;
	}
	written = fprintf(out, " # ");
	written += fprintf(out, derived->format, isnan(derived->value) ? NAN : derived->value);
	fprintf(out, " %-*s", METRIC_WIDTH - written - 1, derived->unit);
}

static void print_cgroup(const struct stat_line *line)
{
	if (line->result->cgroups)
		fprintf(line->options->out, " %s", line->event->cgroup ? line->event->cgroup : "");
}

static void print_text_others(const struct stat_line *line)
{
	FILE *out = line->options->out;
	const bool cpu = line->result->groups->by == STAT_CPU;

	for (size_t i = 1; i < line->derived_count; i++) {
		report_text_group(line->options, line->result, line->group);
		fprintf(out, "%*s", cpu ? SECOND_CPU_WIDTH : SECOND_WIDTH, "");
		print_text_derived(out, &line->derived[i]);
		fputc('\n', out);
	}
}

static void report_text_line(const struct stat_line *line)
{
	FILE *out = line->options->out;
	char number[64], grouped[96];

	report_text_group(line->options, line->result, line->group);
	line_number(number, sizeof(number), line);
	if (line->options->print.no_big_numbers)
		memcpy(grouped, number, sizeof(number));
	else
		group_digits(number, grouped, sizeof(grouped));
	fprintf(out, "%18s %-*s %-*s", line->there ? grouped : line_absence(line), line->unit_width,
		line->unit, line->there ? NAME_WIDTH : NAME_WIDTH_ABSENT, line->event->name);
	print_cgroup(line);
	print_text_derived(out, line->derived_count ? &line->derived[0] : NULL);
	if (line->deviation > 0 && line->there)
		fprintf(out, "  ( +-%6.2f%% )", line->deviation);
	if (!line->event->opened.error && line->count->running != line->count->enabled)
		fprintf(out, "  (%.2f%%)", line_percent_running(line));
	fputc('\n', out);
	print_text_others(line);
}

/* ---- Lines around the counts ---- */

static void print_title(const struct stat_options *options, const char *of_what)
{
	FILE *out = options->out;

	fprintf(out, "\n Performance counter stats for ");
	if (of_what)
		fprintf(out, "'%s'", of_what);
	else if (options->targets.pids)
		fprintf(out, "process id '%s'", options->targets.pids);
	else if (options->targets.tids)
		fprintf(out, "thread id '%s'", options->targets.tids);
	else if (options->targets.cpus)
		fprintf(out, "'CPU(s) %s'", options->targets.cpus);
	else if (options->targets.system_wide)
		fputs("'system wide'", out);
	else {
		fputc('\'', out);
		for (size_t i = 0; options->command && options->command[i]; i++)
			fprintf(out, "%s%s", i ? " " : "", options->command[i]);
		fputc('\'', out);
	}
	if (options->run.repeat > 1)
		fprintf(out, " (%" PRIu64 " runs)", options->run.repeat);
	fprintf(out, ":\n\n");
}

/* Prints the names of the columns before the counts. It is called only for the text format. */
static void report_text_columns(const struct stat_options *options, enum stat_by by)
{
	static const char *const columns[] = {
		[STAT_ALL] = "",
		[STAT_CPU] = "CPU       ",
		[STAT_CORE] = "core            cpus",
		[STAT_CLUSTER] = "cluster              cpus",
		[STAT_CACHE] = "cache                  cpus",
		[STAT_DIE] = "die          cpus",
		[STAT_SOCKET] = "socket cpus",
		[STAT_NODE] = "node   cpus",
		[STAT_THREAD] = "            comm-pid     ",
	};

	fprintf(options->out, "#           time %s%s", columns[by], by == STAT_ALL ? "" : " ");
}

static void report_text_start(const struct stat_options *options, const struct stat_result *result,
			      const char *of_what, int unit_width)
{
	if (result->at < 0) {
		print_title(options, of_what);
	} else if (!options->print.metric_only) {
		report_text_columns(options, result->groups->by);
		fprintf(options->out, "            counts %*s events\n", unit_width, "unit");
	}
}

/* Returns the number of decimals that are needed to show two significant digits of the deviation.
 * It is at least 2. */
static int precision_of(double deviation)
{
	return deviation > 1 ? 2 : 2 + (int)lround(ceil(-log10(deviation)));
}

/* Prints the time of each run, the difference to the mean, and a bar whose length shows this
 * difference. */
static void print_table(FILE *out, const struct stat_times *times, int precision)
{
	const int width = snprintf(NULL, 0, "%.*f", precision, times->elapsed.mean);
	const int indent = width < 17 ? 18 - width : 1; /* aligns the title with the numbers */

	fprintf(out, "\n%*s# Table of individual measurements:\n", indent, "");
	for (uint64_t i = 0; i < times->elapsed.n; i++) {
		const double run = times->runs[i], distance = run - times->elapsed.mean;
		const double share = run > 0 ? fabs(100 * distance / run) / 5 : 0;
		const int bar = 1 + (int)(share < BAR_MOST ? share : BAR_MOST - 1);

		fprintf(out, " %17.*f (%+.*f) ", precision, run, precision, distance);
		for (int n = 0; n < bar; n++)
			fputc('#', out);
		fputc('\n', out);
	}
	fprintf(out, "\n%*s# Final result:\n", indent, "");
}

static void print_elapsed(const struct stat_options *options, const struct stat_times *times)
{
	FILE *out = options->out;
	const struct moments *elapsed = &times->elapsed;
	const double deviation = moments_interval(elapsed, options->print.confidence);
	const char *blank = options->run.null_run
				    ? ""
				    : "\n"; /* an empty line separates the counts from the time */
	int precision;

	if (elapsed->n < 2 || deviation <= 0) {
		fprintf(out, "%s %17.9f seconds time elapsed\n\n", blank, elapsed->mean);
		return;
	}
	precision = precision_of(deviation);
	if (options->print.table && times->runs)
		print_table(out, times, precision);
	else
		fputs(blank, out);
	fprintf(out, " %17.*f +- %.*f seconds time elapsed", precision, elapsed->mean, precision,
		deviation);
	fprintf(out, "  ( +-%6.2f%% )\n\n",
		elapsed->mean > 0 ? 100 * deviation / elapsed->mean : 0);
}

void report_end(const struct stat_options *options, const struct stat_times *times)
{
	if (options->print.format != STAT_TEXT ||
	    (options->run.interval && !options->print.summary))
		return;
	print_elapsed(options, times);
	if (times->user >= 0 && options->run.repeat == 1)
		fprintf(options->out, " %17.9f seconds user\n %17.9f seconds sys\n\n\n",
			times->user, times->system);
}

/* ---- Metrics ---- */

#define WIDTH 20

struct table {
	const struct stat_options *options;
	const struct stat_result *result;
	struct stat_columns *columns;
	struct derived *derived;
	size_t most;
};

/* Returns true if --metric-only prints a derived number. Rates (/sec) and CPUs utilized are not
 * printed, because they are useful only next to the count. */
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

static enum pk_status add_column(struct table *table, size_t event, size_t nth)
{
	struct stat_columns *columns = table->columns;
	const char *name = table->result->events->items[event].name;
	const char *unit = table->derived[nth].unit;
	const bool share = !strncmp(unit, "of all", 6); /* needs the name of the event */
	struct stat_column *column;

	if (pk_vector_reserve(columns, 1) != PK_OK) {
		pk_no_memory();
		return PK_NOMEM;
	}
	column = &columns->items[columns->count++];
	*column = (struct stat_column){.event = event, .nth = nth};
	snprintf(column->name, sizeof(column->name), "%s%s%s", share ? name : "", share ? " " : "",
		 unit);
	return PK_OK;
}

/* Adds a column for each metric that has a value in any group. Columns of earlier results remain.
 */
static enum pk_status find_columns(struct table *table)
{
	for (size_t event = 0; event < table->result->events->count; event++) {
		for (size_t group = 0; group < table->result->groups->count; group++) {
			const size_t n = derive_there(table, event, group);

			for (size_t nth = 0; nth < n; nth++)
				if (is_shown(&table->derived[nth]) &&
				    !has_column(table->columns, event, nth))
					PK_TRY(add_column(table, event, nth));
		}
	}
	return PK_OK;
}

/* Formats the value of a column in a group. The text is "" if there is no value. */
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

	if (options->print.format == STAT_JSON)
		report_json_group(options, table->result, of);
	else if (options->print.format == STAT_CSV)
		report_csv_group(options, table->result, of);
	else
		report_text_group(options, table->result, of);
	for (size_t i = 0; i < table->columns->count; i++) {
		const struct stat_column *column = &table->columns->items[i];
		size_t blanks;

		cell(table, column, group, text, sizeof(text));
		blanks = strspn(text, " ");
		if (options->print.format == STAT_TEXT) {
			fprintf(options->out, "%*s ", width_of(column), text);
			continue;
		}
		text[blanks + strcspn(text + blanks, " %")] = '\0';
		if (options->print.format == STAT_CSV) {
			fprintf(options->out, "%s%s", text + blanks, options->print.separator);
			continue;
		}
		fputs(i ? ", " : "", options->out);
		report_json_string(options->out, column->name);
		fprintf(options->out, " : \"%s\"", text + blanks);
	}
	fputs(options->print.format == STAT_JSON ? "}\n" : "\n", options->out);
}

static void print_header(const struct table *table)
{
	const struct stat_options *options = table->options;
	static const char *const names[] = {
		[STAT_ALL] = "",
		[STAT_CPU] = "cpu,",
		[STAT_CORE] = "core,cpus,",
		[STAT_CLUSTER] = "cluster,cpus,",
		[STAT_CACHE] = "cache,cpus,",
		[STAT_DIE] = "die,cpus,",
		[STAT_SOCKET] = "socket,cpus,",
		[STAT_NODE] = "node,cpus,",
		[STAT_THREAD] = "comm-pid,",
	};
	const enum stat_by by = table->result->groups->by;
	const struct stat_group *first = table->result->groups->items;

	if (options->print.format == STAT_CSV) {
		if (table->result->at >= 0)
			fprintf(options->out, " time%s", options->print.separator);
		for (const char *c = names[by]; *c; c++)
			*c == ',' ? fputs(options->print.separator, options->out)
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
		if (options->print.format == STAT_CSV)
			fprintf(options->out, "%s%s", table->columns->items[i].name,
				options->print.separator);
		else
			fprintf(options->out, "%*s ", WIDTH, table->columns->items[i].name);
	}
	fputc('\n', options->out);
}

/* For --metric-only: prints a row for each group. If there are new columns, first prints the names
 * of the columns. */
static void report_metrics(const struct stat_options *options, const struct stat_result *result)
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
	} else if (find_columns(&table) == PK_OK) {
		if ((table.columns->count > known || !table.columns->titled) &&
		    options->print.format != STAT_JSON)
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

/* ---- Reports ---- */

static const char *unit_of(const struct event *event)
{
	return event_is_clock(event) ? "msec" : event->stat.unit;
}

static void print_line(const struct stat_options *options, const struct stat_result *result,
		       size_t event, size_t group, int unit_width, struct derived *derived)
{
	const size_t at = event * result->groups->count + group;
	struct stat_line line = {
		.options = options,
		.result = result,
		.event = &result->events->items[event],
		.group = &result->groups->items[group],
		.count = &result->counts[at],
		.deviation = -1,
		.there = stat_is_counted(result, event, group),
		.unit_width = unit_width,
		.derived = derived,
	};
	const double scale = event_is_clock(line.event) ? 1e-6 : line.event->stat.scale;

	line.unit = unit_of(line.event);
	line.value = stat_value(result, event, group) * scale;
	if (result->moments) {
		const struct moments *moments = &result->moments[at];

		line.deviation =
			moments->mean != 0
				? fabs(100 * moments_interval(moments, options->print.confidence) /
				       moments->mean)
				: 0;
	}
	line.fraction = floor(scale) != scale;
	if (!options->print.no_metrics && line.there)
		line.derived_count = derive(result, event, group, derived, derived_most(result));
	switch (options->print.format) {
	case STAT_CSV: report_csv_line(&line); break;
	case STAT_JSON: report_json_line(&line); break;
	default: report_text_line(&line); break;
	}
}

static int widest_unit(const struct event_list *events)
{
	size_t width = strlen("unit");

	for (size_t i = 0; i < events->count; i++)
		if (strlen(unit_of(&events->items[i])) > width)
			width = strlen(unit_of(&events->items[i]));
	return (int)width;
}

/* Returns true if no line is printed for an event in a group. This concerns clocks of pk-stat and
 * events that exist only on some CPUs. They have no line in a group in which they were not counted.
 */
static bool is_elsewhere(const struct stat_result *result, size_t event, size_t group)
{
	const struct event *of = &result->events->items[event];
	const struct count *count = &result->counts[event * result->groups->count + group];

	return (of->cpus || of->stat.tool) && !count->enabled && result->groups->by != STAT_ALL;
}

/* The value of an event in a group. Threads are sorted by it. */
struct rank {
	double value;
	size_t group;
};

static int by_value(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return (x->group > y->group) - (x->group < y->group);
}

/* Prints all groups of an event, and then all groups of the next event. Threads are sorted by their
 * values. The thread with the largest value comes first. */
static void print_by_event(const struct stat_options *options, const struct stat_result *result,
			   int width, struct derived *derived, struct rank *ranks)
{
	const size_t groups = result->groups->count;

	for (size_t event = 0; event < result->events->count; event++) {
		if (result->hidden[event])
			continue;
		for (size_t i = 0; i < groups; i++)
			ranks[i] = (struct rank){stat_value(result, event, i), i};
		if (result->groups->by == STAT_THREAD)
			qsort(ranks, groups, sizeof(*ranks), by_value);
		for (size_t i = 0; i < groups; i++)
			if (!is_elsewhere(result, event, ranks[i].group))
				print_line(options, result, event, ranks[i].group, width, derived);
	}
}

static void print_by_group(const struct stat_options *options, const struct stat_result *result,
			   int width, struct derived *derived)
{
	for (size_t group = 0; group < result->groups->count; group++)
		for (size_t event = 0; event < result->events->count; event++)
			if (!result->hidden[event] && !is_elsewhere(result, event, group))
				print_line(options, result, event, group, width, derived);
}

void report_counts(const struct stat_options *options, const struct stat_result *result)
{
	const int width = widest_unit(result->events);
	struct derived *derived = calloc(derived_most(result), sizeof(*derived));
	struct rank *ranks = calloc(result->groups->count + 1, sizeof(*ranks));

	if (!derived || !ranks)
		pk_no_memory();
	else if (options->print.metric_only)
		report_metrics(options, result);
	else if (result->groups->by == STAT_CPU || result->groups->by == STAT_THREAD)
		print_by_event(options, result, width, derived, ranks);
	else
		print_by_group(options, result, width, derived);
	free(derived);
	free(ranks);
	fflush(options->out);
}

void report_start(const struct stat_options *options, const struct stat_result *result,
		  const char *of_what)
{
	if (options->print.clear && result->at >= 0)
		fputs("\033[H\033[2J", options->out);
	if (options->print.format == STAT_TEXT)
		report_text_start(options, result, of_what, widest_unit(result->events));
}
