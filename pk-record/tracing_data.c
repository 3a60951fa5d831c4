// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
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
#include "probe_events.h"
#include "procfs.h"
#include "stream_head.h"
#include "tracefs.h"
#include "vector.h"

/* Tracing data is the name that perf uses for the kernel's description of the fields of
 * tracepoints. It has the container format of trace-cmd, version 0.6 (SPEC 6.3). Numbers are in
 * this machine's byte order, and the container says which one this is. */

#define FILE_LIMIT (16 << 20)

/* A tracepoint that is described. */
struct described {
	char *name; /* "system/event" */
	bool recorded;
	const char *format;	 /* text of the format; NULL selects the format of the kernel */
	const char *more_fields; /* lines that are added to the fields, or NULL */
};

/* The tracing data that were added so far, and the path of tracefs. */
struct tracing {
	struct buffer blob;
	const char *path;
	struct described *items;
	size_t count, capacity;
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

/* Adds the size of a file in tracefs, as 4 or 8 bytes, and then the content of the file. If the
 * file cannot be read, adds the size 0 and returns false. */
static bool put_file(struct tracing *tracing, const char *name, size_t size_of_size)
{
	char path[600], *text;
	size_t size = 0;

	snprintf(path, sizeof(path), "%s/%s", tracing->path, name);
	text = pk_procfs_read_file(path, FILE_LIMIT, &size, pk_lookups());
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
	put_u32(tracing, 0); /* number of events of ftrace itself, which cannot be recorded */
}

static size_t system_length(const char *tracepoint)
{
	return strcspn(tracepoint, "/") + 1; /* includes the slash */
}

static bool same_system(const struct described *a, const struct described *b)
{
	return !strncmp(a->name, b->name, system_length(a->name));
}

/* Adds a tracepoint. event is NULL if the tracepoint is not recorded. */
static enum pk_status add_described(struct tracing *tracing, const char *name,
				    const struct event *event)
{
	char *copy = NULL;

	for (size_t i = 0; i < tracing->count; i++)
		if (!strcmp(tracing->items[i].name, name))
			return PK_OK;
	if (pk_reserve(&tracing->items, &tracing->capacity, tracing->count, 1,
		       sizeof(*tracing->items)) == PK_OK)
		copy = strdup(name);
	if (!copy) {
		pk_no_memory();
		return PK_NOMEM;
	}
	tracing->items[tracing->count++] =
		event ? (struct described){copy, true, event->bpf.format, event->bpf.more_fields}
		      : (struct described){.name = copy};
	return PK_OK;
}

static enum pk_status add_found(void *arg, const char *system, const char *name, uint64_t id)
{
	char path[300];

	(void)id;
	snprintf(path, sizeof(path), "%s/%s", system, name);
	return add_described(arg, path, NULL);
}

/* Adds the tracepoints that match SYSTEM:NAME. */
static enum pk_status add_pattern(struct tracing *tracing, const char *pattern)
{
	struct pk_messages messages = {0};
	const char *colon = strchr(pattern, ':');
	char *system = colon ? strndup(pattern, (size_t)(colon - pattern)) : NULL;
	enum pk_status status;

	if (!colon)
		return PK_OK;
	if (!system) {
		pk_no_memory();
		return PK_NOMEM;
	}
	status = pk_tracefs_find(system, colon + 1, add_found, tracing, &messages);
	free(system);
	return pk_printed(status, &messages);
}

/* Finds the tracepoints to describe. These are all that are recorded, and those that match
 * events->formats. */
static enum pk_status find_described(struct tracing *tracing, const struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].tracepoint)
			PK_TRY(add_described(tracing, events->items[i].tracepoint,
					     &events->items[i]));
	for (size_t i = 0; i < events->formats_count; i++)
		PK_TRY(add_pattern(tracing, events->formats[i]));
	return PK_OK;
}

/* Sets the size of the format at `start`. Its text is everything after the size. */
static void set_size(struct tracing *tracing, size_t start)
{
	const uint64_t size = tracing->blob.size - start - sizeof(size);

	if (!tracing->blob.failed)
		memcpy(tracing->blob.data + start, &size, sizeof(size));
}

/* Replaces the text after "print fmt:" by an empty text. This text is needed only to print samples
 * of the tracepoint. Hundreds of tracepoints of system calls are described only for the names of
 * their arguments. */
static void cut_print(struct tracing *tracing, size_t start)
{
	static const char line[] = "print fmt: ";
	struct buffer *blob = &tracing->blob;
	char *found;

	if (blob->failed)
		return;
	found = memmem(blob->data + start, blob->size - start, line, strlen(line));
	if (!found)
		return;
	blob->size = (size_t)(found - blob->data) + strlen(line);
	buffer_text(blob, "\"\"\n");
	set_size(tracing, start);
}

/* Adds lines after the last field of the format at `start`. Returns false if the end of the fields
 * was not found. */
static bool add_fields(struct tracing *tracing, size_t start, const char *lines)
{
	static const char end[] = "\n\nprint fmt:";
	const size_t size = strlen(lines);
	struct buffer *blob = &tracing->blob;
	char *found;

	buffer_text(blob, lines);
	if (blob->failed)
		return true;
	found = memmem(blob->data + start, blob->size - size - start, end, strlen(end));
	if (!found)
		return false;
	found++;
	memmove(found + size, found, (size_t)(blob->data + blob->size - size - found));
	memcpy(found, lines, size);
	set_size(tracing, start);
	return true;
}

static bool put_format(struct tracing *tracing, const struct described *described)
{
	const size_t start = tracing->blob.size;
	char name[560];

	if (described->format) {
		put_u64(tracing, strlen(described->format));
		put(tracing, described->format, strlen(described->format));
		return true;
	}
	snprintf(name, sizeof(name), "events/%s/format", described->name);
	if (!put_file(tracing, name, 8)) {
		pk_error("%s/%s: %s", tracing->path, name, strerror(errno));
		return false;
	}
	if (!described->recorded)
		cut_print(tracing, start);
	if (described->more_fields && !add_fields(tracing, start, described->more_fields)) {
		pk_error("%s/%s: the format has no 'print fmt:'", tracing->path, name);
		return false;
	}
	return true;
}

/* Adds the formats of all described tracepoints that are in the same system (such as "sched") as
 * the tracepoint at index `first`. */
static enum pk_status put_system(struct tracing *tracing, size_t first)
{
	const struct described *items = tracing->items;
	char system[300];
	uint32_t count = 0;

	snprintf(system, sizeof(system), "%.*s", (int)system_length(items[first].name) - 1,
		 items[first].name);
	put(tracing, pk_probe_events_system(system), strlen(pk_probe_events_system(system)) + 1);
	for (size_t i = first; i < tracing->count; i++)
		count += same_system(&items[first], &items[i]);
	put_u32(tracing, count);
	for (size_t i = first; i < tracing->count; i++)
		if (same_system(&items[first], &items[i]) && !put_format(tracing, &items[i]))
			return PK_NOMEM;
	return PK_OK;
}

static bool first_of_system(const struct tracing *tracing, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (same_system(&tracing->items[index], &tracing->items[i]))
			return false;
	return true;
}

static enum pk_status put_all(struct tracing *tracing)
{
	uint32_t systems = 0;

	put_header(tracing);
	for (size_t i = 0; i < tracing->count; i++)
		systems += first_of_system(tracing, i);
	put_u32(tracing, systems);
	for (size_t i = 0; i < tracing->count; i++)
		if (first_of_system(tracing, i))
			PK_TRY(put_system(tracing, i));
	put_u32(tracing, 0); /* no kernel symbols, because readers use other sources */
	put_file(tracing, "printk_formats", 4);
	put_file(tracing, "saved_cmdlines", 8);
	put(tracing, "\0\0\0\0\0\0\0", (8 - tracing->blob.size % 8) % 8);
	if (tracing->blob.failed)
		pk_no_memory();
	return tracing->blob.failed ? PK_NOMEM : PK_OK;
}

static void free_tracing(struct tracing *tracing)
{
	for (size_t i = 0; i < tracing->count; i++)
		free(tracing->items[i].name);
	free(tracing->items);
	free(tracing->blob.data);
}

enum pk_status tracing_data_write(const struct event_list *events, struct pk_writer *writer)
{
	struct pk_messages messages = {0};
	struct tracing tracing = {0};
	struct perf_record_tracing_data *record = NULL;
	enum pk_status status = find_described(&tracing, events);

	if (status == PK_OK && tracing.count) {
		tracing.path = pk_tracefs_path(&messages);
		if (!tracing.path)
			tracing.path = TRACEFS_PLACE;
		pk_print_messages(&messages);
		status = put_all(&tracing);
		record = status == PK_OK ? pk_writer_zeroed(writer, PERF_RECORD_HEADER_TRACING_DATA,
							    0, PK_ALIGN8(sizeof(*record)))
					 : NULL;
	}
	if (record) {
		record->size = (uint32_t)tracing.blob.size;
		pk_writer_bytes(writer, tracing.blob.data, tracing.blob.size, 0, 0);
	}
	free_tracing(&tracing);
	return status;
}
