// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "event.h"
#include "pmu.h"
#include "trace_pmu.h"
#include "traces.h"

/* Events that sample memory accesses, by processor:
 *   Intel   PMU/mem-loads,ldlat=N/ and PMU/mem-stores/ of each kind of core. From Sapphire
 *           Rapids on, mem-loads counts only as the second event of a group. The first
 *           event of that group is mem-loads-aux.
 *   AMD     ibs_op, which samples all operations. From Zen 5 on, it has the term ldlat.
 *   arm64   arm_spe_0 ..., which write a hardware trace. pk-decode makes samples of it. */

/* Returns true if the PMU has the file FOLDER/NAME. folder is "events" or "format". */
static bool has(const struct event_list *list, const char *pmu, const char *folder,
		const char *name, struct pk_failures *lookups)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return pk_pmu_read(pk_pmu_sysfs(list->sysfs), pmu, path, text, sizeof(text), lookups);
}

static void add_core(struct buffer *text, const struct event_list *list, const char *pmu,
		     unsigned int kinds, uint64_t latency, struct pk_failures *lookups)
{
	const unsigned long long least = latency ? latency : MEMORY_LATENCY_USUAL;

	if (kinds & MEMORY_LOADS && has(list, pmu, "events", "mem-loads", lookups)) {
		if (has(list, pmu, "events", "mem-loads-aux", lookups))
			buffer_format(text, ",{%s/mem-loads-aux/,%s/mem-loads,ldlat=%llu/}:P", pmu,
				      pmu, least);
		else
			buffer_format(text, ",%s/mem-loads,ldlat=%llu/P", pmu, least);
	}
	if (kinds & MEMORY_STORES && has(list, pmu, "events", "mem-stores", lookups))
		buffer_format(text, ",%s/mem-stores/P", pmu);
}

static void add_ibs(struct buffer *text, const struct event_list *list, uint64_t latency,
		    struct pk_failures *lookups)
{
	char type[32];

	if (!pk_pmu_read(pk_pmu_sysfs(list->sysfs), "ibs_op", "type", type, sizeof(type), lookups))
		return;
	if (latency && has(list, "ibs_op", "format", "ldlat", lookups))
		buffer_format(text, ",ibs_op/ldlat=%llu/", (unsigned long long)latency);
	else
		buffer_text(text, ",ibs_op//");
}

static void add_spe(struct buffer *text, const struct event_list *list, unsigned int kinds,
		    uint64_t latency, struct pk_failures *lookups)
{
	struct pmu_names names = pk_pmu_list(pk_pmu_sysfs(list->sysfs), lookups);

	for (size_t i = 0; i < names.count; i++) {
		if (pk_trace_pmu_kind(names.items[i]) != PK_TRACE_ARM_SPE)
			continue;
		buffer_format(text, ",%s/ts_enable=1", names.items[i]);
		if (kinds & MEMORY_LOADS)
			buffer_format(
				text, ",load_filter=1,min_latency=%llu",
				(unsigned long long)(latency ? latency : MEMORY_LATENCY_USUAL));
		buffer_format(text, "%s/", kinds & MEMORY_STORES ? ",store_filter=1" : "");
	}
	pk_pmu_names_free(&names);
}

enum pk_status pk_event_list_add_memory(struct event_list *list, unsigned int kinds,
					uint64_t latency)
{
	static const char *const cores[] = {"cpu", "cpu_core", "cpu_atom"};
	struct pk_failures *lookups = &list->messages.failures;
	struct buffer text = {0};
	enum pk_status status;

	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
		add_core(&text, list, cores[i], kinds, latency, lookups);
	if (!text.size)
		add_ibs(&text, list, latency, lookups);
	if (!text.size)
		add_spe(&text, list, kinds, latency, lookups);
	buffer_char(&text, '\0');
	if (text.failed)
		status = pk_messages_no_memory(&list->messages);
	else if (text.size > 1)
		status = pk_event_list_parse(list, text.data + 1);
	else
		status = pk_messages_error(
			&list->messages,
			"this machine, or virtual machine, has no event that samples memory "
			"accesses (mem-loads, mem-stores, ibs_op, arm_spe)");
	free(text.data);
	return status;
}
