/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EVENT_LINE_H
#define EVENT_LINE_H

/* Formats an event and its attr as one line. */

#include "buffer.h"
#include "pkstream.h"

/* The names of the flags of an attr, by bit number. precise_ip has two bits, whose names are NULL.
 */
#define EVENT_ATTR_FLAGS 40
extern const char *const pk_event_attr_flags[EVENT_ATTR_FLAGS];

/* Appends "# event : name = ...", in the format of perf script --header. */
void pk_event_header_line(struct buffer *out, const struct pk_event *event);
/* Appends the event and its attr in the format of perf evlist -v. */
void pk_event_list_line(struct buffer *out, const struct pk_event *event);

#endif
