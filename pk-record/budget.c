// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "budget.h"
#include "number.h"

/* Each change of the frequency restarts the timers of the events, so up to one period of each CPU
 * has no sample. If the frequency stays for PERIODS periods, this is at most 1/PERIODS of the
 * weight. */
#define PERIODS 50
/* In seconds: the shortest time before the frequency is lowered, and before it is raised. */
#define SOON  1.0
#define LATER 10.0
/* In seconds: the time in which a debt is paid back. */
#define PAY_BACK 60.0
/* The share of the limit that the recording aims at, and the share below which the frequency is
 * raised. */
#define AIM  0.9
#define ROOM 0.7
/* The part of the limit that is available even if there is a large debt. */
#define LEFT 0.1
/* A cost above the limit by this factor does not wait for LATER. */
#define MUCH 1.1

static bool parse_share(const char *text, double *share)
{
	char number[32];
	const char *end = strchr(text, '%');
	const size_t size = end ? (size_t)(end - text) : 0;

	if (!size || end[1] || size >= sizeof(number))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)size, text);
	if (!pk_parse_percent(number, share))
		return false;
	*share /= 100;
	return *share > 0;
}

static bool parse_rate(const char *text, double *rate)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
	char number[32];
	const char *slash = strchr(text, '/');
	const size_t size = slash ? (size_t)(slash - text) : 0;
	uint64_t bytes;

	if (!size || size >= sizeof(number))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)size, text);
	if (!pk_parse_size(number, &bytes) || !bytes)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(slash + 1, units[i].name)) {
			*rate = (double)bytes / units[i].seconds;
			return true;
		}
	return false;
}

bool budget_parse(const char *text, struct budget_cost *limits)
{
	char part[64];

	*limits = (struct budget_cost){{0}};
	for (;;) {
		const size_t size = strcspn(text, ",");
		bool ok = false;

		if (size >= sizeof(part))
			return false;
		snprintf(part, sizeof(part), "%.*s", (int)size, text);
		if (!strncmp(part, "cpu=", 4))
			ok = parse_share(part + 4, &limits->of[BUDGET_CPU]);
		else if (!strncmp(part, "bytes=", 6))
			ok = parse_rate(part + 6, &limits->of[BUDGET_BYTES]);
		if (!ok)
			return false;
		if (!text[size])
			return true;
		text += size + 1;
	}
}

/* Returns the rate of a cost relative to what its limit allows now. A debt is subtracted from the
 * limit. */
static double needed(const struct budget *budget, enum budget_item item, double seconds,
		     double spent)
{
	const double limit = budget->limits.of[item];
	double allowed = limit - budget->debt.of[item] / PAY_BACK;

	if (!limit)
		return 0;
	allowed = fmax(allowed, LEFT * limit);
	return spent / seconds / allowed;
}

/* Adds what was spent above the limits to the debt. Savings are not kept, so no later minute can
 * cost more. */
static void add_debt(struct budget *budget, double seconds, const struct budget_cost *spent,
		     const struct budget_cost *once)
{
	for (enum budget_item i = BUDGET_CPU; i < BUDGET_ITEMS; i++)
		budget->debt.of[i] = fmax(0, budget->debt.of[i] + spent->of[i] + once->of[i] -
						     seconds * budget->limits.of[i]);
}

bool budget_step(struct budget *budget, double seconds, const struct budget_cost *spent,
		 const struct budget_cost *once)
{
	double most = 0, wanted = (double)budget->frequency;
	enum budget_item which = BUDGET_NONE;

	if (seconds < fmax(SOON, PERIODS / wanted))
		return false;
	for (enum budget_item i = BUDGET_CPU; i < BUDGET_ITEMS; i++) {
		const double need = needed(budget, i, seconds, spent->of[i]);

		if (need > most || which == BUDGET_NONE) {
			most = need;
			which = i;
		}
	}
	if (seconds < LATER && most <= MUCH)
		return false;
	add_debt(budget, seconds, spent, once);
	budget->rate = spent->of[which] / seconds;
	budget->cause = most > 1 ? which : BUDGET_NONE;
	if (most > 1)
		wanted *= AIM / most;
	else if (most < ROOM)
		wanted *= fmin(2, AIM / fmax(most, 0.01));
	budget->at_least = wanted < 1 && budget->rate > budget->limits.of[which];
	wanted = fmin(fmax(wanted, 1), (double)budget->most);
	budget->frequency = (uint64_t)wanted;
	return true;
}
