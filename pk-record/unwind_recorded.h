/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_RECORDED_H
#define PK_RECORD_UNWIND_RECORDED_H

/* The executable maps of processes that started during the recording, by their records in the
 * rings: for processes that ended before their /proc/PID/maps was read. */

#include <stdint.h>

#include "build_id.h"
#include "perf_abi.h"
#include "table.h"
#include "texts.h"

struct unwind_recorded_map {
	uint64_t start, end, offset;
	uint32_t name; /* in struct unwind_recorded.names */
	struct pk_build_id id;
};

struct unwind_recorded_process {
	struct unwind_recorded_map *maps; /* sorted by start; no two of them overlap */
	size_t count, capacity;
	uint32_t parent; /* whose maps it still has; 0: none */
};

struct unwind_recorded {
	struct pk_table processes; /* by pid: struct unwind_recorded_process */
	struct pk_texts names;
	struct unwind_recorded_change *changes; /* in the order of the rings */
	size_t count, capacity;
	/* Called for a new map that can replace others of the process. */
	void (*replaced)(void *arg, uint32_t pid, uint64_t start, uint64_t size);
	void *arg;
};

/* Keeps a record if it is a MMAP2, FORK or COMM. trailer is its size. */
void unwind_recorded_keep(struct unwind_recorded *recorded, const uint8_t *record, size_t trailer);
/* Applies the kept records in the order of their times. Call it when all rings were read. */
void unwind_recorded_apply(struct unwind_recorded *recorded);
/* Returns NULL if nothing is known. */
const struct unwind_recorded_process *unwind_recorded_find(const struct unwind_recorded *recorded,
							   uint32_t pid);
void unwind_recorded_forget(struct unwind_recorded *recorded, uint32_t pid);
void unwind_recorded_free(struct unwind_recorded *recorded);

#endif
