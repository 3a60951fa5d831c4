/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_CALL_STRINGS_H
#define PK_RECORD_CALL_STRINGS_H

/* --strings: the event raw_syscalls:sys_enter, whose samples also have the texts that arguments
 * point to. In the stream it is that tracepoint, and its format has more fields. It is opened as a
 * bpf-output event on each CPU, into which a BPF program writes the samples (see strings_bpf.h). */

#include "event.h"
#include "record_options.h"
#include "strings_bpf.h"

struct strings {
	const struct options *options;
	struct strings_bpf bpf;
};

void strings_init(struct strings *strings, const struct options *options);
/* Selects the event in the list, and gives its format more fields. Returns an exit status,
 * PK_EXIT_OK or that of an error. */
int strings_select(struct event_list *events);
/* Loads and attaches the BPF programs. Call it before the events are opened. False after a message.
 */
bool strings_open(struct strings *strings, const struct targets *targets);
/* Connects the programs with the open event, and observes the targets; on_exec: from their exec on.
 * False after a message. */
bool strings_attach(struct strings *strings, const struct event_list *events,
		    const struct targets *targets, bool on_exec);
/* Reports texts that are cut or could not be read. Returns the number of samples that were lost,
 * besides those that the event itself has counted. */
uint64_t strings_report(const struct strings *strings);
void strings_close(struct strings *strings);

#endif
