// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pkutil.h"
#include "reporter.h"
#include "symbol_options.h"
#include "unknown_field.h"
#include "where.h"

/* ---- Records ---- */

/* Adds the weights that were counted since the last call to the rows and trees. It is also the
 * callback pk_tail.forget, so it is called before groups and stacks become invalid. */
static enum pk_status gather(void *arg)
{
	struct reporter *r = arg;
	struct results *results = &r->results;
	struct layout *layout = &r->options->layout;
	const uint64_t bytes = r->tail.profile.bytes;
	bool done = pk_inclusive_gather(&results->inclusive, &results->rows, &r->tail.groups,
					bytes) == PK_OK;

	/* pk_forest_gather() is called even if pk_inclusive_gather() has failed, because it also
	 * empties its sums. */
	if (results->has_forest)
		done = pk_forest_gather(&results->forest, &results->rows, &r->tail.groups, bytes) ==
			       PK_OK &&
		       done;
	pk_rows_forget_groups(&results->rows);
	for (unsigned int i = 0; i < layout->measures_count; i++)
		pk_measure_forget_keys(&layout->measures[i]);
	return done ? PK_OK : PK_NOMEM;
}

static bool has_callchain(struct reporter *r, const struct pk_view *view)
{
	const bool callchain = view->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;

	r->has_callchains |= callchain;
	return callchain;
}

/* Returns the stack whose frames get the weight of the sample, or PK_NO_STACK. If `needed` is true,
 * an event without callchains has no stack. */
static uint32_t stack_of(struct reporter *r, struct pk_view *view, bool needed)
{
	const bool callchain = has_callchain(r, view);

	if (!pk_source_symbolized(&view->context->stacks) || (!callchain && needed))
		return PK_NO_STACK;
	return pk_view_stack(view);
}

/* Counts the sample for all frames of its stack, not only for the leaf. */
static enum pk_status count_stack(struct reporter *r, struct pk_view *view, uint32_t group,
				  uint64_t weight)
{
	struct results *results = &r->results;

	if (results->has_children)
		PK_TRY(pk_inclusive_add(&results->inclusive, group,
					stack_of(r, view, r->options->children_if_callchains),
					weight));
	return results->has_forest
		       ? pk_forest_add(&results->forest, group, stack_of(r, view, true), weight)
		       : PK_OK;
}

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct reporter *r = arg;
	uint32_t group = pk_groups_of(&r->tail.groups, view);

	if (!group)
		return PK_NOMEM;
	PK_TRY(pk_results_add(&r->results, &r->tail.groups, group, view, weight));
	PK_TRY(count_stack(r, view, group, weight));
	return view->context->failed ? PK_NOMEM : PK_OK;
}

/* The callback pk_tail.check. */
static enum pk_status check_fields(void *arg)
{
	struct reporter *r = arg;
	const struct pk_context *context = &r->tail.profile.context;
	const struct layout *layout = &r->options->layout;

	for (unsigned int i = 0; i < r->tail.groups.columns_count; i++) {
		struct pk_column *column = &r->tail.groups.columns[i];

		if (column->reference.name && pk_bucket_is_set(&r->tail.groups.buckets[i]))
			PK_TRY(pk_check_no_text(context, column, "--by"));
	}
	for (unsigned int i = 0; i < layout->measures_count; i++)
		if (layout->measures[i].column.reference.name)
			PK_TRY(pk_check_field(context, &layout->measures[i].column.reference, NULL,
					      "--show"));
	return PK_OK;
}

/* The callback pk_tail.uses. */
static bool uses_field(void *arg, const char *name, size_t size)
{
	const struct reporter *r = arg;
	const struct layout *layout = &r->options->layout;

	for (unsigned int i = 0; i < layout->measures_count; i++)
		if (pk_reference_starts_with(&layout->measures[i].column.reference, name, size))
			return true;
	return false;
}

static bool is_in_time(struct reporter *r, const struct pk_record *record)
{
	const uint16_t at = record->event ? record->event->layout.time : 0;
	uint64_t time;

	if (!r->options->tail.conditions.ranges_count)
		return true;
	if (!at || at + 8u > record->size)
		return false;
	time = pk_load_u64(record->data + at);
	if (!r->timed)
		r->times.start = time;
	r->timed = true;
	return pk_conditions_in_time(&r->options->tail.conditions, &r->times, time);
}

enum pk_status pk_reporter_record(void *reporter, const struct pk_record *record)
{
	struct reporter *r = reporter;
	const struct pk_run *run = r->run;

	if (r->header && !r->results.side)
		pk_recording_header_record(r->header, record);
	if (reporter_is_header_only(r) && record->type == PERF_RECORD_SAMPLE)
		return PK_OK;
	if (r->options->layout.has_tasks || r->options->needs)
		PK_TRY(pk_task_names_record(&r->tasks, record));
	if (r->options->live)
		pk_live_head_record(&r->head, run->reader, record);
	if (record->type == PK_RECORD_BEGIN) {
		r->timed = false;
		r->results.wall = (struct pk_wall_clock){0};
	}
	pk_wall_clock_record(&r->results.wall, run->reader, record);
	if (r->options->layout.sets == SETS_EVENTS && record->type != PERF_RECORD_SAMPLE)
		PK_TRY(pk_event_groups_record(&r->event_groups, run->reader, record));
	if (record->type == PERF_RECORD_SAMPLE) {
		r->unsymbolized |= !pk_source_symbolized(&r->tail.profile.context.stacks);
		r->sample_bits |= record->event ? record->event->attr.sample_type : 0;
		if (!is_in_time(r, record))
			return pk_profile_leave_out(&r->tail.profile, record);
	}
	return pk_tail_evaluate(&r->tail, record);
}

#define HEADERS_MAX ((size_t)1 << 20) /* limit in bytes */

enum pk_status pk_reporter_print_headers(struct reporter *r)
{
	struct buffer *text = &r->header_text;

	if (text->size)
		fwrite(text->data, 1, text->size, r->options->out);
	text->size = 0;
	return text->failed ? PK_NOMEM : PK_OK;
}

static enum pk_status end_header(struct reporter *r)
{
	if (r->header && !r->results.side)
		pk_recording_header_end(r->header);
	return r->header_text.size < HEADERS_MAX ? PK_OK : pk_reporter_print_headers(r);
}

static enum pk_status set_leader(void *arg, const struct pk_event *leader,
				 const struct pk_event *member)
{
	struct reporter *r = arg;

	return pk_results_set_leader(&r->results, pk_reader_events(r->run->reader), leader, member);
}

/* Tells the results which events of the session belong to a group. */
static enum pk_status set_leaders(struct reporter *r)
{
	return r->run->reader ? pk_event_groups_each_member(&r->event_groups,
							    pk_reader_events(r->run->reader),
							    set_leader, r)
			      : PK_OK;
}

/* The kernel can count a lost sample in lost_records and in lost_samples, so the two numbers are
 * not added. */
static uint64_t losses_count(const struct pk_losses *losses)
{
	return losses->lost_records > losses->lost_samples ? losses->lost_records
							   : losses->lost_samples;
}

/* Looks for the fields of the columns in all events, including events without samples. */
static enum pk_status seek_columns(struct reporter *r)
{
	struct layout *layout = &r->options->layout;

	for (unsigned int i = 0; i < layout->measures_count; i++)
		PK_TRY(pk_column_end_session(&layout->measures[i].column,
					     &r->tail.profile.context));
	return PK_OK;
}

/* Returns the part of the samples of the current recording that was lost. */
static double lost_part(struct reporter *r)
{
	const uint64_t before = losses_count(&r->losses), samples = r->losses.samples;
	uint64_t lost = losses_count(&r->run->losses), kept = r->run->losses.samples;

	/* The losses start again with each base. */
	if (lost >= before && kept >= samples) {
		lost -= before;
		kept -= samples;
	}
	r->losses = r->run->losses;
	return lost ? (double)lost / ((double)lost + (double)kept) : 0;
}

/* Ends a recording of a comparison. */
static enum pk_status end_recording(struct reporter *r)
{
	struct row_blocks *blocks = &r->results.blocks;
	const char *name = r->options->unit_event;
	const double lost = lost_part(r);
	size_t size;

	for (size_t i = 0; i < blocks->events_count && name; i++) {
		const char *text = pk_results_event(&r->results, blocks->events[i].event, &size);

		if (text && size == strlen(name) && !memcmp(text, name, size))
			blocks->unit_event = blocks->events[i].event;
	}
	return pk_row_blocks_end(blocks, r->results.side, lost);
}

static enum pk_status end_session(void *arg)
{
	struct reporter *r = arg;
	const enum pk_status header = end_header(r), sought = seek_columns(r), led = set_leaders(r);

	return header ?: sought ?: led ?: end_recording(r);
}

/* ---- Start and end ---- */

/* Sets the groups and the columns of the results as the layout says. */
static void use_layout(struct reporter *r)
{
	struct layout *layout = &r->options->layout;

	r->needs_functions = pk_layout_needs(layout) & PK_NEED_STACKS;
	r->results.layout = layout;
	r->results.rows.columns_count = layout->fields_count;
	r->results.has_children = pk_layout_has_children(layout);
	r->tail.groups = (struct pk_groups){.context = &r->tail.profile.context,
					    .columns_count = layout->fields_count};
	for (unsigned int i = 0; i < layout->fields_count; i++) {
		r->tail.groups.columns[i].reference = layout->fields[i];
		r->tail.groups.buckets[i] = layout->buckets[i];
	}
	layout->fields_count = 0; /* the references belong to the groups from now on */
}

enum pk_status pk_reporter_start(struct reporter *r)
{
	struct report_options *options = r->options;
	const bool header = options->header.wanted != HEADER_NONE;
	struct pk_context *context = &r->tail.profile.context;
	struct layout *layout = &options->layout;

	r->live.step = options->live;
	r->results.live = options->live;
	r->results.tasks = &r->tasks;
	r->results.blocks.unit = options->unit;
	r->results.counts_samples = options->tail.weigh.kind != PK_WEIGHT_PERIOD;
	r->results.difference_options = options->differences;
	r->tail = (struct pk_tail){.options = &options->tail,
				   .needs = pk_layout_needs(layout) | options->needs,
				   .arg = r,
				   .sample = count_sample,
				   .record = pk_reporter_record,
				   .forget = gather,
				   .check = check_fields,
				   .instead = pk_report_key_instead,
				   .uses = options->needs ? NULL : uses_field,
				   .session_end = end_session,
				   .checked = layout->bases};
	r->tail.profile.each_branch = true;
	use_layout(r);
	r->results.has_forest = options->graph.mode != GRAPH_NONE;
	r->results.forest.live = options->live;
	r->results.forest.counts_needed = options->graph.value == GRAPH_COUNT;
	r->results.match_renamed = options->match_renamed;
	if (r->results.has_children || r->results.has_forest || options->match_renamed)
		r->tail.needs |= PK_NEED_STACKS | PK_NEED_CALLERS;
	context->leaves = true;
	r->parents.pattern = options->parent;
	context->parents = &r->parents;
	if (header)
		r->header = pk_recording_header_new(r->run, &options->header, &r->header_text);
	if (header != !!r->header)
		return PK_NOMEM;
	return pk_tail_start(&r->tail, r->run);
}

static bool is_large(const struct reporter *r)
{
	const struct results *results = &r->results;
	const struct forest *forest = &results->forest;

	if (!results->live || r->options->keep)
		return false;
	return r->tasks.numbers.count > REPORTER_ROWS_MAX ||
	       pk_rows_count(&results->rows) - results->vanished > REPORTER_ROWS_MAX ||
	       (forest->tree && forest->tree->count - forest->vanished > REPORTER_NODES_MAX);
}

uint64_t pk_reporter_lost(const struct reporter *r)
{
	return losses_count(&r->run->losses);
}

enum pk_status pk_reporter_zero(struct reporter *r)
{
	const enum pk_status status = pk_context_renew(&r->tail.profile.context);

	pk_results_clear(&r->results);
	r->generation++;
	return pk_task_names_forget_ended(&r->tasks) == PK_OK ? status : PK_NOMEM;
}

enum pk_status pk_reporter_refresh(struct reporter *r)
{
	if (is_large(r)) {
		r->forgotten = true;
		PK_TRY(pk_reporter_zero(r));
	} else if (r->options->decay && !r->ended) {
		pk_results_decay(&r->results);
	}
	PK_TRY(pk_context_renew(&r->tail.profile.context));
	if (pk_results_are_sparse(&r->results)) {
		r->generation++;
		PK_TRY(pk_results_compact(&r->results));
	}
	if (r->options->children_if_callchains && !r->has_callchains && r->tail.profile.counted) {
		pk_layout_drop_children(&r->options->layout);
		r->results.has_children = false;
	}
	if (!r->ended)
		PK_TRY(set_leaders(r));
	return pk_results_finish(&r->results, &r->options->results);
}

bool pk_reporter_can_change(const struct reporter *r, const struct layout *layout)
{
	return !(pk_layout_needs(layout) & ~r->tail.profile.context.needs);
}

enum pk_status pk_reporter_change(struct reporter *r, struct layout *layout)
{
	const enum pk_status status = pk_reporter_zero(r);

	pk_groups_free(&r->tail.groups);
	pk_layout_free(&r->options->layout);
	r->options->layout = *layout;
	*layout = (struct layout){0};
	use_layout(r);
	return status;
}

int pk_reporter_end(struct reporter *r, int status)
{
	pk_recording_header_free(r->header);
	free(r->header_text.data);
	pk_event_groups_clear(&r->event_groups);
	pk_results_free(&r->results);
	pk_task_names_free(&r->tasks);
	status = pk_tail_free(&r->tail, status);
	pk_parents_free(&r->parents);
	return status;
}
