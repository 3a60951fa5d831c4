/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_CONFIGURE_H
#define PK_RECORD_CONFIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "record_options.h"

#define STACK_SIZE_DEFAULT 8192 /* bytes, --call-graph dwarf */

/* The number of ids that fit into one HEADER_ATTR. */
#define ATTR_IDS_MAX ((PERF_RECORD_SIZE_MAX - 8 - PERF_ATTR_SIZE_VER9) / 8)

/* Completes the attrs of the events, or of cycles without events, as perf does; when system-wide,
 * appends the dummy that tracks tasks. on_exec: the command enables the events. False after a
 * message. */
bool configure_events(struct event_list *events, const struct options *options,
		      const struct targets *targets, bool on_exec);

/* Bytes of the trailer (sample_id_all) of records that are not samples: equal for all events after
 * configure_events. */
size_t trailer_size(const struct perf_attr *attr);
/* The same for the kernel's records of BPF programs and symbols. */
size_t tracking_trailer(const struct event_list *events);
/* Writes the trailer that ends at end: id, and a CPU; all other fields are 0. */
void trailer_fill(const struct perf_attr *attr, uint8_t *end, uint64_t id, uint32_t cpu);

#endif
