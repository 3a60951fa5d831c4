// SPDX-License-Identifier: BSD-2-Clause
/* Tests the derived values that pk-stat prints beside counts. The machine of the tests need not
 * have these counters. */
#include <stdio.h>
#include <string.h>

#include "derived.h"
#include "stat_cells.h"
#include "stream_builder.h"

#define EVENTS                                                                                     \
	"task-clock,cycles,instructions,branches,branch-misses,stalled-cycles-frontend,"           \
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses,iTLB-loads,iTLB-load-"    \
	"misses"
#define KNOWN 12
static const uint64_t values[KNOWN] = {2000000000, 5000000000, 10000000000, 1000000000,
				       50000000,   250000000,  1000,	    25,
				       100,	   50,	       10,	    1};

/* Returns "NUMBER UNIT" for an event in a run of one second, or "" if the event has no derived
 * value. */
static const char *derived_text(const char *name, bool with_names)
{
	static char text[256];
	struct event_list events = {0};
	struct count counts[KNOWN] = {0};
	bool hidden[KNOWN] = {false};
	struct stat_groups groups = {.count = 1};
	struct stat_result result = {.events = &events,
				     .groups = &groups,
				     .counts = counts,
				     .hidden = hidden,
				     .seconds = 1,
				     .named = with_names};
	struct derived items[2];

	ck_assert(pk_event_list_parse(&events, EVENTS) == PK_OK);
	ck_assert_uint_eq(events.count, KNOWN);
	text[0] = '\0';
	for (size_t i = 0; i < KNOWN; i++)
		counts[i] = (struct count){.value = values[i], .enabled = 1, .running = 1};
	for (size_t i = 0; i < KNOWN; i++) {
		if (strcmp(events.items[i].name, name) != 0)
			continue;
		for (size_t n = 0; n < derive(&result, i, 0, items, 2); n++) {
			size_t size = strlen(text);

			snprintf(text + size, sizeof(text) - size, n ? ", " : "");
			size = strlen(text);
			snprintf(text + size, sizeof(text) - size, items[n].format, items[n].value);
			size = strlen(text);
			snprintf(text + size, sizeof(text) - size, " %s", items[n].unit);
		}
	}
	pk_event_list_free(&events);
	return text + strspn(text, " ");
}

/* Names in the format of the Default metrics of perf stat in Linux 6.19. */
START_TEST(named)
{
	ck_assert_str_eq(derived_text("task-clock", true), "2.0 CPUs  CPUs_utilized");
	ck_assert_str_eq(derived_text("cycles", true), "2.5 GHz  cycles_frequency");
	ck_assert_str_eq(
		derived_text("instructions", true),
		"2.0 instructions  insn_per_cycle,     0.03 stalled_cycles_per_instruction");
	ck_assert_str_eq(derived_text("branches", true), "500.0 M/sec  branch_frequency");
	ck_assert_str_eq(derived_text("branch-misses", true), "5.0 %  branch_miss_rate");
	ck_assert_str_eq(derived_text("stalled-cycles-frontend", true),
			 "0.05 frontend_cycles_idle");
	ck_assert_str_eq(derived_text("L1-dcache-load-misses", true), "2.5 %  l1d_miss_rate");
	ck_assert_str_eq(derived_text("LLC-load-misses", true), "50.0 %  llc_miss_rate");
	ck_assert_str_eq(derived_text("iTLB-load-misses", true), "10.0 %  itlb_miss_rate");
}
END_TEST

START_TEST(unnamed)
{
	ck_assert_str_eq(derived_text("task-clock", false), "2.000 CPUs utilized");
	ck_assert_str_eq(derived_text("cycles", false), "2.500 GHz");
	ck_assert_str_eq(derived_text("branch-misses", false), "5.00% of all branches");
	ck_assert_str_eq(derived_text("L1-dcache-load-misses", false),
			 "2.50% of all L1-dcache accesses");
}
END_TEST

RUN_TESTS("derived", named, unnamed)
