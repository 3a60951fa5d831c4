/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_RECORDED_H
#define PK_RECORD_UNWIND_RECORDED_H

/* The executable maps of processes that started during the recording, according to the records in
 * the rings. They are needed for processes that ended before pk-record read /proc/PID/maps. */

#include <stdint.h>

#include "build_id.h"
#include "perf_abi.h"
#include "table.h"
#include "texts.h"

/* An executable map of a process, from an MMAP2 record. */
struct unwind_recorded_map {
	uint64_t start, end, offset;
	uint32_t name; /* number of the map's path in unwind_recorded.names */
	struct pk_build_id id;
};

/* The executable maps of one process. */
struct unwind_recorded_process {
	struct unwind_recorded_map *maps; /* sorted by start; no two maps overlap */
	size_t count, capacity;
	/* Pid of the process that has forked this one. While `maps` is empty, this process still
	 * has the maps of that parent. 0 if there is no such process, or if this process has called
	 * exec. */
	uint32_t parent;
};

/* The maps of all processes that started during the recording, and changes that are not applied
 * yet. */
struct unwind_recorded {
	struct pk_table processes; /* struct unwind_recorded_process by pid */
	struct pk_texts names;
	struct unwind_recorded_change *changes; /* changes that are not applied yet, in the order in
						 * which the rings were read */
	size_t count, capacity;
	/* Called if a process has a new map that may have replaced other maps of the process. */
	void (*replaced)(void *arg, uint32_t pid, uint64_t start, uint64_t size);
	void *arg;
};

/* Keeps a record if it changes the maps of a process: an MMAP2 record, a FORK record, or a COMM
 * record of an exec. `trailer` is the size of its trailer in bytes. */
void unwind_recorded_keep(struct unwind_recorded *recorded, const uint8_t *record, size_t trailer);
/* Applies the kept records in the order of their times. Call it after all rings were read. */
void unwind_recorded_apply(struct unwind_recorded *recorded);
/* Returns what is known of a process, or NULL if nothing is known. */
const struct unwind_recorded_process *unwind_recorded_find(const struct unwind_recorded *recorded,
							   uint32_t pid);
void unwind_recorded_forget(struct unwind_recorded *recorded, uint32_t pid);
void unwind_recorded_free(struct unwind_recorded *recorded);

#endif
