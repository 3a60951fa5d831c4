/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_CALL_H
#define PK_RECORD_BPF_CALL_H

/* Calls of bpf(2). If a function that returns a descriptor fails, it sets errno and returns -1. */

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages.h"

/* Calls bpf(2) and returns its result. If it fails, sets errno and returns -1. */
int bpf_call(enum bpf_cmd command, union bpf_attr *attr);
/* Calls BPF_MAP_LOOKUP_ELEM, BPF_MAP_UPDATE_ELEM or BPF_MAP_GET_NEXT_KEY. For the last one, value
 * is the next key. Returns 0. If it fails, sets errno and returns -1. */
int bpf_access_map(enum bpf_cmd command, int map, const void *key, const void *value);

/* Checks that this process is in the initial pid namespace, because BPF programs get the ids that
 * threads have there. If not, adds a message and returns PK_FAILED. option and instead are
 * described at bpf_explain(). */
PK_MUST_CHECK enum pk_status bpf_outside_of_namespaces(struct pk_messages *messages,
						       const char *option, const char *instead);
/* Returns the number of CPUs that the kernel can have. Per-CPU values are arrays of this size.
 * Returns 0 if the number is unknown. */
uint32_t bpf_possible_cpus(struct pk_failures *lookups);
/* Adds the message for an errno of bpf(2). option is the option of pk-record that needs bpf(2).
 * instead are events that can be recorded without bpf(2). */
void bpf_explain(struct pk_messages *messages, const char *option, const char *instead, int error);

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
