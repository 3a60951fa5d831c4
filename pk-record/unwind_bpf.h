/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_BPF_H
#define PK_RECORD_UNWIND_BPF_H

/* Implements --call-graph unwind. When the kernel takes a sample, a BPF program unwinds the user
 * stack. For this, pk-record makes tables from the call frame information of the mapped files. The
 * program writes the addresses as a sample of a bpf-output event, before the sample of the recorded
 * event. ring_drain() joins these two samples. */

#include <stdbool.h>
#include <stdint.h>

#include "bpf_library.h"
#include "bpf_maps.h"
#include "event.h"
#include "record_options.h"
#include "ring.h"
#include "unwind_half.h"
#include "unwind_processes.h"

struct pk_writer;

/* The state of --call-graph unwind. */
struct unwind {
	const struct options *options;
	struct bpf_library *object; /* the object of bpf/unwind.bpf.c; NULL if --call-graph unwind
				     * is not used */
	struct unwind_arenas arenas;
	struct unwind_processes processes;
	struct bpf_ring requests;
	struct event_list outputs; /* the bpf-output events, one for each CPU, to which the halves
				    * are written */
	uint32_t off_cpu_stack;	   /* limit for each stack of --off-cpu, in bytes */
	struct targets cpus;
	int *holders; /* descriptors of the events to which the programs of tracepoints are attached
		       */
	size_t holders_count, holders_capacity;
	struct unwind_joins joins;
	/* Processes that had ended when the rings were last read. Their maps are kept until the
	 * next read, because samples in other rings can still need them. */
	struct unwind_pids ended;
	struct pk_messages messages; /* messages of the functions below that have failed */
};

/* Loads the BPF programs that these events need. If this fails, adds a message, unloads everything,
 * and returns PK_FAILED. The message is not printed. */
PK_MUST_CHECK enum pk_status unwind_try(struct unwind *unwind, const struct event_list *events,
					const struct targets *targets);
/* Checks whether this user can load the BPF programs on this machine. If not, adds a message and
 * returns PK_FAILED. */
PK_MUST_CHECK enum pk_status unwind_possible(struct pk_messages *messages);
/* Call unwind_before_open() before the events are opened, and unwind_after_open() afterwards. The
 * first function sets a flag in the attrs of the events that are unwound, so that the kernel does
 * not follow user stacks. The second function clears the flag, and attaches the programs to these
 * events. If the second function fails, it prints a message and returns an error. */
void unwind_before_open(const struct unwind *unwind, struct event_list *events);
PK_MUST_CHECK enum pk_status unwind_after_open(struct unwind *unwind, struct event_list *events,
					       const struct targets *targets);
/* Connects the bpf-output events with the rings of the events, tells the BPF programs which
 * processes are recorded, and attaches the programs that follow processes. Also prepares the table
 * of the command's file. Returns an error after it has printed a message. */
PK_MUST_CHECK enum pk_status unwind_connect(struct unwind *unwind, const struct ring_list *rings,
					    const struct targets *targets);
/* Writes the IMAGE records of interpreted code. Call it at the start of each stream. */
void unwind_start(struct unwind *unwind, struct pk_writer *writer);
/* Returns the descriptor to poll for requests of the BPF programs. Returns -1 without --call-graph
 * unwind. */
int unwind_fd(const struct unwind *unwind);
/* Handles the requests of the BPF programs: reads files, and makes chunks. Call it before the rings
 * are read. */
void unwind_serve(struct unwind *unwind);
/* Reads the MMAP2, COMM, FORK and EXIT records in the rings, before ring_drain() reads the rings.
 * `trailer` is the size of their trailers in bytes. ring_drain() stops at the position up to which
 * this function has read. */
void unwind_look(struct unwind *unwind, struct ring_list *rings, size_t trailer);
/* Call it after the rings were read. Forgets the maps of the processes whose end was found in the
 * previous read. The maps of processes whose end was found in this read are kept until the next
 * call. */
void unwind_follow(struct unwind *unwind);
/* Prints how many user stacks are incomplete, and why. */
void unwind_report(struct unwind *unwind);
void unwind_close(struct unwind *unwind);

#endif
