// SPDX-License-Identifier: BSD-2-Clause
#include "profile_run.h"
#include "lookups.h"

void pk_run_end_profile(struct pk_run *run, struct pk_profile *profile)
{
	if (pk_profile_end(profile))
		pk_run_complain(run, &(struct pk_record){0}, pk_status_text(PK_NOMEM));
	pk_print_messages(&profile->messages);
}

void pk_report_lacking(const struct pk_profile *profile)
{
	const struct pk_weight_options *weigh = &profile->weigh;
	char number[32];

	if (profile->lacking && weigh->kind == PK_WEIGHT_LATENCY)
		pk_warn("%s samples of tracepoints have no latency, skipped",
			pk_number(number, profile->lacking));
	else if (profile->lacking)
		pk_warn("%s samples have no number called %s, skipped",
			pk_number(number, profile->lacking), weigh->field);
}
