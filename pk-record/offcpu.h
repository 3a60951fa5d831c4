/* SPDX-License-Identifier: BSD-2-Clause */
/* For --off-cpu: records samples that tell how long threads were blocked, with the stacks of the
 * threads. The event in the stream is opened as context-switches. A BPF program runs for it and
 * notes threads that stop running. When such a thread runs again, a record about the block is
 * written to separate rings. Blocks of one thread with the same stacks that ended since the last
 * read become one sample. */
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
	struct bpf_library *object; /* of bpf/offcpu.bpf.c or --call-graph unwind */
	bool shared; /* `object` belongs to --call-graph unwind. struct unwind loads, attaches and
		      * closes it. */
	int switch_out;		      /* descriptor of the program that runs for the events */
	int blocked, outputs, missed; /* descriptors of maps */
	uint32_t stack_size;	      /* limit for one stack, in bytes */
	struct pk_messages messages;  /* of functions that fail; the caller prints them */
};

/* Maximum number of frames of a stack. */
#define OFFCPU_STACK_MAX 1024

/* Sets the sizes of the programs' maps, in an object that is not loaded yet. frames is the maximum
 * number of frames of a stack. With `growing`, the memory for threads is allocated when it is
 * needed. The kernel can refuse this. Returns the limit for one stack in bytes. */
uint32_t offcpu_bpf_shape(struct bpf_library *object, uint32_t frames, uint32_t cpus, bool growing);
/* Excludes the programs of --off-cpu from the object. */
void offcpu_bpf_leave_out(struct bpf_library *object);
/* Loads the programs. frames is the maximum number of frames of a stack, and is at most
 * OFFCPU_STACK_MAX. cpus is the highest number of a CPU, plus 1. Blocks shorter than threshold (in
 * ns) are skipped. Returns PK_FAILED after it has added a message. */
PK_MUST_CHECK enum pk_status offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus,
					     uint64_t threshold);
/* Attaches the program for sched:sched_switch. From then on, the program switch_out records the
 * blocks of tasks to whose events it is attached. Returns PK_FAILED after it has added a message.
 */
PK_MUST_CHECK enum pk_status offcpu_bpf_start(struct offcpu_bpf *bpf);
/* Detaches the program for sched:sched_switch, and waits until no CPU runs it any more. */
void offcpu_bpf_end(struct offcpu_bpf *bpf);
void offcpu_bpf_free(struct offcpu_bpf *bpf);
/* Sets fd as the bpf-output event for the samples of a CPU. If it fails, sets errno and returns
 * PK_IO. */
PK_MUST_CHECK enum pk_status offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd);
/* Returns the number of blocks that the programs could not record. */
uint64_t offcpu_bpf_missed(const struct offcpu_bpf *bpf);
/* Calls `each` for every thread that is blocked now. If memory is exhausted, calls it for no
 * thread. */
void offcpu_bpf_each_blocked(const struct offcpu_bpf *bpf,
			     void (*each)(void *arg, struct offcpu_block *block), void *arg);

/* ---- Sums ---- */

/* A sum has the total time of the blocks that have the same thread and the same stacks. */

struct offcpu_sum {
	uint64_t end; /* end of the last block, in ns of the clock of samples */
	uint32_t cpu; /* the CPU where the thread continued after the last block */
	/* Size of `block` in bytes. */
	uint32_t size;
	struct offcpu_block block; /* block.time is the sum of the times, in ns */
};

struct offcpu_sums {
	struct buffer sums;	/* structs offcpu_sum, one after another */
	struct pk_table places; /* offset in `sums` plus 1, by hash of thread and stacks */
};

/* Adds a block that ended at the time `end` on a CPU. data is a struct offcpu_block. It may be
 * unaligned, and padding may follow it. The function checks its content. Returns an error if it is
 * invalid, or if memory is exhausted. */
PK_MUST_CHECK enum pk_status offcpu_sums_add(struct offcpu_sums *sums, const void *data,
					     size_t size, uint64_t end, uint32_t cpu);
/* Calls `each` for every sum, in the order in which the sums were first added. `each` may change
 * the addresses. */
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
	struct unwind_joins *joins; /* state of --call-graph unwind; NULL if it is not used */
	struct offcpu_dumps dumps;
	struct offcpu_sums sums;
	/* Numbers of lost blocks. `lost` counts all of them except `missed`. `reported` counts
	 * those that LOST_SAMPLES records in the stream report. */
	uint64_t lost, reported;
	uint64_t missed;      /* number of blocks that the BPF programs could not record */
	uint64_t kernel_lost; /* Number of lost blocks according to the LOST records of the rings.
			       * It is used before Linux 6.0. */
	uint64_t now;	      /* the last known time of perf's clock, in ns */
	struct pk_writer *writer;
	struct ring_counts *counts;
	const struct event *event; /* the event of the samples */
	const struct targets *targets;
	size_t slot; /* A slot (CPU and task) in which the event is open. The samples have the id of
		      * this slot. */
};

/* The name of the event in the stream. */
#define OFFCPU_EVENT "offcpu-time"

void offcpu_init(struct offcpu *offcpu, const struct options *options);
/* Loads the BPF programs, opens their rings, and attaches the program for sched:sched_switch.
 * Nothing is recorded before offcpu_attach(). Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status offcpu_open(struct offcpu *offcpu);
/* Uses the programs in a loaded object of --call-graph unwind. stack_size is the limit for one
 * stack in bytes. Call it before offcpu_open(). */
void offcpu_share(struct offcpu *offcpu, struct bpf_library *object, uint32_t stack_size,
		  struct unwind_joins *joins);
/* Returns the maximum number of frames of a stack. */
uint32_t offcpu_frames(const struct options *options);
/* Attaches the program switch_out to the open event of --off-cpu in `events`. From then on, the
 * blocks of the event's tasks are recorded. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status offcpu_attach(struct offcpu *offcpu, const struct event_list *events,
					   const struct targets *targets);
void offcpu_close(struct offcpu *offcpu);

/* Sets *fds to the descriptors to poll. Returns their number, which is 0 without --off-cpu. */
size_t offcpu_fds(const struct offcpu *offcpu, const int **fds);
/* Returns an upper limit for the number of bytes that the next offcpu_drain() writes. */
size_t offcpu_fill(const struct offcpu *offcpu);
/* Reads the rings, and writes one sample for each thread and stack that has new blocks. Returns
 * false if there were no blocks. */
bool offcpu_drain(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* Writes the last samples. Call it at the end, after the events were disabled. A thread that is
 * still blocked gets a sample, as if its block ended now, unless this block is shorter than the
 * threshold. */
void offcpu_finish(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* Writes LOST_SAMPLES with the number of blocks that were lost since the last call. Returns this
 * number. */
uint64_t offcpu_write_lost(struct offcpu *offcpu, struct pk_writer *writer);

#endif
