/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OWN_SAMPLE_H
#define PK_RECORD_OWN_SAMPLE_H

/* Events that the kernel does not know, and samples that pk-record writes itself. */

#include "event.h"
#include "pkstream.h"

/* Adds an event that looks like the tracepoint SYSTEM:NAME, which the kernel does not know, with
 * the fields of time, task, CPU and period. Takes over the ownership of `format`, the text that
 * describes the raw data (raw_format.h); NULL if memory is exhausted. `id` is the id of the format.
 * The event has one slot (CPU and task) and is not opened. Its id in the slot is the number of
 * events in the list. Returns NULL after a message was added to the list. */
struct event *own_event_add(struct event_list *events, const char *system, const char *name,
			    uint32_t id, char *format);
/* Frees the memory of the list that pk_event_list_free() does not free. */
void own_events_free(struct event_list *events);

/* The fields that the samples of pk-record can have. own_sample_append() writes these fields. The
 * caller then appends the callchain and the raw data, in this order, if the attr has these fields.
 */
#define OWN_SAMPLE_TYPES                                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* The values of the fields of a sample that pk-record writes itself. */
struct own_sample {
	uint16_t misc; /* the processor mode, PERF_RECORD_MISC_* */
	uint64_t ip;
	uint32_t pid, tid, cpu;
	uint64_t time, period;
};

/* Appends a sample of the event. The sample has the id of the event in this slot (CPU and task),
 * and room for `more` bytes at its end. Returns the address of this room. Returns NULL if the
 * writer has failed, or if the sample is too large. */
uint8_t *own_sample_append(struct pk_writer *writer, const struct event *event, size_t slot,
			   const struct own_sample *sample, size_t more);

/* The registers and the stack of a program in a sample. */
struct own_user {
	const uint64_t *registers; /* NULL: there are no registers and no stack */
	size_t register_count;
	const void *stack;
	size_t stack_size; /* a multiple of 8 */
};

/* Returns the size of registers and stack in a sample, in bytes. */
size_t own_user_size(const struct own_user *user);
/* Writes them to a sample, after the raw data. After a stack of size 0, the number of valid bytes
 * (dyn_size) is left out. */
void own_user_put(const struct own_user *user, uint8_t *p);

/* Flags of attrs that exclude the stacks of the kernel, or of the program. */
#define OWN_CHAIN_NO_KERNEL (PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL)
#define OWN_CHAIN_NO_USER   (PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_CALLCHAIN_USER)

/* The callchain of a sample: the stack in the kernel and the stack of the program. Sizes are in
 * bytes. */
struct own_chain {
	const uint64_t *kernel, *user;
	size_t kernel_size, user_size;
};

/* Removes the stacks that the flags of an attr exclude. Then sets the mode and the address of the
 * sample to those of the innermost frame. */
void own_chain_limit(struct own_chain *chain, uint64_t flags, struct own_sample *sample);
/* Returns the size of the callchain in a sample, in bytes. */
size_t own_chain_size(const struct own_chain *chain);
/* Writes the callchain to a sample. Returns the position after it. */
uint8_t *own_chain_put(const struct own_chain *chain, uint8_t *p);

#endif
