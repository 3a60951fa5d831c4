/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_H
#define PK_RECORD_OFFCPU_H

/* --off-cpu: samples of how long threads were blocked, with their stacks. The event in the stream
 * is opened as context-switches, and a BPF program on it records threads that stop running; when
 * such a thread runs again, a record comes through separate rings (see offcpu_bpf.h). Blocks with
 * the same stack that have ended since the last read become one sample. */

#include "event.h"
#include "offcpu_bpf.h"
#include "offcpu_sums.h"
#include "record_options.h"
#include "ring.h"

struct offcpu {
	const struct options *options;
	struct offcpu_bpf bpf;
	struct event_list outputs; /* the bpf-output event of each CPU */
	struct targets cpus;
	struct ring_list rings;
	struct offcpu_sums sums;
	uint64_t lost, reported; /* lost blocks: in total, and those reported in the stream */
	uint64_t missed;	 /* the part of the reported ones that the program could not
				  * record */
	uint64_t kernel_lost;	 /* by LOST records */
	uint64_t now;		 /* the last known time of perf's clock */
	struct pk_writer *writer;
	struct ring_counts *counts;
	const struct event *event; /* the event of the samples */
	const struct targets *targets;
	size_t slot; /* a slot where it is open: its id is in samples */
};

/* Adds the event, to be completed like the others. False after a message. */
bool offcpu_add_event(struct event_list *events);

void offcpu_init(struct offcpu *offcpu, const struct options *options);
/* Loads the programs. From now on, blocks of the event's tasks are recorded. False after a
 * message. */
bool offcpu_open(struct offcpu *offcpu);
/* Call it after the events were opened. False after a message. */
bool offcpu_attach(struct offcpu *offcpu, const struct event_list *events,
		   const struct targets *targets);
void offcpu_close(struct offcpu *offcpu);

/* The descriptors to poll, and their number. */
size_t offcpu_fds(const struct offcpu *offcpu, const int **fds);
/* The limit for the bytes of the next drain. */
size_t offcpu_fill(const struct offcpu *offcpu);
/* Writes samples of new data. False: there was none. */
bool offcpu_drain(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* Call it at the end, after the events were disabled. Threads that are still blocked get a sample
 * until now. */
void offcpu_finish(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* Reports the blocks without samples since the last call, and returns their number. */
uint64_t offcpu_write_lost(struct offcpu *offcpu, struct pk_writer *writer);

#endif
