/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_HEAP_PROCESS_H
#define PK_RECORD_HEAP_PROCESS_H

/* A process that libpkheap.so was loaded into, and its ring. The process can write anything into
 * the ring at any time. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "heap_ring.h"
#include "table.h"

/* Calls for each record of a ring. */
struct heap_reader {
	/* `record` is a copy. If it is HEAP_ALLOCATED, `registers` and `stack` are set. */
	void (*record)(void *arg, pid_t pid, const struct heap_record *record,
		       const uint64_t *registers, const void *stack);
	void *arg;
};

struct heap_process {
	pid_t pid;
	int pidfd;     /* readable when the process has ended */
	int memory;    /* the memory file */
	uint64_t size; /* of the records in the ring */
	uint64_t stack_max;
	struct heap_ring *ring; /* the whole mapping; the records are mapped twice in a row */
	uint64_t tail;
	uint64_t stuck; /* when the record at `tail` was first seen to be incomplete, in ns; or 0 */
	uint64_t maps_due; /* when heap_recorder.c reads the maps again if they have changed, in ns
			    */
	uint64_t pages;	   /* size of the address space when the maps were read */
	bool broken;	   /* the ring has invalid values; nothing more is read */
	bool ended;	   /* the process has ended; the rest of the ring can be read */
	size_t place;	   /* in heap_recorder.c's list of processes */
	struct pk_table threads; /* the threads that have records, by tid */
};

/* Creates the ring of a process. Returns NULL with errno if that fails. heap_process_free() accepts
 * NULL. */
struct heap_process *heap_process_new(pid_t pid, uint64_t size, uint32_t stack_max);
void heap_process_free(struct heap_process *process);

/* Reads the records that are complete. A record that its thread will not complete is skipped and
 * counted as lost: those of threads that have ended, and if `all` is true, all of them. Returns the
 * number of bytes that were read. */
uint64_t heap_process_read(struct heap_process *process, const struct heap_reader *reader, bool all,
			   uint64_t now);

#endif
