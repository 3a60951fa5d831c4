/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SYNTHESIZE_H
#define PK_RECORD_SYNTHESIZE_H

/* Writes records for the tasks that exist before the recording: FORK, COMM and MMAP2. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "event.h"
#include "pkstream.h"

/* ---- Processes ---- */

/* The processes of a recording, including children: a stream that starts later lists them. */

struct process_set {
	pid_t *pids;
	size_t count, capacity;
};

/* Adds a process. If memory is exhausted, the process is missing. */
void processes_add(struct process_set *processes, pid_t pid);
/* Adds all existing processes. */
void processes_add_all(struct process_set *processes);
void processes_free(struct process_set *processes);

/* ---- Records ---- */

/* Writes the records of all processes when system-wide, otherwise of the processes in `later` or,
 * if it is NULL, of the targets. With data, also writes maps that are not executable. Errors stick
 * to the writer. */
void write_tasks(const struct perf_attr *attr, const struct targets *targets, bool data,
		 struct process_set *later, struct pk_writer *writer);

/* One line of /proc/PID/maps. */
struct map_line {
	uint64_t start, end, offset, inode;
	uint32_t major, minor;
	char permissions[5]; /* "r-xp" */
	char *name;	     /* points into the line; "": none */
};

/* Splits a line in place. Returns false if it is malformed. */
bool map_line_parse(char *line, struct map_line *map);

#endif
