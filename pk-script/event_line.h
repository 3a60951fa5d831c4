/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SCRIPT_EVENT_LINE_H
#define PK_SCRIPT_EVENT_LINE_H

/* Formats an event and its attr as one line. */

#include "buffer.h"
#include "pkstream.h"

/* Appends "# event : name = ...", in the format of perf script --header. */
void event_header_line(struct buffer *out, const struct pk_event *event);
/* The same in the format of perf evlist -v. */
void event_list_line(struct buffer *out, const struct pk_event *event);

#endif
