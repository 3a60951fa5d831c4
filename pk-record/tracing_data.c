// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "cli.h"
#include "lookups.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "procfs.h"
#include "stream_head.h"
#include "tracefs.h"

/* Tracing data, as perf calls it: the kernel's description of the fields of tracepoints, in the
 * container format of trace-cmd, version 0.6 (SPEC 6.3). Numbers are in the host's byte order,
 * which the container declares. */

#define FILE_LIMIT (16 << 20)

/* The tracing data so far, and the path of tracefs. */
struct tracing {
	struct buffer blob;
	const char *path;
};

static void put(struct tracing *tracing, const void *data, size_t size)
{
	buffer_add(&tracing->blob, data, size);
}

static void put_u32(struct tracing *tracing, uint32_t value)
{
	put(tracing, &value, sizeof(value));
}

static void put_u64(struct tracing *tracing, uint64_t value)
{
	put(tracing, &value, sizeof(value));
}

/* Adds the size of a file below tracefs, in 4 or 8 bytes, then its content. If the file cannot be
 * read, adds size 0, and returns false. */
static bool put_file(struct tracing *tracing, const char *name, size_t size_of_size)
{
	char path[600], *text;
	size_t size = 0;

	snprintf(path, sizeof(path), "%s/%s", tracing->path, name);
	text = procfs_read_file(path, FILE_LIMIT, &size, pk_lookups());
	if (!text)
		size = 0;
	if (size_of_size == 4)
		put_u32(tracing, (uint32_t)size);
	else
		put_u64(tracing, size);
	if (size)
		put(tracing, text, size);
	free(text);
	return size != 0;
}

static void put_header(struct tracing *tracing)
{
	static const char magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	const uint8_t big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const uint8_t word_size = sizeof(long);

	put(tracing, magic, sizeof(magic));
	put(tracing, "0.6", 4);
	put(tracing, &big_endian, 1);
	put(tracing, &word_size, 1);
	put_u32(tracing, (uint32_t)sysconf(_SC_PAGESIZE));
	put(tracing, "header_page", 12);
	put_file(tracing, "events/header_page", 8);
	put(tracing, "header_event", 13);
	put_file(tracing, "events/header_event", 8);
	put_u32(tracing, 0); /* events of ftrace itself: they cannot be recorded */
}

/* A tracepoint is described once. */
static bool described_before(const struct event_list *events, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (events->items[i].tracepoint &&
		    !strcmp(events->items[i].tracepoint, events->items[index].tracepoint))
			return true;
	return false;
}

static size_t system_length(const char *tracepoint)
{
	return strcspn(tracepoint, "/") + 1; /* including the slash */
}

static bool same_system(const struct event *a, const struct event *b)
{
	return a->tracepoint && b->tracepoint &&
	       !strncmp(a->tracepoint, b->tracepoint, system_length(a->tracepoint));
}

static bool first_of_system(const struct event_list *events, size_t index)
{
	if (!events->items[index].tracepoint)
		return false;
	for (size_t i = 0; i < index; i++)
		if (same_system(&events->items[index], &events->items[i]))
			return false;
	return true;
}

static bool put_format(struct tracing *tracing, const char *tracepoint)
{
	char name[560];

	snprintf(name, sizeof(name), "events/%s/format", tracepoint);
	if (put_file(tracing, name, 8))
		return true;
	pk_error("%s/%s: %s", tracing->path, name, strerror(errno));
	return false;
}

/* Adds the formats of all recorded tracepoints in the system (such as "sched") of the event at
 * `first`. */
static bool put_system(struct tracing *tracing, const struct event_list *events, size_t first)
{
	const char *tracepoint = events->items[first].tracepoint;
	uint32_t count = 0;

	put(tracing, tracepoint, system_length(tracepoint) - 1);
	put(tracing, "", 1);
	for (size_t i = first; i < events->count; i++)
		count += same_system(&events->items[first], &events->items[i]) &&
			 !described_before(events, i);
	put_u32(tracing, count);
	for (size_t i = first; i < events->count; i++)
		if (same_system(&events->items[first], &events->items[i]) &&
		    !described_before(events, i) &&
		    !put_format(tracing, events->items[i].tracepoint))
			return false;
	return true;
}

static bool put_all(struct tracing *tracing, const struct event_list *events)
{
	uint32_t systems = 0;

	put_header(tracing);
	for (size_t i = 0; i < events->count; i++)
		systems += first_of_system(events, i);
	put_u32(tracing, systems);
	for (size_t i = 0; i < events->count; i++)
		if (first_of_system(events, i) && !put_system(tracing, events, i))
			return false;
	put_u32(tracing, 0); /* kernel symbols: readers use other sources */
	put_file(tracing, "printk_formats", 4);
	put_file(tracing, "saved_cmdlines", 8);
	put(tracing, "\0\0\0\0\0\0\0", (8 - tracing->blob.size % 8) % 8);
	if (tracing->blob.failed)
		pk_no_memory();
	return !tracing->blob.failed;
}

bool tracing_data_write(const struct event_list *events, struct pk_writer *writer)
{
	struct pk_messages messages = {0};
	struct tracing tracing = {0};
	struct perf_record_tracing_data *record;
	bool any = false, ok;

	for (size_t i = 0; i < events->count; i++)
		any |= events->items[i].tracepoint != NULL;
	if (!any)
		return true;
	tracing.path = tracefs_path(&messages);
	if (!tracing.path)
		tracing.path = TRACEFS_PLACE;
	pk_print_messages(&messages);
	ok = put_all(&tracing, events);
	record = ok ? pk_writer_zeroed(writer, PERF_RECORD_HEADER_TRACING_DATA, 0,
				       PK_ALIGN8(sizeof(*record)))
		    : NULL;
	if (record) {
		record->size = (uint32_t)tracing.blob.size;
		pk_writer_bytes(writer, tracing.blob.data, tracing.blob.size, 0, 0);
	}
	free(tracing.blob.data);
	return ok;
}
