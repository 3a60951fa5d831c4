/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_H
#define PK_RECORD_OFFCPU_H

/*
 * --off-cpu: samples of how long threads were blocked, and in which stacks. The event that is told
 * of in the stream is opened for what is recorded as context-switches, and a BPF program on it
 * notes who stops running; when one goes on, that comes through rings of its own (see
 * offcpu_bpf.h). Blocks with the same stack that ended since the last look are one sample.
 */

#include "event.h"
#include "offcpu_bpf.h"
#include "offcpu_sums.h"
#include "record_options.h"
#include "ring.h"

struct offcpu {
	const struct options *options;
	struct offcpu_bpf bpf;
	struct event_list outputs; /* the bpf-output event, of each CPU */
	struct targets cpus;
	struct ring_list rings;
	struct offcpu_sums sums;
	uint64_t lost, reported; /* blocks: in all, and those that the stream says */
	uint64_t missed;	 /* of those that are reported, what the program could not note */
	uint64_t kernel_lost;	 /* by LOST records */
	uint64_t now;		 /* what perf's clock said last, when asked */
	struct pk_writer *writer;
	struct ring_counts *counts;
	const struct event *event; /* which the samples are of */
	const struct targets *targets;
	size_t slot; /* one that it is open in: its id is in samples */
};

/* The event that stands for it among the others, to be completed as they are. False after a
 * message. */
bool offcpu_add_event(struct event_list *events);

void offcpu_init(struct offcpu *offcpu, const struct options *options);
/* Loads the programs. From now on nothing is missed of tasks that the event is attached to. False
 * after a message. */
bool offcpu_open(struct offcpu *offcpu);
/* To be called when the events have been opened. False after a message. */
bool offcpu_attach(struct offcpu *offcpu, const struct event_list *events,
		   const struct targets *targets);
void offcpu_close(struct offcpu *offcpu);

/* How many descriptors to poll, and which. */
size_t offcpu_fds(const struct offcpu *offcpu, const int **fds);
/* So many bytes may come of the next drain. */
size_t offcpu_fill(const struct offcpu *offcpu);
/* Writes samples of what has come. False if there was nothing. */
bool offcpu_drain(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* The end: the events are disabled. Who is still blocked has been so until now. */
void offcpu_finish(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* Says how many blocks there are no samples of, since the last call, which is returned. */
uint64_t offcpu_write_lost(struct offcpu *offcpu, struct pk_writer *writer);

#endif
