/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_BPF_H
#define PK_RECORD_OFFCPU_BPF_H

/* The kernel's part of --off-cpu, two BPF programs. One is attached to the context-switches events
 * of the observed tasks: it records when, and with which stacks, they stop running. The other is
 * attached to the tracepoint sched:sched_switch: it tells the first one whether the task is
 * blocked, and when a recorded task runs again, writes a raw sample through the bpf-output event of
 * the CPU. */

#include <stdbool.h>
#include <stdint.h>

/* The raw data of these samples: the map's value for a task. Times are those of CLOCK_MONOTONIC, in
 * ns. */
struct offcpu_block {
	uint64_t since;	       /* 0: not blocked; 0 in all samples */
	uint64_t time;	       /* duration of the block; only in samples */
	uint64_t ids;	       /* pid << 32 | tid */
	uint32_t user, kernel; /* bytes of addresses */
	uint64_t addresses[];  /* the user's, then the kernel's, leaf first */
};

struct offcpu_bpf {
	int blocked;  /* map: a struct offcpu_block for each task; the key is the task's address */
	int stopping; /* map: for each CPU, the blocked task that stops running, or 0 */
	int blank;    /* map: the initial value in blocked */
	int outputs;  /* map: the bpf-output event of each CPU */
	int missed;   /* map: number of blocks that were not recorded or written, except because of
		       * full rings */
	int switch_out, switch_in; /* programs */
	int switches;		   /* the tracepoint of switch_in */
	uint32_t stack_size;	   /* limit for one stack, in bytes */
	uint32_t cpus;		   /* size of outputs */
};

/* Limit for the frames of a stack. */
#define OFFCPU_STACK_MAX 1024

/* Sets all descriptors to -1. */
void offcpu_bpf_init(struct offcpu_bpf *bpf);
/* Creates maps for stacks of at most that many frames, and for CPUs below cpus. False after a
 * message with the reason. */
bool offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus);
/* Loads the programs; blocks shorter than threshold (ns) are skipped. False after a message. */
bool offcpu_bpf_load(struct offcpu_bpf *bpf, uint64_t threshold);
/* From now on, blocks of the tasks of switch_out are recorded. False after a message. */
bool offcpu_bpf_start(struct offcpu_bpf *bpf);
/* Stops the output. */
void offcpu_bpf_end(struct offcpu_bpf *bpf);
void offcpu_bpf_free(struct offcpu_bpf *bpf);
/* Sets the bpf-output event for samples of that CPU. False with errno. */
bool offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd);
uint64_t offcpu_bpf_missed(const struct offcpu_bpf *bpf);
/* Calls each for every thread that is blocked now; for none if memory is exhausted. */
void offcpu_bpf_each_blocked(const struct offcpu_bpf *bpf,
			     void (*each)(void *arg, struct offcpu_block *block), void *arg);

#endif
