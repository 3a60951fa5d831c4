/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_STRINGS_BPF_H
#define PK_RECORD_STRINGS_BPF_H

/* The BPF programs of --strings, which run for tracepoints. One program runs at the start of each
 * system call of an observed task. It reads the texts to which the arguments point. Then it writes
 * a sample of raw_syscalls:sys_enter with these texts through the bpf-output event of the CPU.
 * Three other programs keep the set of observed tasks up to date. They run when a task starts a
 * child, at an exec, and at the end of a task. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/strings_record.h"
#include "bpf_library.h"
#include "event.h"
#include "messages.h"
#include "record_options.h"

/* ---- Texts ---- */

/* The BPF programs of --strings, and the descriptors of their maps. */
struct strings_bpf {
	struct bpf_library *object; /* the object of bpf/strings.bpf.c */
	int scratch, outputs,
		observed; /* file descriptors of BPF maps: memory for one sample on each CPU, the
			   * bpf-output events, and the observed tasks */
	uint32_t cpus;	  /* number of possible CPUs, each of which has a value in `scratch` */
	uint32_t scratch_size;	     /* size in bytes of a value in `scratch` */
	struct pk_messages messages; /* messages of functions that have failed; the caller prints
				      * the messages */
};

/* ---- Calls ---- */

/* The event of --strings. It is raw_syscalls:sys_enter, but its samples also have the texts to
 * which arguments point. In the stream, it is the tracepoint with this name, and its format has
 * additional fields. In the kernel, it is a bpf-output event on each CPU. A BPF program writes its
 * samples (see strings_bpf.c). */

struct strings {
	const struct options *options;
	struct strings_bpf bpf;
};

void strings_init(struct strings *strings, const struct options *options);
/* Finds raw_syscalls:sys_enter in the list, and makes it the event of --strings: adds the fields
 * for the texts to its format. Returns PK_EXIT_OK, or the exit status of an error. */
int strings_select(struct event_list *events);
/* Loads and attaches the BPF programs. Call it before the events are opened. Returns PK_FAILED
 * after it has printed a message. */
PK_MUST_CHECK enum pk_status strings_open(struct strings *strings, const struct targets *targets);
/* Connects the BPF programs with the open event, and starts to observe the targets. If on_exec is
 * true, each target is observed only after it has called exec. Returns PK_FAILED after it has
 * printed a message. */
PK_MUST_CHECK enum pk_status strings_attach(struct strings *strings,
					    const struct event_list *events,
					    const struct targets *targets, bool on_exec);
/* Reports texts that were cut or that could not be read. Returns the number of lost samples that
 * the event itself has not counted. */
uint64_t strings_report(const struct strings *strings);
void strings_close(struct strings *strings);

#endif
