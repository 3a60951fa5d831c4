/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_STRINGS_BPF_H
#define PK_RECORD_STRINGS_BPF_H

/* The kernel's part of --strings: BPF programs on tracepoints. One runs at the start of each system
 * call of an observed task: it reads the texts that the arguments point to, and writes a sample of
 * raw_syscalls:sys_enter with these texts through the bpf-output event of the CPU. Three others
 * follow the observed tasks: their children, exec, and their end. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "messages.h"

#define STRINGS_ARGUMENTS 6u
#define STRINGS_PROGRAMS  4u
#define STRINGS_TASKS_MAX 65536u /* observed at a time */

/* The raw data of these samples: that of the kernel, then what --strings adds. */
struct strings_record {
	uint16_t common_type;
	uint8_t common_flags, common_preempt_count;
	int32_t common_pid;
	int64_t id;
	uint64_t args[STRINGS_ARGUMENTS];
	uint32_t texts[STRINGS_ARGUMENTS]; /* the offset of the bytes | their number << 16; 0: none
					    */
	uint32_t cut;	     /* bit i: of the text of argument i, only the start was read */
	uint32_t unreadable; /* bit i: the memory of argument i could not be read */
	char bytes[];
};

/* Limits for the bytes of a text, and for the texts of an argv. */
#define STRINGS_USUAL	 256u
#define STRINGS_MAX	 1024u
#define STRINGS_ARGV_MAX 16u

struct strings_bpf {
	int calls;    /* map: what to read, by the number of the call */
	int scratch;  /* map: memory for a record, and counters, for each CPU */
	int outputs;  /* map: the bpf-output event of each CPU */
	int observed; /* map: the observed tasks, by tid; 1: since exec, or from the start */
	int programs[STRINGS_PROGRAMS];
	int events[STRINGS_PROGRAMS]; /* the tracepoints to which they are attached */
	uint32_t size;		      /* limit for a text, bytes */
	uint32_t cpus;		      /* possible CPUs: values of scratch */
	struct pk_messages messages;  /* of the functions below that fail; the caller prints them */
};

struct strings_counts {
	uint64_t unreadable, cut; /* texts */
	uint64_t missed;     /* samples that were not written; without those lost in full rings */
	uint64_t unobserved; /* tasks */
};

/* Sets all descriptors to -1. */
void strings_bpf_init(struct strings_bpf *bpf);
/* Creates the maps, and loads the programs. size: limit for a text, at most STRINGS_MAX;
 * everywhere: all tasks are observed. False after a message. */
bool strings_bpf_open(struct strings_bpf *bpf, uint32_t size, bool everywhere);
/* Attaches the programs. cpu: one that is online. False after a message. */
bool strings_bpf_start(struct strings_bpf *bpf, int cpu);
void strings_bpf_free(struct strings_bpf *bpf);
/* Sets fd as the bpf-output event for samples of a CPU. False with errno. */
bool strings_bpf_output(const struct strings_bpf *bpf, uint32_t cpu, int fd);
/* Observes a task: from now on, or from its next exec on. False with errno. */
bool strings_bpf_observe(const struct strings_bpf *bpf, pid_t tid, bool from_exec);
/* False with errno. */
bool strings_bpf_counts(const struct strings_bpf *bpf, struct strings_counts *counts);

#endif
