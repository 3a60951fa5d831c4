// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cli.h"
#include "lookups.h"
#include "pace.h"
#include "perf_syscall.h"
#include "pkprivate.h"

#define NS_PER_S UINT64_C(1000000000)

#define BEFORE_PERIOD                                                                              \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU)

/* Returns true if a timer drives the event. The kernel converts its frequency to a period when the
 * event is opened. */
static bool is_timer(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

enum pk_status pace_init(struct pace *pace, struct event_list *events,
			 const struct targets *targets)
{
	*pace = (struct pace){.events = events, .targets = targets};
	pace->first = calloc(events->count, sizeof(*pace->first));
	if (!pace->first) {
		pk_no_memory();
		return PK_NOMEM;
	}
	for (size_t i = 0; i < events->count; i++) {
		const struct perf_attr *attr = &events->items[i].attr;

		if (attr->flags & PERF_ATTR_FREQ)
			pace->first[i] = attr->sample_period;
		if (pace->first[i] > pace->most)
			pace->most = pace->first[i];
	}
	pace->frequency = pace->most;
	return PK_OK;
}

void pace_free(struct pace *pace)
{
	free(pace->first);
	pk_table_free_all(&pace->periods);
}

const struct event *pace_leader(const struct pace *pace)
{
	size_t i = 0;

	while (pace->first[i] != pace->most)
		i++;
	return &pace->events->items[i];
}

void pace_switch(const struct pace *pace, unsigned long request)
{
	for (size_t i = 0; i < pace->events->count; i++) {
		const struct event_list one = {.items = &pace->events->items[i], .count = 1};

		if (pace->first[i])
			pk_event_list_ioctl(&one, pace->targets, request);
	}
}

static enum pk_status note_period(struct pace *pace, const struct event *event, uint64_t id,
				  uint64_t ns)
{
	struct pace_period *period = pk_table_get_or_add(&pace->periods, id, sizeof(*period));

	if (!period) {
		pk_no_memory();
		return PK_NOMEM;
	}
	period->ns = ns;
	period->offset = sizeof(struct perf_header) +
			 8 * (size_t)__builtin_popcountll(event->attr.sample_type & BEFORE_PERIOD);
	return PK_OK;
}

/* The kernel refuses a frequency above kernel.perf_event_max_sample_rate, which it lowers itself if
 * samples take too long. The event then keeps its frequency. */
static enum pk_status set_event(struct pace *pace, struct event *event, uint64_t frequency)
{
	const bool timer = is_timer(&event->attr);
	uint64_t value = timer ? NS_PER_S / frequency : frequency;

	for (size_t slot = 0; slot < event_slots(pace->targets); slot++) {
		const int fd = event->opened.fds[slot];

		if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_PERIOD, &value) < 0)
			continue;
		event->attr.sample_period = frequency; /* for the HEADER_ATTR of the next file */
		if (timer)
			PK_TRY(note_period(pace, event, event->opened.ids[slot], value));
	}
	return PK_OK;
}

enum pk_status pace_set(struct pace *pace, uint64_t frequency, uint32_t cause,
			struct pk_writer *writer)
{
	bool any = false;

	for (size_t i = 0; i < pace->events->count; i++) {
		struct event *event = &pace->events->items[i];
		const uint64_t wanted = frequency < pace->first[i] ? frequency : pace->first[i];

		if (!pace->first[i] || event->attr.sample_period == wanted)
			continue;
		PK_TRY(set_event(pace, event, wanted));
		if (event->attr.sample_period != wanted)
			continue;
		any = true;
		for (size_t slot = 0; slot < event_slots(pace->targets); slot++)
			if (event->opened.fds[slot] >= 0) {
				pk_rate_write(writer, event->opened.ids[slot], wanted, cause);
				break;
			}
	}
	if (any)
		pace->frequency = frequency;
	return PK_OK;
}
