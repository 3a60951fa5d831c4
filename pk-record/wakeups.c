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

static void set_fds(struct pollfd *to, const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
}

bool wakeups_init(struct wakeups *wakeups, const struct event_list *events,
		  const struct targets *targets, const struct offcpu *offcpu,
		  const struct user_bpf *bpf)
{
	const struct event *last = last_event(events);
	const int *outputs = NULL;
	const size_t outputs_count = offcpu_fds(offcpu, &outputs);
	int *rings = calloc(bpf->count + 1, sizeof(*rings));
	const size_t rings_count = rings ? user_bpf_fds(bpf, rings) : 0;

	wakeups->tasks = event_slots(targets);
	wakeups->others = wakeups->tasks + OTHERS + outputs_count;
	wakeups->count = wakeups->others + rings_count;
	wakeups->fds = calloc(wakeups->count, sizeof(*wakeups->fds));
	if (!wakeups->fds || !rings) {
		free(rings);
		pk_no_memory();
		return false;
	}
	set_fds(wakeups->fds, last->fds, wakeups->tasks);
	for (size_t i = 0; i < wakeups->tasks; i++)
		wakeups->alive += last->fds[i] >= 0;
	set_fds(wakeups->fds + wakeups->tasks + OTHERS, outputs, outputs_count);
	set_fds(wakeups->fds + wakeups->others, rings, rings_count);
	free(rings);
	return true;
}

static int wait_for(struct wakeups *wakeups, size_t count, uint64_t ns, const sigset_t *mask)
{
	const struct timespec timeout = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

	return ppoll(wakeups->fds, count, &timeout, mask);
}

void wakeups_wait(struct wakeups *wakeups, uint64_t ns, int in, int out, const sigset_t *mask)
{
	const uint64_t rest = wakeups->count == wakeups->others ? 0
			      : ns < WAKEUPS_REST		? ns
								: WAKEUPS_REST;
	struct pollfd *others = wakeups->fds + wakeups->tasks;
	int ready = 0;

	others[IN] = (struct pollfd){.fd = in, .events = POLLIN};
	others[OUT] = (struct pollfd){.fd = out, .events = POLLOUT};
	if (rest)
		ready = wait_for(wakeups, wakeups->others, rest, mask);
	if (!ready)
		ready = wait_for(wakeups, wakeups->count, ns - rest, mask);
	if (ready <= 0)
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
