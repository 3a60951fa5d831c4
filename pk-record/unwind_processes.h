/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_PROCESSES_H
#define PK_RECORD_UNWIND_PROCESSES_H

/* Finds executable maps of processes for --call-graph unwind. It is needed if the BPF programs have
 * not found a map, or if they have no table for its file. */

#include <stdint.h>
#include <sys/types.h>

#include "interpreted_frames.h"
#include "unwind_objects.h"
#include "unwind_recorded.h"

/* What is needed to find the maps of processes and the files of these maps. */
struct unwind_processes {
	struct unwind_objects objects;
	struct unwind_recorded recorded;
	struct interpreted_frames interpreted;
	int seen; /* descriptor of the BPF map `seen` */
};

/* The result of a search for the map of an address. */
enum unwind_finding {
	UNWIND_FOUND,
	UNWIND_NO_CODE, /* the address is in no executable map */
	UNWIND_GONE /* the process has ended, and its records do not have a map with the address */
};

/* Finds the map of an address of a process. If the file of the map is new, makes its table. Adds
 * the map to *seen if *seen does not have it. */
enum unwind_finding unwind_processes_find(struct unwind_processes *processes, pid_t pid,
					  struct unwind_seen *seen, uint64_t address);
/* Finds the map of an address of a process, and loads its file. A BPF program has given the number
 * to this file. If loading fails, lets the BPF programs request the file again. */
void unwind_processes_load(struct unwind_processes *processes, pid_t pid, uint32_t number,
			   uint64_t address);
/* Gives the maps *seen of a process to the BPF programs. Sets their generation to a new number. */
void unwind_processes_tell(const struct unwind_processes *processes, pid_t pid,
			   struct unwind_seen *seen);
/* Called if a process has mapped `size` bytes at `start`. If known maps of the process overlap this
 * range, lets the BPF programs forget all known maps of the process. A map with the same range is
 * not forgotten. */
void unwind_processes_replaced(const struct unwind_processes *processes, pid_t pid, uint64_t start,
			       uint64_t size);
/* Returns the rule for an address. Returns NULL if the address is in none of these maps, or if the
 * file of the map is not loaded yet. */
const struct pk_unwind_rule *unwind_processes_rule(struct unwind_processes *processes,
						   const struct unwind_seen *seen,
						   uint64_t address);
void unwind_processes_free(struct unwind_processes *processes);

#endif
