// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "offcpu_wakers.h"
#include "own_sample.h"
#include "pkprivate.h"
#include "procfs.h"
#include "raw_format.h"

#define NAME "waker"

/* The raw bytes of a sample. They end at a word of 8 bytes, and a size of 4 bytes precedes them. */
struct raw {
	struct pk_common_fields common;
	int32_t sleeper_pid, sleeper; /* process and tid of the thread that was blocked */
	uint32_t unused;
};

_Static_assert((sizeof(struct raw) + sizeof(uint32_t)) % 8 == 0, "raw data must end at a word");

/* ---- The event ---- */

static char *make_format(void)
{
	const uint32_t machine = pk_procfs_session_info(pk_lookups()).e_machine;
	struct pk_raw_layout layout = {.size = sizeof(struct raw) -
					       sizeof(struct pk_common_fields)};

	pk_raw_layout_add(&layout, "sleeper_pid",
			  &(struct pk_raw_field){.kind = PK_RAW_SIGNED, .size = 4});
	pk_raw_layout_add(&layout, "sleeper",
			  &(struct pk_raw_field){.kind = PK_RAW_SIGNED, .size = 4, .offset = 4});
	return pk_raw_format_text(&layout, NAME, OFFCPU_WAKERS_FORMAT, pk_abi_of(machine, false));
}

enum pk_status offcpu_wakers_add_event(struct event_list *events)
{
	struct event *event = pk_event_list_add(events, "pk:" NAME);

	if (!event)
		return pk_messages_no_memory(&events->messages);
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = OFFCPU_WAKERS_FORMAT;
	event->bpf.output = event->bpf.own_samples = true;
	event->bpf.format = make_format();
	event->tracepoint = strdup("pk/" NAME);
	return event->bpf.format && event->tracepoint ? PK_OK
						      : pk_messages_no_memory(&events->messages);
}

void offcpu_wakers_find(struct offcpu_wakers *wakers, const struct event_list *events,
			const struct targets *targets)
{
	wakers->event = NULL;
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].bpf.own_samples &&
		    events->items[i].attr.config == OFFCPU_WAKERS_FORMAT)
			wakers->event = &events->items[i];
	for (size_t slot = event_slots(targets); slot-- > 0 && wakers->event;)
		if (wakers->event->opened.fds[slot] >= 0)
			wakers->slot = slot;
}

/* ---- Samples ---- */

struct offcpu_waker *offcpu_wakers_of(struct offcpu_sum *sum)
{
	struct offcpu_block *block = &sum->block;
	struct offcpu_waker *waker = (void *)(block->addresses + (block->user + block->kernel) / 8);

	if (block->waker < sizeof(*waker) || waker->user % 8 || waker->kernel % 8 ||
	    sizeof(*waker) + (uint64_t)waker->user + waker->kernel > block->waker)
		return NULL;
	return waker;
}

bool offcpu_wakers_write(const struct offcpu_wakers *wakers, struct offcpu_sum *sum, uint64_t flags,
			 struct pk_writer *writer)
{
	const struct offcpu_block *block = &sum->block;
	const struct offcpu_waker *waker = offcpu_wakers_of(sum);
	struct own_chain chain = {.kernel = waker->addresses + waker->user / 8,
				  .user = waker->addresses,
				  .kernel_size = waker->kernel,
				  .user_size = waker->user};
	struct own_sample sample = {.pid = (uint32_t)(waker->ids >> 32),
				    .tid = (uint32_t)waker->ids,
				    .cpu = sum->cpu,
				    .time = sum->end,
				    .period = block->time};
	const struct raw raw = {.common = {.type = OFFCPU_WAKERS_FORMAT, .pid = sample.tid},
				.sleeper_pid = (int32_t)(block->ids >> 32),
				.sleeper = (int32_t)block->ids};
	uint8_t *p;

	if (!wakers->event)
		return false;
	own_chain_limit(&chain, flags, &sample);
	p = own_sample_append(writer, wakers->event, wakers->slot, &sample,
			      own_chain_size(&chain) + sizeof(uint32_t) + sizeof(raw));
	if (!p)
		return false;
	p = own_chain_put(&chain, p);
	pk_store_u32(p, sizeof(raw));
	memcpy(p + sizeof(uint32_t), &raw, sizeof(raw));
	return true;
}
