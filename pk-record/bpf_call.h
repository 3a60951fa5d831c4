/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_CALL_H
#define PK_RECORD_BPF_CALL_H

/* Functions that call bpf(2). If a function that returns a file descriptor fails, it sets errno and
 * returns -1. */

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages.h"

/* Calls bpf(2) and returns its result. If it fails, sets errno and returns -1. */
int bpf_call(enum bpf_cmd command, union bpf_attr *attr);
/* Calls bpf(2) with BPF_MAP_LOOKUP_ELEM, BPF_MAP_UPDATE_ELEM or BPF_MAP_GET_NEXT_KEY. For
 * BPF_MAP_GET_NEXT_KEY, `value` receives the next key. Returns 0. If the call fails, sets errno and
 * returns -1. */
int bpf_access_map(enum bpf_cmd command, int map, const void *key, const void *value);

/* Checks that this process is in the initial pid namespace. This is necessary because BPF programs
 * see the ids that threads have in the initial namespace. If the process is in another namespace,
 * adds a message and returns PK_FAILED. bpf_explain() describes `option` and `instead`. */
PK_MUST_CHECK enum pk_status bpf_outside_of_namespaces(struct pk_messages *messages,
						       const char *option, const char *instead);
/* Returns the number of CPUs that the kernel can have. Per-CPU values are arrays of this size.
 * Returns 0 if the number is unknown. */
uint32_t bpf_possible_cpus(struct pk_failures *lookups);
/* Adds a message for `error`, which is an errno of bpf(2). `option` is the option of pk-record that
 * needs bpf(2). `instead` names events that can be recorded without bpf(2). */
void bpf_explain(struct pk_messages *messages, const char *option, const char *instead, int error);

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
