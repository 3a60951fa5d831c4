/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_PROCESSES_H
#define PK_RECORD_UNWIND_PROCESSES_H

/* The executable maps of the processes that --call-graph unwind has met, for its BPF programs. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "table.h"
#include "unwind_objects.h"
#include "unwind_recorded.h"

struct unwind_processes {
	struct unwind_objects objects;
	struct unwind_recorded recorded;
	int map;		 /* `processes` */
	int seen;		 /* the map of this name */
	struct pk_table places;	 /* of the maps, by pid: place << 32 | number of maps */
	struct pk_table settled; /* by pid, 1: its maps had not changed when they were read again */
	uint32_t generation;	 /* of the last maps */
	uint64_t loaded, unread; /* loads, and those of processes that had ended */
};

/* Reads the maps of a process, and makes the tables of its files that have none. asked means that a
 * program has met an address that is in none of its maps. If they have not changed, it does not ask
 * again. Returns false if the process has ended. */
bool unwind_processes_load(struct unwind_processes *processes, pid_t pid, bool asked);
/* There is a new map: the programs forget those that it replaces. */
void unwind_processes_replaced(struct unwind_processes *processes, pid_t pid, uint64_t start,
			       uint64_t size);
/* Loads the maps again if they were loaded before. */
void unwind_processes_changed(struct unwind_processes *processes, pid_t pid);
/* Makes the tables of the files of a process that has ended, by its records. */
void unwind_processes_recover(struct unwind_processes *processes, pid_t pid,
			      const struct unwind_seen *seen);
/* Loads the maps again, unless that has not changed them before. Returns true if they have changed.
 */
bool unwind_processes_refresh(struct unwind_processes *processes, pid_t pid);
/* Whether the maps had not changed when they were read again: no other addresses have code. */
bool unwind_processes_settled(const struct unwind_processes *processes, pid_t pid);
/* The rule of an address, by the maps that the programs have seen, and those that were loaded. NULL
 * if it is in none of them, or its file has no table yet. */
const struct pk_unwind_rule *unwind_processes_rule(const struct unwind_processes *processes,
						   pid_t pid, const struct unwind_seen *seen,
						   uint64_t address);
/* Forgets a process that has ended. */
void unwind_processes_forget(struct unwind_processes *processes, pid_t pid);
void unwind_processes_free(struct unwind_processes *processes);

#endif
