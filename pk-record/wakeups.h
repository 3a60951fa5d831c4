/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_WAKEUPS_H
#define PK_RECORD_WAKEUPS_H

/* Waits for the descriptors that pk-record polls. */

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "offcpu.h"

struct wakeups {
	struct pollfd *fds; /* one for each slot (CPU and task) of an event, then in and out of
			     * wakeups_wait(), then those of --off-cpu */
	size_t tasks, count;
	size_t alive; /* number of slots whose task has not ended */
};

/* Call it after the events and --off-cpu were opened. False after a message. */
bool wakeups_init(struct wakeups *wakeups, const struct event_list *events,
		  const struct targets *targets, const struct offcpu *offcpu);
/* Waits until a ring is half full (with `unbuffered`, has a record), a task ends, `in` can be read,
 * `out` can be written, a signal that mask allows arrives, or that many ns have passed. in and out
 * can be -1: none. */
void wakeups_wait(struct wakeups *wakeups, uint64_t ns, int in, int out, const sigset_t *mask);
void wakeups_free(struct wakeups *wakeups);

#endif
