/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SAMPLE_VIEW_H
#define PK_SAMPLE_VIEW_H

/* A SAMPLE whose parts are decoded, looked up in the context, and cached on first use. */

#include "context.h"
#include "pkprivate.h"

/* A SAMPLE, for looking up its values. */
struct pk_view {
	struct pk_context *context;
	const struct pk_record *record;
	const struct pk_event *event; /* the event whose layout the record has */
	/* The event that the sample counts for, and its period. A sample with the counter values of
	 * a group counts once for each event of the group. */
	const struct pk_event *counted;
	uint64_t period;
	/* Calculated on first use: */
	bool decoded, damaged, has_raw, has_stack, has_place;
	bool again;	 /* another view of this sample has already counted a missing stack */
	uint64_t branch; /* the entry of the branch stack that the sample counts for */
	uint32_t stack;	 /* index, or PK_NO_STACK */
	uint32_t place;	 /* see place.h */
	const struct pk_thread *thread;
	struct pk_bytes raw;
	struct pk_sample sample;
};

/* The record must have passed pk_sample_check(). */
static inline void pk_view_begin(struct pk_view *view, struct pk_context *context,
				 const struct pk_record *record)
{
	view->context = context;
	view->record = record;
	view->event = view->counted = record->event;
	view->decoded = view->damaged = view->has_raw = false;
	view->has_stack = view->has_place = view->again = false;
	view->thread = NULL;
	view->branch = 0;
}

/* Finds the callchain and the raw bytes of a sample without other fields of variable size, and of
 * at least event->layout.fixed_size bytes. Returns false if it has such fields, or is malformed.
 * Only pk_sample_decode() tells which. */
bool pk_sample_plain(const struct pk_record *record, struct pk_u64s *callchain,
		     struct pk_bytes *raw);
/* The raw bytes of the sample, or NULL if it cannot be decoded. */
const struct pk_bytes *pk_view_raw(struct pk_view *view);
/* The decoded sample, or NULL if it cannot be decoded. */
const struct pk_sample *pk_view_sample(struct pk_view *view);
/* The sampled thread. Returns NULL if memory is exhausted, which sets pk_context.failed. */
const struct pk_thread *pk_view_thread(struct pk_view *view);
/* The index of the sample's stack (pk_source_of). Returns PK_NO_STACK if there is none, or if
 * memory is exhausted, which sets pk_context.failed. */
uint32_t pk_view_stack(struct pk_view *view);
/* The location of the sample's address (PERF_SAMPLE_IP). Its image is NULL if it is unknown, or if
 * memory is exhausted, which sets pk_context.failed. */
struct pk_location pk_view_location(struct pk_view *view);
/* The mode (PERF_RECORD_MISC_CPUMODE_MASK) of that address. An off-CPU sample with fields in RAW is
 * of a switch in the kernel, its address is not. */
uint16_t pk_view_mode(const struct pk_view *view);
/* The mode (PERF_RECORD_MISC_CPUMODE_MASK) of another address of a sample: data, or an end of a
 * branch. In samples of kernel or user mode, the highest bit of the address decides. */
static inline uint16_t pk_address_mode(uint16_t misc, uint64_t address)
{
	const uint16_t mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode != PERF_RECORD_MISC_KERNEL && mode != PERF_RECORD_MISC_USER)
		return mode;
	return address >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* The location of such an address. */
struct pk_location pk_view_locate(struct pk_view *view, uint64_t address);
/* The innermost frame of the stack, or NULL if it has no address, or the stream is not
 * symbolized. */
const struct pk_frame *pk_view_frame(struct pk_view *view);

/*
 * The sampled function: the innermost frame of the stack that is not inlined. *address is the
 * sample's address, of the same kind as the frame's. Returns NULL if it is unknown, the stream is
 * not symbolized, or the stack does not start at the sample's address.
 */
const struct pk_frame *pk_view_function(struct pk_view *view, uint64_t *address);

/* The place of a sample (place.h). Its function is the innermost one of the stack that is not
 * inlined. If the stack does not start at the sample's address, the address is looked up in the
 * session's maps. Returns 0 if the function is unknown, or if memory is exhausted, which sets
 * pk_context.failed. Needs PK_NEED_CODE. */
uint32_t pk_view_place(struct pk_view *view);
/* The place of another address of the sample's process, or of the kernel: of a branch. */
uint32_t pk_view_place_of(struct pk_view *view, uint64_t address);
/* The memory access of the sample's instruction. Returns NULL if it accesses no memory, if the type
 * is unknown, or if memory is exhausted, which sets pk_context.failed. Needs PK_NEED_CODE. */
const struct pk_accessed *pk_view_accessed(struct pk_view *view);

#endif
