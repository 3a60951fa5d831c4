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

#include "bpf/offcpu_block.h"
#include "bpf_library.h"
#include "messages.h"

struct offcpu_bpf {
	struct bpf_library *object;   /* bpf/offcpu.bpf.c */
	int switch_out;		      /* the program for the events */
	int blocked, outputs, missed; /* maps */
	uint32_t stack_size;	      /* limit for one stack, in bytes */
	struct pk_messages messages;  /* of the functions below that fail; the caller prints them */
};

/* Limit for the frames of a stack. */
#define OFFCPU_STACK_MAX 1024

/* Loads the programs. frames: limit for the frames of a stack, at most OFFCPU_STACK_MAX; cpus: the
 * highest number of a CPU, plus 1; blocks shorter than threshold (ns) are skipped. False after a
 * message. */
bool offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus, uint64_t threshold);
/* Attaches the program for sched:sched_switch. From now on, switch_out records the blocks of the
 * tasks to whose events it is attached. False after a message. */
bool offcpu_bpf_start(struct offcpu_bpf *bpf);
/* Detaches that program, and waits until no CPU runs it any more. */
void offcpu_bpf_end(struct offcpu_bpf *bpf);
void offcpu_bpf_free(struct offcpu_bpf *bpf);
/* Sets fd as the bpf-output event for samples of a CPU. False with errno. */
bool offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd);
/* The counter `missed`. */
uint64_t offcpu_bpf_missed(const struct offcpu_bpf *bpf);
/* Calls each for every thread that is blocked now. If memory is exhausted, calls it for none. */
void offcpu_bpf_each_blocked(const struct offcpu_bpf *bpf,
			     void (*each)(void *arg, struct offcpu_block *block), void *arg);

#endif
