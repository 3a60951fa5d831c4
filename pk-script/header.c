// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "script.h"

/* The lines of perf's --header. What a stream has comes record by record, so the block that a file
 * would fill is closed at once, as perf closes it for a pipe. */

/* What is left of a record. */
struct cursor {
	const uint8_t *at, *end;
};

static uint64_t take(struct cursor *cursor, size_t size)
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

static void add_string(struct buffer *out, struct cursor *cursor)
{
	uint64_t size = take(cursor, 4), left = (uint64_t)(cursor->end - cursor->at);
	const char *text = (const char *)cursor->at;

	if (size > left)
		size = left;
	buffer_harmless(out, text, strnlen(text, size));
	cursor->at += size;
}

/* ---- Features ---- */

static void add_text(struct buffer *out, struct cursor *cursor)
{
	add_string(out, cursor);
}

static void add_cpus(struct buffer *out, struct cursor *cursor)
{
	uint64_t available = take(cursor, 4);

	buffer_format(out, "%llu\n# nrcpus avail : %llu", (unsigned long long)take(cursor, 4),
		      (unsigned long long)available);
}

static void add_memory(struct buffer *out, struct cursor *cursor)
{
	buffer_format(out, "%llu kB", (unsigned long long)take(cursor, 8));
}

static void add_command(struct buffer *out, struct cursor *cursor)
{
	for (uint64_t i = take(cursor, 4); i > 0 && cursor->at < cursor->end; i--) {
		add_string(out, cursor);
		buffer_char(out, ' ');
	}
}

static void add_pmus(struct buffer *out, struct cursor *cursor)
{
	const char *before = "";

	for (uint64_t i = take(cursor, 4); i > 0 && cursor->at < cursor->end; i--, before = ", ") {
		uint64_t type = take(cursor, 4);

		buffer_text(out, before);
		add_string(out, cursor);
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
	uint64_t first = take(cursor, 8), last = take(cursor, 8);

	add_seconds(out, first);
	buffer_text(out, "\n# time of last sample : ");
	add_seconds(out, last);
	buffer_format(out, "\n# sample duration : %10.3f ms", (double)(last - first) / 1e6);
}

static void add_number(struct buffer *out, struct cursor *cursor)
{
	buffer_format(out, "%llu", (unsigned long long)take(cursor, 4));
}

static void add_machine(struct buffer *out, struct cursor *cursor)
{
	add_number(out, cursor);
	buffer_format(out, "\n#   e_flags : %llx", (unsigned long long)take(cursor, 4));
}

struct feature {
	const char *name; /* what stands in front of the colon, or alone */
	void (*add)(struct buffer *out, struct cursor *cursor); /* NULL: that it is there */
};

static const struct feature features[PERF_FEATURE_MAX] = {
	[PERF_FEATURE_HOSTNAME] = {"hostname : ", add_text},
	[PERF_FEATURE_OSRELEASE] = {"os release : ", add_text},
	[PERF_FEATURE_VERSION] = {"perf version : ", add_text},
	[PERF_FEATURE_ARCH] = {"arch : ", add_text},
	[PERF_FEATURE_NRCPUS] = {"nrcpus online : ", add_cpus},
	[PERF_FEATURE_CPUDESC] = {"cpudesc : ", add_text},
	[PERF_FEATURE_CPUID] = {"cpuid : ", add_text},
	[PERF_FEATURE_TOTAL_MEM] = {"total memory : ", add_memory},
	[PERF_FEATURE_CMDLINE] = {"cmdline : ", add_command},
	[PERF_FEATURE_CPU_TOPOLOGY] = {"CPU_TOPOLOGY", NULL},
	[PERF_FEATURE_NUMA_TOPOLOGY] = {"NUMA_TOPOLOGY", NULL},
	[PERF_FEATURE_PMU_MAPPINGS] = {"pmu mappings: ", add_pmus},
	[PERF_FEATURE_GROUP_DESC] = {"GROUP_DESC", NULL},
	[PERF_FEATURE_CACHE] = {"CACHE", NULL},
	[PERF_FEATURE_SAMPLE_TIME] = {"time of first sample : ", add_times},
	[PERF_FEATURE_MEM_TOPOLOGY] = {"MEM_TOPOLOGY", NULL},
	[PERF_FEATURE_CPU_PMU_CAPS] = {"CPU_PMU_CAPS", NULL},
	[PERF_FEATURE_CLOCK_DATA] = {"CLOCK_DATA", NULL},
	[PERF_FEATURE_HYBRID_TOPOLOGY] = {"HYBRID_TOPOLOGY", NULL},
	[PERF_FEATURE_PMU_CAPS] = {"PMU_CAPS", NULL},
	[PERF_FEATURE_CPU_DOMAIN_INFO] = {"CPU_DOMAIN_INFO", NULL},
	[PERF_FEATURE_E_MACHINE] = {"e_machine : ", add_machine},
	[PERF_FEATURE_CLN_SIZE] = {"cacheline size: ", add_number},
};

static void show_feature(struct buffer *out, const struct pk_feature_content *content)
{
	struct cursor cursor = {content->data, content->data + content->size};
	const struct feature *feature =
		content->id < PERF_FEATURE_MAX ? &features[content->id] : NULL;

	if (!feature || !feature->name)
		return;
	buffer_format(out, "# %s", feature->name);
	if (feature->add)
		feature->add(out, &cursor);
	else
		buffer_text(out, " info available, use --dump to display");
	buffer_char(out, '\n');
}

/* ---- Events ---- */

/* The event of a HEADER_ATTR that has just been read: the last one. */
static void show_event(struct script *script)
{
	const struct pk_events *events = pk_reader_events(script->run->reader);
	const struct pk_event *event;
	struct buffer *out = &script->out;

	if (!pk_events_count(events))
		return;
	event = pk_events_at(events, pk_events_count(events) - 1);
	buffer_text(out, "# event : name = ");
	buffer_harmless(out, event->name, strlen(event->name));
	buffer_text(out, ", , id = {");
	for (size_t i = 0; i < event->ids_count; i++)
		buffer_format(out, "%s %llu", i ? "," : "", (unsigned long long)event->ids[i]);
	buffer_format(out,
		      " }, type = %u, size = %u, config = 0x%llx, "
		      "{ sample_period, sample_freq } = %llu, sample_type = 0x%llx\n",
		      event->attr.type, event->attr.size, (unsigned long long)event->attr.config,
		      (unsigned long long)event->attr.sample_period,
		      (unsigned long long)event->attr.sample_type);
}

/* ---- Stages (SPEC 9.2) ---- */

static void add_time(struct buffer *out, uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;
	char text[64];

	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), ", %Y-%m-%dT%H:%M:%SZ", &tm))
		buffer_text(out, text);
}

/* The next of the record's strings; "" behind the last. */
static const char *next_string(struct cursor *cursor)
{
	const char *text = (const char *)cursor->at;
	size_t left = (size_t)(cursor->end - cursor->at), length = strnlen(text, left);

	if (length == left)
		return "";
	cursor->at += length + 1;
	return text;
}

static void add_next(struct buffer *out, const char *before, struct cursor *cursor)
{
	const char *text = next_string(cursor);

	buffer_text(out, before);
	buffer_harmless(out, text, strlen(text));
}

static void show_stage(struct buffer *out, const struct pk_record *record)
{
	struct cursor cursor = {record->data + 48, record->data + record->size};
	uint64_t time;
	uint32_t argc;

	if (record->size < 48)
		return;
	time = pk_load_u64(record->data + 32);
	argc = pk_load_u32(record->data + 40);
	buffer_format(out, "# stage %u", pk_load_u32(record->data + 24));
	if (pk_load_u32(record->data + 28))
		buffer_format(out, " after %u", pk_load_u32(record->data + 28));
	add_next(out, " : ", &cursor);
	add_next(out, " ", &cursor);
	add_next(out, " on ", &cursor);
	if (time)
		add_time(out, time);
	buffer_char(out, ':');
	for (uint32_t i = 0; i < argc && cursor.at < cursor.end; i++)
		add_next(out, " ", &cursor);
	buffer_char(out, '\n');
}

/* ---- All ---- */

void header_begin(struct script *script)
{
	struct buffer *out = &script->out;
	struct stat st;
	char text[64];

	buffer_text(out, "# ========\n");
	if (!stat(script->run->name, &st) && S_ISREG(st.st_mode) && ctime_r(&st.st_ctime, text))
		buffer_format(out, "# captured on    : %s", text);
	buffer_text(out, "# header version : 1\n# data offset    : 0\n# data size      : 0\n"
			 "# feat offset    : 0\n# ========\n#\n");
}

void header_record(struct script *script, const struct pk_record *record)
{
	struct pk_feature_content feature;

	if (pk_reader_feature(script->run->reader, record, &feature))
		show_feature(&script->out, &feature);
	else if (record->type == PERF_RECORD_HEADER_ATTR)
		show_event(script);
	else if (pk_definition_of(record) == PK_STAGE)
		show_stage(&script->out, record);
}
