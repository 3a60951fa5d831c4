// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "parallelism.h"
#include "pkutil.h"
#include "presets.h"
#include "tail.h"
#include "unknown_field.h"
#include "where.h"

/* ---- Options ---- */

int pk_tail_by(struct pk_tail_options *options, const char *text, unsigned int most)
{
	const char *error = pk_references_parse(options->by, &options->by_count, most, text);

	options->by_default = false;
	return error ? pk_usage_error("--by=%s: %s", text, error) : PK_CONTINUE;
}

bool pk_tail_is_by(const struct pk_tail_options *options, const char *field)
{
	for (unsigned int i = 0; i < options->by_count; i++)
		if (options->by[i].field && !strcmp(options->by[i].field->name, field))
			return true;
	return false;
}

int pk_set_by(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	return pk_tail_by(at, text, PK_GROUP_COLUMNS);
}

int pk_set_weight(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	pk_weight_parse(text, at);
	return PK_CONTINUE;
}

#define AT(member) PK_AT(struct pk_tail_options, member)

const struct pk_option pk_where_row[] = {
	{0, "where", "EXPR", PK_CALL,
	 "only samples that fulfil the expression, such as 'bytes > 4k && comm ~ \"ng*\"'",
	 AT(conditions), .parse = pk_add_where},
	PK_OPTIONS_END,
};

const struct pk_option pk_weight_row[] = {
	{0, "weight", "WHAT", PK_CALL,
	 "what is added up: period (default; 1 for tracepoints), samples, latency, or a field",
	 AT(weigh), .parse = pk_set_weight},
	PK_OPTIONS_END,
};

void pk_tail_options_free(struct pk_tail_options *options)
{
	while (options->by_count)
		pk_reference_free(&options->by[--options->by_count]);
	pk_conditions_free(&options->conditions);
	free(options->weigh.events);
	options->weigh.events = NULL;
}

/* ---- Records ---- */

static enum pk_status check_groups(const struct pk_tail *tail)
{
	const struct pk_context *context = &tail->profile.context;

	for (unsigned int i = 0; i < tail->groups.columns_count; i++) {
		const struct pk_reference *by = &tail->groups.columns[i].reference;

		if (by->name && tail->instead)
			PK_TRY(pk_check_instead(context, by, tail->instead(by->name)));
		PK_TRY(pk_check_field(context, by, NULL, "--by"));
	}
	return PK_OK;
}

/* If no event has one of the fields, prints a message and returns PK_FAILED. */
static enum pk_status check_fields(struct pk_tail *tail)
{
	const struct pk_reference *weight = pk_weights_field(tail->profile.weights);

	tail->checked = true;
	PK_TRY(check_groups(tail));
	if (tail->check)
		PK_TRY(tail->check(tail->arg));
	if (tail->where)
		PK_TRY(pk_check_where(&tail->profile.context, tail->where,
				      tail->options->conditions.where));
	return weight ? pk_check_field(&tail->profile.context, weight, NULL, "--weight") : PK_OK;
}

static enum pk_status next_record(void *arg, const struct pk_record *record)
{
	struct pk_tail *tail = arg;

	return tail->record ? tail->record(tail->arg, record) : pk_tail_evaluate(tail, record);
}

static enum pk_status read_record(struct pk_run *run, const struct pk_record *record)
{
	struct pk_tail *tail = run->arg;

	if (pk_unlikely(tail->spans != NULL))
		PK_TRY(pk_tail_spans_prepare(tail->spans, record));
	if (pk_unlikely(!tail->checked) && pk_fields_are_due(run, record) &&
	    (!tail->spans || pk_tail_spans_prepared(tail->spans)) && check_fields(tail) != PK_OK)
		return pk_run_refuse(run);
	if (record->type == PK_RECORD_BEGIN)
		tail->profile.context.look_up = !run->input.piped;
	return tail->spans ? pk_tail_spans_record(tail->spans, record) : next_record(tail, record);
}

/* ---- Fields that are used ---- */

struct wanted {
	const char *name;
	size_t size;
	bool found;
};

static void find_operand(void *arg, struct pk_expression *node)
{
	struct wanted *wanted = arg;

	if (node->op == PK_OP_FIELD)
		wanted->found |=
			pk_reference_starts_with(&node->reference, wanted->name, wanted->size);
}

/* The callback pk_tail_spans_output.uses. */
static bool uses_field(void *arg, const char *name, size_t size)
{
	struct pk_tail *tail = arg;
	const struct pk_reference *weight = pk_weights_field(tail->profile.weights);
	struct wanted wanted = {.name = name, .size = size};

	for (unsigned int i = 0; i < tail->groups.columns_count; i++)
		wanted.found |=
			pk_reference_starts_with(&tail->groups.columns[i].reference, name, size);
	if (tail->where)
		pk_expression_walk(tail->where, find_operand, &wanted);
	return wanted.found || (weight && pk_reference_starts_with(weight, name, size)) ||
	       tail->uses(tail->arg, name, size);
}

static void end_session(struct pk_run *run)
{
	struct pk_tail *tail = run->arg;
	bool done = !tail->spans || pk_tail_spans_end(tail->spans) != PK_NOMEM;

	done = (!tail->session_end || tail->session_end(tail->arg) == PK_OK) && done;
	done = pk_groups_end_session(&tail->groups) == PK_OK && done;
	if (pk_profile_end(&tail->profile) != PK_OK || !done)
		pk_run_complain(run, &(struct pk_record){0}, pk_status_text(PK_NOMEM));
	pk_print_messages(&tail->profile.messages);
}

/* The callback pk_context.forget. */
static enum pk_status forget(void *arg)
{
	struct pk_tail *tail = ((struct pk_run *)arg)->arg;
	const enum pk_status status = tail->forget ? tail->forget(tail->arg) : PK_OK;

	pk_groups_forget(&tail->groups);
	return status;
}

/* ---- From the start to the end ---- */

static void set_groups(struct pk_tail *tail)
{
	struct pk_tail_options *options = tail->options;
	struct pk_groups *groups = &tail->groups;

	groups->context = &tail->profile.context;
	for (unsigned int i = 0; i < options->by_count; i++) {
		tail->profile.context.needs |= pk_reference_needs(&options->by[i]);
		groups->columns[groups->columns_count++].reference = options->by[i];
	}
	options->by_count = 0;
}

/* Makes the spans that the input lacks. */
static enum pk_status new_spans(struct pk_tail *tail)
{
	const struct pk_tail_spans_output output = {.context = &tail->profile.context,
						    .next = next_record,
						    .uses = tail->uses ? uses_field : NULL,
						    .arg = tail,
						    .events = tail->options->weigh.events,
						    .events_count =
							    tail->options->weigh.events_count};

	return pk_tail_spans_new(&tail->spans, tail->run, &output);
}

enum pk_status pk_tail_start(struct pk_tail *tail, struct pk_run *run)
{
	struct pk_tail_options *options = tail->options;
	struct pk_profile *profile = &tail->profile;

	tail->run = run;
	run->ordered = true;
	run->tail = true;
	run->record = read_record;
	run->session_end = end_session;
	run->arg = tail;
	profile->weigh = options->weigh;
	profile->sample = tail->sample;
	profile->arg = tail->arg;
	profile->context.needs |= tail->needs;
	profile->context.forget = forget;
	pk_run_connect(run, &profile->context);
	set_groups(tail);
	PK_TRY(pk_conditions_combine(&options->conditions, &tail->where));
	profile->where = tail->where;
	PK_TRY(pk_profile_add_needs(profile));
	PK_TRY(new_spans(tail));
	PK_TRY((tail->symbolized ? pk_symbols_for_code : pk_symbols_for_stacks)(
		&profile->context, &options->symbols, &run->messages, &tail->symbols));
	PK_TRY(pk_profile_init(profile));
	return tail->spans ? pk_tail_spans_init(tail->spans) : PK_OK;
}

int pk_tail_read(struct pk_tail *tail, struct pk_run *run)
{
	int result, reported;

	if (pk_tail_start(tail, run) != PK_OK)
		return pk_no_memory();
	result = pk_run(run);
	if (run->nothing)
		return result;
	reported = tail->report ? tail->report(tail) : pk_tail_report(tail);
	return result > reported ? result : reported;
}

int pk_tail_read_base(struct pk_tail *tail, const char *file)
{
	struct pk_run *run = tail->run;
	const struct pk_run fresh = *run;
	struct pk_messages messages;
	char *files[] = {(char *)file};
	bool refused;
	int result;

	run->files = files;
	run->files_count = 1;
	result = pk_run(run);
	/* Losses and warnings are counted separately for each file. The messages of all files are
	 * kept together. */
	messages = run->messages;
	refused = run->refused;
	*run = fresh;
	run->messages = messages;
	run->refused = run->nothing = refused;
	return result;
}

int pk_tail_free(struct pk_tail *tail, int status)
{
	pk_tail_spans_free(tail->spans);
	pk_groups_free(&tail->groups);
	pk_profile_free(&tail->profile);
	pk_expression_free(tail->where);
	return pk_symbols_finish(tail->symbols, status);
}

/* ---- The report ---- */

void pk_tail_report_samples(const struct pk_tail *tail)
{
	const struct pk_profile *profile = &tail->profile;
	char number[32];

	if (!tail->has_others)
		pk_tail_report_no_samples(tail);
	if (profile->skipped && !tail->options->weigh.events_count)
		pk_warn("only samples of %s are %s; %s samples of other events skipped (--event "
			"selects events)",
			pk_weights_default(profile->weights), tail->done,
			pk_number(number, profile->skipped));
}

void pk_tail_report_lacking(const struct pk_tail *tail)
{
	const struct pk_profile *profile = &tail->profile;
	char number[32];

	if (profile->lacking && profile->weigh.kind == PK_WEIGHT_LATENCY)
		pk_warn("%s samples of tracepoints have no latency, skipped",
			pk_number(number, profile->lacking));
	else if (profile->lacking)
		pk_warn("%s samples have no number called %s, skipped",
			pk_number(number, profile->lacking), profile->weigh.field);
}

void pk_tail_report_stages(const struct pk_tail *tail)
{
	const struct pk_stack_source *stacks = &tail->profile.context.stacks;

	pk_report_missing_stages(&pk_source_counted(stacks)->partial,
				 pk_source_counted(stacks)->stacks_unmerged);
}

void pk_tail_report_no_samples(const struct pk_tail *tail)
{
	if (!tail->options->weigh.events_count)
		pk_report_no_samples(tail->run);
}

int pk_tail_report_event(const struct pk_tail *tail)
{
	if (!tail->options->weigh.events_count || pk_weights_matched(tail->profile.weights))
		return PK_EXIT_OK;
	pk_error("no sample is of event %s%s", tail->options->weigh.events[0],
		 strcmp(tail->options->weigh.events[0], "offcpu-time")
			 ? ""
			 : ": pk-record --off-cpu records it");
	return PK_EXIT_FAILED;
}

int pk_tail_report_where(const struct pk_tail *tail)
{
	const struct pk_condition *condition = tail->profile.condition;

	return !condition || pk_report_where(condition, tail->options->conditions.where)
		       ? PK_EXIT_OK
		       : PK_EXIT_FAILED;
}

static int report_columns(const struct pk_tail *tail)
{
	int result = PK_EXIT_OK;
	char text[PK_MISSING_SIZE];

	for (unsigned int i = 0; i < tail->groups.columns_count; i++) {
		const struct pk_column *column = &tail->groups.columns[i];

		if (column->found || !column->reference.name || !tail->profile.counted ||
		    tail->options->by_default)
			continue;
		pk_reference_missing(&column->reference, text);
		pk_error("--by: %s", text);
		result = PK_EXIT_FAILED;
	}
	return result;
}

static int report_weight(const struct pk_profile *profile)
{
	const struct pk_weight_options *weigh = &profile->weigh;

	if (weigh->kind == PK_WEIGHT_FIELD && profile->lacking && !profile->counted) {
		pk_error("no sample has a number called %s", weigh->field);
		return PK_EXIT_FAILED;
	}
	if (weigh->kind == PK_WEIGHT_LATENCY && !pk_context_parallelism(&profile->context)->seen) {
		pk_error("latency needs context switches: record with --switch-events");
		return PK_EXIT_FAILED;
	}
	return PK_EXIT_OK;
}

int pk_tail_report_selection(const struct pk_tail *tail)
{
	const struct pk_profile *profile = &tail->profile;
	const uint64_t undefined = pk_source_missing(&profile->context.stacks).undefined;
	int result = PK_EXIT_OK;
	char number[32];

	if (undefined) {
		pk_error("%s samples have an undefined stack, skipped",
			 pk_number(number, undefined));
		result = PK_EXIT_FAILED;
	}
	result |= pk_tail_report_event(tail);
	result |= report_columns(tail);
	result |= pk_tail_report_where(tail);
	result |= report_weight(profile);
	if (result)
		pk_preset_report_needs();
	return result;
}

int pk_tail_report(const struct pk_tail *tail)
{
	const struct pk_stack_source *stacks = &tail->profile.context.stacks;
	const uint64_t without = pk_source_missing(stacks).without;
	char number[32];

	pk_tail_report_samples(tail);
	pk_tail_report_lacking(tail);
	if (pk_source_addresses(stacks))
		pk_warn("the input is not symbolized: objects and addresses are %s; run "
			"pk-symbolize before %s",
			tail->done, pk_cli_program());
	pk_tail_report_stages(tail);
	if (without)
		pk_warn("%s samples have no stack%s", pk_number(number, without),
			tail->stackless ? "" : ", skipped");
	return pk_tail_report_selection(tail);
}
