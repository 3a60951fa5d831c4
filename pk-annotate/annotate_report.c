// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "annotate_report.h"
#include "lookups.h"
#include "type_profile.h"

enum {
	OUT_SIZE = 64 << 10,
};

/* ---- Functions ---- */

static void flush(struct report *report)
{
	if (report->out.size)
		fwrite(report->out.data, 1, report->out.size, report->to);
	report->out.size = 0;
}

static void count_function(struct report *report, const struct function *f)
{
	report->outside += f->code.reason ? 0 : f->outside;
	report->within += f->within;
	report->cut += f->code.cut;
	for (unsigned int c = 0; f->code.reason && c < f->columns; c++)
		report->without_code += f->totals[c].samples;
}

static enum pk_status report_lines(struct report *report, uint32_t number, const uint32_t *events,
				   unsigned int columns)
{
	struct function_lines lines;
	enum pk_status status = function_lines_load(&lines, report->hits, number, events, columns);

	if (status == PK_OK) {
		report->without_line += lines.f.outside;
		status = (report->options->json ? listing_lines_json : listing_lines_text)(report,
											   &lines);
	}
	function_release(&lines.f);
	return status;
}

static enum pk_status report_code(struct report *report, uint32_t number, const uint32_t *events,
				  unsigned int columns)
{
	struct function f;
	enum pk_status status =
		function_load(&f, report->objects, report->hits, number, events, columns);

	pk_print_messages(report->messages);
	if (status == PK_OK && report->blocks)
		status = blocks_of(report->blocks, &f.is, &f.code, &f.blocks);
	if (status == PK_OK) {
		count_function(report, &f);
		status = (report->options->json ? listing_json : listing_text)(report, &f);
	}
	function_release(&f);
	return status;
}

static enum pk_status report_function(struct report *report, uint32_t number,
				      const uint32_t *events, unsigned int columns)
{
	const bool lines = has_function_lines(report->hits, number, events, columns);
	enum pk_status status =
		(lines ? report_lines : report_code)(report, number, events, columns);

	if (report->out.size >= OUT_SIZE)
		flush(report);
	PK_TRY(status);
	return report->out.failed ? PK_NOMEM : PK_OK;
}

/* ---- Events ---- */

static bool is_wanted(const struct annotate_options *options, const char *event)
{
	for (size_t i = 0; i < options->events.count; i++)
		if (!strcmp(options->events.items[i], event) ||
		    !fnmatch(options->events.items[i], event, 0))
			return true;
	return !options->events.count;
}

static void tell_left_out(const struct report *report, const struct ranking *ranking,
			  const uint32_t *events)
{
	const struct hit_count all = code_hits_total(report->hits, events[0]);
	const uint64_t whole = weight_of(report->options, &all);
	char number[32];

	if (ranking->left_out && !report->options->functions.count)
		pk_warn("%s: %s functions, with %.2f%% of all, are not shown (--min-percent, "
			"--hottest)",
			code_hits_event_name(report->hits, events[0]),
			pk_number(number, ranking->left_out),
			whole ? 100 * (double)ranking->left_out_weight / (double)whole : 0.0);
}

static enum pk_status report_events(struct report *report, const uint32_t *events,
				    unsigned int columns)
{
	struct ranking ranking;
	enum pk_status status;

	if (report->options->by_line)
		return report_by_line(report, events, columns);
	if (report->options->type_profile)
		return report_types(report, events, columns);
	status = rank_functions(&ranking, report->hits, report->options, events, columns,
				report->met);
	for (size_t i = 0; status == PK_OK && i < ranking.count; i++)
		status = report_function(report, ranking.list[i].function, events, columns);
	if (status == PK_OK)
		tell_left_out(report, &ranking, events);
	free(ranking.list);
	return status;
}

/* An event and its group. Events with the same group are shown side by side, in the order of their
 * positions. */
struct grouped {
	uint32_t group, position, event;
};

static int compare_grouped(const void *left, const void *right)
{
	const struct grouped *a = left, *b = right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->position != b->position)
		return a->position < b->position ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

static struct grouped grouped(const struct report *report, uint32_t event)
{
	const struct code_hits *hits = report->hits;

	switch (report->options->group) {
	case GROUP_ALL: return (struct grouped){0, 0, event};
	case GROUP_NONE: return (struct grouped){event, 0, event};
	default:
		return (struct grouped){code_hits_leader(hits, event),
					code_hits_position(hits, event), event};
	}
}

/* Fills the list with the selected events that have samples, and returns their number. */
static size_t gather_events(const struct report *report, struct grouped *list)
{
	size_t count = 0;

	for (uint32_t e = 1; e <= code_hits_events(report->hits); e++)
		if (is_wanted(report->options, code_hits_event_name(report->hits, e)) &&
		    code_hits_total(report->hits, e).samples)
			list[count++] = grouped(report, e);
	if (count)
		qsort(list, count, sizeof(*list), compare_grouped);
	return count;
}

static enum pk_status report_all(struct report *report)
{
	struct grouped *list = malloc((code_hits_events(report->hits) + (size_t)1) * sizeof(*list));
	size_t count = list ? gather_events(report, list) : 0;
	uint32_t events[COLUMNS_MAX];
	unsigned int columns = 0;
	enum pk_status status = list ? PK_OK : PK_NOMEM;

	for (size_t i = 0; status == PK_OK && i < count; i++) {
		events[columns++] = list[i].event;
		if (columns < COLUMNS_MAX && i + 1 < count && list[i + 1].group == list[i].group)
			continue;
		status = report_events(report, events, columns);
		columns = 0;
	}
	free(list);
	report->no_event = status == PK_OK && !count;
	return status;
}

/* ---- The summary ---- */

/* Reports events and functions that the options name but that have no samples. Returns the exit
 * status, which is PK_EXIT_FAILED if there is such an event or function. */
static int tell_unmet(const struct report *report)
{
	const struct annotate_options *options = report->options;
	int result = PK_EXIT_OK;

	if (report->no_event && options->events.count) {
		pk_error("no sample is of event %s", options->events.items[0]);
		return PK_EXIT_FAILED;
	}
	for (size_t i = 0; i < options->functions.count; i++) {
		const char *name = options->functions.items[i];

		if (report->met[i])
			continue;
		pk_error("%s: no sample in a function of this name%s", name,
			 access(name, F_OK) ? "" : ": to read the file of this name, use -i");
		result = PK_EXIT_FAILED;
	}
	return result;
}

static void tell_unplaced(const struct report *report)
{
	for (uint32_t e = 1; e <= code_hits_events(report->hits); e++) {
		const struct hit_count all = code_hits_total(report->hits, e);
		const struct hit_count none = code_hits_unplaced(report->hits, e);
		char number[32], of[32];

		if (none.samples &&
		    is_wanted(report->options, code_hits_event_name(report->hits, e)))
			pk_warn("%s: %s of %s samples are in no known function",
				code_hits_event_name(report->hits, e),
				pk_number(number, none.samples), pk_number(of, all.samples));
	}
}

static void tell(const struct report *report)
{
	char number[32];

	if (report->without_code)
		pk_warn("%s samples are in functions whose code was not found",
			pk_number(number, report->without_code));
	if (report->outside)
		pk_warn("%s samples are outside of the code of their functions: counted, not shown",
			pk_number(number, report->outside));
	if (report->without_line)
		pk_warn("%s samples are not in the source lines of their functions: counted, not "
			"shown",
			pk_number(number, report->without_line));
	if (report->within)
		pk_warn("%s samples are not at the start of an instruction: counted for the "
			"instruction that contains the address",
			pk_number(number, report->within));
	if (report->cut)
		pk_warn("%s functions are larger than 4 MiB: only their first 4 MiB are shown",
			pk_number(number, report->cut));
	if (report->blocks)
		blocks_report(report->blocks);
}

int report(const struct code_hits *hits, struct blocks *blocks, struct pk_code_objects *objects,
	   struct pk_messages *messages, const struct annotate_options *options, FILE *to)
{
	struct report r = {.hits = hits,
			   .blocks = blocks,
			   .objects = objects,
			   .messages = messages,
			   .options = options,
			   .to = to};
	int result = PK_EXIT_FAILED;

	r.met = calloc(options->functions.count + 1, sizeof(*r.met));
	r.files = pk_source_texts_new(&options->prefixes, pk_code_objects_failures(objects));
	if (r.files && r.met && report_all(&r) == PK_OK && !r.out.failed) {
		tell_unplaced(&r);
		tell(&r);
		result = tell_unmet(&r);
	} else {
		pk_error("%s", pk_status_text(PK_NOMEM));
	}
	flush(&r);
	pk_typing_free(&r.typing);
	pk_source_texts_free(r.files);
	free(r.out.data);
	free(r.met);
	return result;
}
