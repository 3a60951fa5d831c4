/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SYNTHESIZE_H
#define PK_RECORD_SYNTHESIZE_H

/* Writes FORK, COMM and MMAP2 records for the tasks that exist before the recording. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "event.h"
#include "pkstream.h"

/* ---- Processes ---- */

/* The set of recorded processes, including their children. A stream that starts later than the
 * recording (--split) begins with the records of these processes. */

struct process_set {
	pid_t *pids;
	size_t count, capacity;
};

/* Adds a process. If memory is exhausted, the process is not added. */
void processes_add(struct process_set *processes, pid_t pid);
/* Adds all existing processes. */
void processes_add_all(struct process_set *processes);
void processes_free(struct process_set *processes);

/* ---- Records ---- */

/* Writes the records of processes. If the recording is system-wide, these are all processes. If it
 * is not, these are the processes in `later`, or the targets if `later` is NULL. If `data` is true,
 * also writes maps that are not executable. If an error occurs, it is stored in the writer. */
void write_tasks(const struct perf_attr *attr, const struct targets *targets, bool data,
		 struct process_set *later, struct pk_writer *writer);

struct file_ids;

/* Returns a cache of the build-ids of mapped files. Returns NULL if memory is exhausted. Functions
 * that take a cache accept NULL, and then find no build-id. */
struct file_ids *file_ids_new(void);
void file_ids_free(struct file_ids *ids);

/* Writes the records of single tasks. `attr` is the attr of the first event. */
struct synthesis {
	const struct perf_attr *attr;
	struct pk_writer *writer;
	struct file_ids *ids;
	bool data; /* also write maps that are not executable */
	uint64_t tasks, maps;
	/* The time and the event id of the records. If they are 0, the records describe the state
	 * before the recording. */
	uint64_t time, id;
};

/* `misc` is PERF_RECORD_MISC_FORK_EXEC if the process does not have the maps of its parent, or 0.
 */
void synthesis_fork(const struct synthesis *synthesis, pid_t pid, pid_t tid, pid_t parent,
		    uint16_t misc);
/* The name is cut to the size of a name in the kernel. */
void synthesis_comm(const struct synthesis *synthesis, pid_t pid, pid_t tid, const char *comm,
		    uint16_t misc);
/* Writes the maps of a process. If the process has ended or belongs to another user, there are no
 * visible maps. */
void synthesis_maps(struct synthesis *synthesis, pid_t pid);

/* The content of one line of /proc/PID/maps. */
struct map_line {
	uint64_t start, end, offset, inode;
	uint32_t major, minor;
	char permissions[5]; /* the permissions as text, such as "r-xp" */
	char *name; /* a pointer into the line that was parsed; "" if the map has no name */
};

/* Splits a line, and changes it while doing so. Returns false if it is malformed. */
bool map_line_parse(char *line, struct map_line *map);

#endif
