// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "heap_event.h"
#include "lookups.h"
#include "own_sample.h"
#include "pkprivate.h"
#include "procfs.h"
#include "raw_format.h"

/* Ids of the formats; the ids of the kernel start at 1. */
#define ALLOC_ID 65534u
#define FREE_ID	 65533u

/* The raw bytes of the samples. Those of heap:free end before `size`. */
struct raw {
	struct pk_common_fields common;
	uint64_t ptr;	/* address of the memory */
	uint64_t size;	/* the requested size */
	uint64_t bytes; /* number of bytes that the sample stands for */
	uint8_t padding[4];
};

/* The size of the raw bytes, together with their size of 4 bytes, must be a multiple of 8. */
#define ALLOC_SIZE (offsetof(struct raw, padding) + 4)
#define FREE_SIZE  (offsetof(struct raw, size) + 4)
_Static_assert((ALLOC_SIZE + sizeof(uint32_t)) % 8 == 0, "raw data must end at a word");
_Static_assert((FREE_SIZE + sizeof(uint32_t)) % 8 == 0, "raw data must end at a word");

/* ---- The events ---- */

static char *make_format(const char *name, uint32_t id, size_t size)
{
	struct pk_raw_layout layout = {.size = size - sizeof(struct pk_common_fields)};
	const enum pk_abi abi = pk_abi_of(pk_procfs_session_info(pk_lookups()).e_machine, false);

#define FIELD(member)                                                                              \
	pk_raw_layout_add(&layout, #member,                                                        \
			  &(struct pk_raw_field){.offset = offsetof(struct raw, member) -          \
							   sizeof(struct pk_common_fields),        \
						 .size = 8})
	FIELD(ptr);
	if (size == ALLOC_SIZE) {
		FIELD(size);
		FIELD(bytes);
	}
#undef FIELD
	return pk_raw_format_text(&layout, name, id, abi);
}

enum pk_status heap_events_add(struct event_list *events, uint32_t stack)
{
	struct event *event = own_event_add(events, "heap", "alloc", ALLOC_ID,
					    make_format("alloc", ALLOC_ID, ALLOC_SIZE));

	if (!event)
		return PK_NOMEM;
	event->attr.sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CALLCHAIN |
				   PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	event->attr.flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	event->attr.sample_regs_user = HEAP_REGISTER_MASK;
	event->attr.sample_stack_user = stack;
	event = own_event_add(events, "heap", "free", FREE_ID,
			      make_format("free", FREE_ID, FREE_SIZE));
	if (!event)
		return PK_NOMEM;
	event->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	event->attr.sample_type &= ~(uint64_t)PERF_SAMPLE_IP;
	return PK_OK;
}

/* ---- Samples ---- */

/* Returns the number of bytes that a sample stands for. An allocation of `size` bytes is sampled
 * with the probability 1 - exp(-size / mean), so the sum over all samples is the sum of all sizes
 * on average. */
static uint64_t bytes_of(uint64_t size, uint64_t mean)
{
	if (mean <= 1 || !size)
		return size;
	return (uint64_t)((double)size / -expm1(-(double)size / (double)mean) + 0.5);
}

static uint8_t *put_raw(uint8_t *p, const struct raw *raw, uint32_t size)
{
	pk_store_u32(p, size);
	memcpy(p + sizeof(uint32_t), raw, size);
	return p + sizeof(uint32_t) + size;
}

void heap_event_write(const struct event_list *events, pid_t pid, const struct heap_record *record,
		      const uint64_t *registers, const void *stack, uint64_t mean,
		      struct pk_writer *writer)
{
	const bool freed = record->kind == HEAP_FREED;
	const struct event *event = &events->items[freed];
	const uint32_t raw_size = freed ? FREE_SIZE : ALLOC_SIZE;
	struct raw raw = {.common = {.type = (uint16_t)event->attr.config, .pid = record->tid},
			  .ptr = record->address,
			  .size = record->bytes,
			  .bytes = bytes_of(record->bytes, mean)};
	const struct own_sample sample = {.misc = PERF_RECORD_MISC_USER,
					  .ip = freed ? 0 : registers[HEAP_REGISTER_PC],
					  .pid = (uint32_t)pid,
					  .tid = record->tid,
					  .time = record->time,
					  .period = freed ? 1 : raw.bytes};
	const struct own_user user = {.registers = registers,
				      .register_count = HEAP_REGISTER_COUNT,
				      .stack = stack,
				      .stack_size = record->stack_size};
	size_t more = sizeof(uint32_t) + raw_size;
	uint8_t *p;

	if (!freed)
		more += sizeof(uint64_t) + own_user_size(&user);
	p = own_sample_append(writer, event, 0, &sample, more);
	if (!p)
		return;
	if (!freed)
		p = pk_put_u64(p, 0); /* the callchain is empty */
	p = put_raw(p, &raw, raw_size);
	if (!freed)
		own_user_put(&user, p);
}
