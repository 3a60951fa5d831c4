// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "derived.h"

/* Configs of cache events: reads of one, all or those that missed. */
enum { L1_DATA, L1_INSTRUCTIONS, LAST_LEVEL, DATA_TLB, INSTRUCTION_TLB };
#define READS(cache)  ((uint64_t)(cache))
#define MISSES(cache) ((uint64_t)(cache) | UINT64_C(1) << 16)

/* Shares: misses of accesses, and the like. */
static const struct {
	uint32_t type;
	uint64_t config, base;
	const char *format, *unit;
} shares[] = {
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	 "%7.2f%%", "of all branches"},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CACHE_REFERENCES, "%8.3f %%",
	 "of all cache refs"},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, PERF_COUNT_HW_CPU_CYCLES,
	 "%7.2f%%", "frontend cycles idle"},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, PERF_COUNT_HW_CPU_CYCLES,
	 "%7.2f%%", "backend cycles idle"},
	{PERF_TYPE_HW_CACHE, MISSES(L1_DATA), READS(L1_DATA), "%7.2f%%",
	 "of all L1-dcache accesses"},
	{PERF_TYPE_HW_CACHE, MISSES(L1_INSTRUCTIONS), READS(L1_INSTRUCTIONS), "%7.2f%%",
	 "of all L1-icache accesses"},
	{PERF_TYPE_HW_CACHE, MISSES(LAST_LEVEL), READS(LAST_LEVEL), "%7.2f%%",
	 "of all LL-cache accesses"},
	{PERF_TYPE_HW_CACHE, MISSES(DATA_TLB), READS(DATA_TLB), "%7.2f%%",
	 "of all dTLB cache accesses"},
	{PERF_TYPE_HW_CACHE, MISSES(INSTRUCTION_TLB), READS(INSTRUCTION_TLB), "%7.2f%%",
	 "of all iTLB cache accesses"},
};

bool event_is_clock(const struct event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       (event->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		event->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

static double value_of(const struct stat_result *result, size_t event, size_t group)
{
	size_t at = event * result->groups->count + group;

	return result->moments ? result->moments[at].mean : count_scaled(&result->counts[at]);
}

/* Of counts of the same modes only: cycles:u are no cycles. */
static bool same_modes(const struct event *a, const struct event *b)
{
	const uint64_t modes = PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL |
			       PERF_ATTR_EXCLUDE_HV | PERF_ATTR_EXCLUDE_HOST |
			       PERF_ATTR_EXCLUDE_GUEST;

	return (a->attr.flags & modes) == (b->attr.flags & modes);
}

/* The value of another event beside this one; 0: it is not counted. */
static double beside(const struct stat_result *result, const struct event *event, size_t group,
		     uint32_t type, uint64_t config)
{
	for (size_t i = 0; i < result->events->count; i++) {
		const struct event *other = &result->events->items[i];

		if (other->attr.type == type && other->attr.config == config &&
		    same_modes(other, event))
			return value_of(result, i, group);
	}
	return 0;
}

/* Nanoseconds of a clock that is counted too; 0: none is. */
static double clock_of(const struct stat_result *result, size_t group)
{
	for (size_t i = 0; i < result->events->count; i++)
		if (event_is_clock(&result->events->items[i]))
			return value_of(result, i, group);
	return 0;
}

static void set(struct derived *derived, double value, const char *format, const char *unit)
{
	derived->value = value;
	derived->format = format;
	snprintf(derived->unit, sizeof(derived->unit), "%s", unit);
}

static void set_rate(struct derived *derived, double per_second)
{
	static const char *const units[] = {"/sec", "K/sec", "M/sec", "G/sec"};
	size_t i = 0;

	while (per_second >= 1000 && i + 1 < sizeof(units) / sizeof(*units)) {
		per_second /= 1000;
		i++;
	}
	set(derived, per_second, "%8.3f", units[i]);
}

static bool derive_share(const struct stat_result *result, const struct event *event, size_t group,
			 double value, struct derived *derived)
{
	double base;

	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		if (shares[i].type != event->attr.type || shares[i].config != event->attr.config)
			continue;
		base = beside(result, event, group, shares[i].type, shares[i].base);
		if (base)
			set(derived, 100 * value / base, shares[i].format, shares[i].unit);
		return base != 0;
	}
	return false;
}

static void derive_instructions(const struct stat_result *result, const struct event *event,
				size_t group, double value, struct derived *first,
				struct derived *second)
{
	double cycles = beside(result, event, group, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	double front = beside(result, event, group, PERF_TYPE_HARDWARE,
			      PERF_COUNT_HW_STALLED_CYCLES_FRONTEND);
	double back = beside(result, event, group, PERF_TYPE_HARDWARE,
			     PERF_COUNT_HW_STALLED_CYCLES_BACKEND);

	if (cycles)
		set(first, value / cycles, "%7.2f ", "insn per cycle");
	if (value && (front || back))
		set(second, (front > back ? front : back) / value, "%7.2f ",
		    "stalled cycles per insn");
}

void derive(const struct stat_result *result, size_t index, size_t group, struct derived *first,
	    struct derived *second)
{
	const struct event *event = &result->events->items[index];
	double value = value_of(result, index, group), ns = clock_of(result, group);

	first->format = second->format = NULL;
	first->unit[0] = second->unit[0] = '\0';
	if (event_is_clock(event)) {
		if (result->seconds > 0)
			set(first, value / 1e9 / result->seconds, "%8.3f", "CPUs utilized");
		return;
	}
	if (event->attr.type == PERF_TYPE_HARDWARE &&
	    event->attr.config == PERF_COUNT_HW_INSTRUCTIONS) {
		derive_instructions(result, event, group, value, first, second);
		return;
	}
	if (derive_share(result, event, group, value, first) || ns <= 0)
		return;
	if (event->attr.type == PERF_TYPE_HARDWARE &&
	    event->attr.config == PERF_COUNT_HW_CPU_CYCLES)
		set(first, value / ns, "%8.3f", "GHz");
	else if (event->attr.type != PERF_TYPE_HW_CACHE || value > 0)
		set_rate(first, value / ns * 1e9);
}
