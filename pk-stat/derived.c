// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <string.h>

#include "cli.h"
#include "derived.h"

/* Configs of cache events: all reads of a cache, or only the reads that miss. */
enum { L1_DATA, L1_INSTRUCTIONS, LAST_LEVEL, DATA_TLB, INSTRUCTION_TLB };
#define READS(cache)  ((uint64_t)(cache))
#define MISSES(cache) ((uint64_t)(cache) | UINT64_C(1) << 16)

/* The printf formats of perf for metrics with a unit and without a unit. */
#define NAMED	 "%8.1f"
#define UNITLESS "%8.2f"

/* Events that are printed as a percentage of another event. For example, misses are printed as a
 * percentage of accesses. */
static const struct {
	uint32_t type;
	uint64_t config, base;
	const char *format, *unit;
	const char *named; /* the name of perf's default metric, or NULL */
} shares[] = {
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	 "%7.2f%%", "of all branches", NULL},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CACHE_REFERENCES, "%8.3f %%",
	 "of all cache refs", NULL},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, PERF_COUNT_HW_CPU_CYCLES,
	 "%7.2f%%", "frontend cycles idle", NULL},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, PERF_COUNT_HW_CPU_CYCLES,
	 "%7.2f%%", "backend cycles idle", NULL},
	{PERF_TYPE_HW_CACHE, MISSES(L1_DATA), READS(L1_DATA), "%7.2f%%",
	 "of all L1-dcache accesses", "%  l1d_miss_rate"},
	{PERF_TYPE_HW_CACHE, MISSES(L1_INSTRUCTIONS), READS(L1_INSTRUCTIONS), "%7.2f%%",
	 "of all L1-icache accesses", "%  l1i_miss_rate"},
	{PERF_TYPE_HW_CACHE, MISSES(LAST_LEVEL), READS(LAST_LEVEL), "%7.2f%%",
	 "of all LL-cache accesses", "%  llc_miss_rate"},
	{PERF_TYPE_HW_CACHE, MISSES(DATA_TLB), READS(DATA_TLB), "%7.2f%%",
	 "of all dTLB cache accesses", "%  dtlb_miss_rate"},
	{PERF_TYPE_HW_CACHE, MISSES(INSTRUCTION_TLB), READS(INSTRUCTION_TLB), "%7.2f%%",
	 "of all iTLB cache accesses", "%  itlb_miss_rate"},
};

/* Returns true if the two events have the same modifiers. Only such events can be compared:
 * cycles:u and cycles cannot. */
static bool same_modes(const struct event *a, const struct event *b)
{
	const uint64_t modes = PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL |
			       PERF_ATTR_EXCLUDE_HV | PERF_ATTR_EXCLUDE_HOST |
			       PERF_ATTR_EXCLUDE_GUEST;

	return (a->attr.flags & modes) == (b->attr.flags & modes);
}

static bool same_cgroup(const struct event *a, const struct event *b)
{
	return a->cgroup && b->cgroup ? !strcmp(a->cgroup, b->cgroup) : !a->cgroup && !b->cgroup;
}

/* Returns the value of the event with this type and config in the same group. The event must have
 * the same modifiers and control group as `event`. Returns 0 if it was not counted. */
static double beside(const struct stat_result *result, const struct event *event, size_t group,
		     uint32_t type, uint64_t config)
{
	for (size_t i = 0; i < result->events->count; i++) {
		const struct event *other = &result->events->items[i];

		if (other->attr.type == type && other->attr.config == config &&
		    !result->hidden[i] && same_modes(other, event) && same_cgroup(other, event))
			return stat_value(result, i, group);
	}
	return 0;
}

/* Returns the mean of all counted cpu-clocks and task-clocks in ns. Returns 0 if none was counted.
 */
static double clock_of(const struct stat_result *result, const struct event *event, size_t group)
{
	double sum = 0;
	size_t clocks = 0;

	for (size_t i = 0; i < result->events->count; i++) {
		const struct event *other = &result->events->items[i];

		if (!event_is_clock(other) || !same_cgroup(other, event))
			continue;
		sum += stat_value(result, i, group);
		clocks++;
	}
	return clocks ? sum / (double)clocks : 0;
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

/* Calculates the event as a percentage of another event. Returns true if the event is in `shares`.
 * There is no value if the other event was not counted. */
static bool derive_share(const struct stat_result *result, const struct event *event, size_t group,
			 double value, struct derived *derived)
{
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		double base;

		if (shares[i].type != event->attr.type || shares[i].config != event->attr.config)
			continue;
		base = beside(result, event, group, shares[i].type, shares[i].base);
		if (base && result->named && shares[i].named)
			set(derived, 100 * value / base, NAMED, shares[i].named);
		else if (base)
			set(derived, 100 * value / base, shares[i].format, shares[i].unit);
		return true;
	}
	return false;
}

static void derive_instructions(const struct stat_result *result, const struct event *event,
				size_t group, double value, struct derived *items)
{
	double cycles = beside(result, event, group, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	double front = beside(result, event, group, PERF_TYPE_HARDWARE,
			      PERF_COUNT_HW_STALLED_CYCLES_FRONTEND);
	double back = beside(result, event, group, PERF_TYPE_HARDWARE,
			     PERF_COUNT_HW_STALLED_CYCLES_BACKEND);

	if (cycles)
		set(&items[0], value / cycles, "%7.2f ", "insn per cycle");
	if (value && (front || back))
		set(&items[1], (front > back ? front : back) / value, "%7.2f ",
		    "stalled cycles per insn");
}

/* The events of top-down analysis. Each of these four counts is a share of all slots of the
 * pipeline. */
static const struct {
	const char *event, *unit;
} slots[] = {
	{"topdown-retiring", "Retiring"},
	{"topdown-bad-spec", "Bad Speculation"},
	{"topdown-fe-bound", "Frontend Bound"},
	{"topdown-be-bound", "Backend Bound"},
};
#define SLOTS (sizeof(slots) / sizeof(*slots))

static bool derive_slots(const struct stat_result *result, const struct event *event, size_t group,
			 double value, struct derived *derived)
{
	double sum = 0;
	size_t found = SLOTS;

	if (strncmp(event->name, "topdown-", 8))
		return false;
	for (size_t i = 0; i < SLOTS; i++)
		if (!strcmp(event->name, slots[i].event))
			found = i;
	for (size_t i = 0; i < result->events->count; i++)
		for (size_t n = 0; n < SLOTS; n++)
			if (!strcmp(result->events->items[i].name, slots[n].event))
				sum += stat_value(result, i, group);
	if (found == SLOTS || sum <= 0)
		return false;
	set(derived, 100 * value / sum, "%8.1f%%", slots[found].unit);
	return true;
}

/* The default metrics of perf stat in Linux 6.19, with their names in perf. */

/* Software events that are printed as a rate per second of the clock. */
static const struct {
	uint64_t config;
	const char *unit;
} named_rates[] = {
	{PERF_COUNT_SW_CONTEXT_SWITCHES, "cs/sec  cs_per_second"},
	{PERF_COUNT_SW_CPU_MIGRATIONS, "migrations/sec  migrations_per_second"},
	{PERF_COUNT_SW_PAGE_FAULTS, "faults/sec  page_faults_per_second"},
};

static void derive_named_software(const struct stat_result *result, const struct event *event,
				  double value, double ns, struct derived *items)
{
	if (event_is_clock(event) && result->seconds > 0)
		set(items, value / 1e9 / result->seconds, NAMED, "CPUs  CPUs_utilized");
	for (size_t i = 0; ns > 0 && i < sizeof(named_rates) / sizeof(*named_rates); i++)
		if (named_rates[i].config == event->attr.config)
			set(items, value / ns * 1e9, NAMED, named_rates[i].unit);
}

static void derive_named_hardware(const struct stat_result *result, const struct event *event,
				  size_t group, double value, double ns, struct derived *items)
{
	const uint32_t hw = PERF_TYPE_HARDWARE;
	const double cycles = beside(result, event, group, hw, PERF_COUNT_HW_CPU_CYCLES);
	const double branches = beside(result, event, group, hw, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	const double front =
		beside(result, event, group, hw, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND);
	const double back = beside(result, event, group, hw, PERF_COUNT_HW_STALLED_CYCLES_BACKEND);

	switch (event->attr.config) {
	case PERF_COUNT_HW_CPU_CYCLES:
		if (ns > 0)
			set(items, value / ns, NAMED, "GHz  cycles_frequency");
		break;
	case PERF_COUNT_HW_BRANCH_INSTRUCTIONS:
		if (ns > 0)
			set(items, value / ns * 1000, NAMED, "M/sec  branch_frequency");
		break;
	case PERF_COUNT_HW_BRANCH_MISSES:
		if (branches > 0)
			set(items, 100 * value / branches, NAMED, "%  branch_miss_rate");
		break;
	case PERF_COUNT_HW_INSTRUCTIONS:
		if (cycles > 0)
			set(&items[0], value / cycles, NAMED, "instructions  insn_per_cycle");
		if (value > 0 && (front > 0 || back > 0))
			set(&items[1], (front > back ? front : back) / value, UNITLESS,
			    "stalled_cycles_per_instruction");
		break;
	case PERF_COUNT_HW_STALLED_CYCLES_FRONTEND:
		if (cycles > 0)
			set(items, value / cycles, UNITLESS, "frontend_cycles_idle");
		break;
	case PERF_COUNT_HW_STALLED_CYCLES_BACKEND:
		if (cycles > 0)
			set(items, value / cycles, UNITLESS, "backend_cycles_idle");
		break;
	default: break;
	}
}

static void derive_known(const struct stat_result *result, size_t index, size_t group,
			 struct derived *items)
{
	const struct event *event = &result->events->items[index];
	const double value = stat_value(result, index, group);
	const double ns = clock_of(result, event, group);

	if (event->stat.tool)
		return; /* a clock has no rate */
	if (result->named && event->attr.type == PERF_TYPE_SOFTWARE) {
		derive_named_software(result, event, value, ns, items);
		return;
	}
	if (result->named && event->attr.type == PERF_TYPE_HARDWARE) {
		derive_named_hardware(result, event, group, value, ns, items);
		return;
	}
	if (event_is_clock(event)) {
		if (result->seconds > 0)
			set(items, value / 1e9 / result->seconds, "%8.3f", "CPUs utilized");
		return;
	}
	if (event->attr.type == PERF_TYPE_HARDWARE &&
	    event->attr.config == PERF_COUNT_HW_INSTRUCTIONS) {
		derive_instructions(result, event, group, value, items);
		return;
	}
	if (derive_share(result, event, group, value, items) ||
	    derive_slots(result, event, group, value, items) || ns <= 0)
		return;
	if (event->attr.type == PERF_TYPE_HARDWARE &&
	    event->attr.config == PERF_COUNT_HW_CPU_CYCLES)
		set(items, value / ns, "%8.3f", "GHz");
	else
		set_rate(items, value / ns * 1e9);
}

static void derive_metric(const struct stat_result *result, const struct metric *metric,
			  size_t group, struct derived *derived)
{
	derived->value = metrics_value(result->metrics, metric, result, group);
	derived->format = metric->unit ? "%8.1f" : "%8.2f";
	snprintf(derived->unit, sizeof(derived->unit), "%s%s%s", metric->unit ? metric->unit : "",
		 metric->unit ? "  " : "", metric->name);
	pk_harmless(derived->unit);
}

size_t derive(const struct stat_result *result, size_t event, size_t group, struct derived *items,
	      size_t most)
{
	size_t count = 0;

	assert(most >= 2);
	items[0].format = items[1].format = NULL;
	items[0].unit[0] = items[1].unit[0] = '\0';
	derive_known(result, event, group, items);
	if (items[0].format || items[1].format)
		count = items[1].format ? 2 : 1;
	for (size_t i = 0; result->metrics && i < result->metrics->count && count < most; i++) {
		const struct metric *metric = &result->metrics->items[i];

		if (metric->shown && metric->event == event)
			derive_metric(result, metric, group, &items[count++]);
	}
	return count;
}

size_t derived_most(const struct stat_result *result)
{
	return 2 + (result->metrics ? result->metrics->shown : 0);
}
