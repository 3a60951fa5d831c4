/* SPDX-License-Identifier: BSD-2-Clause */
/* A cache of the texts that are printed for frames, after the address. A text is formatted once for
 * each function, or for each frame of a dictionary. When it is printed, only the numbers that
 * depend on the address are inserted. */
#ifndef FRAME_TEXTS_H
#define FRAME_TEXTS_H

#include "buffer.h"
#include "chain_hash.h"
#include "frame_address.h"

struct chain_text {
	struct pk_chain_hash hash;
	char *text; /* NULL: seen once, not stored yet */
	uint32_t size;
	uint32_t frames, unresolved; /* counts in the text */
};

struct chain_texts;

/* NULL: out of memory. */
struct chain_texts *chain_texts_new(void);
void chain_texts_free(struct chain_texts *texts);
/* Clears the cache. Call it for a new session. */
void chain_texts_forget(struct chain_texts *texts);

/* The key of a callchain. task is a number that is equal for two chains only if their texts can
 * differ by nothing else than maps and addresses. */
struct pk_chain_hash chain_texts_hash(const struct chain_texts *texts,
				      const struct pk_session *session,
				      const struct pk_thread *thread, uint64_t task,
				      const struct pk_u64s *chain);
/* Returns NULL at the first search for a chain, and adds an entry without text. At the next search,
 * returns the entry. If its text is NULL, the caller can store one with chain_texts_keep(). So only
 * chains that recur use memory for texts. */
struct chain_text *chain_texts_find(struct chain_texts *texts, const struct pk_chain_hash *hash);
/* Stores a copy of the text in the entry. Does nothing if memory or the limit of the cache is
 * exhausted. */
void chain_texts_keep(struct chain_texts *texts, struct chain_text *entry, const char *text,
		      size_t size);

enum {
	PART_SYM = 1 << 0,
	PART_SYMOFF = 1 << 1,
	PART_DSO = 1 << 2,
	PART_DSOFF = 1 << 3,
	PART_SRCLINE = 1 << 4,
	PARTS = 1 << 5,
};

/* Numbers of a text that depend on the address, in the order of printing. */
enum frame_number {
	NUMBER_OFFSET,	/* in the function */
	NUMBER_ADDRESS, /* in the object */
	NUMBER_SOURCE,	/* in the object, printed instead of an unknown source line */
	NUMBERS,
};

/* The positions of the numbers. They are offsets in the text + 1, or 0 if the text lacks that
 * number. */
struct number_places {
	uint32_t at[NUMBERS];
};

/* The output format of a program. */
struct frame_format {
	/* Appends the text of a frame without the numbers, and sets their positions. */
	void (*text)(struct buffer *buffer, const struct pk_frame_info *info, unsigned int parts,
		     struct number_places *places);
	/* Appends a number to p, which has room for DIGITS_MAX bytes, and returns its end. */
	char *(*number)(char *p, enum frame_number which, uint64_t value);
};

struct frame_text {
	uint32_t at, size; /* in the buffer of all texts */
	struct number_places places;
	uint64_t symbol_start;
	const struct pk_image *image; /* for frames of a dictionary: the image that was last found
				       * to be the frame's object */
	bool unresolved, retry;	      /* retry: a later call may resolve it, so it is not cached */
	bool inlined;
	uint16_t inlined_count; /* number of texts of inlined functions, which follow this one */
};

struct frame_texts;

/* resolve(arg, ...) finds the function of an address. It may be NULL: then all addresses stay
 * unresolved. Returns NULL if memory is exhausted. */
struct frame_texts *frame_texts_new(const struct frame_format *format, pk_resolve_fn resolve,
				    void *arg);
void frame_texts_free(struct frame_texts *texts);
/* Clears the cache. Call it for a new session. */
void frame_texts_forget(struct frame_texts *texts);
/* Clears the cache if it is too large. Call it between two samples. */
void frame_texts_trim(struct frame_texts *texts);
/* Whether memory was exhausted: some texts are missing or incomplete. */
bool frame_texts_failed(const struct frame_texts *texts);

/* The text of a frame, and the address for its numbers. */
struct shown_text {
	uint32_t number;  /* of the text; valid until the next frame_texts_trim() or _forget() */
	uint64_t address; /* in the object */
};

/* The result is valid until the next call of a function that returns a struct shown_text. */
const struct frame_text *frame_texts_get(const struct frame_texts *texts, uint32_t number);
/* Appends the text with its numbers, without its first `from` bytes. */
void frame_texts_add(const struct frame_texts *texts, const struct shown_text *text, size_t from,
		     struct buffer *out);

/* The text for an address in a thread. mode is PERF_RECORD_MISC_*. */
struct shown_text frame_texts_of_ip(struct frame_texts *texts, const struct pk_session *session,
				    const struct pk_thread *thread, uint64_t ip, uint16_t mode,
				    unsigned int parts);
/* The text for a frame of a stack. */
struct shown_text frame_texts_of_frame(struct frame_texts *texts, const struct pk_session *session,
				       const struct pk_thread *thread,
				       const struct pk_address_walk *at, unsigned int parts);
/* The text for a frame without an address or object. name is a string constant, because the cache
 * compares only its address. */
struct shown_text frame_texts_of_name(struct frame_texts *texts, const char *name,
				      unsigned int parts);

#endif
