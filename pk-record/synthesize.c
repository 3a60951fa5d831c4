// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "child.h"
#include "cli.h"
#include "configure.h"
#include "lookups.h"
#include "pkprivate.h"
#include "procfs.h"
#include "stream_head.h"
#include "symbols.h"
#include "synthesize.h"
#include "table.h"
#include "vector.h"

/* ---- Ids of files ---- */

/* A cache of the build-ids of mapped files. Each file is read only once. */

struct file_ids;

struct entry {
	uint64_t device, inode;
	struct pk_build_id id;
};

struct file_ids {
	struct entry *entries;
	size_t count, capacity;
	struct pk_table numbers; /* index of an entry plus 1, by device and inode of the file */
};

/* Returns NULL if memory is exhausted. The other functions of the cache accept NULL as the cache,
 * and then find no build-id. */
struct file_ids *file_ids_new(void)
{
	return calloc(1, sizeof(struct file_ids));
}

void file_ids_free(struct file_ids *ids)
{
	if (!ids)
		return;
	free(ids->entries);
	pk_table_free(&ids->numbers);
	free(ids);
}

static struct entry *find_file(const struct file_ids *ids, uint64_t key, uint64_t device,
			       uint64_t inode)
{
	struct pk_probe probe = pk_table_probe(&ids->numbers, key);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		struct entry *entry = &ids->entries[number - 1];

		if (entry->inode == inode && entry->device == device)
			return entry;
	}
	return NULL;
}

/* Returns NULL if memory is exhausted. */
static struct entry *add_file(struct file_ids *ids, uint64_t key, uint64_t device, uint64_t inode)
{
	if (pk_reserve(&ids->entries, &ids->capacity, ids->count, 1, sizeof(*ids->entries)) !=
		    PK_OK ||
	    pk_table_add(&ids->numbers, key, ids->count + 1) != PK_OK)
		return NULL;
	ids->entries[ids->count] = (struct entry){.device = device, .inode = inode};
	return &ids->entries[ids->count++];
}

/* Returns true if the file at the path has the inode of the map. */
static bool is_file(const char *path, const struct map_line *map)
{
	struct stat st;

	if (!stat(path, &st))
		return st.st_ino == map->inode;
	pk_lookup_failed(path);
	return false;
}

/* Reads a build-id. A file in map_files is the mapped file itself, even if it was deleted or
 * replaced, or if it is in another mount namespace. But opening it needs CAP_CHECKPOINT_RESTORE.
 * Without this capability, tries the file at the path of the map, and then the executable of the
 * process. It reads these files only if they have the inode of the map. */
static void read_id(pid_t pid, const struct map_line *map, struct pk_build_id *id)
{
	char path[4200];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, map->start,
		 map->end);
	if (pk_build_id_of_file(path, id, pk_lookups()))
		return;
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, map->name);
	if (map->name[0] == '/' && is_file(path, map) &&
	    pk_build_id_of_file(path, id, pk_lookups()))
		return;
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	if (!is_file(path, map) || !pk_build_id_of_file(path, id, pk_lookups()))
		id->size = 0;
}

/* Returns the build-id of a file that a process has mapped. Returns NULL if the file has none, or
 * if it cannot be read. The result is valid until the next call. */
static const struct pk_build_id *file_ids_get(struct file_ids *ids, pid_t pid,
					      const struct map_line *map)
{
	const uint64_t device = (uint64_t)map->major << 32 | map->minor;
	const uint64_t key = device * UINT64_C(0x9e3779b97f4a7c15) ^ map->inode;
	struct entry *entry = ids ? find_file(ids, key, device, map->inode) : NULL;

	if (!entry) {
		entry = ids ? add_file(ids, key, device, map->inode) : NULL;
		if (!entry) {
			pk_failed(pk_lookups(), map->name, ENOMEM);
			return NULL;
		}
		read_id(pid, map, &entry->id);
	}
	return entry->id.size ? &entry->id : NULL;
}

/* ---- Processes ---- */

#define FIRST_CAPACITY 1024

static int by_pid(const void *a, const void *b)
{
	const pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

/* Sorts the processes. Removes duplicates, and processes that have exited. */
static void processes_prune(struct process_set *processes)
{
	size_t kept = 0;

	if (!processes->count)
		return;
	qsort(processes->pids, processes->count, sizeof(*processes->pids), by_pid);
	for (size_t i = 0; i < processes->count; i++) {
		const pid_t pid = processes->pids[i];

		if ((kept && processes->pids[kept - 1] == pid) || (kill(pid, 0) && errno == ESRCH))
			continue;
		processes->pids[kept++] = pid;
	}
	processes->count = kept;
}

/* Removes processes that have exited. Allocates more memory only if the remaining processes need
 * more than half of the memory. */
static enum pk_status make_room(struct process_set *processes)
{
	enum pk_status status;
	size_t more;

	processes_prune(processes);
	if (processes->capacity && processes->count <= processes->capacity / 2)
		return PK_OK;
	more = processes->capacity ? processes->capacity - processes->count + 1 : FIRST_CAPACITY;
	status = pk_reserve(&processes->pids, &processes->capacity, processes->count, more,
			    sizeof(*processes->pids));
	return processes->count < processes->capacity ? PK_OK : status;
}

void processes_add(struct process_set *processes, pid_t pid)
{
	if (pid <= 0 || (processes->count == processes->capacity && make_room(processes) != PK_OK))
		return;
	processes->pids[processes->count++] = pid;
}

void processes_add_all(struct process_set *processes)
{
	pid_t *pids = NULL;
	const ssize_t count = pk_procfs_list_ids("/proc", &pids, pk_lookups());

	for (ssize_t i = 0; i < count; i++)
		processes_add(processes, pids[i]);
	free(pids);
}

void processes_free(struct process_set *processes)
{
	free(processes->pids);
	*processes = (struct process_set){0};
}

/* ---- Records ---- */

#define COMM_SIZE 16 /* size of a name in the kernel, including the NUL */

static void stamp(const struct synthesis *synthesis, struct perf_header *record, pid_t pid,
		  pid_t tid)
{
	if (synthesis->id)
		stamp_trailer(synthesis->attr, record,
			      &(struct stamp){pid, tid, synthesis->time, synthesis->id});
}

void synthesis_fork(const struct synthesis *synthesis, pid_t pid, pid_t tid, pid_t parent,
		    uint16_t misc)
{
	/* In the FORK record of a thread, its process is the parent. */
	const pid_t from = pid == tid ? parent : pid;
	struct perf_record_task *task =
		pk_writer_zeroed(synthesis->writer, PERF_RECORD_FORK, misc,
				 sizeof(*task) + trailer_size(synthesis->attr));

	if (!task)
		return;
	task->pid = (uint32_t)pid;
	task->tid = (uint32_t)tid;
	task->ppid = task->ptid = (uint32_t)from;
	task->time = synthesis->time;
	stamp(synthesis, &task->header, pid, tid);
}

void synthesis_comm(const struct synthesis *synthesis, pid_t pid, pid_t tid, const char *comm,
		    uint16_t misc)
{
	struct perf_record_comm *record;
	char cut[COMM_SIZE];

	snprintf(cut, sizeof(cut), "%s", comm);
	record = pk_writer_with_text(synthesis->writer, PERF_RECORD_COMM, misc, sizeof(*record),
				     cut, trailer_size(synthesis->attr));
	if (!record)
		return;
	record->pid = (uint32_t)pid;
	record->tid = (uint32_t)tid;
	stamp(synthesis, &record->header, pid, tid);
}

static bool hex_field(char **cursor, char end, uint64_t *value)
{
	char *stop;

	*value = strtoull(*cursor, &stop, 16);
	if (stop == *cursor || *stop != end)
		return false;
	*cursor = stop + 1;
	return true;
}

/* Parses a line such as "55580fcf1000-55580fcf7000 r-xp 00002000 fe:00 247498 /usr/bin/head". */
bool map_line_parse(char *line, struct map_line *map)
{
	uint64_t major, minor;
	char *end;

	if (!hex_field(&line, '-', &map->start) || !hex_field(&line, ' ', &map->end) ||
	    map->end <= map->start || strnlen(line, 5) != 5 || line[4] != ' ')
		return false;
	memcpy(map->permissions, line, 4);
	map->permissions[4] = 0;
	line += 5;
	if (!hex_field(&line, ' ', &map->offset) || !hex_field(&line, ':', &major) ||
	    !hex_field(&line, ' ', &minor))
		return false;
	map->major = (uint32_t)major;
	map->minor = (uint32_t)minor;
	map->inode = strtoull(line, &end, 10);
	if (end == line)
		return false;
	map->name = end + strspn(end, " ");
	return true;
}

static uint32_t protection(const char *permissions)
{
	return (permissions[0] == 'r' ? PROT_READ : 0) | (permissions[1] == 'w' ? PROT_WRITE : 0) |
	       (permissions[2] == 'x' ? PROT_EXEC : 0);
}

/* Returns true if the map of a line must be written. Executable maps are written. With `data`, all
 * readable maps are written. Lines of other maps are not parsed, because most maps are not written.
 */
static bool is_wanted(const struct synthesis *synthesis, const char *line)
{
	const char *permissions = line + strcspn(line, " ");

	return strnlen(permissions, 4) == 4 &&
	       (permissions[3] == 'x' || (synthesis->data && permissions[1] == 'r'));
}

static void write_map(struct synthesis *synthesis, pid_t pid, const struct map_line *map)
{
	struct mapping mapping = {
		.pid = pid,
		.tid = pid,
		.start = map->start,
		.size = map->end - map->start,
		.offset = map->offset,
		.major = map->major,
		.minor = map->minor,
		.inode = map->inode,
		.protection = protection(map->permissions),
		.flags = map->permissions[3] == 's' ? MAP_SHARED : MAP_PRIVATE,
		.name = *map->name ? map->name : "//anon",
		.time = synthesis->time,
		.id = synthesis->id,
		.cpumode = PERF_RECORD_MISC_USER,
	};
	const struct pk_build_id *id;

	if (map->permissions[2] != 'x')
		mapping.cpumode |= PERF_RECORD_MISC_MMAP_DATA;
	/* The kernel uses this name in its own records. */
	if (strlen(map->name) >= PATH_MAX)
		mapping.name = "//toolong";
	/* Devices are not opened, because this can have side effects. */
	id = map->inode && strncmp(map->name, "/dev/", 5) ? file_ids_get(synthesis->ids, pid, map)
							  : NULL;
	if (id) {
		mapping.build_id = id->bytes;
		mapping.build_id_size = id->size;
	}
	write_mapping(&mapping, synthesis->attr, synthesis->writer);
	synthesis->maps++;
}

void synthesis_maps(struct synthesis *synthesis, pid_t pid)
{
	struct line_reader reader;
	struct map_line map;
	char path[64], *line;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (!pk_line_reader_open(&reader, path, pk_lookups()))
		return;
	while ((line = pk_line_reader_next(&reader)))
		if (is_wanted(synthesis, line) && map_line_parse(line, &map))
			write_map(synthesis, pid, &map);
	pk_line_reader_close(&reader);
}

static void write_threads(struct synthesis *synthesis, pid_t pid)
{
	char path[64], comm[COMM_SIZE];
	pid_t *tids = NULL;
	ssize_t count;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	count = pk_procfs_list_ids(path, &tids, pk_lookups());
	for (ssize_t i = 0; i < count; i++) {
		if (tids[i] == pid ||
		    !pk_procfs_thread_comm(pid, tids[i], comm, sizeof(comm), pk_lookups()))
			continue;
		synthesis_fork(synthesis, pid, tids[i], pid, PERF_RECORD_MISC_FORK_EXEC);
		synthesis_comm(synthesis, pid, tids[i], comm, 0);
		synthesis->tasks++;
	}
	free(tids);
}

static void write_process(struct synthesis *synthesis, pid_t pid)
{
	struct task_info info;

	if (!pk_procfs_task(pid, &info, pk_lookups()))
		return;
	synthesis_fork(synthesis, pid, pid, info.parent, PERF_RECORD_MISC_FORK_EXEC);
	synthesis_comm(synthesis, pid, pid, info.comm, 0);
	synthesis->tasks++;
	if (!info.kernel)
		synthesis_maps(synthesis, pid);
	if (info.threads > 1)
		write_threads(synthesis, pid);
}

/* Moves a process to the start of a list. Readers identify the process of the command as the first
 * process that waits for its exec, because other recordings can also have such a process. */
static void put_first(pid_t *pids, ssize_t count, pid_t first)
{
	for (ssize_t i = 1; i < count; i++) {
		if (pids[i] != first)
			continue;
		pids[i] = pids[0];
		pids[0] = first;
	}
}

void write_tasks(const struct perf_attr *attr, const struct targets *targets, bool data,
		 struct process_set *later, struct pk_writer *writer)
{
	struct synthesis synthesis = {
		.attr = attr, .writer = writer, .ids = file_ids_new(), .data = data};
	pid_t *listed = NULL;
	ssize_t count = (ssize_t)targets->pids_count;
	const pid_t *pids = targets->pids;
	char tasks[32], maps[32];

	if (targets->system_wide) {
		count = pk_procfs_list_ids("/proc", &listed, pk_lookups());
		put_first(listed, count, targets->command);
		pids = listed;
	} else if (later) {
		processes_prune(later);
		count = (ssize_t)later->count;
		pids = later->pids;
	} else if (!count)
		synthesis_comm(&synthesis, targets->tids[0], targets->tids[0], CHILD_COMM, 0);
	for (ssize_t i = 0; i < count && pk_writer_status(writer) == PK_OK; i++)
		write_process(&synthesis, pids[i]);
	if (count > 0)
		pk_info("%s tasks with %s maps exist already", pk_number(tasks, synthesis.tasks),
			pk_number(maps, synthesis.maps));
	file_ids_free(synthesis.ids);
	free(listed);
}
