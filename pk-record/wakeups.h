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
#include "user_bpf.h"

/* A BPF ring buffer wakes for each record. */
#define WAKEUPS_REST UINT64_C(5000000)

struct wakeups {
	struct pollfd *fds; /* one for each slot (CPU and task) of an event, then in and out of
			     * wakeups_wait(), then those of --off-cpu, then those of --bpf */
	size_t tasks, others, count; /* others: without those of --bpf */
	size_t alive;		     /* number of slots whose task has not ended */
};

/* Call it after the events, --off-cpu and --bpf were opened. False after a message. */
bool wakeups_init(struct wakeups *wakeups, const struct event_list *events,
		  const struct targets *targets, const struct offcpu *offcpu,
		  const struct user_bpf *bpf);
/* Waits until a ring is half full (with `unbuffered`, has a record), a task ends, a BPF ring buffer
 * has records (but at least WAKEUPS_REST ns after the call), `in` can be read, `out` can be
 * written, a signal that mask allows arrives, or that many ns have passed. in and out can be -1:
 * none. */
void wakeups_wait(struct wakeups *wakeups, uint64_t ns, int in, int out, const sigset_t *mask);
void wakeups_free(struct wakeups *wakeups);

#endif
