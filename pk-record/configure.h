/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_CONFIGURE_H
#define PK_RECORD_CONFIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "record_options.h"

#define DEFAULT_FREQUENCY  4000 /* Hz; the default of perf */
#define STACK_SIZE_DEFAULT 8192 /* bytes, for --call-graph dwarf */

/* The number of ids that fit into one HEADER_ATTR. */
#define ATTR_IDS_MAX ((PERF_RECORD_SIZE_MAX - 8 - PERF_ATTR_SIZE_VER9) / 8)

/* Completes the attrs of the events as perf does. If there are no events, adds cycles. With
 * --off-cpu, adds its event. Appends a dummy event that tracks tasks in three cases: if the targets
 * are system-wide, if events are enabled later (-D), or if an event is not on all CPUs. on_exec
 * means that the exec of the command enables the events. Returns PK_FAILED after it has printed a
 * message. */
PK_MUST_CHECK enum pk_status configure_events(struct event_list *events,
					      const struct options *options,
					      const struct targets *targets, bool on_exec);

/* Returns the size of the trailer (sample_id_all) of records that are not samples, in bytes. After
 * configure_events(), it is the same for all events. */
size_t trailer_size(const struct perf_attr *attr);
/* Returns the size of the trailer of the kernel's records KSYMBOL and BPF_EVENT, in bytes. Returns
 * 0 if no event records them. */
size_t tracking_trailer(const struct event_list *events);
/* Writes the trailer of a record that ends at `end`. It contains the id and the CPU, if the attr
 * has these fields. All other fields are 0. */
void trailer_fill(const struct perf_attr *attr, uint8_t *end, uint64_t id, uint32_t cpu);

#endif
