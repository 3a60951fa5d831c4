// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "cli.h"
#include "lookups.h"
#include "wakeups.h"

enum { IN, OUT, OTHERS };

/* The event to poll: the last one with a normal ring, because overwritten rings wake nobody. It is
 * open in every slot where any event is: it is the dummy that tracks tasks, or all events are open
 * in the same slots. An event from BPF does not end with its tasks. */
static const struct event *last_event(const struct event_list *events)
{
	for (size_t i = events->count; i-- > 0;)
		if (!(events->items[i].attr.flags & PERF_ATTR_WRITE_BACKWARD) &&
		    !events->items[i].from_bpf)
			return &events->items[i];
	return &events->items[events->count - 1];
}

bool wakeups_init(struct wakeups *wakeups, const struct event_list *events,
		  const struct targets *targets, const struct offcpu *offcpu)
{
	const struct event *last = last_event(events);
	const int *outputs = NULL;
	const size_t outputs_count = offcpu_fds(offcpu, &outputs);

	wakeups->tasks = event_slots(targets);
	wakeups->count = wakeups->tasks + OTHERS + outputs_count;
	wakeups->fds = calloc(wakeups->count, sizeof(*wakeups->fds));
	if (!wakeups->fds) {
		pk_no_memory();
		return false;
	}
	for (size_t i = 0; i < wakeups->tasks; i++) {
		wakeups->fds[i] = (struct pollfd){.fd = last->fds[i], .events = POLLIN};
		wakeups->alive += last->fds[i] >= 0;
	}
	for (size_t i = 0; i < outputs_count; i++)
		wakeups->fds[wakeups->tasks + OTHERS + i] =
			(struct pollfd){.fd = outputs[i], .events = POLLIN};
	return true;
}

void wakeups_wait(struct wakeups *wakeups, uint64_t ns, int in, int out, const sigset_t *mask)
{
	const struct timespec timeout = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
	struct pollfd *others = wakeups->fds + wakeups->tasks;

	others[IN] = (struct pollfd){.fd = in, .events = POLLIN};
	others[OUT] = (struct pollfd){.fd = out, .events = POLLOUT};
	if (ppoll(wakeups->fds, wakeups->count, &timeout, mask) <= 0)
		return;
	for (size_t i = 0; i < wakeups->tasks; i++) {
		if (wakeups->fds[i].fd < 0 || !(wakeups->fds[i].revents & (POLLERR | POLLHUP)))
			continue;
		wakeups->fds[i].fd = -1; /* its task has ended */
		wakeups->alive--;
	}
}

void wakeups_free(struct wakeups *wakeups)
{
	free(wakeups->fds);
}
