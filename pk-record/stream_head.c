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
#include "pkprivate.h"
#include "procfs.h"
#include "stream_head.h"

static size_t slots_of(const struct targets *targets)
{
	return targets->cpus_count * targets->tids_count;
}

/* Calls each with the ids of an event, in parts that fit into a HEADER_ATTR. */
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

	attr.size = perf_attr_size(&attr);
	if (event->probe)
		attr.config1 = 0; /* an address of this process, meaningless for others */
	pk_writer_attr(writer, &attr, ids, count);
}

void write_attrs(const struct event_list *events, const struct targets *targets,
		 struct pk_writer *writer)
{
	for (size_t i = 0; i < events->count; i++)
		each_piece(&events->items[i], targets, write_attr, writer);
}

#define INDEX_MAX                                                                                  \
	((PERF_RECORD_SIZE_MAX - sizeof(struct perf_record_id_index)) /                            \
	 sizeof(struct perf_id_entry))

static void write_index(const struct perf_id_entry *entries, size_t count, struct pk_writer *writer)
{
	const size_t size = count * sizeof(*entries);
	struct perf_record_id_index *index =
		(void *)pk_writer_append(writer, PERF_RECORD_ID_INDEX, 0, sizeof(*index) + size);

	if (!index)
		return;
	index->nr = count;
	memcpy(index->entries, entries, size);
}

/* The index in an entry is that of the ring. */
void write_id_index(const struct event_list *events, const struct targets *targets,
		    struct pk_writer *writer)
{
	const bool per_task = targets->cpus[0] < 0;
	struct perf_id_entry entries[INDEX_MAX];
	size_t count = 0;

	for (size_t i = 0; i < events->count; i++) {
		for (size_t slot = 0; slot < slots_of(targets); slot++) {
			const size_t cpu = slot / targets->tids_count;
			const size_t task = slot % targets->tids_count;

			if (events->items[i].fds[slot] < 0)
				continue;
			entries[count] = (struct perf_id_entry){
				.id = events->items[i].ids[slot],
				.idx = per_task ? task : cpu,
				.cpu = (uint64_t)(int64_t)targets->cpus[cpu],
				.tid = (uint64_t)(int64_t)targets->tids[task],
			};
			if (++count < INDEX_MAX)
				continue;
			write_index(entries, count, writer);
			count = 0;
		}
	}
	if (count)
		write_index(entries, count, writer);
}

static void write_name(const struct event *event, const uint64_t *ids, size_t count,
		       struct pk_writer *writer)
{
	const struct perf_attr *attr = &event->attr;
	const double milliseconds = 1e-6;

	(void)count;
	if (attr->type == PERF_TYPE_SOFTWARE &&
	    (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK)) {
		pk_writer_update(writer, PERF_EVENT_UPDATE_UNIT, ids[0], "msec", sizeof("msec"));
		pk_writer_update(writer, PERF_EVENT_UPDATE_SCALE, ids[0], &milliseconds,
				 sizeof(milliseconds));
	}
	pk_writer_update(writer, PERF_EVENT_UPDATE_NAME, ids[0], event->name,
			 strlen(event->name) + 1);
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

/* The number of HEADER_ATTRs of a group after that of its leader. */
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
		return; /* the feature is optional */
	for (size_t i = 0; i < events->count; i++)
		groups += events->items[i].leader == i && attrs_behind(events, targets, i);
	pk_feature_start(feature, PERF_FEATURE_GROUP_DESC);
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

#define THREADS_MAX                                                                                \
	((PERF_RECORD_SIZE_MAX - sizeof(struct perf_record_thread_map)) /                          \
	 sizeof(struct perf_thread_map_entry))

static void write_thread_map(const struct targets *targets, struct pk_writer *writer)
{
	/* A longer list is cut: only readers that print the threads need the rest. */
	const size_t count = targets->tids_count < THREADS_MAX ? targets->tids_count : THREADS_MAX;
	struct perf_thread_map_entry *entries = pk_writer_thread_map(writer, count);
	char path[64], comm[16];

	for (size_t i = 0; entries && i < count; i++) {
		const pid_t tid = targets->tids[i];

		entries[i].pid = (uint64_t)(int64_t)tid;
		snprintf(path, sizeof(path), "/proc/%d/comm", tid);
		if (tid > 0 && pk_procfs_read_line(path, comm, sizeof(comm), pk_lookups()))
			memcpy(entries[i].comm, comm, strlen(comm));
	}
}

#define GROUP_MAX 256 /* number of events; lost samples of larger groups are not counted */

static void write_cpu_map(const struct targets *targets, struct pk_writer *writer)
{
	struct perf_cpus_list *list;
	size_t count = 0;

	for (size_t i = 0; i < targets->cpus_count; i++)
		count += targets->chosen[i];
	list = pk_writer_cpu_map(writer, count);
	count = 0;
	for (size_t i = 0; list && i < targets->cpus_count; i++)
		if (targets->chosen[i])
			list->cpu[count++] = (uint16_t)targets->cpus[i];
}

void write_targets(const struct targets *targets, struct pk_writer *writer)
{
	write_thread_map(targets, writer);
	write_cpu_map(targets, writer);
}

void write_mark(enum perf_record_type type, struct pk_writer *writer)
{
	pk_writer_append(writer, type, 0, sizeof(struct perf_header));
}

void write_mapping(const struct mapping *mapping, const struct perf_attr *attr,
		   struct pk_writer *writer)
{
	const bool identified = mapping->build_id_size != 0;
	const uint16_t misc = mapping->cpumode | (identified ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
	struct perf_record_mmap2 *map;

	assert(mapping->build_id_size <= PK_BUILD_ID_MAX);
	map = pk_writer_with_text(writer, PERF_RECORD_MMAP2, misc, sizeof(*map), mapping->name,
				  trailer_size(attr));
	if (!map)
		return;
	map->pid = (uint32_t)mapping->pid;
	map->tid = (uint32_t)mapping->tid;
	map->addr = mapping->start;
	map->len = mapping->size;
	map->pgoff = mapping->offset;
	if (identified) {
		map->build_id_size = mapping->build_id_size;
		memcpy(map->build_id, mapping->build_id, mapping->build_id_size);
	} else {
		map->maj = mapping->major;
		map->min = mapping->minor;
		map->ino = mapping->inode;
	}
	map->prot = mapping->protection;
	map->flags = mapping->flags;
}

void write_lost(const struct event *event, const struct targets *targets, size_t slot,
		uint64_t lost, struct pk_writer *writer)
{
	struct perf_record_lost_samples *record;
	const size_t size = sizeof(*record) + trailer_size(&event->attr);

	record = (void *)pk_writer_append(writer, PERF_RECORD_LOST_SAMPLES, 0, size);
	if (!record)
		return;
	record->lost = lost;
	trailer_fill(&event->attr, (uint8_t *)record + size, event->ids[slot],
		     (uint32_t)targets->cpus[slot / targets->tids_count]);
}

/* read(2) returns the event's value, its id, and the number of lost samples; the times, if
 * selected, come first. For a group, it returns the number of events first, and these three for
 * each event; the leader, which alone takes samples, is the first. */
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
