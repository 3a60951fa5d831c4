/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FRAME_TEXTS_H
#define FRAME_TEXTS_H

/*
 * What is printed of a frame behind its address. It is worked out once for each address of an
 * address space, or frame of a dictionary, and copied from then on.
 */

#include "buffer.h"
#include "session.h"

struct frame_info {
	const char *function; /* NULL: unresolved */
	size_t function_size;
	bool has_offset;
	uint64_t offset; /* in the function */
	const char *dso; /* NULL: none */
	bool in_file;
	uint64_t address; /* in the object */
	bool inlined;
	uint32_t inlined_at,
		inlined_count; /* texts of what is inlined there: frame_texts_inlined */
	const char *file;      /* NULL: unknown */
	uint32_t line;
};

enum {
	PART_SYM = 1 << 0,
	PART_SYMOFF = 1 << 1,
	PART_DSO = 1 << 2,
	PART_DSOFF = 1 << 3,
	PART_SRCLINE = 1 << 4,
};

/* Appends what is to be printed of a frame. */
typedef void (*frame_format_fn)(struct buffer *buffer, const struct frame_info *info,
				unsigned int parts);

/* Where a text stands in the buffer of all. */
struct frame_text {
	uint32_t at, size;
	bool unresolved, retry; /* retry: may be resolved later */
	bool inlined;
	uint32_t inlined_at,
		inlined_count; /* texts of what is inlined there: frame_texts_inlined */
};

struct frame_texts;

/* resolve: see pk_stacks_new. NULL: out of memory. */
struct frame_texts *frame_texts_new(frame_format_fn format, pk_resolve_fn resolve, void *arg);
void frame_texts_free(struct frame_texts *texts);
/* For a new session. */
void frame_texts_forget(struct frame_texts *texts);
/* Forgets if that takes too much memory; between two samples. */
void frame_texts_trim(struct frame_texts *texts);
/* Memory was exhausted at any time: texts lack something. */
bool frame_texts_failed(const struct frame_texts *texts);
/* Where the texts begin; until the next call. */
const char *frame_texts_data(const struct frame_texts *texts);

/* Of an address in a thread, in a mode (PERF_RECORD_MISC_*). */
struct frame_text frame_texts_of_ip(struct frame_texts *texts, const struct pk_session *session,
				    const struct pk_thread *thread, uint64_t ip, uint16_t mode,
				    unsigned int parts);
/* Of the functions inlined there, the innermost first: which < text->inlined_count. */
struct frame_text frame_texts_inlined(const struct frame_texts *texts,
				      const struct frame_text *text, uint32_t which);
/* Of a frame of a dictionary, which is one of its own. */
struct frame_text frame_texts_of_frame(struct frame_texts *texts,
				       const struct pk_dictionary *dictionary, uint32_t id,
				       const struct pk_frame *frame, unsigned int parts);
/* Of what is no address: NAME in no object. */
struct frame_text frame_texts_of_name(struct frame_texts *texts, const char *name,
				      unsigned int parts);

#endif
