// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "metrics.h"
#include "stat.h"

/* ---- Literals ---- */

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "cpuid.h"
#include "lookups.h"
#include "metrics.h"
#include "pmu.h"
#include "procfs.h"
#include "stat_topology.h"

/* ---- The machine ---- */

static double smt_on(bool system_wide)
{
	(void)system_wide;
	return pk_procfs_read_number("/sys/devices/system/cpu/smt/active", 0, pk_lookups()) > 0;
}

/* Returns 1 if counts include all threads of a core. This is so if pk-stat counts system-wide, or
 * if the machine has no SMT. */
static double core_wide(bool system_wide)
{
	return system_wide;
}

static double all_cpus(bool system_wide)
{
	(void)system_wide;
	return (double)sysconf(_SC_NPROCESSORS_CONF);
}

static double cpus_online(bool system_wide)
{
	(void)system_wide;
	return (double)sysconf(_SC_NPROCESSORS_ONLN);
}

static double cores(bool system_wide)
{
	(void)system_wide;
	return (double)topology_count(TOPOLOGY_CORE);
}

static double dies(bool system_wide)
{
	(void)system_wide;
	return (double)topology_count(TOPOLOGY_DIE);
}

static double packages(bool system_wide)
{
	(void)system_wide;
	return (double)topology_count(TOPOLOGY_SOCKET);
}

/* Returns the frequency in Hz that is a part of the processor's name, such as "Intel(R) Xeon(R) CPU
 * @ 2.20GHz". Returns 0 if the name has no frequency. */
static double named_frequency(void)
{
	struct line_reader reader;
	double ghz = 0;
	const char *line, *at;

	if (!pk_line_reader_open(&reader, "/proc/cpuinfo", pk_lookups()))
		return 0;
	while (!ghz && (line = pk_line_reader_next(&reader))) {
		at = strncmp(line, "model name", 10) ? NULL : strrchr(line, '@');
		if (at && strstr(at, "GHz"))
			ghz = strtod(at + 1, NULL);
	}
	pk_line_reader_close(&reader);
	return ghz * 1e9;
}

static double tsc_frequency(bool system_wide)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int denominator, numerator, crystal, unused;

	if (__get_cpuid_count(0x15, 0, &denominator, &numerator, &crystal, &unused) &&
	    denominator && numerator && crystal)
		return (double)crystal * numerator / denominator;
#endif
	(void)system_wide;
	return named_frequency();
}

static double persistent_memory(bool system_wide)
{
	(void)system_wide;
	return !access("/sys/firmware/acpi/tables/NFIT", F_OK);
}

/* Returns the number of pipeline slots in a cycle of an arm64 processor (caps/slots in sysfs).
 * Returns NAN if it is unknown. */
static double slots(bool system_wide)
{
	const char *sysfs = pk_pmu_sysfs(NULL);
	struct pmu_names all = pk_pmu_list(sysfs, pk_lookups());
	char text[64];
	double found = 0;

	(void)system_wide;
	for (size_t i = 0; !found && i < all.count; i++)
		if (pk_pmu_is_core(sysfs, all.items[i], pk_lookups()) &&
		    pk_pmu_read(sysfs, all.items[i], "caps/slots", text, sizeof(text),
				pk_lookups()))
			found = (double)strtoul(text, NULL, 0);
	pk_pmu_names_free(&all);
	return found ? found : NAN;
}

static const struct {
	const char *name;
	double (*value)(bool system_wide);
} literals[] = {
	{"#smt_on", smt_on},
	{"#core_wide", core_wide},
	{"#num_cpus", all_cpus},
	{"#num_cpus_online", cpus_online},
	{"#num_cores", cores},
	{"#num_dies", dies},
	{"#num_packages", packages},
	{"#system_tsc_freq", tsc_frequency},
	{"#has_pmem", persistent_memory},
	{"#slots", slots},
};

double metric_literal(const char *name, bool system_wide, bool cpus)
{
	if (!strcasecmp(name, "#target_cpu"))
		return cpus;
	for (size_t i = 0; i < sizeof(literals) / sizeof(*literals); i++)
		if (!strcasecmp(name, literals[i].name))
			return literals[i].value(system_wide);
	return NAN;
}

/* ---- Constants known before counting ---- */

static double has_event(struct metrics *metrics, struct metric_id *id)
{
	struct event_list list = {.json = metrics->json, .tools = true, .messages.quiet = true};

	if (id->has_event < 0)
		id->has_event =
			pk_printed(pk_event_list_parse(&list, id->text), &list.messages) == PK_OK;
	pk_event_list_free(&list);
	return id->has_event;
}

double metric_known(void *arg, const struct metric_node *node)
{
	struct metrics *metrics = arg;
	char cpuid[128];

	switch (node->op) {
	case METRIC_LITERAL: return metric_literal(node->text, metrics->system_wide, metrics->cpus);
	case METRIC_CPUID:
		return pk_cpuid_text(cpuid, sizeof(cpuid), pk_lookups()) &&
		       pk_cpuid_matches(node->text, cpuid);
	case METRIC_HAS_EVENT: return has_event(metrics, &metrics->ids[node->link]);
	default: return NAN;
	}
}

/* ---- Values ---- */

/* The state while the value of a metric is calculated. */
struct working {
	struct metrics *metrics;
	const struct metric *shown;
	const struct stat_result *result;
	size_t group;
	double *metric_values; /* values of the metrics that are already calculated, by index of the
				* metric */
};

static int by_id(const void *a, const void *b)
{
	const struct metric_use *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static const struct metric_use *find_use(const struct working *working, size_t id)
{
	const struct metric_use key = {.id = id};

	return working->shown->uses_count ? bsearch(&key, working->shown->uses,
						    working->shown->uses_count, sizeof(key), by_id)
					  : NULL;
}

/* Returns the value of an event in the group, or NaN if it was not counted. The clocks of pk-stat
 * are in seconds, and have the same value in all groups. */
static double event_value(const struct working *working, size_t index)
{
	const struct stat_result *result = working->result;

	switch (result->events->items[index].stat.tool) {
	case EVENT_TOOL_DURATION: return result->seconds;
	case EVENT_TOOL_USER: return result->user;
	case EVENT_TOOL_SYSTEM: return result->system;
	default: break;
	}
	if (!stat_is_counted(result, index, working->group))
		return NAN;
	return stat_value(result, index, working->group);
}

static double id_value(void *arg, const struct metric_node *node)
{
	const struct working *working = arg;
	const size_t metric = working->metrics->ids[node->link].metric;
	const struct metric_use *use;
	double sum = 0;

	if (metric != METRIC_NONE)
		return working->metric_values[metric];
	use = find_use(working, node->link);
	for (size_t i = 0; use && i < use->count; i++)
		if (!working->result->hidden[use->first + i])
			sum += event_value(working, use->first + i);
	return use ? sum : NAN;
}

static double source_count(void *arg, const struct metric_node *node)
{
	const struct metric_use *use = find_use(arg, node->link);

	return use ? (double)use->count : NAN;
}

static double counters(void *arg, const struct metric_node *node)
{
	const struct working *working = arg;
	const struct stat_result *result = working->result;
	const struct metric_use *use = find_use(working, node->link);
	uint64_t sum = 0;

	for (size_t i = 0; use && i < use->count; i++)
		sum += result->counts[(use->first + i) * result->groups->count + working->group]
			       .counters;
	return use ? (double)sum : NAN;
}

static double known(void *arg, const struct metric_node *node)
{
	const struct working *working = arg;

	return metric_known(working->metrics, node);
}

double metrics_value(struct metrics *metrics, const struct metric *metric,
		     const struct stat_result *result, size_t group)
{
	struct working working = {
		.metrics = metrics,
		.shown = metric,
		.result = result,
		.group = group,
		.metric_values = metrics->scratch,
	};
	const struct metric_values values = {id_value, source_count, counters, known, &working};
	double *scratch = metrics->scratch + metrics->count, value = NAN;

	for (size_t i = 0; i < metric->order_count; i++) {
		value = metric_expr_value(&metrics->items[metric->order[i]].expr, &values, scratch);
		working.metric_values[metric->order[i]] = value;
	}
	return value * metric->scale;
}
