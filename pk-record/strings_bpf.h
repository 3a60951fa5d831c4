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
#include "event.h"
#include "messages.h"
#include "record_options.h"

/* ---- Texts ---- */

struct strings_bpf {
	struct bpf_library *object;	/* bpf/strings.bpf.c */
	int scratch, outputs, observed; /* maps */
	uint32_t cpus;			/* possible CPUs: values of scratch */
	uint32_t scratch_size;		/* of a value of scratch */
	struct pk_messages messages; /* of the functions below that fail; the caller prints them */
};

/* ---- Calls ---- */

/* --strings: the event raw_syscalls:sys_enter, whose samples also have the texts that arguments
 * point to. In the stream it is that tracepoint, and its format has more fields. It is opened as a
 * bpf-output event on each CPU, into which a BPF program writes the samples (see strings_bpf.h). */

struct strings {
	const struct options *options;
	struct strings_bpf bpf;
};

void strings_init(struct strings *strings, const struct options *options);
/* Selects the event in the list, and gives its format more fields. Returns an exit status,
 * PK_EXIT_OK or that of an error. */
int strings_select(struct event_list *events);
/* Loads and attaches the BPF programs. Call it before the events are opened. Returns PK_FAILED
 * after a message. */
PK_MUST_CHECK enum pk_status strings_open(struct strings *strings, const struct targets *targets);
/* Connects the programs with the open event, and observes the targets, with on_exec from their exec
 * on. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status strings_attach(struct strings *strings,
					    const struct event_list *events,
					    const struct targets *targets, bool on_exec);
/* Reports texts that are cut or could not be read. Returns the number of samples that were lost,
 * besides those that the event itself has counted. */
uint64_t strings_report(const struct strings *strings);
void strings_close(struct strings *strings);

#endif
