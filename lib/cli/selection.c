// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "cli.h"
#include "selection.h"
#include "unknown_field.h"
#include "where.h"
#include "views.h"

bool pk_selection_check(const struct pk_selection *selection)
{
	const struct pk_context *context = &selection->profile->context;
	const struct pk_weight_options *weigh = &selection->profile->weigh;
	struct pk_reference reference;

	for (unsigned int i = 0; i < selection->groups->columns_count; i++)
		pk_exit_if_unknown(context, &selection->groups->columns[i].reference, NULL, "--by");
	if (selection->where)
		pk_exit_if_where_unknown(context, selection->where, selection->where_text);
	if (weigh->kind != PK_WEIGHT_FIELD)
		return true;
	if (!pk_reference_parse(&reference, weigh->field, strlen(weigh->field)))
		return false;
	pk_exit_if_unknown(context, &reference, NULL, "--weight");
	pk_reference_free(&reference);
	return true;
}

static int report_columns(const struct pk_selection *selection)
{
	int result = PK_EXIT_OK;
	char text[PK_MISSING_SIZE];

	for (unsigned int i = 0; i < selection->groups->columns_count; i++) {
		const struct pk_column *column = &selection->groups->columns[i];

		if (column->found || !column->reference.name || !selection->profile->counted)
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
	if (weigh->kind == PK_WEIGHT_LATENCY && !profile->context.parallelism.seen) {
		pk_error("latency needs context switches: record with --switch-events");
		return PK_EXIT_FAILED;
	}
	return PK_EXIT_OK;
}

int pk_selection_report(const struct pk_selection *selection)
{
	const struct pk_profile *profile = selection->profile;
	int result = PK_EXIT_OK;
	char number[32];

	if (pk_source_missing(&profile->context.stacks).undefined) {
		pk_error("%s samples have an undefined stack, skipped",
			 pk_number(number, pk_source_missing(&profile->context.stacks).undefined));
		result = PK_EXIT_FAILED;
	}
	if (profile->weigh.events_count && !pk_weights_matched(profile->weights)) {
		pk_error("no sample is of event %s", profile->weigh.events[0]);
		result = PK_EXIT_FAILED;
	}
	result |= report_columns(selection);
	if (profile->condition && !pk_report_where(profile->condition, selection->where_text))
		result = PK_EXIT_FAILED;
	result |= report_weight(profile);
	if (result)
		pk_view_report_needs();
	return result;
}
