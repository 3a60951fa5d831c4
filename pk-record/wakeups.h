/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_WAKEUPS_H
#define PK_RECORD_WAKEUPS_H

/* The descriptors that the recorder waits for. */

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "offcpu.h"

struct wakeups {
	struct pollfd *fds; /* tasks, then those of wakeups_wait, then --off-cpu's */
	size_t tasks, count;
	size_t alive; /* number of tasks that have not ended */
};

/* Call it after everything was opened. False after a message. */
bool wakeups_init(struct wakeups *wakeups, const struct event_list *events,
		  const struct targets *targets, const struct offcpu *offcpu);
/* Waits until a ring is half full, input is available in `in`, out can be written (-1: none), a
 * signal that mask allows arrives, or that many ns have passed. */
void wakeups_wait(struct wakeups *wakeups, uint64_t ns, int in, int out, const sigset_t *mask);
void wakeups_free(struct wakeups *wakeups);

#endif
