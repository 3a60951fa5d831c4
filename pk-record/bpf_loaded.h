/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_LOADED_H
#define PK_RECORD_BPF_LOADED_H

/* Writes records for the BPF programs that are loaded before the recording: KSYMBOL for each
 * function, BPF_EVENT for each program, as the kernel writes them for those that are loaded later.
 * Programs can only be listed with CAP_SYS_ADMIN; without it, their functions are those in
 * /proc/kallsyms, if it shows addresses. Nothing is written if no event records the kernel, or BPF
 * programs. Errors stick to the writer. */

#include "event.h"
#include "pkstream.h"

void write_bpf_programs(const struct event_list *events, struct pk_writer *writer);

#endif
