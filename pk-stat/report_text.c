// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define NAME_WIDTH	  32
#define NAME_WIDTH_ABSENT 25
#define METRIC_WIDTH	  35
#define SECOND_WIDTH	  49 /* width before a second metric, on its own line */
#define SECOND_CPU_WIDTH  57 /* the same if the line starts with a CPU */
#define BAR_MOST	  60

/* ---- Lines ---- */

/* Copies a number, with the locale's separator of thousands. */
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

void report_text_group(const struct stat_options *options, const struct stat_result *result,
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

static void print_derived(FILE *out, const struct derived *derived)
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

static void print_others(const struct stat_line *line)
{
	FILE *out = line->options->out;
	const bool cpu = line->result->groups->by == STAT_CPU;

	for (size_t i = 1; i < line->derived_count; i++) {
		report_text_group(line->options, line->result, line->group);
		fprintf(out, "%*s", cpu ? SECOND_CPU_WIDTH : SECOND_WIDTH, "");
		print_derived(out, &line->derived[i]);
		fputc('\n', out);
	}
}

void report_text_line(const struct stat_line *line)
{
	FILE *out = line->options->out;
	char number[64], grouped[96];

	report_text_group(line->options, line->result, line->group);
	line_number(number, sizeof(number), line);
	if (line->options->no_big_numbers)
		memcpy(grouped, number, sizeof(number));
	else
		group_digits(number, grouped, sizeof(grouped));
	fprintf(out, "%18s %-*s %-*s", line->there ? grouped : line_absence(line), line->unit_width,
		line->unit, line->there ? NAME_WIDTH : NAME_WIDTH_ABSENT, line->event->name);
	print_cgroup(line);
	print_derived(out, line->derived_count ? &line->derived[0] : NULL);
	if (line->deviation > 0 && line->there)
		fprintf(out, "  ( +-%6.2f%% )", line->deviation);
	if (!line->event->error && line->count->running != line->count->enabled)
		fprintf(out, "  (%.2f%%)", line_percent_running(line));
	fputc('\n', out);
	print_others(line);
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
	if (options->repeat > 1)
		fprintf(out, " (%" PRIu64 " runs)", options->repeat);
	fprintf(out, ":\n\n");
}

void report_text_columns(const struct stat_options *options, enum stat_by by)
{
	static const char *const columns[] = {
		[STAT_ALL] = "",
		[STAT_CPU] = "CPU       ",
		[STAT_CORE] = "core            cpus",
		[STAT_DIE] = "die          cpus",
		[STAT_SOCKET] = "socket cpus",
		[STAT_NODE] = "node   cpus",
		[STAT_THREAD] = "            comm-pid     ",
	};

	fprintf(options->out, "#           time %s%s", columns[by], by == STAT_ALL ? "" : " ");
}

void report_text_start(const struct stat_options *options, const struct stat_result *result,
		       const char *of_what, int unit_width)
{
	if (result->at < 0) {
		print_title(options, of_what);
	} else if (!options->metric_only) {
		report_text_columns(options, result->groups->by);
		fprintf(options->out, "            counts %*s events\n", unit_width, "unit");
	}
}

/* The number of decimals that shows two significant digits of the deviation; at least 2. */
static int precision_of(double deviation)
{
	return deviation > 1 ? 2 : 2 + (int)lround(ceil(-log10(deviation)));
}

/* Prints the time of each run, its distance from the mean, and a bar for that distance. */
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
	const double deviation = moments_deviation(elapsed);
	const char *blank = options->null_run ? "" : "\n"; /* after the counts */
	int precision;

	if (elapsed->n < 2 || deviation <= 0) {
		fprintf(out, "%s %17.9f seconds time elapsed\n\n", blank, elapsed->mean);
		return;
	}
	precision = precision_of(deviation);
	if (options->table && times->runs)
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
	if (options->format != STAT_TEXT || (options->interval && !options->summary))
		return;
	print_elapsed(options, times);
	if (times->user >= 0 && options->repeat == 1)
		fprintf(options->out, " %17.9f seconds user\n %17.9f seconds sys\n\n\n",
			times->user, times->system);
}
