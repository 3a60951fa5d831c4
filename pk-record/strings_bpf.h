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

#include "bpf/strings_record.h"
#include "bpf_library.h"
#include "messages.h"

struct strings_bpf {
	struct bpf_library *object;	/* bpf/strings.bpf.c */
	int scratch, outputs, observed; /* maps */
	uint32_t cpus;			/* possible CPUs: values of scratch */
	uint32_t scratch_size;		/* of a value of scratch */
	struct pk_messages messages; /* of the functions below that fail; the caller prints them */
};

/* Creates the maps, and loads the programs. size: limit for a text, at most STRINGS_MAX;
 * everywhere: all tasks are observed. False after a message. */
bool strings_bpf_open(struct strings_bpf *bpf, uint32_t size, bool everywhere);
/* Attaches the programs. False after a message. */
bool strings_bpf_start(struct strings_bpf *bpf);
void strings_bpf_free(struct strings_bpf *bpf);
/* Sets fd as the bpf-output event for samples of a CPU. False with errno. */
bool strings_bpf_output(const struct strings_bpf *bpf, uint32_t cpu, int fd);
/* Observes a task: from now on, or from its next exec on. False with errno. */
bool strings_bpf_observe(const struct strings_bpf *bpf, pid_t tid, bool from_exec);
/* False with errno. */
bool strings_bpf_counts(const struct strings_bpf *bpf, struct strings_counts *counts);

#endif
