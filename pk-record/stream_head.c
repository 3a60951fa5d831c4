// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "configure.h"
#include "event.h"
#include "lookups.h"
#include "perf_syscall.h"
#include "procfs.h"
#include "stream_head.h"

static size_t padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

/* The size of a text with its NUL, padded. */
static size_t text_size(const char *text)
{
	return padded(strlen(text) + 1);
}

static void put_text(uint8_t *to, const char *text)
{
	const size_t size = strlen(text);

	memcpy(to, text, size);
	memset(to + size, 0, text_size(text) - size);
}

static size_t slots_of(const struct targets *targets)
{
	return targets->cpus_count * targets->tids_count;
}

/* Calls each with the ids of a piece of an event that fits into a HEADER_ATTR. */
static void each_piece(const struct event *event, const struct targets *targets,
		       void (*each)(const struct event *event, const uint64_t *ids, size_t count,
				    struct pk_writer *writer),
		       struct pk_writer *writer)
{
	const size_t slots = slots_of(targets);
	uint64_t ids[ATTR_IDS_MAX];
	size_t count = 0;

	for (size_t slot = 0; slot < slots; slot++) {
		if (event->fds[slot] < 0)
			continue;
		ids[count++] = event->ids[slot];
		if (count == ATTR_IDS_MAX) {
			each(event, ids, count, writer);
			count = 0;
		}
	}
	if (count)
		each(event, ids, count, writer);
}

static void write_attr(const struct event *event, const uint64_t *ids, size_t count,
		       struct pk_writer *writer)
{
	struct perf_attr attr = event->attr;
	const size_t size = perf_attr_size(&attr);
	uint8_t *p = pk_writer_begin(writer, PERF_RECORD_HEADER_ATTR, 0, 8 + size + 8 * count);

	if (!p)
		return;
	attr.size = (uint32_t)size;
	attr.flags = perf_native_flags(attr.flags);
	if (event->probe)
		attr.config1 = 0; /* an address of ours, which says nothing to others */
	memcpy(p + 8, &attr, size);
	memcpy(p + 8 + size, ids, 8 * count);
}

void write_attrs(const struct event_list *events, const struct targets *targets,
		 struct pk_writer *writer)
{
	for (size_t i = 0; i < events->count; i++)
		each_piece(&events->items[i], targets, write_attr, writer);
}

#define INDEX_ENTRY 32
#define INDEX_MAX   ((PERF_RECORD_SIZE_MAX - 16) / INDEX_ENTRY)

static void put_index_entry(uint8_t *p, uint64_t id, uint64_t index, int64_t cpu, int64_t tid)
{
	pk_store_u64(p, id);
	pk_store_u64(p + 8, index);
	pk_store_u64(p + 16, (uint64_t)cpu);
	pk_store_u64(p + 24, (uint64_t)tid);
}

static void write_index(const uint8_t *entries, size_t count, struct pk_writer *writer)
{
	uint8_t *p = pk_writer_begin(writer, PERF_RECORD_ID_INDEX, 0, 16 + INDEX_ENTRY * count);

	if (!p)
		return;
	pk_store_u64(p + 8, count);
	memcpy(p + 16, entries, INDEX_ENTRY * count);
}

/* The index in an entry is that of the ring. */
void write_id_index(const struct event_list *events, const struct targets *targets,
		    struct pk_writer *writer)
{
	const bool per_task = targets->cpus[0] < 0;
	uint8_t entries[INDEX_MAX * INDEX_ENTRY];
	size_t count = 0;

	for (size_t i = 0; i < events->count; i++) {
		for (size_t slot = 0; slot < slots_of(targets); slot++) {
			const size_t cpu = slot / targets->tids_count;
			const size_t task = slot % targets->tids_count;

			if (events->items[i].fds[slot] < 0)
				continue;
			put_index_entry(entries + INDEX_ENTRY * count, events->items[i].ids[slot],
					per_task ? task : cpu, targets->cpus[cpu],
					targets->tids[task]);
			if (++count < INDEX_MAX)
				continue;
			write_index(entries, count, writer);
			count = 0;
		}
	}
	if (count)
		write_index(entries, count, writer);
}

/* EVENT_UPDATE; size counts what stands behind the event's id. */
static uint8_t *begin_update(uint64_t subtype, uint64_t id, size_t size, struct pk_writer *writer)
{
	uint8_t *p = pk_writer_begin(writer, PERF_RECORD_EVENT_UPDATE, 0, 24 + padded(size));

	if (!p)
		return NULL;
	pk_store_u64(p + 8, subtype);
	pk_store_u64(p + 16, id);
	memset(p + 24, 0, padded(size));
	return p + 24;
}

static void write_text_update(uint64_t subtype, uint64_t id, const char *text,
			      struct pk_writer *writer)
{
	uint8_t *p = begin_update(subtype, id, strlen(text) + 1, writer);

	if (p)
		put_text(p, text);
}

static void write_name(const struct event *event, const uint64_t *ids, size_t count,
		       struct pk_writer *writer)
{
	const struct perf_attr *attr = &event->attr;
	const double milliseconds = 1e-6;
	uint8_t *p;

	(void)count;
	if (attr->type == PERF_TYPE_SOFTWARE &&
	    (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK)) {
		write_text_update(PERF_EVENT_UPDATE_UNIT, ids[0], "msec", writer);
		p = begin_update(PERF_EVENT_UPDATE_SCALE, ids[0], sizeof(milliseconds), writer);
		if (p)
			memcpy(p, &milliseconds, sizeof(milliseconds));
	}
	write_text_update(PERF_EVENT_UPDATE_NAME, ids[0], event->name, writer);
}

static void write_event_arguments(const struct event *event, const uint64_t *ids, size_t count,
				  struct pk_writer *writer)
{
	(void)count;
	pk_arguments_write(writer, ids[0], event->arguments);
}

void write_arguments(const struct event_list *events, const struct targets *targets,
		     struct pk_writer *writer)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].arguments)
			each_piece(&events->items[i], targets, write_event_arguments, writer);
}

void write_names(const struct event_list *events, const struct targets *targets,
		 struct pk_writer *writer)
{
	for (size_t i = 0; i < events->count; i++)
		each_piece(&events->items[i], targets, write_name, writer);
}

static size_t attrs_of(const struct event *event, const struct targets *targets)
{
	const size_t slots = slots_of(targets);
	size_t ids = 0;

	for (size_t slot = 0; slot < slots; slot++)
		ids += event->fds[slot] >= 0;
	return (ids + ATTR_IDS_MAX - 1) / ATTR_IDS_MAX;
}

/* How many HEADER_ATTR those of a group have that stand behind its leader. */
static size_t attrs_behind(const struct event_list *events, const struct targets *targets,
			   size_t leader)
{
	size_t attrs = 0;

	for (size_t i = leader + 1; i < events->count && events->items[i].leader == leader; i++)
		attrs += attrs_of(&events->items[i], targets);
	return attrs;
}

void write_groups(const struct event_list *events, const struct targets *targets,
		  struct pk_writer *writer)
{
	struct pk_feature *feature = pk_need(pk_lookups(), malloc(sizeof(*feature)));
	uint32_t groups = 0, attr = 0;

	if (!feature)
		return; /* a stream does without */
	for (size_t i = 0; i < events->count; i++)
		groups += events->items[i].leader == i && attrs_behind(events, targets, i);
	pk_feature_begin(feature, PERF_FEATURE_GROUP_DESC);
	pk_feature_u32(feature, groups);
	for (size_t i = 0; i < events->count; i++) {
		const size_t attrs = attrs_of(&events->items[i], targets);
		const size_t members =
			events->items[i].leader == i ? attrs_behind(events, targets, i) : 0;

		if (members) {
			pk_feature_string(feature, "{anon_group}");
			pk_feature_u32(feature, attr);
			pk_feature_u32(feature, (uint32_t)(attrs + members));
		}
		attr += (uint32_t)attrs;
	}
	if (groups)
		pk_feature_write(feature, writer);
	free(feature);
}

#define THREAD_ENTRY 24
#define THREADS_MAX  ((PERF_RECORD_SIZE_MAX - 16) / THREAD_ENTRY)

static void write_thread_map(const struct targets *targets, struct pk_writer *writer)
{
	/* Only a reader that lists them would miss the rest. */
	const size_t count = targets->tids_count < THREADS_MAX ? targets->tids_count : THREADS_MAX;
	char path[64], comm[16];
	uint8_t *p;

	p = pk_writer_begin(writer, PERF_RECORD_THREAD_MAP, 0, 16 + THREAD_ENTRY * count);
	if (!p)
		return;
	pk_store_u64(p + 8, count);
	p += 16;
	for (size_t i = 0; i < count; i++, p += THREAD_ENTRY) {
		const pid_t tid = targets->tids[i];

		memset(p, 0, THREAD_ENTRY);
		pk_store_u64(p, (uint64_t)(int64_t)tid);
		snprintf(path, sizeof(path), "/proc/%d/comm", tid);
		if (tid > 0 && procfs_read_line(path, comm, sizeof(comm), pk_lookups()))
			memcpy(p + 8, comm, strlen(comm));
	}
}

#define CPU_MAP_CPUS 0
#define GROUP_MAX    256 /* what is larger, the kernel does not read out here */

static void write_cpu_map(const struct targets *targets, struct pk_writer *writer)
{
	uint8_t *p;
	uint16_t count = 0;

	for (size_t i = 0; i < targets->cpus_count; i++)
		count += targets->chosen[i];
	p = pk_writer_begin(writer, PERF_RECORD_CPU_MAP, 0, padded(12 + 2 * (size_t)count));
	if (!p)
		return;
	memset(p + 8, 0, padded(12 + 2 * (size_t)count) - 8);
	pk_store_u16(p + 8, CPU_MAP_CPUS);
	pk_store_u16(p + 10, count);
	p += 12;
	for (size_t i = 0; i < targets->cpus_count; i++) {
		if (!targets->chosen[i])
			continue;
		pk_store_u16(p, (uint16_t)targets->cpus[i]);
		p += 2;
	}
}

void write_targets(const struct targets *targets, struct pk_writer *writer)
{
	write_thread_map(targets, writer);
	write_cpu_map(targets, writer);
}

void write_mark(enum perf_record_type type, struct pk_writer *writer)
{
	pk_writer_begin(writer, type, 0, sizeof(struct perf_header));
}

void write_mapping(const struct mapping *mapping, const struct perf_attr *attr,
		   struct pk_writer *writer)
{
	const size_t size = 72 + text_size(mapping->name) + trailer_size(attr);
	const bool identified = mapping->build_id_size != 0;
	uint8_t *p;

	assert(mapping->build_id_size <= PK_BUILD_ID_MAX);
	p = pk_writer_begin(writer, PERF_RECORD_MMAP2,
			    mapping->cpumode | (identified ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0),
			    size);
	if (!p)
		return;
	memset(p + 8, 0, size - 8);
	pk_store_u32(p + 8, (uint32_t)mapping->pid);
	pk_store_u32(p + 12, (uint32_t)mapping->tid);
	pk_store_u64(p + 16, mapping->start);
	pk_store_u64(p + 24, mapping->size);
	pk_store_u64(p + 32, mapping->offset);
	if (identified) {
		p[40] = mapping->build_id_size;
		memcpy(p + 44, mapping->build_id, mapping->build_id_size);
	} else {
		pk_store_u32(p + 40, mapping->major);
		pk_store_u32(p + 44, mapping->minor);
		pk_store_u64(p + 48, mapping->inode);
	}
	pk_store_u32(p + 64, mapping->protection);
	pk_store_u32(p + 68, mapping->flags);
	put_text(p + 72, mapping->name);
}

void write_lost(const struct event *event, const struct targets *targets, size_t slot,
		uint64_t lost, struct pk_writer *writer)
{
	const size_t size = 16 + trailer_size(&event->attr);
	uint8_t *p = pk_writer_begin(writer, PERF_RECORD_LOST_SAMPLES, 0, size);

	if (!p)
		return;
	pk_store_u64(p + 8, lost);
	trailer_fill(&event->attr, p + size, event->ids[slot],
		     (uint32_t)targets->cpus[slot / targets->tids_count]);
}

/* read(2) gives the event's value, id, and that count; a group's leader, the only one that samples,
 * a number ahead and then those of all. */
uint64_t lost_since(const struct event *event, size_t slot)
{
	const uint64_t format = event->attr.read_format;
	const uint64_t in_front =
		PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	const size_t ahead = (size_t)__builtin_popcountll(format & in_front);
	uint64_t values[3 + 3 * GROUP_MAX], lost;
	const uint64_t *count = &values[ahead + 2];

	if (event->fds[slot] < 0 || !(format & PERF_FORMAT_LOST) ||
	    (format & PERF_FORMAT_GROUP && !event->attr.sample_period) ||
	    read(event->fds[slot], values, sizeof(values)) < (ssize_t)((ahead + 3) * 8))
		return 0;
	lost = *count - event->lost[slot];
	event->lost[slot] = *count;
	return lost;
}

uint64_t write_lost_samples(const struct event_list *events, const struct targets *targets,
			    struct pk_writer *writer)
{
	uint64_t lost, sum = 0;

	for (size_t i = 0; i < events->count; i++) {
		for (size_t slot = 0; slot < slots_of(targets); slot++) {
			lost = lost_since(&events->items[i], slot);
			if (lost)
				write_lost(&events->items[i], targets, slot, lost, writer);
			sum += lost;
		}
	}
	return sum;
}
