// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "lookups.h"
#include "profile_run.h"
#include "sample_source.h"
#include "unknown_field.h"
#include "vector.h"
#include "where.h"

int sample_source_option(struct sample_source *source, int c)
{
	switch (c) {
	case PLOT_OPT_EVENT: return pk_event_option(&source->weigh);
	case PLOT_OPT_WHERE: return pk_where_option(&source->conditions);
	default: return pk_symbol_option(&source->symbols, c);
	}
}

/* ---- Records ---- */

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct sample_source *source = arg;

	return source->sample(source->arg, view, weight);
}

static enum pk_status forget(void *arg)
{
	struct sample_source *source = arg;

	return source->forget ? source->forget(source->arg) : PK_OK;
}

static void check_fields(struct sample_source *source)
{
	const struct pk_context *context = &source->profile.context;

	source->checked = true;
	if (source->where)
		pk_exit_if_where_unknown(context, source->where, source->conditions.where);
	if (source->check)
		source->check(source->arg, context);
}

static enum pk_status read_record(struct pk_run *run, const struct pk_record *record)
{
	struct sample_source *source = run->arg;
	enum pk_status status = PK_OK;

	if (!source->checked && pk_fields_are_due(run, record))
		check_fields(source);
	if (record->type == PK_RECORD_BEGIN)
		source->profile.context.look_up = !run->piped;
	if (record->type != PERF_RECORD_SAMPLE && source->record)
		status = source->record(source->arg, record);
	return status ? status : pk_profile_record(&source->profile, run->reader, record);
}

static void end_session(struct pk_run *run)
{
	struct sample_source *source = run->arg;

	if (source->session_end && source->session_end(source->arg))
		pk_run_complain(run, &(struct pk_record){0}, pk_status_text(PK_NOMEM));
	pk_run_end_profile(run, &source->profile);
}

/* ---- The reports ---- */

static int report(const struct sample_source *source)
{
	const struct pk_profile *profile = &source->profile;
	int result = PK_EXIT_OK;
	char number[32];

	pk_report_no_samples(source->run);
	if (profile->skipped && !source->weigh.events_count)
		pk_warn("only samples of %s are drawn; %s samples of other events skipped "
			"(--event selects events)",
			pk_weights_default(profile->weights), pk_number(number, profile->skipped));
	pk_report_lacking(profile);
	if (source->weigh.events_count && !pk_weights_matched(profile->weights)) {
		pk_error("no sample is of event %s", source->weigh.events[0]);
		result = PK_EXIT_FAILED;
	}
	if (profile->condition && !pk_report_where(profile->condition, source->conditions.where))
		result = PK_EXIT_FAILED;
	return result;
}

/* False: out of memory. */
static bool set_up(struct sample_source *source)
{
	struct pk_profile *profile = &source->profile;
	struct pk_run *run = source->run;

	run->ordered = true;
	run->record = read_record;
	run->session_end = end_session;
	run->arg = source;
	profile->weigh = source->weigh;
	profile->sample = count_sample;
	profile->arg = source;
	profile->context.needs = source->needs;
	profile->context.forget = forget;
	profile->context.arg = source;
	if (!pk_conditions_combine(&source->conditions, &source->where))
		return false;
	profile->where = source->where;
	pk_run_connect(run, &profile->context);
	return pk_profile_add_needs(profile) &&
	       pk_symbols_for_stacks(&profile->context, &source->symbols, &run->messages,
				     &source->store) &&
	       pk_profile_init(profile);
}

int sample_source_read(struct sample_source *source, struct pk_run *run)
{
	int result, reported;

	source->run = run;
	if (!set_up(source))
		return pk_no_memory();
	result = pk_run(run);
	reported = report(source);
	return result > reported ? result : reported;
}

int sample_source_free(struct sample_source *source, int status)
{
	pk_profile_free(&source->profile);
	pk_expression_free(source->where);
	pk_conditions_free(&source->conditions);
	free(source->weigh.events);
	return pk_symbols_finish(source->store, status);
}
