// SPDX-License-Identifier: BSD-2-Clause
#include "parallelism.h"
#include "presets.h"
#include "reporter.h"
#include "unknown_field.h"
#include "where.h"

/* Returns whether the column needs a field of tracepoints that no event has. */
static bool is_missing(const struct reporter *r, const struct pk_column *column)
{
	return !column->found && column->reference.name && r->tail.profile.counted;
}

static void report_missing(const struct pk_column *column, const char *option)
{
	char text[PK_MISSING_SIZE];

	pk_reference_missing(&column->reference, text);
	pk_error("%s: %s", option, text);
}

/* Reports fields that are missing. Returns the exit status. */
static int report_fields(const struct reporter *r)
{
	const struct layout *layout = &r->options->layout;
	int result = PK_EXIT_OK;

	for (unsigned int i = 0; i < r->tail.groups.columns_count; i++) {
		if (r->tail.groups.texts >> i & 1)
			pk_warn("--by: %s is a text in some samples: a text has no buckets",
				r->tail.groups.columns[i].reference.name);
		if (!is_missing(r, &r->tail.groups.columns[i]))
			continue;
		report_missing(&r->tail.groups.columns[i], "--by");
		result = PK_EXIT_FAILED;
	}
	for (unsigned int i = 0; i < layout->measures_count; i++) {
		if (!is_missing(r, &layout->measures[i].column))
			continue;
		report_missing(&layout->measures[i].column, "--show");
		result = PK_EXIT_FAILED;
	}
	return result | pk_tail_report_where(&r->tail);
}

static int report_weights(const struct reporter *r)
{
	const struct pk_weight_options *weigh = &r->options->tail.weigh;
	const struct pk_profile *profile = &r->tail.profile;
	const bool latency = weigh->kind == PK_WEIGHT_LATENCY || r->options->layout.has_latency;

	if (pk_tail_report_event(&r->tail))
		return PK_EXIT_FAILED;
	if (latency && !pk_context_parallelism(&profile->context)->seen) {
		pk_error("latency needs context switches: record with --switch-events");
		return PK_EXIT_FAILED;
	}
	pk_tail_report_lacking(&r->tail);
	if (weigh->kind != PK_WEIGHT_FIELD || !profile->lacking || profile->counted)
		return PK_EXIT_OK;
	pk_error("no sample has a number called %s", weigh->field);
	return PK_EXIT_FAILED;
}

static bool is_of_data_source(const struct pk_column *column)
{
	const struct pk_field *field = column->reference.field;

	return field && field->sample_bits == PERF_SAMPLE_DATA_SRC;
}

static void report_data_source(const struct reporter *r)
{
	const struct layout *layout = &r->options->layout;
	bool needed = false;

	for (unsigned int i = 0; i < r->tail.groups.columns_count; i++)
		needed |= is_of_data_source(&r->tail.groups.columns[i]);
	for (unsigned int i = 0; i < layout->measures_count; i++)
		needed |= is_of_data_source(&layout->measures[i].column);
	if (needed && r->run->losses.samples && !(r->sample_bits & PERF_SAMPLE_DATA_SRC))
		pk_warn("the samples have no data source: record with pk-record -d -W, and with an "
			"event of loads or stores, such as cpu/mem-loads,ldlat=30/P");
	if (needed && !(r->sample_bits & PERF_SAMPLE_DATA_SRC))
		pk_preset_report_needs();
}

/* Reports problems of the input, such as records that were skipped. Returns the exit status. */
int pk_reporter_problems(const struct reporter *r)
{
	const struct pk_context *context = &r->tail.profile.context;
	const int fields = report_fields(r), weights = report_weights(r);
	int result = fields ? fields : weights;
	char number[32];

	pk_tail_report_no_samples(&r->tail);
	if (r->run->losses.samples && !r->tail.profile.counted && !result &&
	    (r->tail.where || r->options->tail.conditions.ranges_count))
		pk_warn("no sample fulfils the conditions");
	pk_tail_report_stages(&r->tail);
	if (r->unsymbolized &&
	    (r->needs_functions ||
	     ((r->results.has_children || r->results.has_forest) && r->has_callchains)))
		pk_warn("the input is not symbolized: functions are unknown; run pk-symbolize "
			"before pk-report");
	else if (pk_source_missing(&context->stacks).without)
		pk_warn("%s samples have no stack",
			pk_number(number, pk_source_missing(&context->stacks).without));
	report_data_source(r);
	if (r->results.inclusive.shortened)
		pk_warn("%s stacks count for their %d innermost frames only: together, the stacks "
			"of "
			"all groups are too large for so small an input; --by with fewer values, "
			"or "
			"--no-children, counts all",
			pk_number(number, r->results.inclusive.shortened), PK_STACK_SHORT);
	if (r->tail.profile.branchless)
		pk_warn("%s samples have no branches",
			pk_number(number, r->tail.profile.branchless));
	if (result ||
	    (r->run->losses.samples && (!r->tail.profile.counted || r->tail.profile.branchless)))
		pk_preset_report_needs();
	if (pk_source_missing(&context->stacks).undefined) {
		pk_error("%s samples have an undefined stack",
			 pk_number(number, pk_source_missing(&context->stacks).undefined));
		result = PK_EXIT_FAILED;
	}
	return result;
}
