// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "record_time.h"
#include "sample_cost.h"
#include "spending.h"

enum pk_status spending_open(struct spending *spending, const struct options *options,
			     struct event_list *events, const struct targets *targets)
{
	struct budget *budget = &spending->budget;
	double cpus = 0;

	budget->limits = options->sampling.budget;
	if (!budget->limits.of[BUDGET_CPU] && !budget->limits.of[BUDGET_BYTES])
		return PK_OK;
	PK_TRY(pace_init(&spending->pace, events, targets));
	if (!spending->pace.most) {
		pk_error("--budget: no event has a frequency that could be lowered: use -F, or -e "
			 "EVENT/freq=HZ/");
		return PK_FAILED;
	}
	for (size_t i = 0; i < targets->cpus_count; i++)
		cpus += targets->chosen[i];
	budget->limits.of[BUDGET_CPU] *= cpus;
	budget->frequency = budget->most = spending->pace.most;
	if (!budget->limits.of[BUDGET_CPU])
		return PK_OK;
	spending->sample = sample_cost(&pace_leader(&spending->pace)->attr);
	if (spending->sample > 0)
		pk_info("a sample interrupts a program for %.1f us", spending->sample * 1e6);
	else
		pk_warn("--budget counts the processor time of pk-record, but not that of the "
			"kernel for samples: it cannot be measured: %s",
			strerror(errno));
	return PK_OK;
}

void spending_close(struct spending *spending)
{
	pace_free(&spending->pace);
}

struct budget_cost spending_total(const struct spending *spending, uint64_t samples, uint64_t bytes)
{
	struct timespec used = {0};

	if (spending->budget.frequency)
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (struct budget_cost){{[BUDGET_CPU] = (double)used.tv_sec +
						    (double)used.tv_nsec / 1e9 +
						    (double)samples * spending->sample,
				     [BUDGET_BYTES] = (double)bytes}};
}

void spending_start(struct spending *spending, const struct budget_cost *total)
{
	spending->since = record_now();
	spending->total = *total;
	spending->once = (struct budget_cost){{0}};
}

void spending_add_once(struct spending *spending, const struct budget_cost *before,
		       const struct budget_cost *after)
{
	for (enum budget_item i = BUDGET_CPU; i < BUDGET_ITEMS; i++)
		spending->once.of[i] += after->of[i] - before->of[i];
}

/* Makes a text for a cost in one second. */
static const char *cost_text(const struct spending *spending, double cost, char text[32])
{
	if (spending->budget.cause == BUDGET_CPU)
		snprintf(text, 32, "%.3g %% of a processor", 100 * cost);
	else
		snprintf(text, 32, "%.3g MB/min", cost * 60 / 1e6);
	return text;
}

static void report(const struct spending *spending, uint64_t before)
{
	const struct budget *budget = &spending->budget;
	char cost[32], limit[32];

	if (!budget->cause) {
		pk_warn("--budget: %" PRIu64 " Hz instead of %" PRIu64 " Hz: there is room",
			budget->frequency, before);
		return;
	}
	cost_text(spending, budget->rate, cost);
	cost_text(spending, budget->limits.of[budget->cause], limit);
	if (budget->frequency == before)
		pk_warn("--budget: %" PRIu64 " Hz, the lowest frequency, still costs %s of %s: the "
			"rest are records of processes and files",
			before, cost, limit);
	else
		pk_warn("--budget: %" PRIu64 " Hz instead of %" PRIu64 " Hz: it cost %s of %s",
			budget->frequency, before, cost, limit);
}

bool spending_step(struct spending *spending, const struct budget_cost *total)
{
	struct budget *budget = &spending->budget;
	const double seconds = (double)(record_now() - spending->since) / 1e9;
	const bool at_least = budget->at_least;
	struct budget_cost spent;

	for (enum budget_item i = BUDGET_CPU; i < BUDGET_ITEMS; i++)
		spent.of[i] = total->of[i] - spending->total.of[i] - spending->once.of[i];
	if (!budget_step(budget, seconds, &spent, &spending->once))
		return false;
	spending_start(spending, total);
	if (budget->frequency != spending->pace.frequency)
		return true;
	if (budget->at_least && !at_least)
		report(spending, budget->frequency);
	return false;
}

enum pk_status spending_apply(struct spending *spending, struct pk_writer *writer)
{
	const uint64_t before = spending->pace.frequency;

	PK_TRY(pace_set(&spending->pace, spending->budget.frequency,
			(uint32_t)spending->budget.cause, writer));
	spending->budget.frequency = spending->pace.frequency;
	if (before != spending->pace.frequency)
		report(spending, before);
	return PK_OK;
}
