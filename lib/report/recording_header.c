// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "buffer.h"
#include "event_line.h"
#include "pkprivate.h"
#include "pkstream.h"
#include "recording_header.h"

/* ---- Reading features ---- */

/* Functions that read the content of a feature (SPEC 6.2). The content can end at any byte. */

/* The bytes of a feature that have not been read yet. */
struct feature_cursor {
	const uint8_t *at, *end;
};

/* Reads a number of 4 or 8 bytes. If fewer bytes remain, returns 0 and moves to the end. */
static inline uint64_t read_number(struct feature_cursor *cursor, size_t size)
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

/* Reads a string. It consists of its size as a u32, and then that many bytes. If fewer bytes remain
 * in the content, only these bytes are used. Returns the bytes before the first NUL. */
static inline struct feature_cursor read_text(struct feature_cursor *cursor)
{
	uint64_t size = read_number(cursor, 4), left = (uint64_t)(cursor->end - cursor->at);
	struct feature_cursor text = {cursor->at, NULL};

	if (size > left)
		size = left;
	text.end = text.at + strnlen((const char *)text.at, size);
	cursor->at += size;
	return text;
}

/* Reads a string and appends it. Control bytes are replaced. */
static inline void add_text(struct buffer *out, struct feature_cursor *cursor)
{
	struct feature_cursor text = read_text(cursor);

	buffer_harmless(out, (const char *)text.at, (size_t)(text.end - text.at));
}

static inline bool is_left(const struct feature_cursor *cursor)
{
	return cursor->at < cursor->end;
}

/* ---- The machine ---- */

/* Formats the features about the components of a machine: CPUs, caches, nodes. Each function
 * appends one line for each component, as perf script -I prints it. */

/* ---- CPU_TOPOLOGY ---- */

/* Appends one line for each string of a list. Returns the number of lines. */
static uint64_t add_siblings(struct buffer *out, struct feature_cursor *cursor, const char *before)
{
	uint64_t count = 0;

	for (uint64_t left = read_number(cursor, 4); left > 0 && is_left(cursor); left--, count++) {
		buffer_text(out, before);
		add_text(out, cursor);
		buffer_char(out, '\n');
	}
	return count;
}

/* Prints the feature CPU_TOPOLOGY. `cpus` is the number of available CPUs from the feature NRCPUS,
 * or 0 if it is unknown. The feature starts with the lists of sockets and threads. Two numbers
 * (core, socket) for each CPU follow. Then it has the list of dies, and the number of the die for
 * each CPU. perf prints the dies before the threads. */
static void header_add_cpu_topology(struct buffer *out, struct feature_cursor *cursor,
				    uint64_t cpus)
{
	struct buffer threads = {0};
	struct feature_cursor places, dies;
	uint64_t die_lists;

	add_siblings(out, cursor, "# sibling sockets : ");
	add_siblings(&threads, cursor, "# sibling threads : ");
	places = *cursor;
	if ((uint64_t)(cursor->end - cursor->at) < cpus * 8) {
		cpus = 0;
		cursor->at = cursor->end;
	}
	cursor->at += cpus * 8;
	die_lists = add_siblings(out, cursor, "# sibling dies    : ");
	dies = *cursor;
	buffer_add(out, threads.data, threads.size);
	out->failed |= threads.failed;
	free(threads.data);
	for (uint64_t cpu = 0; cpu < cpus; cpu++) {
		buffer_format(out, "# CPU %llu: Core ID %d, ", (unsigned long long)cpu,
			      (int)read_number(&places, 4));
		if (die_lists)
			buffer_format(out, "Die ID %d, ", (int)read_number(&dies, 4));
		buffer_format(out, "Socket ID %d\n", (int)read_number(&places, 4));
	}
	if (!cpus)
		buffer_format(out, "# Core ID%s Socket ID information is not available\n",
			      die_lists ? ", Die ID and" : " and");
}

/* ---- NUMA_TOPOLOGY, HYBRID_TOPOLOGY, CACHE ---- */

static void header_add_numa_topology(struct buffer *out, struct feature_cursor *cursor)
{
	for (uint64_t left = read_number(cursor, 4); left > 0 && is_left(cursor); left--) {
		unsigned int node = (unsigned int)read_number(cursor, 4);
		unsigned long long total = read_number(cursor, 8), free = read_number(cursor, 8);

		buffer_format(out, "# node%u meminfo  : total = %llu kB, free = %llu kB\n", node,
			      total, free);
		buffer_format(out, "# node%u cpu list : ", node);
		add_text(out, cursor);
		buffer_char(out, '\n');
	}
}

static void header_add_hybrid_topology(struct buffer *out, struct feature_cursor *cursor)
{
	buffer_text(out, "# hybrid cpu system:\n");
	for (uint64_t left = read_number(cursor, 4); left > 0 && is_left(cursor); left--) {
		buffer_text(out, "# ");
		add_text(out, cursor);
		buffer_text(out, " cpu list : ");
		add_text(out, cursor);
		buffer_char(out, '\n');
	}
}

/* Appends the next string, padded with blanks to `width` bytes. With `right`, the blanks are before
 * the string, otherwise after it. */
static void add_column(struct buffer *out, struct feature_cursor *cursor, size_t width, bool right)
{
	struct buffer text = {0};

	add_text(&text, cursor);
	for (size_t i = text.size; right && i < width; i++)
		buffer_char(out, ' ');
	buffer_add(out, text.data, text.size);
	for (size_t i = text.size; !right && i < width; i++)
		buffer_char(out, ' ');
	out->failed |= text.failed;
	free(text.data);
}

static void header_add_caches(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t left;

	read_number(cursor, 4); /* skips the version */
	left = read_number(cursor, 4);
	buffer_text(out, "# CPU cache info:\n");
	for (; left > 0 && is_left(cursor); left--) {
		buffer_format(out, "#  L%u ", (unsigned int)read_number(cursor, 4));
		for (int i = 0; i < 3; i++) /* skips line size, sets and ways */
			read_number(cursor, 4);
		add_column(out, cursor, 15, false);
		buffer_char(out, ' ');
		add_column(out, cursor, 8, true);
		buffer_text(out, " [");
		add_text(out, cursor);
		buffer_text(out, "]\n");
	}
}

/* ---- MEM_TOPOLOGY ---- */

/* A bitmap that consists of 64-bit words. */
struct bits {
	struct feature_cursor words;
	uint64_t count;
};

static bool is_set(const struct bits *bits, uint64_t bit)
{
	const uint8_t *word = bits->words.at + bit / 64 * 8;

	return bit < bits->count && bits->words.end - word >= 8 &&
	       pk_load_u64(word) >> bit % 64 & 1;
}

/* As in perf, a unit is used only if the size is at least two of this unit. */
static void add_size(struct buffer *out, uint64_t size)
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	for (; size / 1024 > 1 && unit < 3; unit++)
		size /= 1024;
	buffer_format(out, "%llu%c", (unsigned long long)size, units[unit]);
}

/* Appends the set bits as ranges, such as "0-23,32-199". */
static void add_ranges(struct buffer *out, const struct bits *bits)
{
	const char *before = "";

	for (uint64_t bit = 0; bit < bits->count; bit++) {
		const uint64_t first = bit;

		if (!is_set(bits, bit))
			continue;
		while (is_set(bits, bit + 1))
			bit++;
		buffer_format(out, "%s%llu", before, (unsigned long long)first);
		if (bit > first)
			buffer_format(out, "-%llu", (unsigned long long)bit);
		before = ",";
	}
}

static void header_add_memory_nodes(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t block_size, nodes, set;

	read_number(cursor, 8); /* skips the version */
	block_size = read_number(cursor, 8);
	nodes = read_number(cursor, 8);
	buffer_format(out, "# memory nodes (nr %llu, block size 0x%llx):\n",
		      (unsigned long long)nodes, (unsigned long long)block_size);
	for (; nodes > 0 && is_left(cursor); nodes--) {
		const uint64_t node = read_number(cursor, 8), size = read_number(cursor, 8);
		const uint64_t left = (uint64_t)(cursor->end - cursor->at);
		struct bits bits = {.count = size};

		read_number(cursor, 8); /* skips the size, which is repeated here */
		bits.words = *cursor;
		if (size > left * 8)
			bits.count = left * 8;
		cursor->at += (size_t)(cursor->end - cursor->at) < (bits.count + 63) / 64 * 8
				      ? (size_t)(cursor->end - cursor->at)
				      : (bits.count + 63) / 64 * 8;
		set = 0;
		for (uint64_t bit = 0; bit < bits.count; bit++)
			set += is_set(&bits, bit);
		buffer_format(out, "#  %3llu [", (unsigned long long)node);
		add_size(out, set * block_size);
		buffer_text(out, "]: ");
		add_ranges(out, &bits);
		buffer_char(out, '\n');
	}
}

/* ---- Features that print one text after "# " ---- */

static void add_cpus(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t available = read_number(cursor, 4);

	buffer_format(out, "%llu\n# nrcpus avail : %llu",
		      (unsigned long long)read_number(cursor, 4), (unsigned long long)available);
}

static void add_memory(struct buffer *out, struct feature_cursor *cursor)
{
	buffer_format(out, "%llu kB", (unsigned long long)read_number(cursor, 8));
}

static void add_command(struct buffer *out, struct feature_cursor *cursor)
{
	for (uint64_t i = read_number(cursor, 4); i > 0 && is_left(cursor); i--) {
		add_text(out, cursor);
		buffer_char(out, ' ');
	}
}

static void add_pmus(struct buffer *out, struct feature_cursor *cursor)
{
	const char *before = "";

	for (uint64_t i = read_number(cursor, 4); i > 0 && is_left(cursor); i--, before = ", ") {
		uint64_t type = read_number(cursor, 4);

		buffer_text(out, before);
		add_text(out, cursor);
		buffer_format(out, " = %llu", (unsigned long long)type);
	}
}

static void add_seconds(struct buffer *out, uint64_t ns)
{
	buffer_format(out, "%llu.%06llu", (unsigned long long)ns / 1000000000,
		      (unsigned long long)ns % 1000000000 / 1000);
}

static void add_times(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t first = read_number(cursor, 8), last = read_number(cursor, 8);

	add_seconds(out, first);
	buffer_text(out, "\n# time of last sample : ");
	add_seconds(out, last);
	buffer_format(out, "\n# sample duration : %10.3f ms", (double)(last - first) / 1e6);
}

static void add_number(struct buffer *out, struct feature_cursor *cursor)
{
	buffer_format(out, "%llu", (unsigned long long)read_number(cursor, 4));
}

static void add_long(struct buffer *out, struct feature_cursor *cursor)
{
	buffer_format(out, "%llu", (unsigned long long)read_number(cursor, 8));
}

/* Appends the version of the recorder. It is "6.1.187" for perf and "pk 0.1" for pk. */
static void add_version(struct buffer *out, struct feature_cursor *cursor)
{
	struct feature_cursor text = read_text(cursor);
	const bool pk = text.end - text.at > 3 && !memcmp(text.at, "pk ", 3);

	if (pk)
		text.at += 3;
	buffer_text(out, pk ? "pk version : " : "perf version : ");
	buffer_harmless(out, (const char *)text.at, (size_t)(text.end - text.at));
}

static void add_machine(struct buffer *out, struct feature_cursor *cursor)
{
	add_number(out, cursor);
	buffer_format(out, "\n#   e_flags : %llx", (unsigned long long)read_number(cursor, 4));
}

static void add_frequency(struct buffer *out, struct feature_cursor *cursor)
{
	buffer_format(out, "%llu MHz", (unsigned long long)read_number(cursor, 8) * 1000);
}

static void add_compression(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t type, level;

	read_number(cursor, 4); /* skips the version */
	type = read_number(cursor, 4);
	level = read_number(cursor, 4);
	buffer_format(out, "%s, level = %llu, ratio = %llu", type == 1 ? "Zstd" : "Unknown",
		      (unsigned long long)level, (unsigned long long)read_number(cursor, 4));
}

static const char *name_of_clock(uint64_t clock)
{
	static const char *const names[] = {"realtime",	     "monotonic", NULL, NULL,
					    "monotonic_raw", NULL,	  NULL, "boottime"};

	if (clock == 11)
		return "tai";
	return clock < 8 && names[clock] ? names[clock] : "unknown";
}

static void add_clock(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t clock, wall, time;
	struct tm tm;
	time_t seconds;
	char text[64];

	read_number(cursor, 4); /* skips the version */
	clock = read_number(cursor, 4);
	wall = read_number(cursor, 8);
	time = read_number(cursor, 8);
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

/* Appends pairs in the form "NAME=VALUE, NAME=VALUE". */
static void add_pairs(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t count = read_number(cursor, 4);
	const char *before = " ";

	if (!count)
		buffer_text(out, " not available");
	for (; count > 0 && is_left(cursor); count--, before = ", ") {
		buffer_text(out, before);
		add_text(out, cursor);
		buffer_char(out, '=');
		add_text(out, cursor);
	}
}

static void add_programs(struct buffer *out, struct feature_cursor *cursor)
{
	uint64_t count = read_number(cursor, 4);

	if (count)
		buffer_format(out, ": %llu, use --dump to display", (unsigned long long)count);
	else
		buffer_text(out, " empty");
}

/* ---- Features with their own lines ---- */

/* In the feature, the name of a PMU comes after its list of capabilities. */
static void add_pmu_caps(struct buffer *out, struct feature_cursor *cursor)
{
	for (uint64_t i = read_number(cursor, 4); i > 0 && is_left(cursor); i--) {
		struct buffer pairs = {0};

		add_pairs(&pairs, cursor);
		buffer_text(out, "# ");
		add_text(out, cursor);
		buffer_text(out, " pmu capabilities:");
		buffer_add(out, pairs.data, pairs.size);
		out->failed |= pairs.failed;
		buffer_char(out, '\n');
		free(pairs.data);
	}
}

static void add_group(struct buffer *out, struct feature_cursor *cursor,
		      const struct pk_events *events)
{
	struct feature_cursor name = read_text(cursor);
	size_t size = (size_t)(name.end - name.at);
	uint64_t leader = read_number(cursor, 4), members = read_number(cursor, 4);

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

static void add_groups(struct buffer *out, struct feature_cursor *cursor,
		       const struct pk_events *events)
{
	for (uint64_t i = read_number(cursor, 4); i > 0 && is_left(cursor); i--)
		add_group(out, cursor, events);
}

/* ---- All ---- */

/* How one feature is printed. */
struct feature {
	const char *name;
	const char *before; /* Text before the content. If it is NULL, only the presence of the
			     * feature is printed. */
	void (*add)(struct buffer *out,
		    struct feature_cursor *cursor); /* the function that prints the content; if it
						     * is NULL, add_feature() prints it */
};

static const struct feature features[PERF_FEATURE_MAX] = {
	[PERF_FEATURE_TRACING_DATA] = {"TRACING_DATA", "", NULL},
	[PERF_FEATURE_BUILD_ID] = {"BUILD_ID", "", NULL},
	[PERF_FEATURE_HOSTNAME] = {"HOSTNAME", "hostname : ", add_text},
	[PERF_FEATURE_OSRELEASE] = {"OSRELEASE", "os release : ", add_text},
	[PERF_FEATURE_VERSION] = {"VERSION", "", add_version},
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

/* Returns the name of a feature in upper case, or NULL if it is unknown. */
static const char *feature_name(uint32_t id)
{
	return id < PERF_FEATURE_MAX ? features[id].name : NULL;
}

/* Data from outside of a feature that is needed for the lines of some features. */
struct surroundings {
	const struct pk_events *events;
	uint64_t cpus; /* from the feature NRCPUS */
	bool whole;    /* -I was given */
};

/* Appends the lines of a feature that is printed only with -I. Returns false if the feature is none
 * of these. */
static bool add_whole(struct buffer *out, uint32_t id, struct feature_cursor *cursor, uint64_t cpus)
{
	switch (id) {
	case PERF_FEATURE_CPU_TOPOLOGY: header_add_cpu_topology(out, cursor, cpus); return true;
	case PERF_FEATURE_NUMA_TOPOLOGY: header_add_numa_topology(out, cursor); return true;
	case PERF_FEATURE_CACHE: header_add_caches(out, cursor); return true;
	case PERF_FEATURE_MEM_TOPOLOGY: header_add_memory_nodes(out, cursor); return true;
	case PERF_FEATURE_HYBRID_TOPOLOGY: header_add_hybrid_topology(out, cursor); return true;
	default: return false;
	}
}

/* Appends the lines of a feature. Appends nothing if the format of its content is unknown. */
static void add_feature(struct buffer *out, uint32_t id, struct feature_cursor cursor,
			const struct surroundings *of)
{
	const struct feature *feature = &features[id];

	if (of->whole && add_whole(out, id, &cursor, of->cpus))
		return;
	if (id == PERF_FEATURE_GROUP_DESC) {
		add_groups(out, &cursor, of->events);
	} else if (id == PERF_FEATURE_PMU_CAPS) {
		add_pmu_caps(out, &cursor);
	} else if (feature->add) {
		buffer_format(out, "# %s", feature->before);
		feature->add(out, &cursor);
		buffer_char(out, '\n');
	} else if (!feature->before) {
		buffer_format(out, "# %s info available, use %s to display\n", feature->name,
			      id == PERF_FEATURE_CPU_DOMAIN_INFO ? "--dump" : "-I");
	}
}

/* Collects the features of a stream, which come in separate records. They are kept until the first
 * record that cannot belong to the start of the stream (is_preface()), or until the end of the
 * session. Then they are printed in one block, sorted by the number of the feature, as perf does
 * for a file. */
struct recording_header {
	struct pk_run *run;
	const struct header_options *options;
	struct buffer *out;
	/* The following members belong to the current session: */
	bool closed; /* the block was printed, so later features are printed immediately */
	bool seen[PERF_FEATURE_MAX];
	struct buffer contents[PERF_FEATURE_MAX];
	struct buffer stages;
};

/* ---- Stages (SPEC 9.2) ---- */

static void add_time(struct buffer *out, uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;
	char text[64];

	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), ", %Y-%m-%dT%H:%M:%SZ", &tm))
		buffer_text(out, text);
}

/* Reads the next NUL-terminated string, or returns "" after the last one. */
static const char *next_string(struct feature_cursor *cursor)
{
	const char *text = (const char *)cursor->at;
	size_t left = (size_t)(cursor->end - cursor->at), length = strnlen(text, left);

	if (length == left)
		return "";
	cursor->at += length + 1;
	return text;
}

static void add_next(struct buffer *out, const char *before, struct feature_cursor *cursor)
{
	const char *text = next_string(cursor);

	buffer_text(out, before);
	buffer_harmless(out, text, strlen(text));
}

static void add_stage(struct buffer *out, const struct pk_record *record)
{
	const struct pk_record_stage *stage = (const void *)record->data;
	struct feature_cursor cursor = {(const uint8_t *)stage->strings,
					record->data + record->size};

	if (record->size < sizeof(*stage))
		return;
	buffer_format(out, "# stage %u", stage->id);
	if (stage->parent)
		buffer_format(out, " after %u", stage->parent);
	add_next(out, " : ", &cursor);
	add_next(out, " ", &cursor);
	add_next(out, " on ", &cursor);
	if (stage->time)
		add_time(out, stage->time);
	buffer_char(out, ':');
	for (uint32_t i = 0; i < stage->argc && cursor.at < cursor.end; i++)
		add_next(out, " ", &cursor);
	buffer_char(out, '\n');
}

/* ---- The block ---- */

static void show_start(struct recording_header *header)
{
	struct pk_run *run = header->run;
	struct buffer *out = header->out;
	struct stat st;
	char text[64];

	buffer_text(out, "# ========\n");
	if (!stat(run->input.name, &st)) {
		if (S_ISREG(st.st_mode) && ctime_r(&st.st_mtime, text))
			buffer_format(out, "# captured on    : %s", text);
	} else if (errno != ENOENT &&
		   errno != ENOTDIR) { /* run->input.name can be "stdin", which is not a file */
		pk_error("%s: cannot find out when it was written: %s", run->input.name,
			 strerror(errno));
		run->input.damaged = true;
	}
	buffer_text(out, "# header version : 1\n");
}

static void show_events(struct recording_header *header)
{
	const struct pk_events *events = pk_reader_events(header->run->reader);

	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct pk_event *event = pk_events_at(events, i);

		if (header->options->only_events)
			pk_event_list_line(header->out, event);
		else
			pk_event_header_line(header->out, event);
		header->seen[PERF_FEATURE_EVENT_DESC] = true;
		/* perf prints this line for branch stacks of -b, but not for branch stacks of
		 * --call-graph lbr. */
		if (pk_event_recorded_type(event) & PERF_SAMPLE_BRANCH_STACK &&
		    !(event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
			header->seen[PERF_FEATURE_BRANCH_STACK] = true;
	}
}

static uint64_t cpus_of(const struct recording_header *header)
{
	const struct buffer *content = &header->contents[PERF_FEATURE_NRCPUS];

	return content->size < 4 ? 0 : pk_load_u32((const uint8_t *)content->data);
}

static void show_feature(struct recording_header *header, uint32_t id)
{
	const struct buffer *content = &header->contents[id];
	const uint8_t *data = (const uint8_t *)content->data;
	const struct surroundings surroundings = {
		.events = pk_reader_events(header->run->reader),
		.cpus = cpus_of(header),
		.whole = header->options->whole,
	};

	if (content->size)
		add_feature(header->out, id, (struct feature_cursor){data, data + content->size},
			    &surroundings);
}

/* Appends the line that says that a feature without content is present. */
static void show_presence(struct recording_header *header, uint32_t id)
{
	static const char *const lines[PERF_FEATURE_MAX] = {
		[PERF_FEATURE_BRANCH_STACK] = "# contains samples with branch stack\n",
		[PERF_FEATURE_AUXTRACE] = "# contains AUX area data (e.g. instruction trace)\n",
		[PERF_FEATURE_STAT] = "# contains stat data\n",
	};

	if (lines[id] && header->seen[id])
		buffer_text(header->out, lines[id]);
}

static void show_missing(struct recording_header *header)
{
	buffer_text(header->out, "# missing features: ");
	for (uint32_t id = 1; id < PERF_FEATURE_MAX; id++)
		if (!header->seen[id])
			buffer_format(header->out, "%s ", feature_name(id));
	buffer_char(header->out, '\n');
}

void pk_recording_header_end(struct recording_header *header)
{
	if (header->closed)
		return;
	header->closed = true;
	if (header->options->only_events) {
		show_events(header);
		return;
	}
	show_start(header);
	for (uint32_t id = 1; id < PERF_FEATURE_MAX; id++) {
		if (id == PERF_FEATURE_EVENT_DESC)
			show_events(header);
		else
			show_feature(header, id);
		show_presence(header, id);
	}
	buffer_add(header->out, header->stages.data, header->stages.size);
	header->out->failed |= header->stages.failed;
	show_missing(header);
	buffer_text(header->out, "# ========\n#\n");
}

/* ---- Records ---- */

static void forget(struct recording_header *header)
{
	for (uint32_t id = 0; id < PERF_FEATURE_MAX; id++)
		free(header->contents[id].data);
	free(header->stages.data);
}

struct recording_header *pk_recording_header_new(struct pk_run *run,
						 const struct header_options *options,
						 struct buffer *out)
{
	struct recording_header *header = calloc(1, sizeof(*header));

	if (header)
		*header = (struct recording_header){.run = run, .options = options, .out = out};
	return header;
}

void pk_recording_header_free(struct recording_header *header)
{
	if (header)
		forget(header);
	free(header);
}

static void start_session(struct recording_header *header)
{
	forget(header);
	*header = (struct recording_header){
		.run = header->run, .options = header->options, .out = header->out};
}

static void keep_feature(struct recording_header *header, const struct pk_feature_content *feature)
{
	if (feature->id >= PERF_FEATURE_MAX)
		return;
	header->seen[feature->id] = true;
	header->contents[feature->id].size = 0;
	buffer_add(&header->contents[feature->id], feature->data, feature->size);
	header->out->failed |= header->contents[feature->id].failed;
	if (header->closed && !header->options->only_events)
		show_feature(header, feature->id);
}

/* Returns whether the record can come before the names of events. Recorders write such records at
 * the start of a stream, and the last of them are the kernel's maps. */
static bool is_preface(const struct pk_record *record)
{
	if (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2)
		return (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	return record->type >= PERF_RECORD_HEADER_ATTR &&
	       record->type != PERF_RECORD_FINISHED_ROUND;
}

void pk_recording_header_record(struct recording_header *header, const struct pk_record *record)
{
	struct pk_feature_content feature;

	if (record->type == PK_RECORD_BEGIN)
		start_session(header);
	else if (!is_preface(record))
		pk_recording_header_end(header);
	else if (pk_reader_feature(header->run->reader, record, &feature))
		keep_feature(header, &feature);
	else if (pk_definition_of(record) == PK_STAGE)
		add_stage(header->closed ? header->out : &header->stages, record);
	else if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		header->seen[PERF_FEATURE_TRACING_DATA] = true;
	else if (record->type == PERF_RECORD_HEADER_BUILD_ID)
		header->seen[PERF_FEATURE_BUILD_ID] = true;
	else if (record->type == PERF_RECORD_AUXTRACE_INFO)
		header->seen[PERF_FEATURE_AUXTRACE] = true;
	else if (record->type == PERF_RECORD_STAT_CONFIG)
		header->seen[PERF_FEATURE_STAT] = true;
}

/* ---- Options ---- */

/* -I prints the complete header, so it includes --header. */
static int show_all(const struct pk_option *option, void *at, const char *text)
{
	struct header_options *header = at;

	(void)option;
	(void)text;
	header->whole = true;
	if (header->wanted == HEADER_NONE)
		header->wanted = HEADER_SHOWN;
	return PK_CONTINUE;
}

#define AT(member) PK_AT(struct header_options, member)

const struct pk_option pk_header_rows[] = {
	{0, "header", NULL, PK_SET, "print the header of the recording, too", AT(wanted),
	 .set = HEADER_SHOWN},
	{0, "header-only", NULL, PK_SET, "print only the header", AT(wanted), .set = HEADER_ONLY},
	{'I', "show-info", NULL, PK_CALL, "print the complete header", .parse = show_all},
	PK_OPTIONS_END,
};
