// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "own_sample.h"
#include "pkprivate.h"

struct event *own_event_add(struct event_list *events, const char *system, const char *name,
			    uint32_t id, char *format)
{
	struct event *event;
	char full[64];

	snprintf(full, sizeof(full), "%s:%s", system, name);
	event = format ? pk_event_list_add(events, full) : NULL;
	if (!event) {
		free(format);
		(void)pk_messages_no_memory(&events->messages);
		return NULL;
	}
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = id;
	event->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				  PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW;
	event->attr.flags = PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_USE_CLOCKID;
	event->attr.clockid = CLOCK_MONOTONIC;
	event->bpf.format = format;
	if (asprintf(&event->tracepoint, "%s/%s", system, name) < 0)
		event->tracepoint = NULL;
	event->opened.fds = calloc(1, sizeof(*event->opened.fds));
	event->opened.ids = calloc(1, sizeof(*event->opened.ids));
	if (!event->tracepoint || !event->opened.fds || !event->opened.ids) {
		(void)pk_messages_no_memory(&events->messages);
		return NULL;
	}
	event->opened.ids[0] = events->count;
	return event;
}

void own_events_free(struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++) {
		free(events->items[i].opened.fds);
		free(events->items[i].opened.ids);
		events->items[i].opened = (struct event_opened){0};
	}
}

uint8_t *own_sample_append(struct pk_writer *writer, const struct event *event, size_t slot,
			   const struct own_sample *sample, size_t more)
{
	const uint64_t type = event->attr.sample_type;
	const size_t size = sizeof(struct perf_header) +
			    8 * (size_t)__builtin_popcountll(type & OWN_SAMPLE_TYPES) + more;
	uint8_t *p = size <= PERF_RECORD_SIZE_MAX
			     ? pk_writer_append(writer, PERF_RECORD_SAMPLE, sample->misc, size)
			     : NULL;

	if (!p)
		return NULL;
	p += sizeof(struct perf_header);
	if (type & PERF_SAMPLE_IDENTIFIER)
		p = pk_put_u64(p, event->opened.ids[slot]);
	if (type & PERF_SAMPLE_IP)
		p = pk_put_u64(p, sample->ip);
	if (type & PERF_SAMPLE_TID)
		p = pk_put_two_u32(p, sample->pid, sample->tid);
	if (type & PERF_SAMPLE_TIME)
		p = pk_put_u64(p, sample->time);
	if (type & PERF_SAMPLE_ID)
		p = pk_put_u64(p, event->opened.ids[slot]);
	if (type & PERF_SAMPLE_CPU)
		p = pk_put_two_u32(p, sample->cpu, 0);
	if (type & PERF_SAMPLE_PERIOD)
		p = pk_put_u64(p, sample->period);
	return p;
}

/* ---- Registers and stacks ---- */

size_t own_user_size(const struct own_user *user)
{
	if (!user->registers)
		return 2 * sizeof(uint64_t);
	return (2 + user->register_count + (user->stack_size != 0)) * sizeof(uint64_t) +
	       user->stack_size;
}

void own_user_put(const struct own_user *user, uint8_t *p)
{
	const size_t size = user->register_count * sizeof(uint64_t);

	if (!user->registers) {
		p = pk_put_u64(p, PERF_SAMPLE_REGS_ABI_NONE);
		pk_put_u64(p, 0);
		return;
	}
	p = pk_put_u64(p, PERF_SAMPLE_REGS_ABI_64);
	memcpy(p, user->registers, size);
	p = pk_put_u64(p + size, user->stack_size);
	if (!user->stack_size)
		return;
	memcpy(p, user->stack, user->stack_size);
	pk_put_u64(p + user->stack_size, user->stack_size);
}

/* ---- Callchains ---- */

void own_chain_limit(struct own_chain *chain, uint64_t flags, struct own_sample *sample)
{
	if (flags & OWN_CHAIN_NO_KERNEL)
		chain->kernel_size = 0;
	if (flags & OWN_CHAIN_NO_USER)
		chain->user_size = 0;
	sample->misc = chain->kernel_size ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	sample->ip = chain->kernel_size ? *chain->kernel : chain->user_size ? *chain->user : 0;
}

/* A marker precedes each stack that is not empty. */
static size_t size_with_marker(size_t size)
{
	return size ? sizeof(uint64_t) + size : 0;
}

static uint8_t *put_stack(uint8_t *p, uint64_t marker, const uint64_t *addresses, size_t size)
{
	if (!size)
		return p;
	p = pk_put_u64(p, marker);
	memcpy(p, addresses, size);
	return p + size;
}

size_t own_chain_size(const struct own_chain *chain)
{
	return sizeof(uint64_t) + size_with_marker(chain->kernel_size) +
	       size_with_marker(chain->user_size);
}

uint8_t *own_chain_put(const struct own_chain *chain, uint8_t *p)
{
	p = pk_put_u64(p, own_chain_size(chain) / sizeof(uint64_t) - 1);
	p = put_stack(p, PERF_CONTEXT_KERNEL, chain->kernel, chain->kernel_size);
	return put_stack(p, PERF_CONTEXT_USER, chain->user, chain->user_size);
}
