/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_LOADED_H
#define PK_RECORD_BPF_LOADED_H

/* Writes records for the BPF programs that are loaded before the recording: KSYMBOL for each
 * function, and BPF_EVENT for each program. For programs that are loaded later, the kernel writes
 * these records. Listing programs needs CAP_SYS_ADMIN. Without it, only the functions in
 * /proc/kallsyms are written, if it shows addresses. Writes nothing if no event records the kernel,
 * or no event records BPF programs. An error is stored in the writer. */

#include "event.h"
#include "pkstream.h"

void write_bpf_programs(const struct event_list *events, struct pk_writer *writer);

#endif
