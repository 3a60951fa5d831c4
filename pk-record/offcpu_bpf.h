/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_BPF_H
#define PK_RECORD_OFFCPU_BPF_H

/*
 * The kernel's half of --off-cpu, two BPF programs. One is for context-switches events of the tasks
 * that are looked at: it notes when, and with which stacks, they stop running. The other is for the
 * tracepoint sched:sched_switch: it tells that one what becomes of the task that stops, and when
 * one that was noted runs again puts out a raw sample through the bpf-output event of the CPU.
 */

#include <stdbool.h>
#include <stdint.h>

/* The raw data of those samples: what the map has of a task. Times are CLOCK_MONOTONIC's, in ns. */
struct offcpu_block {
	uint64_t since;	       /* 0: not blocked, which is so in all samples */
	uint64_t time;	       /* how long it was blocked; in samples only */
	uint64_t ids;	       /* of the process << 32 | of the thread */
	uint32_t user, kernel; /* bytes of addresses */
	uint64_t addresses[];  /* the user's, then the kernel's, leaf first */
};

struct offcpu_bpf {
	int blocked;  /* map: a struct offcpu_block for each task, which is known by its address */
	int stopping; /* map, for each CPU: the task that stops running and is blocked, or 0 */
	int blank;    /* map: what blocked has of a thread at first */
	int outputs;  /* map: the bpf-output event of each CPU */
	int missed;   /* map: blocks that could not be noted or put out, but for full rings */
	int switch_out, switch_in; /* programs */
	int switches;		   /* what the latter is on */
	uint32_t stack_size;	   /* of one stack, at most; bytes */
	uint32_t cpus;		   /* room in outputs */
};

/* Frames of a stack, at most. */
#define OFFCPU_STACK_MAX 1024

/* All that has descriptors is -1. */
void offcpu_bpf_init(struct offcpu_bpf *bpf);
/* Makes maps for stacks of at most so many frames, and CPUs with lower numbers than cpus. False
 * after a message that says why it is not possible. */
bool offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus);
/* Loads the programs; blocks that are shorter than threshold (ns) are none. False likewise. */
bool offcpu_bpf_load(struct offcpu_bpf *bpf, uint64_t threshold);
/* From now on nothing is missed of tasks that switch_out sees. False likewise. */
bool offcpu_bpf_start(struct offcpu_bpf *bpf);
/* Nothing is put out any more. */
void offcpu_bpf_end(struct offcpu_bpf *bpf);
void offcpu_bpf_free(struct offcpu_bpf *bpf);
/* Samples of that CPU go through that bpf-output event. False with errno. */
bool offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd);
uint64_t offcpu_bpf_missed(const struct offcpu_bpf *bpf);
/* Calls each for every thread that is blocked now; without memory for none. */
void offcpu_bpf_each_blocked(const struct offcpu_bpf *bpf,
			     void (*each)(void *arg, struct offcpu_block *block), void *arg);

#endif
