/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_CALL_H
#define PK_RECORD_BPF_CALL_H

/* Calls of bpf(2). Functions that return a descriptor return -1 with errno. */

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages.h"

/* Returns its result, or -1 with errno. */
int bpf_call(enum bpf_cmd command, union bpf_attr *attr);
/* BPF_MAP_LOOKUP_ELEM, BPF_MAP_UPDATE_ELEM, or BPF_MAP_GET_NEXT_KEY, whose value is the next key.
 * Returns 0, or -1 with errno. */
int bpf_access_map(enum bpf_cmd command, int map, const void *key, const void *value);

/* Whether this process is in the initial pid namespace, because BPF programs get the ids of threads
 * there. Returns PK_FAILED after a message, for which bpf_explain() describes option and
 * instead. */
PK_MUST_CHECK enum pk_status bpf_outside_of_namespaces(struct pk_messages *messages,
						       const char *option, const char *instead);
/* The number of CPUs that the kernel can have: per-CPU values are arrays of that size. Returns 0 if
 * it is unknown. */
uint32_t bpf_possible_cpus(struct pk_failures *lookups);
/* Adds the message for an errno of bpf(2). option is the option that needs it. instead are the
 * events that can be recorded without it. */
void bpf_explain(struct pk_messages *messages, const char *option, const char *instead, int error);

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
