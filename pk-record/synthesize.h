/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SYNTHESIZE_H
#define PK_RECORD_SYNTHESIZE_H

/* Records of the state before the recording: FORK, COMM and MMAP2 of running tasks. */

#include "event.h"
#include "pkstream.h"
#include "processes.h"

/* Writes all processes when system-wide, else those of the targets or, in a later stream, of
 * `later`; with data, also maps of data. Errors stick to the writer. */
void write_tasks(const struct perf_attr *attr, const struct targets *targets, bool data,
		 struct process_set *later, struct pk_writer *writer);

/* One line of /proc/PID/maps. */
struct map_line {
	uint64_t start, end, offset, inode;
	uint32_t major, minor;
	char permissions[5]; /* "r-xp" */
	char *name;	     /* points into the line; "": none */
};

/* Splits a line in place. False: malformed. */
bool map_line_parse(char *line, struct map_line *map);

#endif
