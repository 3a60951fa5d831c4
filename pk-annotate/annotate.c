// SPDX-License-Identifier: BSD-2-Clause
/* Reads symbolized streams, counts their samples in a struct code_hits, and prints the report. */
#include <stdlib.h>

#include "annotate.h"
#include "counters.h"
#include "lookups.h"
#include "pkutil.h"
#include "annotate_report.h"
#include "stack_walk.h"
#include "vector.h"

struct annotator {
	struct pk_tail tail;
	struct code_hits *hits;
	const struct annotate_options *options;
	struct blocks *blocks; /* NULL unless blocks are counted */
	/* These members are valid for one session: */
	uint32_t *events; /* for each event, its number in `hits`, or 0 if it has no sample yet; the
			   * index is the index of the event */
	size_t events_capacity;
	struct event_groups groups;
	uint64_t raw; /* number of samples without symbols */
};

/* ---- Samples ---- */

/* Returns 0 if memory is exhausted. */
static uint32_t number_counter(struct annotator *annotator, const struct pk_event *event)
{
	struct buffer name = {0};
	uint32_t number = 0;

	pk_counter_name_add(&name, pk_reader_events(annotator->tail.run->reader), event);
	buffer_char(&name, '\0');
	if (!name.failed)
		number = code_hits_event(annotator->hits, name.data);
	free(name.data);
	return number;
}

/* Returns 0 if memory is exhausted. */
static uint32_t number_of(struct annotator *annotator, const struct pk_event *event)
{
	uint32_t *number;

	if (pk_extend(&annotator->events, &annotator->events_capacity, event->index) != PK_OK)
		return 0;
	number = &annotator->events[event->index];
	if (pk_unlikely(!*number))
		*number = number_counter(annotator, event);
	return *number;
}

/* Sets the source line of a place that had no sample before, if the stream has the line. */
static enum pk_status note_source(struct code_hits *hits, struct pk_view *view, uint32_t place)
{
	struct pk_stream_line line;

	return pk_view_stream_line(view, &line)
		       ? code_hits_set_source(hits, place, line.file, line.line, line.first)
		       : PK_OK;
}

/* The highest number of nested inlined functions, which limits the time of a search. */
enum { INLINED_MAX = 1024 };

/* Notes the inlined functions at a new place that the options name. */
static enum pk_status note_inlined(struct annotator *annotator, struct pk_view *view,
				   uint32_t place)
{
	const struct pk_text_list *globs = &annotator->options->functions;
	const struct pk_places *places = pk_context_places(view->context);
	struct pk_stack_walk walk = pk_source_frames(&view->context->stacks, pk_view_stack(view));
	const struct pk_code_file object =
		pk_places_object_at(places, pk_places_at(places, place).function.object);

	for (unsigned int hops = 0; hops <= INLINED_MAX && pk_stack_next(&walk); hops++) {
		const char *name;
		bool matches;

		if (walk.kind != PK_FRAME_IS_CODE || pk_is_function(&walk))
			break;
		name = pk_dictionary_get_string(walk.dictionary, walk.frame->function, NULL);
		for (uint32_t i = 0; name && i < globs->count; i++) {
			PK_TRY(rank_matches(globs->items[i], object.path, name, &matches));
			if (matches)
				PK_TRY(code_hits_add_inlined(annotator->hits, place, i));
		}
	}
	return PK_OK;
}

/* Counts a sample. The table always has both periods and samples, so the weight that the options
 * choose is not used here. */
static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct annotator *annotator = arg;
	const uint32_t event = number_of(annotator, view->counted), place = pk_view_place(view);

	(void)weight;
	if (!event || view->context->failed)
		return PK_NOMEM;
	if (pk_unlikely(code_hits_is_new(annotator->hits, place))) {
		PK_TRY(note_source(annotator->hits, view, place));
		PK_TRY(note_inlined(annotator, view, place));
	}
	PK_TRY(code_hits_add(annotator->hits, event, place, view->period));
	if (annotator->blocks)
		PK_TRY(blocks_add(annotator->blocks, view));
	return PK_OK;
}

/* ---- Records ---- */

static void start_session(struct annotator *annotator)
{
	free(annotator->events);
	annotator->events = NULL;
	annotator->events_capacity = 0;
}

static enum pk_status read_record(void *arg, const struct pk_record *record)
{
	struct annotator *annotator = arg;
	const struct pk_reader *reader = annotator->tail.run->reader;

	if (pk_unlikely(record->type != PERF_RECORD_SAMPLE)) {
		if (record->type == PK_RECORD_BEGIN)
			start_session(annotator);
		PK_TRY(pk_event_groups_record(&annotator->groups, reader, record));
	} else if (pk_unlikely(!pk_source_symbolized(&annotator->tail.profile.context.stacks))) {
		annotator->raw++;
		return PK_OK;
	}
	return pk_tail_evaluate(&annotator->tail, record);
}

static enum pk_status set_leader(void *arg, const struct pk_event *leader,
				 const struct pk_event *member)
{
	struct code_hits *hits = arg;
	const uint32_t first = code_hits_event(hits, leader->name);
	const uint32_t event = first ? code_hits_event(hits, member->name) : 0;

	if (event)
		code_hits_set_leader(hits, event, first);
	return event ? PK_OK : PK_NOMEM;
}

static enum pk_status end_session(void *arg)
{
	struct annotator *annotator = arg;
	const struct pk_reader *reader = annotator->tail.run->reader;

	return pk_event_groups_each_member(&annotator->groups, pk_reader_events(reader), set_leader,
					   annotator->hits);
}

/* ---- Annotating ---- */

/* Reports problems after which the exit status is 1. */
static int report_lacking(const struct annotator *annotator)
{
	const uint64_t undefined =
		pk_source_missing(&annotator->tail.profile.context.stacks).undefined;
	int result = PK_EXIT_OK;
	char number[32];

	pk_report_no_samples(annotator->tail.run);
	if (annotator->raw) {
		pk_error("%s samples are not symbolized: run pk-symbolize before pk-annotate",
			 pk_number(number, annotator->raw));
		result = PK_EXIT_FAILED;
	}
	if (undefined) {
		pk_error("%s samples have an undefined stack, skipped",
			 pk_number(number, undefined));
		result = PK_EXIT_FAILED;
	}
	return result;
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

static int annotate_all(struct annotator *annotator, const struct annotate_options *options)
{
	struct pk_run *run = annotator->tail.run;
	int result = pk_run(run);

	if (run->refused)
		return result;
	result = worse(result, report_lacking(annotator));
	if (code_hits_sort(annotator->hits) != PK_OK ||
	    rank_drop_inlined(annotator->hits, options) != PK_OK ||
	    (annotator->blocks && blocks_sort(annotator->blocks) != PK_OK)) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	return worse(result, report(annotator->hits, annotator->blocks,
				    pk_context_objects(&annotator->tail.profile.context),
				    &run->messages, options, stdout));
}

int annotate(struct pk_run *run, struct annotate_options *options)
{
	struct annotator annotator = {.options = options,
				      .tail = {.options = &options->tail,
					       .needs = PK_NEED_CODE,
					       .arg = &annotator,
					       .sample = count_sample,
					       .record = read_record,
					       .session_end = end_session}};
	struct pk_profile *profile = &annotator.tail.profile;
	int result = PK_EXIT_FAILED;

	options->tail.weigh =
		(struct pk_weight_options){.kind = PK_WEIGHT_PERIOD, .each_event = true};
	profile->messages.quiet = true;
	profile->context.code.intel = options->intel;
	if (pk_tail_start(&annotator.tail, run) == PK_OK)
		annotator.hits = code_hits_new(pk_context_places(&profile->context));
	if (annotator.hits && options->blocks)
		annotator.blocks = blocks_new(pk_context_places(&profile->context));
	if (annotator.hits && (annotator.blocks || !options->blocks))
		result = annotate_all(&annotator, options);
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	code_hits_free(annotator.hits);
	blocks_free(annotator.blocks);
	free(annotator.events);
	pk_event_groups_clear(&annotator.groups);
	return pk_tail_free(&annotator.tail, result);
}
