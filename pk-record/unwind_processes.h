/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_PROCESSES_H
#define PK_RECORD_UNWIND_PROCESSES_H

/* The executable maps of processes, as far as the BPF programs of --call-graph unwind do not find
 * them, or lack the tables of their files. */

#include <stdint.h>
#include <sys/types.h>

#include "python_frames.h"
#include "unwind_objects.h"
#include "unwind_recorded.h"

struct unwind_processes {
	struct unwind_objects objects;
	struct unwind_recorded recorded;
	struct python_frames python;
	int seen; /* the map of this name */
};

enum unwind_finding {
	UNWIND_FOUND,
	UNWIND_NO_CODE, /* the address is in no executable map */
	UNWIND_GONE	/* the process has ended, and its records do not have the map */
};

/* Finds the map of an address of a process, and makes the table of its file if it is new. Adds the
 * map to *seen, if it is not there. */
enum unwind_finding unwind_processes_find(struct unwind_processes *processes, pid_t pid,
					  struct unwind_seen *seen, uint64_t address);
/* The same for a number that a program has given to the file of the map. */
void unwind_processes_load(struct unwind_processes *processes, pid_t pid, uint32_t number,
			   uint64_t address);
/* Tells the programs the maps of a process, which get a new generation. */
void unwind_processes_tell(const struct unwind_processes *processes, pid_t pid,
			   struct unwind_seen *seen);
/* There is a new map: the programs forget those that it replaces. */
void unwind_processes_replaced(const struct unwind_processes *processes, pid_t pid, uint64_t start,
			       uint64_t size);
/* The rule of an address, or NULL if it is in none of these maps, or its file has no table yet. */
const struct pk_unwind_rule *unwind_processes_rule(struct unwind_processes *processes,
						   const struct unwind_seen *seen,
						   uint64_t address);
void unwind_processes_free(struct unwind_processes *processes);

#endif
