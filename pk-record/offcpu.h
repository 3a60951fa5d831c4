/* SPDX-License-Identifier: BSD-2-Clause */
/* For --off-cpu: samples of how long threads were blocked, with their stacks. The event in the
 * stream is opened as context-switches, and a BPF program on it records threads that stop running.
 * When such a thread runs again, a record comes through separate rings. Blocks of a thread with the
 * same stacks that have ended since the last read become one sample. */
#ifndef PK_RECORD_OFFCPU_H
#define PK_RECORD_OFFCPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/offcpu_block.h"
#include "bpf_library.h"
#include "buffer.h"
#include "event.h"
#include "messages.h"
#include "offcpu_dumps.h"
#include "record_options.h"
#include "ring.h"
#include "table.h"

struct offcpu_bpf {
	struct bpf_library *object;   /* bpf/offcpu.bpf.c, or that of --call-graph unwind */
	bool shared;		      /* the latter, which its owner loads, attaches and closes */
	int switch_out;		      /* the program for the events */
	int blocked, outputs, missed; /* maps */
	uint32_t stack_size;	      /* limit for one stack, in bytes */
	struct pk_messages messages;  /* of the functions below that fail; the caller prints them */
};

/* Limit for the frames of a stack. */
#define OFFCPU_STACK_MAX 1024

/* Shapes the maps of the programs in an object that is not loaded yet. frames is the limit for the
 * frames of a stack. With growing, the memory for threads is allocated on use, which the kernel can
 * refuse. Returns the limit for one stack, in bytes. */
uint32_t offcpu_bpf_shape(struct bpf_library *object, uint32_t frames, uint32_t cpus, bool growing);
/* Leaves out the programs. */
void offcpu_bpf_leave_out(struct bpf_library *object);
/* Loads the programs. frames is the limit for the frames of a stack, at most OFFCPU_STACK_MAX. cpus
 * is the highest number of a CPU, plus 1. Blocks shorter than threshold (ns) are skipped. Returns
 * PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus,
					     uint64_t threshold);
/* Attaches the program for sched:sched_switch. From now on, switch_out records the blocks of the
 * tasks to whose events it is attached. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status offcpu_bpf_start(struct offcpu_bpf *bpf);
/* Detaches that program, and waits until no CPU runs it any more. */
void offcpu_bpf_end(struct offcpu_bpf *bpf);
void offcpu_bpf_free(struct offcpu_bpf *bpf);
/* Sets fd as the bpf-output event for samples of a CPU. Returns PK_IO with errno. */
PK_MUST_CHECK enum pk_status offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd);
/* The counter `missed`. */
uint64_t offcpu_bpf_missed(const struct offcpu_bpf *bpf);
/* Calls each for every thread that is blocked now. If memory is exhausted, calls it for none. */
void offcpu_bpf_each_blocked(const struct offcpu_bpf *bpf,
			     void (*each)(void *arg, struct offcpu_block *block), void *arg);

/* ---- Sums ---- */

/* Adds up the times of blocks of the same thread with the same stacks. */

struct offcpu_sum {
	uint64_t end; /* end of the last block, in ns of the clock of samples */
	uint32_t cpu; /* the CPU where the thread continued after that block */
	/* Size of block in bytes. */
	uint32_t size;
	struct offcpu_block block; /* block.time is the sum, in ns */
};

struct offcpu_sums {
	struct buffer sums;	/* struct offcpu_sum, one after another */
	struct pk_table places; /* offsets in sums plus 1, by hash of thread and stacks */
};

/* Adds a block that ended at `end` on a CPU. data is a struct offcpu_block, which may be unaligned
 * and followed by padding. Its content is checked. Returns false if it is invalid, or memory is
 * exhausted. */
PK_MUST_CHECK enum pk_status offcpu_sums_add(struct offcpu_sums *sums, const void *data,
					     size_t size, uint64_t end, uint32_t cpu);
/* Calls each for every sum, in the order in which they were added first. It may change the
 * addresses. */
void offcpu_sums_each(const struct offcpu_sums *sums,
		      void (*each)(void *arg, struct offcpu_sum *sum), void *arg);
void offcpu_sums_clear(struct offcpu_sums *sums);
void offcpu_sums_free(struct offcpu_sums *sums);

/* ---- Events ---- */

struct offcpu {
	const struct options *options;
	struct offcpu_bpf bpf;
	struct event_list outputs; /* the bpf-output event of each CPU */
	struct targets cpus;
	struct ring_list rings;
	struct unwind_joins *joins; /* of --call-graph unwind; NULL: not used */
	struct offcpu_dumps dumps;
	struct offcpu_sums sums;
	uint64_t lost, reported; /* blocks that were lost: in total, and those that LOST_SAMPLES in
				  * the stream report */
	uint64_t missed;	 /* the part of `reported` that the BPF programs could not record */
	uint64_t kernel_lost;	 /* blocks that were lost, by LOST records of the rings; used before
				  * Linux 6.0 */
	uint64_t now;		 /* the last known time of perf's clock */
	struct pk_writer *writer;
	struct ring_counts *counts;
	const struct event *event; /* the event of the samples */
	const struct targets *targets;
	size_t slot; /* a slot (CPU and task) where the event is open; samples have its id */
};

/* The name of the event of the samples. */
#define OFFCPU_EVENT "offcpu-time"

void offcpu_init(struct offcpu *offcpu, const struct options *options);
/* Loads the BPF programs, opens their rings, and attaches the program for sched:sched_switch.
 * Nothing is recorded before offcpu_attach(). Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status offcpu_open(struct offcpu *offcpu);
/* Before that: the programs are those of a loaded object of --call-graph unwind, with this limit
 * for one stack in bytes. */
void offcpu_share(struct offcpu *offcpu, struct bpf_library *object, uint32_t stack_size,
		  struct unwind_joins *joins);
/* The limit for the frames of a stack. */
uint32_t offcpu_frames(const struct options *options);
/* Attaches the other program to the open event in `events`: from now on, blocks of its tasks are
 * recorded. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status offcpu_attach(struct offcpu *offcpu, const struct event_list *events,
					   const struct targets *targets);
void offcpu_close(struct offcpu *offcpu);

/* Sets *fds to the descriptors to poll, and returns their number, which is 0 without --off-cpu. */
size_t offcpu_fds(const struct offcpu *offcpu, const int **fds);
/* An upper limit for the number of bytes that the next offcpu_drain() writes. */
size_t offcpu_fill(const struct offcpu *offcpu);
/* Reads the rings, and writes one sample for each thread and stack with new blocks. Returns false
 * if there were none. */
bool offcpu_drain(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* Call it at the end, after the events were disabled. Threads that are still blocked get a sample,
 * as if their blocks ended now, unless these are shorter than the threshold. */
void offcpu_finish(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* Writes LOST_SAMPLES with the number of blocks that got no sample since the last call, and returns
 * this number. */
uint64_t offcpu_write_lost(struct offcpu *offcpu, struct pk_writer *writer);

#endif
