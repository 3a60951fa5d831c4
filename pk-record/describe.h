/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_DESCRIBE_H
#define PK_RECORD_DESCRIBE_H

#include "event.h"

/* With -v, prints a line for each event: its name, and the attr that the kernel has accepted, in
 * the format of perf evlist -v. */
void describe_events(const struct event_list *events);

#endif
