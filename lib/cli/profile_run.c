// SPDX-License-Identifier: BSD-2-Clause
#include "profile_run.h"
#include "lookups.h"

static void complain(void *run, const struct pk_record *record, const char *text)
{
	pk_run_complain(run, record, text);
}

static void lose(void *run, enum pk_loss_cause cause, uint64_t count, uint64_t total)
{
	pk_run_lose(run, cause, count, total);
}

void pk_run_connect(struct pk_run *run, struct pk_context *context)
{
	context->complain = complain;
	context->lose = lose;
	context->report_arg = run;
}

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
