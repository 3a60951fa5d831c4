/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SAMPLE_VIEW_H
#define PK_SAMPLE_VIEW_H

/* A SAMPLE. Its values are decoded and looked up in the context when they are used first, and then
 * cached. */

#include "context.h"
#include "pkprivate.h"
#include "tracepoint.h"

/* A SAMPLE whose values can be looked up. */
struct pk_view {
	struct pk_context *context;
	const struct pk_record *record;
	const struct pk_event *event; /* the event whose layout the record has */
	/* The event for which the sample is counted, and its period. A sample with the counter
	 * values of a group is counted once for each event of the group. */
	const struct pk_event *counted;
	uint64_t period;
	/* The following values are calculated when they are used first. */
	bool decoded, damaged, has_raw, has_stack, has_place;
	bool again; /* true if a missing stack of this sample was already counted by another view of
		     * the sample */
	uint64_t branch; /* which entry of the branch stack the fields of branches use; 0 is the
			  * newest branch */
	uint32_t stack;	 /* the index of the stack, or PK_NO_STACK */
	uint32_t place;	 /* the number that identifies the place (place.h), or 0 if the place is
			  * unknown */
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

/* Finds the callchain and the raw bytes of a sample that has no other fields of variable size. The
 * record must have at least event->layout.fixed_size bytes. Returns false if the sample has other
 * fields of variable size, or if it is malformed. Only pk_sample_decode() distinguishes these
 * cases. */
bool pk_sample_plain(const struct pk_record *record, struct pk_u64s *callchain,
		     struct pk_bytes *raw);
/* Returns the offset of the raw bytes in the samples of an event. Their size, a uint32_t, is at
 * this offset, and the bytes follow it. Returns 0 if there are none, or if the offset can be
 * different in each sample. */
static inline uint16_t pk_fixed_raw(const struct pk_event *event)
{
	const uint64_t before = PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN;

	return (event->attr.sample_type & (before | PERF_SAMPLE_RAW)) == PERF_SAMPLE_RAW
		       ? event->layout.fixed_size
		       : 0;
}
/* Finds the raw bytes at an offset from pk_fixed_raw(). Returns false if the sample does not have
 * them, or if `at` is 0. */
static inline bool pk_fixed_raw_bytes(const struct pk_record *record, uint16_t at,
				      struct pk_bytes *raw)
{
	if (pk_unlikely(!at || record->size < at + sizeof(uint32_t)))
		return false;
	raw->size = pk_load_u32(record->data + at);
	raw->data = record->data + at + sizeof(uint32_t);
	return raw->size <= record->size - at - sizeof(uint32_t);
}
/* Reads a number from the raw bytes at an offset from pk_fixed_raw(). Returns false if the sample
 * does not have the number, or if `at` is 0. */
static inline bool pk_fixed_raw_load(const struct pk_record *record, uint16_t at,
				     const struct pk_raw_number *place, uint64_t *value)
{
	struct pk_bytes raw;

	return pk_fixed_raw_bytes(record, at, &raw) && pk_raw_number_load(place, &raw, value);
}
/* Returns the raw bytes of the sample, or NULL if the sample cannot be decoded. */
const struct pk_bytes *pk_view_raw(struct pk_view *view);
/* Returns the decoded sample, or NULL if it cannot be decoded. */
const struct pk_sample *pk_view_sample(struct pk_view *view);
/* Returns the sampled thread. If memory is exhausted, returns NULL and sets pk_context.failed. */
const struct pk_thread *pk_view_thread(struct pk_view *view);
/* Returns the index of the stack of the sample (pk_source_of), or PK_NO_STACK if there is none. If
 * memory is exhausted, returns PK_NO_STACK and sets pk_context.failed. */
uint32_t pk_view_stack(struct pk_view *view);
/* Returns the location of the address of the sample (PERF_SAMPLE_IP). The image of the location is
 * NULL if it is unknown. If memory is exhausted, the image is NULL and pk_context.failed is set. */
struct pk_location pk_view_location(struct pk_view *view);
/* Returns the mode (PERF_RECORD_MISC_CPUMODE_MASK) of the address of the sample. The misc of an
 * off-CPU sample describes the context switch in the kernel, not the address. So the address
 * determines the mode of such a sample. */
uint16_t pk_view_mode(const struct pk_view *view);
/* Returns the mode (PERF_RECORD_MISC_CPUMODE_MASK) of another address of a sample, such as the
 * address of data or of a branch. In samples of kernel or user mode, the highest bit of the address
 * determines the mode. */
static inline uint16_t pk_address_mode(uint16_t misc, uint64_t address)
{
	const uint16_t mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode != PERF_RECORD_MISC_KERNEL && mode != PERF_RECORD_MISC_USER)
		return mode;
	return address >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* Returns the location of another address of the sample. */
struct pk_location pk_view_locate(struct pk_view *view, uint64_t address);
/* Returns the innermost frame of the stack, or NULL if the stack has no address or the stream is
 * not symbolized. */
const struct pk_frame *pk_view_frame(struct pk_view *view);

/*
 * Returns the sampled function: the innermost frame of the stack that is not inlined. *address is
 * the address of the sample, in the same form as the address of the frame. Returns NULL if the
 * function is unknown, if the stream is not symbolized, or if the stack does not start at the
 * address of the sample.
 */
const struct pk_frame *pk_view_function(struct pk_view *view, uint64_t *address);

/* Returns the place of a sample (place.h). The function of the place is the innermost function of
 * the stack that is not inlined. If the stack does not start at the address of the sample, that
 * address is looked up in the maps of the session. Returns 0 if the function is unknown. If memory
 * is exhausted, returns 0 and sets pk_context.failed. PK_NEED_CODE must be set. */
uint32_t pk_view_place(struct pk_view *view);
/* A source line of the stream. The text belongs to the session. */
struct pk_stream_line {
	const char *file;
	uint32_t line;
	uint32_t first; /* the line of the start of the function; 0 if it is unknown */
};

/* Finds the source line that the stream has for the address of the sample. Returns false if the
 * stream has none. */
bool pk_view_stream_line(struct pk_view *view, struct pk_stream_line *line);
/* Returns the place of another address in the process of the sample or in the kernel, such as the
 * address of a branch. */
uint32_t pk_view_place_of(struct pk_view *view, uint64_t address);
/* Returns the memory access of the sampled instruction. Returns NULL if it does not access memory,
 * or if the type of the memory is unknown. If memory is exhausted, returns NULL and sets
 * pk_context.failed. PK_NEED_CODE must be set. */
const struct pk_accessed *pk_view_accessed(struct pk_view *view);

#endif
