/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_AUX_INFO_H
#define PK_RECORD_AUX_INFO_H

/* The records that a decoder of a hardware trace needs: TIME_CONV and AUXTRACE_INFO. Their layouts
 * are those of perf record. */

#include "event.h"
#include "pkstream.h"
#include "record_options.h"

struct ring_list;

/* Writes the records if an event writes a hardware trace. */
void write_trace_info(const struct event_list *events, const struct targets *targets,
		      const struct options *options, const struct ring_list *rings,
		      struct pk_writer *writer);

#endif
