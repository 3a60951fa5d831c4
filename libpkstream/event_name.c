// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "events.h"

/* The names that perf uses. They are for streams that have no names of events. */
static const char *const software_names[PERF_COUNT_SW_MAX] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};

static const char *const hardware_names[PERF_COUNT_HW_MAX] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const cache_names[] = {
	"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node",
};

static const char *const cache_ops[3][2] = {
	{"loads", "load-misses"},
	{"stores", "store-misses"},
	{"prefetches", "prefetch-misses"},
};

static bool cache_name(uint64_t config, char *name, size_t size)
{
	uint64_t cache = config & 0xff, op = (config >> 8) & 0xff, result = (config >> 16) & 0xff;

	if (config >> 24 || cache >= sizeof(cache_names) / sizeof(cache_names[0]) || op >= 3 ||
	    result >= 2)
		return false;
	snprintf(name, size, "%s-%s", cache_names[cache], cache_ops[op][result]);
	return true;
}

/* Writes a colon and perf's modifiers: the processor modes in which the event counts, and its
 * precision. Writes nothing if the event counts in all modes and is not precise. (perf writes HG in
 * one more case: if an event with other modifiers excludes neither host nor guest.) */
static void modifiers(const struct perf_attr *attr, char *text)
{
	const uint64_t rings =
		PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_HV;
	unsigned int precise = attr->flags >> PERF_ATTR_PRECISE_IP_SHIFT & 3;
	bool selected = (attr->flags & rings) || precise,
	     host_only = attr->flags & PERF_ATTR_EXCLUDE_GUEST;
	char *at = text;

	*at++ = ':';
	if (attr->flags & rings) {
		if (!(attr->flags & PERF_ATTR_EXCLUDE_KERNEL))
			*at++ = 'k';
		if (!(attr->flags & PERF_ATTR_EXCLUDE_USER))
			*at++ = 'u';
		if (!(attr->flags & PERF_ATTR_EXCLUDE_HV))
			*at++ = 'h';
	}
	while (precise--)
		*at++ = 'p';
	if (attr->flags & PERF_ATTR_EXCLUDE_HOST || (host_only && selected)) {
		if (!(attr->flags & PERF_ATTR_EXCLUDE_HOST))
			*at++ = 'H';
		if (!host_only)
			*at++ = 'G';
	}
	if (at == text + 1)
		at = text;
	*at = '\0';
}

static void breakpoint_name(const struct perf_attr *attr, char *name, size_t size)
{
	snprintf(name, size, "mem:0x%llx:%s%s%s", (unsigned long long)attr->config1,
		 attr->bp_type & 1 ? "r" : "", attr->bp_type & 2 ? "w" : "",
		 attr->bp_type & 4 ? "x" : "");
}

static void plain_name(const struct perf_attr *attr, char *name, size_t size)
{
	uint64_t config = attr->config;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		if (config < PERF_COUNT_HW_MAX) {
			snprintf(name, size, "%s", hardware_names[config]);
			return;
		}
		break;
	case PERF_TYPE_SOFTWARE:
		if (config < PERF_COUNT_SW_MAX) {
			snprintf(name, size, "%s", software_names[config]);
			return;
		}
		break;
	case PERF_TYPE_TRACEPOINT:
		snprintf(name, size, "tracepoint %llu", (unsigned long long)config);
		return;
	case PERF_TYPE_HW_CACHE:
		if (cache_name(config, name, size))
			return;
		break;
	case PERF_TYPE_BREAKPOINT: breakpoint_name(attr, name, size); return;
	default: break;
	}
	snprintf(name, size, "raw 0x%llx", (unsigned long long)config);
}

void pk_event_derive_name(const struct perf_attr *attr, char *name, size_t size)
{
	size_t length;
	char text[12];

	plain_name(attr, name, size);
	modifiers(attr, text);
	length = strlen(name);
	if (attr->type != PERF_TYPE_TRACEPOINT)
		snprintf(name + length, size - length, "%s", text);
}
