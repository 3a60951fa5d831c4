/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_BPF_H
#define PK_RECORD_UNWIND_BPF_H

/* --call-graph unwind: a BPF program unwinds the user stack of a sample when it is taken, with
 * tables that pk-record makes from the call frame information of the mapped files. It writes the
 * addresses as a sample of a bpf-output event, before the sample itself: ring_drain() joins the
 * two. */

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

struct unwind {
	const struct options *options;
	struct bpf_library *object; /* bpf/unwind.bpf.c; NULL: not used */
	struct unwind_arenas arenas;
	struct unwind_processes processes;
	struct bpf_ring requests;
	struct event_list outputs; /* the bpf-output event of each CPU */
	uint32_t off_cpu_stack;	   /* limit for the stacks of --off-cpu, in bytes */
	struct targets cpus;
	int *holders; /* events that hold the programs of tracepoints */
	size_t holders_count, holders_capacity;
	struct unwind_joins joins;
	struct unwind_pids ended; /* processes that had ended when the rings were last read: samples
				   * in other rings can still need them */
	struct pk_messages messages; /* of the functions below that fail */
};

/* Loads the programs that these events need. Returns PK_FAILED after a message, which is not
 * printed. Nothing is loaded then. */
PK_MUST_CHECK enum pk_status unwind_try(struct unwind *unwind, const struct event_list *events,
					const struct targets *targets);
/* Whether this user can load them here. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status unwind_possible(struct pk_messages *messages);
/* Call these two before and after the events are opened. While they are opened, the attrs of those
 * that are unwound say that the kernel follows no user stack. The second one attaches the program
 * to these. It returns false after a message. */
void unwind_before_open(const struct unwind *unwind, struct event_list *events);
PK_MUST_CHECK enum pk_status unwind_after_open(struct unwind *unwind, struct event_list *events,
					       const struct targets *targets);
/* Connects the program with the rings of the events, and loads the maps of the target processes.
 * Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status unwind_connect(struct unwind *unwind, const struct ring_list *rings,
					    const struct targets *targets);
/* Writes what belongs to the start of a stream. */
void unwind_start(struct unwind *unwind, struct pk_writer *writer);
/* The descriptor to poll for requests of the program, or -1 if there is none. */
int unwind_fd(const struct unwind *unwind);
/* Loads the maps of processes that the program requests. Call it before the rings are read. */
void unwind_serve(struct unwind *unwind);
/* Reads the records about processes in the rings, whose trailer has this size: ring_drain() then
 * writes the records up to there. */
void unwind_look(struct unwind *unwind, struct ring_list *rings, size_t trailer);
/* Follows the processes whose records were read from the rings. */
void unwind_follow(struct unwind *unwind);
/* Reports how many stacks are not complete. */
void unwind_report(struct unwind *unwind);
void unwind_close(struct unwind *unwind);

#endif
