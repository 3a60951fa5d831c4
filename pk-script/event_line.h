/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SCRIPT_EVENT_LINE_H
#define PK_SCRIPT_EVENT_LINE_H

/* An event and how it was recorded, on a line. */

#include "buffer.h"
#include "pkstream.h"

/* "# event : name = ...", as perf script --header prints it. */
void event_header_line(struct buffer *out, const struct pk_event *event);
/* As perf evlist -v prints it. */
void event_list_line(struct buffer *out, const struct pk_event *event);

#endif
