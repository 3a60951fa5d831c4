// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include <string.h>

#include "pkutil.h"
#include "profile.h"

/* Adds the needs of the field that is the weight. */
static enum pk_status add_weight_needs(struct pk_profile *profile)
{
	const char *field = profile->weigh.field;
	struct pk_reference reference;

	if (profile->weigh.kind != PK_WEIGHT_FIELD)
		return PK_OK;
	PK_TRY(pk_reference_parse(&reference, field, strlen(field)));
	profile->context.needs |= pk_reference_needs(&reference);
	pk_reference_free(&reference);
	return PK_OK;
}

enum pk_status pk_profile_add_needs(struct pk_profile *profile)
{
	struct pk_context *context = &profile->context;

	context->needs |= PK_NEED_FORMATS; /* events are selected by name, and some names are in the
					    * formats */
	if (profile->weigh.kind == PK_WEIGHT_LATENCY)
		context->needs |= PK_NEED_PARALLELISM;
	if (profile->where)
		context->needs |= pk_expression_needs(profile->where);
	return add_weight_needs(profile);
}

enum pk_status pk_profile_init(struct pk_profile *profile)
{
	struct pk_context *context = &profile->context;

	PK_TRY(pk_profile_add_needs(profile));
	PK_TRY(pk_context_init(context));
	if (!(context->needs & PK_NEED_BRANCHES))
		profile->each_branch = false;
	if (profile->each_branch && !profile->weigh.chosen)
		profile->weigh.kind = PK_WEIGHT_SAMPLES;
	profile->periods = pk_periods_new();
	profile->weights = pk_weights_new(context, &profile->weigh, &profile->messages);
	if (profile->where)
		profile->condition = pk_condition_new(context, profile->where);
	if (profile->periods && profile->weights && !profile->where == !profile->condition)
		return PK_OK;
	pk_profile_free(profile);
	return PK_NOMEM;
}

void pk_profile_free(struct pk_profile *profile)
{
	pk_condition_free(profile->condition);
	pk_weights_free(profile->weights);
	pk_periods_free(profile->periods);
	pk_messages_clear(&profile->messages);
	pk_context_free(&profile->context);
	profile->condition = NULL;
	profile->weights = NULL;
	profile->periods = NULL;
}

/* Counts the sample once, for one event. */
static enum pk_status count_once(struct pk_profile *profile, const struct pk_event *event,
				 uint64_t period)
{
	struct pk_view *view = &profile->view;
	uint64_t weight;

	view->counted = event;
	view->period = period;
	switch (pk_weights_weigh(profile->weights, view, &weight)) {
	case PK_RULE_UNKNOWN: return PK_NOMEM;
	case PK_RULE_SKIP: profile->skipped++; return PK_OK;
	case PK_RULE_LACKING: profile->lacking++; return PK_OK;
	default: break;
	}
	profile->counted++;
	return profile->sample(profile->arg, view, weight);
}

/* Counts the sample once for each entry of its branch stack. If the sample has no stack, this is
 * counted only once, although the stack is looked up for each entry. */
static enum pk_status count_branches(struct pk_profile *profile, const struct pk_event *event,
				     uint64_t period)
{
	struct pk_context *context = &profile->context;
	struct pk_view *view = &profile->view;
	const struct pk_sample *sample = pk_view_sample(view);
	const uint64_t count = sample ? sample->branches.count : 0;
	const struct pk_missing_stacks missing = pk_source_missing(&context->stacks);
	enum pk_status status = PK_OK;

	profile->branchless += !count;
	for (uint64_t i = 0; i < count && !status && !context->failed; i++) {
		view->branch = i;
		if (profile->condition)
			pk_condition_set_branch(profile->condition, i);
		if (!profile->condition || pk_condition_holds(profile->condition, view->record))
			status = count_once(profile, event, period);
	}
	view->branch = 0;
	if (profile->condition)
		pk_condition_set_branch(profile->condition, 0);
	pk_source_missing_once(&context->stacks, &missing, 1);
	return context->failed ? PK_NOMEM : status;
}

/* Counts the sample for all events for which it stands. Returns PK_CORRUPT if the sample is
 * malformed. */
static enum pk_status count_periods(struct pk_profile *profile, const struct pk_record *record)
{
	const struct pk_events *events = pk_reader_events(pk_context_reader(&profile->context));
	struct pk_period_walk walk;
	enum pk_status status =
		pk_periods_start(&walk, profile->periods, events, record->event, record);

	while (!status) {
		status = pk_periods_next(&walk);
		if (status)
			return status == PK_END ? PK_OK : status;
		status = profile->each_branch ? count_branches(profile, walk.event, walk.period)
					      : count_once(profile, walk.event, walk.period);
	}
	return status;
}

enum pk_status pk_profile_leave_out(struct pk_profile *profile, const struct pk_record *record)
{
	const struct pk_events *events = pk_reader_events(pk_context_reader(&profile->context));

	if (!record->event || pk_periods_leave_out(profile->periods, events, record) != PK_NOMEM)
		return PK_OK;
	return PK_NOMEM;
}

static enum pk_status count_sample(struct pk_profile *profile, const struct pk_record *record)
{
	struct pk_context *context = &profile->context;
	enum pk_status status;

	if (pk_unlikely(!record->event)) {
		pk_context_complain(context, record, "sample of an unknown event, skipped");
		return PK_OK;
	}
	if (pk_unlikely(pk_context_sample(context, record) != PK_OK))
		return PK_NOMEM;
	if (profile->condition && !profile->each_branch &&
	    pk_sample_check(record->event, record) != PK_CORRUPT &&
	    !pk_condition_holds(profile->condition, record))
		return context->failed ? PK_NOMEM : pk_profile_leave_out(profile, record);
	pk_view_begin(&profile->view, context, record);
	status = count_periods(profile, record);
	if (pk_likely(status != PK_CORRUPT))
		return status;
	pk_context_complain(context, record, "sample shorter than its fields, skipped");
	pk_context_bad_sample(context);
	return PK_OK;
}

enum pk_status pk_profile_record(struct pk_profile *profile, struct pk_reader *reader,
				 const struct pk_record *record)
{
	profile->bytes += record->size;
	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		return count_sample(profile, record);
	if (record->type == PK_RECORD_BEGIN)
		pk_periods_forget(profile->periods);
	return pk_context_record(&profile->context, reader, record);
}

enum pk_status pk_profile_end(struct pk_profile *profile)
{
	enum pk_status status;

	if (profile->condition)
		pk_condition_end_session(profile->condition);
	status = pk_context_end(&profile->context);
	if (profile->messages.no_memory)
		status = PK_NOMEM;
	profile->messages.no_memory = false;
	return status;
}
