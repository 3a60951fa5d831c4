/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_CONFIGURE_H
#define PK_RECORD_CONFIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "record_options.h"

#define DEFAULT_FREQUENCY  4000 /* in Hz; the default of perf has the same value */
#define STACK_SIZE_DEFAULT 8192 /* size of the stack dump in bytes for --call-graph dwarf */

/* The maximum number of event ids in one HEADER_ATTR record. */
#define ATTR_IDS_MAX ((PERF_RECORD_SIZE_MAX - 8 - PERF_ATTR_SIZE_VER9) / 8)

/* Completes the attrs (struct perf_attr) of the events as perf does. If there are no events, adds
 * the event cycles. With --off-cpu, adds the event of this option. Appends a dummy event that
 * tracks tasks in three cases: the targets are system-wide, -D delays the events, or an event is
 * not open on all CPUs. on_exec is true if the events are enabled when the command calls exec.
 * Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status configure_events(struct event_list *events,
					      const struct options *options,
					      const struct targets *targets, bool on_exec);

/* Returns the size in bytes of the trailer (sample_id_all) of records that are not samples. After
 * configure_events(), all events have a trailer of this size. */
size_t trailer_size(const struct perf_attr *attr);
/* Returns the size in bytes of the trailer of the KSYMBOL and BPF_EVENT records that the kernel
 * writes. Returns 0 if no event asks the kernel for these records. */
size_t tracking_trailer(const struct event_list *events);
/* Writes the trailer of a record that ends at `end`. It contains the id and the CPU, if the attr
 * has these fields. All other fields are 0. */
void trailer_fill(const struct perf_attr *attr, uint8_t *end, uint64_t id, uint32_t cpu);

#endif
