// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "header.h"

/*
 * What a stream tells of itself comes record by record. It is kept until the first record of
 * another kind, and then printed in one block and in the order of features, as perf does for a
 * file.
 */
struct header {
	bool closed; /* printed: what comes later goes out as it comes */
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

static void add_stage(struct buffer *out, const struct pk_record *record)
{
	const struct pk_record_stage *stage = (const void *)record->data;
	struct cursor cursor = {(const uint8_t *)stage->strings, record->data + record->size};

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

static void show_start(struct script *script)
{
	struct buffer *out = &script->out;
	struct stat st;
	char text[64];

	buffer_text(out, "# ========\n");
	if (!stat(script->run->name, &st)) {
		if (S_ISREG(st.st_mode) && ctime_r(&st.st_mtime, text))
			buffer_format(out, "# captured on    : %s", text);
	} else if (errno != ENOENT && errno != ENOTDIR) { /* those: it is stdin */
		pk_error("%s: cannot find out when it was written: %s", script->run->name,
			 strerror(errno));
		script->run->damaged = true;
	}
	buffer_text(out, "# header version : 1\n");
}

static void show_events(struct script *script)
{
	const struct pk_events *events = pk_reader_events(script->run->reader);

	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct pk_event *event = pk_events_at(events, i);

		header_event(&script->out, event);
		script->header->seen[PERF_FEATURE_EVENT_DESC] = true;
		if (event->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			script->header->seen[PERF_FEATURE_BRANCH_STACK] = true;
	}
}

static void show_feature(struct script *script, uint32_t id)
{
	const struct buffer *content = &script->header->contents[id];
	const uint8_t *data = (const uint8_t *)content->data;

	if (content->size)
		header_feature(&script->out, id, (struct cursor){data, data + content->size},
			       pk_reader_events(script->run->reader));
}

static void show_missing(struct script *script)
{
	buffer_text(&script->out, "# missing features: ");
	for (uint32_t id = 1; id < PERF_FEATURE_MAX; id++)
		if (!script->header->seen[id])
			buffer_format(&script->out, "%s ", header_feature_name(id));
	buffer_char(&script->out, '\n');
}

void header_end(struct script *script)
{
	struct header *header = script->header;

	if (!header || header->closed)
		return;
	header->closed = true;
	show_start(script);
	for (uint32_t id = 1; id < PERF_FEATURE_MAX; id++) {
		if (id == PERF_FEATURE_EVENT_DESC)
			show_events(script);
		else
			show_feature(script, id);
	}
	buffer_add(&script->out, header->stages.data, header->stages.size);
	script->failed |= header->stages.failed;
	show_missing(script);
	buffer_text(&script->out, "# ========\n#\n");
}

/* ---- Record by record ---- */

void header_free(struct header *header)
{
	if (!header)
		return;
	for (uint32_t id = 0; id < PERF_FEATURE_MAX; id++)
		free(header->contents[id].data);
	free(header->stages.data);
	free(header);
}

bool header_begin(struct script *script)
{
	header_free(script->header);
	script->header = NULL;
	if (script->options->header == HEADER_NONE)
		return true;
	script->header = calloc(1, sizeof(*script->header));
	return script->header;
}

static void keep_feature(struct script *script, const struct pk_feature_content *feature)
{
	struct header *header = script->header;

	if (feature->id >= PERF_FEATURE_MAX)
		return;
	header->seen[feature->id] = true;
	header->contents[feature->id].size = 0;
	buffer_add(&header->contents[feature->id], feature->data, feature->size);
	script->failed |= header->contents[feature->id].failed;
	if (header->closed)
		show_feature(script, feature->id);
}

/* Those that may stand in front of the names of events: what recorders write before anything
 * happens, up to the maps of the kernel. */
static bool is_preface(const struct pk_record *record)
{
	if (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2)
		return (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	return record->type >= PERF_RECORD_HEADER_ATTR &&
	       record->type != PERF_RECORD_FINISHED_ROUND;
}

void header_record(struct script *script, const struct pk_record *record)
{
	struct header *header = script->header;
	struct pk_feature_content feature;

	if (!is_preface(record))
		header_end(script);
	else if (pk_reader_feature(script->run->reader, record, &feature))
		keep_feature(script, &feature);
	else if (pk_definition_of(record) == PK_STAGE)
		add_stage(header->closed ? &script->out : &header->stages, record);
	else if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		header->seen[PERF_FEATURE_TRACING_DATA] = true;
	else if (record->type == PERF_RECORD_HEADER_BUILD_ID)
		header->seen[PERF_FEATURE_BUILD_ID] = true;
	else if (record->type == PERF_RECORD_AUXTRACE_INFO)
		header->seen[PERF_FEATURE_AUXTRACE] = true;
	else if (record->type == PERF_RECORD_STAT_CONFIG)
		header->seen[PERF_FEATURE_STAT] = true;
}
