// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "lookups.h"
#include "report.h"
#include "safe_text.h"

/* ---- Fields with a separator ---- */

void report_csv_group(const struct stat_options *options, const struct stat_result *result,
		      const struct stat_group *group)
{
	FILE *out = options->out;
	const char *s = options->separator;

	if (result->at >= 0)
		fprintf(out, "%16.9f%s", result->at, s);
	else if (result->summary && !options->no_csv_summary)
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
	const char *s = line->options->separator;
	int places;

	if (!derived || !derived->format) {
		fprintf(out, "%s%s\n", s, s);
		return;
	}
	places = derived->format[strcspn(derived->format, ".") + 1] - '0';
	fprintf(out, "%s%.*f%s%s\n", s, places, isnan(derived->value) ? NAN : derived->value, s,
		derived->unit);
}

/* The second and further metrics of an event have their own lines, with as many empty fields before
 * them as in perf. */
static void print_others(const struct stat_line *line)
{
	const enum stat_by by = line->result->groups->by;
	const int free_fields = 3 + (by != STAT_ALL) + stat_adds_cpus(by) + line->result->cgroups;

	for (size_t i = 1; i < line->derived_count; i++) {
		report_csv_group(line->options, line->result, line->group);
		for (int n = 0; n < free_fields; n++)
			fputs(line->options->separator, line->options->out);
		print_derived(line, &line->derived[i]);
	}
}

void report_csv_line(const struct stat_line *line)
{
	FILE *out = line->options->out;
	const char *s = line->options->separator;
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

void report_json_string(FILE *out, const char *text)
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

void report_json_group(const struct stat_options *options, const struct stat_result *result,
		       const struct stat_group *group)
{
	static const char *const keys[] = {
		[STAT_CPU] = "cpu",	  [STAT_CORE] = "core", [STAT_DIE] = "die",
		[STAT_SOCKET] = "socket", [STAT_NODE] = "node", [STAT_THREAD] = "thread",
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
		fprintf(out, ", \"aggregate-number\" : %u", group->cpus);
	fputs(", ", out);
}

/* A value that is not finite is printed as null. */
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

void report_json_line(const struct stat_line *line)
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
