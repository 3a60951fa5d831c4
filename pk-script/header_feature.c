// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <time.h>

#include "header.h"

uint64_t header_take(struct cursor *cursor, size_t size)
{
	uint64_t value;

	if ((size_t)(cursor->end - cursor->at) < size) {
		cursor->at = cursor->end;
		return 0;
	}
	value = size == 8 ? pk_load_u64(cursor->at) : pk_load_u32(cursor->at);
	cursor->at += size;
	return value;
}

/* SPEC 6.2: u32 size, bytes. */
static struct cursor take_text(struct cursor *cursor)
{
	uint64_t size = header_take(cursor, 4), left = (uint64_t)(cursor->end - cursor->at);
	struct cursor text = {cursor->at, NULL};

	if (size > left)
		size = left;
	text.end = text.at + strnlen((const char *)text.at, size);
	cursor->at += size;
	return text;
}

void header_take_string(struct buffer *out, struct cursor *cursor)
{
	struct cursor text = take_text(cursor);

	buffer_harmless(out, (const char *)text.at, (size_t)(text.end - text.at));
}

static bool is_left(const struct cursor *cursor)
{
	return cursor->at < cursor->end;
}

/* ---- One by one; what stands behind "# " ---- */

static void add_text(struct buffer *out, struct cursor *cursor)
{
	header_take_string(out, cursor);
}

static void add_cpus(struct buffer *out, struct cursor *cursor)
{
	uint64_t available = header_take(cursor, 4);

	buffer_format(out, "%llu\n# nrcpus avail : %llu",
		      (unsigned long long)header_take(cursor, 4), (unsigned long long)available);
}

static void add_memory(struct buffer *out, struct cursor *cursor)
{
	buffer_format(out, "%llu kB", (unsigned long long)header_take(cursor, 8));
}

static void add_command(struct buffer *out, struct cursor *cursor)
{
	for (uint64_t i = header_take(cursor, 4); i > 0 && is_left(cursor); i--) {
		header_take_string(out, cursor);
		buffer_char(out, ' ');
	}
}

static void add_pmus(struct buffer *out, struct cursor *cursor)
{
	const char *before = "";

	for (uint64_t i = header_take(cursor, 4); i > 0 && is_left(cursor); i--, before = ", ") {
		uint64_t type = header_take(cursor, 4);

		buffer_text(out, before);
		header_take_string(out, cursor);
		buffer_format(out, " = %llu", (unsigned long long)type);
	}
}

static void add_seconds(struct buffer *out, uint64_t ns)
{
	buffer_format(out, "%llu.%06llu", (unsigned long long)ns / 1000000000,
		      (unsigned long long)ns % 1000000000 / 1000);
}

static void add_times(struct buffer *out, struct cursor *cursor)
{
	uint64_t first = header_take(cursor, 8), last = header_take(cursor, 8);

	add_seconds(out, first);
	buffer_text(out, "\n# time of last sample : ");
	add_seconds(out, last);
	buffer_format(out, "\n# sample duration : %10.3f ms", (double)(last - first) / 1e6);
}

static void add_number(struct buffer *out, struct cursor *cursor)
{
	buffer_format(out, "%llu", (unsigned long long)header_take(cursor, 4));
}

static void add_long(struct buffer *out, struct cursor *cursor)
{
	buffer_format(out, "%llu", (unsigned long long)header_take(cursor, 8));
}

static void add_machine(struct buffer *out, struct cursor *cursor)
{
	add_number(out, cursor);
	buffer_format(out, "\n#   e_flags : %llx", (unsigned long long)header_take(cursor, 4));
}

static void add_frequency(struct buffer *out, struct cursor *cursor)
{
	buffer_format(out, "%llu MHz", (unsigned long long)header_take(cursor, 8) * 1000);
}

static void add_compression(struct buffer *out, struct cursor *cursor)
{
	uint64_t type, level;

	header_take(cursor, 4); /* version */
	type = header_take(cursor, 4);
	level = header_take(cursor, 4);
	buffer_format(out, "%s, level = %llu, ratio = %llu", type == 1 ? "Zstd" : "Unknown",
		      (unsigned long long)level, (unsigned long long)header_take(cursor, 4));
}

static const char *name_of_clock(uint64_t clock)
{
	static const char *const names[] = {"realtime",	     "monotonic", NULL, NULL,
					    "monotonic_raw", NULL,	  NULL, "boottime"};

	if (clock == 11)
		return "tai";
	return clock < 8 && names[clock] ? names[clock] : "unknown";
}

static void add_clock(struct buffer *out, struct cursor *cursor)
{
	uint64_t clock, wall, time;
	struct tm tm;
	time_t seconds;
	char text[64];

	header_take(cursor, 4); /* version */
	clock = header_take(cursor, 4);
	wall = header_take(cursor, 8);
	time = header_take(cursor, 8);
	seconds = (time_t)(wall / 1000000000);
	buffer_format(out, "%s (%llu)\n# reference time: ", name_of_clock(clock),
		      (unsigned long long)clock);
	if (localtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		buffer_text(out, text);
	buffer_format(out, ".%06llu = ", (unsigned long long)wall % 1000000000 / 1000);
	add_seconds(out, wall);
	buffer_format(out, " (TOD) = %llu.%09llu (%s)", (unsigned long long)time / 1000000000,
		      (unsigned long long)time % 1000000000, name_of_clock(clock));
}

/* NAME=VALUE, NAME=VALUE */
static void add_pairs(struct buffer *out, struct cursor *cursor)
{
	uint64_t count = header_take(cursor, 4);
	const char *before = " ";

	if (!count)
		buffer_text(out, " not available");
	for (; count > 0 && is_left(cursor); count--, before = ", ") {
		buffer_text(out, before);
		header_take_string(out, cursor);
		buffer_char(out, '=');
		header_take_string(out, cursor);
	}
}

static void add_programs(struct buffer *out, struct cursor *cursor)
{
	uint64_t count = header_take(cursor, 4);

	if (count)
		buffer_format(out, ": %llu, use --dump to display", (unsigned long long)count);
	else
		buffer_text(out, " empty");
}

/* ---- Those of lines of their own ---- */

/* The name of a PMU stands behind its list. */
static void add_pmu_caps(struct buffer *out, struct cursor *cursor)
{
	for (uint64_t i = header_take(cursor, 4); i > 0 && is_left(cursor); i--) {
		struct buffer pairs = {0};

		add_pairs(&pairs, cursor);
		buffer_text(out, "# ");
		header_take_string(out, cursor);
		buffer_text(out, " pmu capabilities:");
		buffer_add(out, pairs.data, pairs.size);
		out->failed |= pairs.failed;
		buffer_char(out, '\n');
		free(pairs.data);
	}
}

static void add_group(struct buffer *out, struct cursor *cursor, const struct pk_events *events)
{
	struct cursor name = take_text(cursor);
	size_t size = (size_t)(name.end - name.at);
	uint64_t leader = header_take(cursor, 4), members = header_take(cursor, 4);

	buffer_text(out, "# group: ");
	if (size != 12 || memcmp(name.at, "{anon_group}", 12))
		buffer_harmless(out, (const char *)name.at, size);
	for (uint64_t i = 0; i < members && i < pk_events_count(events); i++) {
		const struct pk_event *event = pk_events_at(events, leader + i);

		buffer_char(out, i ? ',' : '{');
		if (event)
			buffer_harmless(out, event->name, strlen(event->name));
	}
	buffer_text(out, "}\n");
}

static void add_groups(struct buffer *out, struct cursor *cursor, const struct pk_events *events)
{
	for (uint64_t i = header_take(cursor, 4); i > 0 && is_left(cursor); i--)
		add_group(out, cursor, events);
}

/* ---- All ---- */

struct feature {
	const char *name;
	const char *before; /* what stands in front; NULL: only that the feature is there is said */
	void (*add)(struct buffer *out, struct cursor *cursor); /* NULL: see header_feature */
};

static const struct feature features[PERF_FEATURE_MAX] = {
	[PERF_FEATURE_TRACING_DATA] = {"TRACING_DATA", "", NULL},
	[PERF_FEATURE_BUILD_ID] = {"BUILD_ID", "", NULL},
	[PERF_FEATURE_HOSTNAME] = {"HOSTNAME", "hostname : ", add_text},
	[PERF_FEATURE_OSRELEASE] = {"OSRELEASE", "os release : ", add_text},
	[PERF_FEATURE_VERSION] = {"VERSION", "perf version : ", add_text},
	[PERF_FEATURE_ARCH] = {"ARCH", "arch : ", add_text},
	[PERF_FEATURE_NRCPUS] = {"NRCPUS", "nrcpus online : ", add_cpus},
	[PERF_FEATURE_CPUDESC] = {"CPUDESC", "cpudesc : ", add_text},
	[PERF_FEATURE_CPUID] = {"CPUID", "cpuid : ", add_text},
	[PERF_FEATURE_TOTAL_MEM] = {"TOTAL_MEM", "total memory : ", add_memory},
	[PERF_FEATURE_CMDLINE] = {"CMDLINE", "cmdline : ", add_command},
	[PERF_FEATURE_EVENT_DESC] = {"EVENT_DESC", "", NULL},
	[PERF_FEATURE_CPU_TOPOLOGY] = {"CPU_TOPOLOGY", NULL, NULL},
	[PERF_FEATURE_NUMA_TOPOLOGY] = {"NUMA_TOPOLOGY", NULL, NULL},
	[PERF_FEATURE_BRANCH_STACK] = {"BRANCH_STACK", "", NULL},
	[PERF_FEATURE_PMU_MAPPINGS] = {"PMU_MAPPINGS", "pmu mappings: ", add_pmus},
	[PERF_FEATURE_GROUP_DESC] = {"GROUP_DESC", "", NULL},
	[PERF_FEATURE_AUXTRACE] = {"AUXTRACE", "", NULL},
	[PERF_FEATURE_STAT] = {"STAT", "", NULL},
	[PERF_FEATURE_CACHE] = {"CACHE", NULL, NULL},
	[PERF_FEATURE_SAMPLE_TIME] = {"SAMPLE_TIME", "time of first sample : ", add_times},
	[PERF_FEATURE_MEM_TOPOLOGY] = {"MEM_TOPOLOGY", NULL, NULL},
	[PERF_FEATURE_CLOCKID] = {"CLOCKID", "clockid frequency: ", add_frequency},
	[PERF_FEATURE_DIR_FORMAT] = {"DIR_FORMAT", "directory data version : ", add_long},
	[PERF_FEATURE_BPF_PROG_INFO] = {"BPF_PROG_INFO", "bpf_prog_info", add_programs},
	[PERF_FEATURE_BPF_BTF] = {"BPF_BTF", "btf info", add_programs},
	[PERF_FEATURE_COMPRESSED] = {"COMPRESSED", "compressed : ", add_compression},
	[PERF_FEATURE_CPU_PMU_CAPS] = {"CPU_PMU_CAPS", "cpu pmu capabilities:", add_pairs},
	[PERF_FEATURE_CLOCK_DATA] = {"CLOCK_DATA", "clockid: ", add_clock},
	[PERF_FEATURE_HYBRID_TOPOLOGY] = {"HYBRID_TOPOLOGY", NULL, NULL},
	[PERF_FEATURE_PMU_CAPS] = {"PMU_CAPS", "", NULL},
	[PERF_FEATURE_CPU_DOMAIN_INFO] = {"CPU_DOMAIN_INFO", NULL, NULL},
	[PERF_FEATURE_E_MACHINE] = {"E_MACHINE", "e_machine : ", add_machine},
	[PERF_FEATURE_CLN_SIZE] = {"CLN_SIZE", "cacheline size: ", add_number},
};

const char *header_feature_name(uint32_t id)
{
	return id < PERF_FEATURE_MAX ? features[id].name : NULL;
}

void header_feature(struct buffer *out, uint32_t id, struct cursor cursor,
		    const struct pk_events *events)
{
	const struct feature *feature = &features[id];

	if (id == PERF_FEATURE_GROUP_DESC) {
		add_groups(out, &cursor, events);
	} else if (id == PERF_FEATURE_PMU_CAPS) {
		add_pmu_caps(out, &cursor);
	} else if (feature->add) {
		buffer_format(out, "# %s", feature->before);
		feature->add(out, &cursor);
		buffer_char(out, '\n');
	} else if (!feature->before) {
		buffer_format(out, "# %s info available, use --dump to display\n", feature->name);
	}
}
