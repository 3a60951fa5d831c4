/* SPDX-License-Identifier: BSD-2-Clause */
/* Implements --off-cpu. It records samples that tell how long threads were blocked, with the stacks
 * of the threads. The event in the stream is opened as context-switches. When a thread stops
 * running, this event starts a BPF program, which stores the thread. When the thread runs again,
 * another BPF program writes a record about the block to a ring. All blocks of one thread that have
 * the same stacks, and that ended since the rings were last read, become one sample. */
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
#include "offcpu_sleepers.h"
#include "offcpu_wakers.h"
#include "record_options.h"
#include "ring.h"
#include "table.h"

/* The BPF programs of --off-cpu, and the descriptors of their maps. */
struct offcpu_bpf {
	/* The object of bpf/offcpu.bpf.c, or the object of --call-graph unwind. */
	struct bpf_library *object;
	bool shared; /* `object` belongs to --call-graph unwind. struct unwind loads, attaches and
		      * closes it. */
	int switch_out; /* file descriptor of the BPF program that runs for the events */
	int blocked, outputs,
		missed; /* file descriptors of BPF maps: the blocked threads, the bpf-output events,
			 * and the counters of blocks that could not be recorded */
	uint32_t stack_size;	     /* limit for one stack, in bytes */
	bool wakers;		     /* the program that records wakers is loaded */
	struct pk_messages messages; /* messages of functions that have failed; the caller prints
				      * the messages */
};

/* Maximum number of frames of a stack. */
#define OFFCPU_STACK_MAX 1024

/* Sets the sizes of the maps of the programs. `object` must not be loaded yet. `frames` is the
 * maximum number of frames of a stack. If `growing` is true, the kernel allocates the memory for
 * each blocked thread when the thread needs it. Some kernels refuse this. Without `wakers`,
 * excludes the program that records wakers. Returns the limit for one stack in bytes. */
uint32_t offcpu_bpf_shape(struct bpf_library *object, uint32_t frames, uint32_t cpus, bool growing,
			  bool wakers);
/* Excludes the programs of --off-cpu from the object. */
void offcpu_bpf_leave_out(struct bpf_library *object);
/* Loads the BPF programs. `frames` is the maximum number of frames of a stack. It must be at most
 * OFFCPU_STACK_MAX. `cpus` is the highest number of a CPU, plus 1. The programs skip blocks that
 * are shorter than `threshold` (in ns). If this fails, adds a message and returns PK_FAILED. */
PK_MUST_CHECK enum pk_status offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus,
					     uint64_t threshold, bool wakers);
/* Attaches the BPF program for sched:sched_switch. The blocks of the tasks to whose events the
 * program switch_out is attached are recorded from now on. If this fails, adds a message and
 * returns PK_FAILED. */
PK_MUST_CHECK enum pk_status offcpu_bpf_start(struct offcpu_bpf *bpf);
/* Detaches the program for sched:sched_switch, and waits until no CPU runs it any more. */
void offcpu_bpf_end(struct offcpu_bpf *bpf);
void offcpu_bpf_free(struct offcpu_bpf *bpf);
/* Sets `fd` as the bpf-output event to which the BPF programs write the records of a CPU. If this
 * fails, sets errno and returns PK_IO. */
PK_MUST_CHECK enum pk_status offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd);
/* Returns the number of blocks that the BPF programs could not record. It does not include records
 * that were lost because a ring was full. The events count those. */
uint64_t offcpu_bpf_missed(const struct offcpu_bpf *bpf);
/* Calls `each` for every thread that is blocked now. If memory is exhausted, does not call `each`.
 */
void offcpu_bpf_each_blocked(const struct offcpu_bpf *bpf,
			     void (*each)(void *arg, struct offcpu_block *block), void *arg);

/* ---- Sums ---- */

/* The sums of the blocks that were read and not written yet. */
struct offcpu_sums {
	struct buffer sums;	/* structs offcpu_sum, one after another */
	uint64_t joined;	/* number of blocks that were added to the sum of another block */
	struct pk_table places; /* finds the offset of a sum in `sums`, plus 1, by the hash of its
				 * thread and stacks */
};

/* Adds a block that ended at the time `end` on a CPU. data is a struct offcpu_block. It may be
 * unaligned, and padding may follow it. The function checks its content. Returns an error if it is
 * invalid, or if memory is exhausted. */
PK_MUST_CHECK enum pk_status offcpu_sums_add(struct offcpu_sums *sums, const void *data,
					     size_t size, uint64_t end, uint32_t cpu);
/* Calls `each` for every sum, in the order in which the sums were created. `each` may change the
 * addresses in the stacks. */
void offcpu_sums_each(const struct offcpu_sums *sums,
		      void (*each)(void *arg, struct offcpu_sum *sum), void *arg);
void offcpu_sums_clear(struct offcpu_sums *sums);
void offcpu_sums_free(struct offcpu_sums *sums);

/* ---- Events ---- */

/* The state of --off-cpu. */
struct offcpu {
	const struct options *options;
	struct offcpu_bpf bpf;
	struct event_list outputs; /* the bpf-output events, one for each CPU, to which the BPF
				    * programs write */
	struct targets cpus;
	struct ring_list rings;
	struct unwind_joins *joins; /* The user callchains of --call-graph unwind. NULL if this mode
				     * is not used. */
	struct offcpu_dumps dumps;
	struct offcpu_wakers wakers;
	/* Wakers whose names are written: hashes of their ids and names, at an index from the ids.
	 * If two threads have the same index, their names are written again and again. */
	uint64_t named[1024];
	struct offcpu_sleepers sleepers; /* threads that were blocked at the start */
	struct offcpu_sums sums;
	/* Numbers of lost blocks. `lost` does not count the blocks in `missed` and `kernel_lost`.
	 * `reported` counts the lost blocks that the LOST_SAMPLES records in the stream have
	 * reported so far. */
	uint64_t lost, reported;
	uint64_t missed; /* number of blocks that the BPF programs could not record */
	/* Number of lost blocks according to the LOST records of the rings. It is used before
	 * Linux 6.0, where events have no counter of lost samples. */
	uint64_t kernel_lost;
	uint64_t now; /* the last known time of perf's clock, in ns */
	struct pk_writer *writer;
	struct ring_counts *counts;
	const struct event *event; /* the event in the stream to which the samples belong */
	const struct targets *targets;
	size_t slot; /* A slot (CPU and task) in which the event is open. The samples have the id of
		      * this slot. */
};

/* The name in the stream of the event to which the samples belong. */
#define OFFCPU_EVENT "offcpu-time"

void offcpu_init(struct offcpu *offcpu, const struct options *options);
/* Loads the BPF programs, opens their rings, and attaches the program for sched:sched_switch.
 * Nothing is recorded before offcpu_attach(). Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status offcpu_open(struct offcpu *offcpu);
/* Uses BPF programs that are in the loaded object of --call-graph unwind, instead of an object of
 * --off-cpu. `stack_size` is the limit for one stack in bytes. Call it before offcpu_open(). */
void offcpu_share(struct offcpu *offcpu, struct bpf_library *object, uint32_t stack_size,
		  struct unwind_joins *joins);
/* Returns the maximum number of frames of a stack with these options. */
uint32_t offcpu_frames(const struct options *options);
/* Attaches the BPF program switch_out to the open event of --off-cpu in `events`. The blocks of the
 * tasks for which this event is open are recorded from now on. Returns PK_FAILED after it has
 * printed a message. */
PK_MUST_CHECK enum pk_status offcpu_attach(struct offcpu *offcpu, const struct event_list *events,
					   const struct targets *targets);
/* Lists the threads that are blocked now. Call it before the events are enabled. */
void offcpu_start(struct offcpu *offcpu, const struct targets *targets);
void offcpu_close(struct offcpu *offcpu);

/* Sets *fds to the file descriptors of the rings, which the caller must poll. Returns their number.
 * The number is 0 without --off-cpu. */
size_t offcpu_fds(const struct offcpu *offcpu, const int **fds);
/* Returns an upper limit for the number of bytes that the next offcpu_drain() writes. */
size_t offcpu_fill(const struct offcpu *offcpu);
/* Reads the rings, and writes one sample for each thread and stack that has new blocks. Returns
 * false if there were no blocks. */
bool offcpu_drain(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* Writes the last samples. Call it at the end of the recording, after the events were disabled. A
 * thread that is still blocked also gets a sample, as if its block ended now. It gets none if the
 * block is shorter than the threshold. If a thread was already blocked at the start, its time is
 * that since the start. */
void offcpu_finish(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts);
/* Writes LOST_SAMPLES with the number of blocks that were lost since the last call. Returns this
 * number. */
uint64_t offcpu_write_lost(struct offcpu *offcpu, struct pk_writer *writer);

#endif
