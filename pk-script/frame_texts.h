/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FRAME_TEXTS_H
#define FRAME_TEXTS_H

/*
 * What is printed of a frame after its address. It is worked out once for each function, or frame
 * of a dictionary, and copied from then on; only numbers that depend on the address are put in.
 */

#include "buffer.h"
#include "session.h"

struct frame_info {
	const char *function; /* NULL: unresolved */
	size_t function_size;
	bool has_offset; /* in the function */
	const char *dso; /* NULL: none */
	bool in_file;	 /* the address in the object is printed */
	bool inlined;
	const char *file; /* NULL: unknown */
	uint32_t line;
};

enum {
	PART_SYM = 1 << 0,
	PART_SYMOFF = 1 << 1,
	PART_DSO = 1 << 2,
	PART_DSOFF = 1 << 3,
	PART_SRCLINE = 1 << 4,
	PARTS = 1 << 5,
};

/* Numbers that depend on the address, in the order in which they stand in a text. */
enum frame_number {
	NUMBER_OFFSET,	/* in the function */
	NUMBER_ADDRESS, /* in the object */
	NUMBER_SOURCE,	/* the same, where a line of source would stand */
	NUMBERS,
};

/* Where they stand: offsets in the text + 1; 0: it does not have that one. */
struct number_places {
	uint32_t at[NUMBERS];
};

/* How a program's text is made. */
struct frame_format {
	/* Appends what is to be printed of a frame, without the numbers. */
	void (*text)(struct buffer *buffer, const struct frame_info *info, unsigned int parts,
		     struct number_places *places);
	/* Appends a number to p, which has room for DIGITS_MAX bytes; returns its end. */
	char *(*number)(char *p, enum frame_number which, uint64_t value);
};

struct frame_text {
	uint32_t at, size; /* in the buffer of all */
	struct number_places places;
	uint64_t symbol_start;
	const struct pk_image *image; /* that frames of the dictionary were last found in */
	bool unresolved, retry;	      /* retry: may be resolved later */
	bool inlined;
	uint16_t inlined_count; /* texts of what is inlined there, which follow this one */
};

struct frame_texts;

/* resolve: see pk_stacks_new. NULL: out of memory. */
struct frame_texts *frame_texts_new(const struct frame_format *format, pk_resolve_fn resolve,
				    void *arg);
void frame_texts_free(struct frame_texts *texts);
/* For a new session. */
void frame_texts_forget(struct frame_texts *texts);
/* Forgets if that takes too much memory; between two samples. */
void frame_texts_trim(struct frame_texts *texts);
/* Memory was exhausted at any time: texts lack something. */
bool frame_texts_failed(const struct frame_texts *texts);

/* A frame's text and the address that its numbers are of. */
struct shown_text {
	uint32_t number;  /* of the text, until the next frame_texts_trim() or _forget() */
	uint64_t address; /* in the object */
};

/* Until the next call that makes a text. */
const struct frame_text *frame_texts_get(const struct frame_texts *texts, uint32_t number);
/* Appends the text from this byte on. */
void frame_texts_add(const struct frame_texts *texts, const struct shown_text *text, size_t from,
		     struct buffer *out);

/* Of an address in a thread, in a mode (PERF_RECORD_MISC_*). */
struct shown_text frame_texts_of_ip(struct frame_texts *texts, const struct pk_session *session,
				    const struct pk_thread *thread, uint64_t ip, uint16_t mode,
				    unsigned int parts);
/* Of a frame of a dictionary, which is one of its own; ip: where the thread was in it, or
 * UINT64_MAX. */
struct shown_text frame_texts_of_frame(struct frame_texts *texts, const struct pk_session *session,
				       const struct pk_thread *thread,
				       const struct pk_dictionary *dictionary, uint32_t id,
				       uint64_t ip, unsigned int parts);
/* Of what is no address: NAME in no object. */
struct shown_text frame_texts_of_name(struct frame_texts *texts, const char *name,
				      unsigned int parts);

#endif
