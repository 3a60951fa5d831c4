// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <string.h>

#include "cli.h"
#include "derived.h"
#include "report.h"

/* One count on its way out. */
struct line {
	const struct stat_options *options;
	const struct stat_result *result;
	const struct event *event;
	const struct stat_group *group;
	const struct count *count;
	const char *unit;
	double value;	  /* in that unit */
	double deviation; /* percent; negative: of one run */
	bool fraction;	  /* the value is no whole number */
	int unit_width;
	struct derived first, second;
};

/* ---- What all formats need ---- */

static const char *unit_of(const struct event *event)
{
	return event_is_clock(event) ? "msec" : event->unit;
}

static bool is_there(const struct line *line)
{
	return !line->event->error && (line->count->enabled || line->event->snapshot) &&
	       (line->count->running || line->event->snapshot);
}

static const char *absence(const struct line *line)
{
	return line->event->error ? "<not supported>" : "<not counted>";
}

static double percent_running(const struct line *line)
{
	if (!line->count->enabled)
		return 100;
	return 100.0 * (double)line->count->running / (double)line->count->enabled;
}

static void print_number(char *text, size_t size, const struct line *line)
{
	snprintf(text, size, line->fraction ? "%.2f" : "%.0f", line->value);
}

/* ---- Text ---- */

#define NAME_WIDTH	  32
#define NAME_WIDTH_ABSENT 25
#define METRIC_WIDTH	  35
#define SECOND_WIDTH	  49 /* what stands before a second metric, on a line of its own */

/* Thousands apart, where the user's language does so. */
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

static void text_group(const struct line *line)
{
	const struct stat_groups *groups = line->result->groups;
	FILE *out = line->options->out;

	if (line->result->at >= 0)
		fprintf(out, "%16.9f ", line->result->at);
	switch (groups->by) {
	case STAT_CPU: fprintf(out, "%-8s", line->group->name); break;
	case STAT_CORE: fprintf(out, "%-15s %4u ", line->group->name, line->group->cpus); break;
	case STAT_SOCKET: fprintf(out, "%-5s %6u ", line->group->name, line->group->cpus); break;
	case STAT_THREAD: fprintf(out, "%20s ", line->group->name); break;
	default: break;
	}
}

static void text_derived(FILE *out, const struct derived *derived)
{
	int written;

	if (!derived->format) {
		fprintf(out, "%-*s", METRIC_WIDTH, "");
		return;
	}
	written = fprintf(out, " # ");
	written += fprintf(out, derived->format, derived->value);
	fprintf(out, " %-*s", METRIC_WIDTH - written - 1, derived->unit);
}

static void text_line(const struct line *line)
{
	FILE *out = line->options->out;
	char number[64], grouped[96];

	text_group(line);
	print_number(number, sizeof(number), line);
	group_digits(number, grouped, sizeof(grouped));
	fprintf(out, "%18s %-*s %-*s", is_there(line) ? grouped : absence(line), line->unit_width,
		line->unit, is_there(line) ? NAME_WIDTH : NAME_WIDTH_ABSENT, line->event->name);
	if (is_there(line))
		text_derived(out, &line->first);
	else
		fprintf(out, "%-*s", METRIC_WIDTH, "");
	if (line->deviation >= 0 && is_there(line))
		fprintf(out, "  ( +-%6.2f%% )", line->deviation);
	if (!line->event->error && line->count->running != line->count->enabled)
		fprintf(out, "  (%.2f%%)", percent_running(line));
	fputc('\n', out);
	if (is_there(line) && line->second.format) {
		fprintf(out, "%*s", SECOND_WIDTH, "");
		text_derived(out, &line->second);
		fputc('\n', out);
	}
}

static void text_title(const struct stat_options *options)
{
	FILE *out = options->out;

	fprintf(out, "\n Performance counter stats for ");
	if (options->targets.pids)
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

static void text_elapsed(FILE *out, const struct moments *elapsed)
{
	double deviation = moments_deviation(elapsed);
	int precision;

	if (elapsed->n < 2 || deviation <= 0) {
		fprintf(out, "\n %17.9f seconds time elapsed\n\n", elapsed->mean);
		return;
	}
	precision = deviation > 1 ? 2 : 2 + (int)lround(ceil(-log10(deviation)));
	fprintf(out, "\n %17.*f +- %.*f seconds time elapsed", precision, elapsed->mean, precision,
		deviation);
	fprintf(out, "  ( +-%6.2f%% )\n\n",
		elapsed->mean > 0 ? 100 * deviation / elapsed->mean : 0);
}

/* ---- Fields ---- */

static void csv_group(const struct line *line)
{
	FILE *out = line->options->out;
	const char *separator = line->options->separator;

	if (line->result->at >= 0)
		fprintf(out, "%16.9f%s", line->result->at, separator);
	if (line->result->groups->by == STAT_ALL)
		return;
	fprintf(out, "%s%s", line->group->name, separator);
	if (line->result->groups->by == STAT_CORE || line->result->groups->by == STAT_SOCKET)
		fprintf(out, "%u%s", line->group->cpus, separator);
}

static void csv_line(const struct line *line)
{
	FILE *out = line->options->out;
	const char *s = line->options->separator;
	char number[64];

	csv_group(line);
	print_number(number, sizeof(number), line);
	fprintf(out, "%s%s%s%s%s", is_there(line) ? number : absence(line), s, line->unit, s,
		line->event->name);
	if (line->deviation >= 0)
		fprintf(out, "%s%.2f%%", s, line->deviation);
	fprintf(out, "%s%" PRIu64 "%s%.2f", s, line->count->running, s, percent_running(line));
	if (is_there(line) && line->first.format)
		fprintf(out, "%s%.*f%s%s\n", s, strstr(line->first.format, ".3") ? 3 : 2,
			line->first.value, s, line->first.unit);
	else
		fprintf(out, "%s%s\n", s, s);
}

/* ---- JSON ---- */

static void json_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		if ((unsigned char)*text < 0x20)
			fprintf(out, "\\u%04x", (unsigned char)*text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

static void json_group(const struct line *line)
{
	static const char *const keys[] = {[STAT_CPU] = "cpu",
					   [STAT_CORE] = "core",
					   [STAT_SOCKET] = "socket",
					   [STAT_THREAD] = "thread"};
	FILE *out = line->options->out;
	enum stat_by by = line->result->groups->by;

	if (line->result->at >= 0)
		fprintf(out, "\"interval\" : %.9f, ", line->result->at);
	if (by == STAT_ALL)
		return;
	fprintf(out, "\"%s\" : ", keys[by]);
	json_string(out, line->group->number);
	if (by == STAT_CORE || by == STAT_SOCKET)
		fprintf(out, ", \"aggregate-number\" : %u", line->group->cpus);
	fputs(", ", out);
}

static void json_line(const struct line *line)
{
	FILE *out = line->options->out;

	fputc('{', out);
	json_group(line);
	if (is_there(line))
		fprintf(out, "\"counter-value\" : \"%f\"", line->value);
	else
		fprintf(out, "\"counter-value\" : \"%s\"", absence(line));
	fputs(", \"unit\" : ", out);
	json_string(out, line->unit);
	fputs(", \"event\" : ", out);
	json_string(out, line->event->name);
	if (line->deviation >= 0)
		fprintf(out, ", \"variance\" : %.2f", line->deviation);
	fprintf(out, ", \"event-runtime\" : %" PRIu64 ", \"pcnt-running\" : %.2f",
		line->count->running, percent_running(line));
	if (is_there(line) && line->first.format) {
		fprintf(out, ", \"metric-value\" : %f, \"metric-unit\" : ", line->first.value);
		json_string(out, line->first.unit);
	}
	fputs("}\n", out);
}

/* ---- All of it ---- */

static void print_line(const struct stat_options *options, const struct stat_result *result,
		       size_t event, size_t group, int unit_width)
{
	const size_t at = event * result->groups->count + group;
	struct line line = {
		.options = options,
		.result = result,
		.event = &result->events->items[event],
		.group = &result->groups->items[group],
		.count = &result->counts[at],
		.deviation = -1,
		.unit_width = unit_width,
	};
	double scale = event_is_clock(line.event) ? 1e-6 : line.event->scale;

	line.unit = unit_of(line.event);
	line.value = count_scaled(line.count) * scale;
	if (result->moments) {
		const struct moments *moments = &result->moments[at];

		line.value = moments->mean * scale;
		line.deviation = moments->mean != 0
					 ? fabs(100 * moments_deviation(moments) / moments->mean)
					 : 0;
	}
	line.fraction = floor(scale) != scale;
	if (!options->no_metrics)
		derive(result, event, group, &line.first, &line.second);
	switch (options->format) {
	case STAT_CSV: csv_line(&line); break;
	case STAT_JSON: json_line(&line); break;
	default: text_line(&line); break;
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

/* An event that only some CPUs have has no lines for the others. */
static bool is_elsewhere(const struct stat_result *result, size_t event, size_t group)
{
	const struct count *count = &result->counts[event * result->groups->count + group];

	return result->events->items[event].cpus && !count->enabled &&
	       result->groups->by != STAT_ALL;
}

void report_counts(const struct stat_options *options, const struct stat_result *result)
{
	const int width = widest_unit(result->events);
	const bool by_event = result->groups->by == STAT_CPU || result->groups->by == STAT_THREAD;
	const size_t events = result->events->count, groups = result->groups->count;

	for (size_t i = 0; i < events * groups; i++) {
		size_t event = by_event ? i / groups : i % events;
		size_t group = by_event ? i % groups : i / events;

		if (!is_elsewhere(result, event, group))
			print_line(options, result, event, group, width);
	}
	fflush(options->out);
}

void report_begin(const struct stat_options *options)
{
	if (options->format != STAT_TEXT)
		return;
	if (options->interval)
		fprintf(options->out, "#           time             counts unit events\n");
	else
		text_title(options);
}

void report_end(const struct stat_options *options, const struct stat_times *times)
{
	FILE *out = options->out;

	if (options->format != STAT_TEXT || options->interval)
		return;
	text_elapsed(out, &times->elapsed);
	if (times->user >= 0 && options->repeat < 2)
		fprintf(out, " %17.9f seconds user\n %17.9f seconds sys\n\n\n", times->user,
			times->system);
}
