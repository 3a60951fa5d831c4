// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "configure.h"
#include "event.h"
#include "lookups.h"
#include "perf_syscall.h"
#include "pkprivate.h"
#include "procfs.h"
#include "stream_head.h"
#include "system_features.h"

/* ---- The head ---- */

static size_t slots_of(const struct targets *targets)
{
	return targets->cpus_count * targets->tids_count;
}

/* Calls `each` with the ids of an event. If the ids do not fit into one HEADER_ATTR, calls `each`
 * several times. */
static void each_piece(const struct event *event, const struct targets *targets,
		       void (*each)(const struct event *event, const uint64_t *ids, size_t count,
				    struct pk_writer *writer),
		       struct pk_writer *writer)
{
	const size_t slots = slots_of(targets);
	uint64_t ids[ATTR_IDS_MAX];
	size_t count = 0;

	for (size_t slot = 0; slot < slots; slot++) {
		if (event->opened.fds[slot] < 0)
			continue;
		ids[count++] = event->opened.ids[slot];
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
	if (event->probe.target)
		attr.config1 = 0; /* config1 is an address in this process, and has no meaning for
				   * others */
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

/* The member `index` of an entry is the number of the ring of the event. */
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

			if (events->items[i].opened.fds[slot] < 0)
				continue;
			entries[count] = (struct perf_id_entry){
				.id = events->items[i].opened.ids[slot],
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
	pk_arguments_write(writer, ids[0], event->probe.arguments);
}

void write_arguments(const struct event_list *events, const struct targets *targets,
		     struct pk_writer *writer)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].probe.arguments)
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
		ids += event->opened.fds[slot] >= 0;
	return (ids + ATTR_IDS_MAX - 1) / ATTR_IDS_MAX;
}

/* Returns the number of HEADER_ATTRs of the members of a group that come after its leader. */
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
	/* A list that is too long is cut. Only readers that print the threads need the whole list.
	 */
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

/* The maximum number of events. In larger groups, lost samples are not counted. */
#define GROUP_MAX 256

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

void stamp_trailer(const struct perf_attr *attr, struct perf_header *record,
		   const struct stamp *stamp)
{
	uint8_t *end = (uint8_t *)record + record->size, *at = end - trailer_size(attr);

	trailer_fill(attr, end, stamp->id, 0);
	if (attr->sample_type & PERF_SAMPLE_TID)
		at = pk_put_two_u32(at, (uint32_t)stamp->pid, (uint32_t)stamp->tid);
	if (attr->sample_type & PERF_SAMPLE_TIME)
		pk_put_u64(at, stamp->time);
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
	if (mapping->id)
		stamp_trailer(
			attr, &map->header,
			&(struct stamp){mapping->pid, mapping->tid, mapping->time, mapping->id});
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
	trailer_fill(&event->attr, (uint8_t *)record + size, event->opened.ids[slot],
		     (uint32_t)targets->cpus[slot / targets->tids_count]);
}

/* For a single event, read(2) returns its value, its id, and the number of lost samples. For a
 * group, it returns the number of events first, and then these three numbers for each event. The
 * leader comes first, and is the only event that takes samples. In both cases, the times come
 * before these numbers if they are selected. */
uint64_t lost_since(const struct event *event, size_t slot)
{
	const uint64_t format = event->attr.read_format;
	const uint64_t in_front =
		PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	const size_t ahead = (size_t)__builtin_popcountll(format & in_front);
	uint64_t values[3 + 3 * GROUP_MAX], lost;
	const uint64_t *count = &values[ahead + 2];

	if (event->opened.fds[slot] < 0 || !(format & PERF_FORMAT_LOST) ||
	    (format & PERF_FORMAT_GROUP && !event->attr.sample_period) ||
	    read(event->opened.fds[slot], values, sizeof(values)) < (ssize_t)((ahead + 3) * 8))
		return 0;
	lost = *count - event->opened.lost[slot];
	event->opened.lost[slot] = *count;
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

/* ---- Headers ---- */

/* Writes the command line. As in perf, the first string is the path of the program. */
static void write_command_line(struct pk_feature *feature, const struct options *options,
			       struct pk_writer *writer)
{
	char path[PATH_MAX];
	const ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (size < 0)
		pk_lookup_failed("/proc/self/exe");
	path[size > 0 ? size : 0] = 0;
	pk_feature_start(feature, PERF_FEATURE_CMDLINE);
	pk_feature_u32(feature, (uint32_t)options->argc);
	pk_feature_string(feature, size > 0 ? path : options->argv[0]);
	for (int i = 1; i < options->argc; i++)
		pk_feature_string(feature, options->argv[i]);
	pk_feature_write(feature, writer);
}

static uint64_t nanoseconds(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * UINT64_C(1000000000) + (uint64_t)time->tv_nsec;
}

/* Writes the relation of the clock of --clockid to the time of day. Does nothing without --clockid,
 * because programs cannot read the kernel's default clock. */
static void write_clock(struct pk_feature *feature, const struct options *options,
			struct pk_writer *writer)
{
	struct timespec resolution, wall, clock;

	if (!options->sampling.use_clockid ||
	    clock_getres(options->sampling.clockid, &resolution) ||
	    clock_gettime(CLOCK_REALTIME, &wall) ||
	    clock_gettime(options->sampling.clockid, &clock))
		return;
	pk_feature_start(feature, PERF_FEATURE_CLOCKID);
	pk_feature_u64(feature, nanoseconds(&resolution));
	pk_feature_write(feature, writer);
	pk_feature_start(feature, PERF_FEATURE_CLOCK_DATA);
	pk_feature_u32(feature, 1);
	pk_feature_u32(feature, (uint32_t)options->sampling.clockid);
	pk_feature_u64(feature, nanoseconds(&wall));
	pk_feature_u64(feature, nanoseconds(&clock));
	pk_feature_write(feature, writer);
}

void write_labels(const struct options *options, struct pk_writer *writer)
{
	for (size_t i = 0; i < options->files.labels_count; i++) {
		const struct pk_label label = {options->files.labels[i].name,
					       options->files.labels[i].value};

		pk_label_write(writer, &label);
	}
}

void write_features(const struct options *options, struct pk_writer *writer)
{
	struct pk_feature *feature = pk_need(pk_lookups(), malloc(sizeof(*feature)));

	if (!feature)
		return; /* the feature is optional */
	pk_system_features_write(feature, writer, pk_lookups());
	write_command_line(feature, options, writer);
	write_clock(feature, options, writer);
	free(feature);
}

/* ---- Control groups ---- */

/* Returns the id that a control group has in samples. Returns 0 if it is unknown. */
static uint64_t cgroup_id(const char *path)
{
	struct {
		struct file_handle handle;
		uint64_t id;
	} known = {.handle.handle_bytes = sizeof(uint64_t)};
	uint64_t id;
	int mount;

	if (name_to_handle_at(AT_FDCWD, path, &known.handle, &mount, 0) ||
	    known.handle.handle_bytes != sizeof(id))
		return 0;
	memcpy(&id, known.handle.f_handle, sizeof(id));
	return id;
}

static void write_cgroup(uint64_t id, const char *path, const struct perf_attr *attr,
			 struct pk_writer *writer)
{
	struct perf_record_cgroup *cgroup = pk_writer_with_text(
		writer, PERF_RECORD_CGROUP, 0, sizeof(*cgroup), path, trailer_size(attr));

	if (cgroup)
		cgroup->id = id;
}

struct walk {
	const struct perf_attr *attr;
	struct pk_writer *writer;
	size_t root;  /* length of the path of the root control group */
	dev_t device; /* device number of the file system of control groups */
	char path[PATH_MAX];
};

/* Writes the control group at walk->path, and those below it. size is the length of the path. Does
 * not use fts(3), because it crashes in glibc when memory is exhausted. Does not use nftw(3),
 * because it passes no argument. */
static void write_tree(struct walk *walk, size_t size)
{
	const struct dirent *entry;
	struct stat st;
	DIR *folder;
	uint64_t id;
	int n;

	if (stat(walk->path, &st)) {
		pk_lookup_failed(walk->path);
		return;
	}
	/* Other file systems can be mounted inside the cgroup file system. They contain no control
	 * groups. */
	if (size == walk->root)
		walk->device = st.st_dev;
	else if (st.st_dev != walk->device)
		return;
	id = cgroup_id(walk->path);
	if (id)
		write_cgroup(id, size > walk->root ? walk->path + walk->root : "/", walk->attr,
			     walk->writer);
	folder = opendir(walk->path);
	if (!folder)
		pk_lookup_failed(walk->path);
	while (folder && (errno = 0, entry = readdir(folder))) {
		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
		    !strcmp(entry->d_name, ".."))
			continue;
		n = snprintf(walk->path + size, sizeof(walk->path) - size, "/%s", entry->d_name);
		if (n > 0 && (size_t)n < sizeof(walk->path) - size)
			write_tree(walk, size + (size_t)n);
		else
			pk_failed(pk_lookups(), walk->path, ENAMETOOLONG);
		walk->path[size] = '\0';
	}
	if (folder && errno)
		pk_lookup_failed(walk->path);
	if (folder)
		closedir(folder);
}

void write_cgroups(const struct perf_attr *attr, struct pk_writer *writer)
{
	struct walk walk = {.attr = attr, .writer = writer};
	char *const root = pk_cgroup_root(pk_lookups());

	if (root && strlen(root) < sizeof(walk.path)) {
		walk.root = strlen(root);
		memcpy(walk.path, root, walk.root + 1);
		write_tree(&walk, walk.root);
	}
	free(root);
}
