/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_HEAP_EVENT_H
#define PK_RECORD_HEAP_EVENT_H

/* The events heap:alloc and heap:free, and their samples. Both look like tracepoints. The period of
 * a sample of heap:alloc is the number of allocated bytes that it stands for, and the sample has
 * the registers and the stack, from which pk-unwind makes the callchain. */

#include "event.h"
#include "heap_ring.h"

struct pk_writer;

/* The largest stack, in bytes, that fits into a sample together with the other fields. */
#define HEAP_STACK_MAX 63488u

/* Adds the two events to an empty list. `stack` is the maximum size of a stack in bytes. Returns an
 * error after a message was added to the list. */
PK_MUST_CHECK enum pk_status heap_events_add(struct event_list *events, uint32_t stack);

/* Writes a sample. `record` is complete and has been checked. `registers` and `stack` are those of
 * an allocation. `mean` is the number of bytes per sample. */
void heap_event_write(const struct event_list *events, pid_t pid, const struct heap_record *record,
		      const uint64_t *registers, const void *stack, uint64_t mean,
		      struct pk_writer *writer);

#endif
