/* SPDX-License-Identifier: BSD-2-Clause */
/* A cache of the texts of frames. A text is what is printed after the address of the frame. It is
 * formatted once for each function, or once for each frame of a dictionary. When a text is printed,
 * the numbers that depend on the address are inserted into it. */
#ifndef FRAME_TEXTS_H
#define FRAME_TEXTS_H

#include "buffer.h"
#include "chain_hash.h"
#include "frame_address.h"

/* An entry of the cache of callchains. */
struct chain_text {
	struct pk_chain_hash hash;
	char *text; /* The text of all frames. It is NULL until the chain was found twice and its
		     * text was stored. */
	uint32_t size;
	uint32_t frames, unresolved; /* number of frames in the text, and number of those whose
				      * function is unknown */
};

struct chain_texts;

/* Returns NULL if memory is exhausted. */
struct chain_texts *chain_texts_new(void);
void chain_texts_free(struct chain_texts *texts);
/* Clears the cache. Call it at the start of a new session. */
void chain_texts_forget(struct chain_texts *texts);

/* Returns the key of a callchain. It is a hash of the maps of the thread, of the addresses, and of
 * `task`. `task` is a hash, made by the caller, of everything else on which the text of the
 * callchain depends. */
struct pk_chain_hash chain_texts_hash(const struct chain_texts *texts,
				      const struct pk_session *session,
				      const struct pk_thread *thread, uint64_t task,
				      const struct pk_u64s *chain);
/* Searches for a callchain. The first search for a callchain adds an entry without text, and
 * returns NULL. Later searches return the entry. If its text is NULL, the caller can store a text
 * with chain_texts_keep(). So only callchains that occur again use memory for texts. */
struct chain_text *chain_texts_find(struct chain_texts *texts, const struct pk_chain_hash *hash);
/* Stores a copy of the text in the entry. Does nothing if memory is exhausted, or if the cache has
 * reached its limit. */
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

/* The numbers in a text that depend on the address, in the order in which they are printed. */
enum frame_number {
	NUMBER_OFFSET,	/* offset of the address in the function */
	NUMBER_ADDRESS, /* address in the object */
	NUMBER_SOURCE, /* address in the object, which is printed in place of the source line if the
			* source line is unknown */
	NUMBERS,
};

/* The positions of the numbers in a text. A position is an offset in the text + 1. It is 0 if the
 * text does not have the number. */
struct number_places {
	uint32_t at[NUMBERS];
};

/* The callbacks that define an output format. */
struct frame_format {
	/* Appends the text of a frame without the numbers, and sets the positions of the numbers.
	 */
	void (*text)(struct buffer *buffer, const struct pk_frame_info *info, unsigned int parts,
		     struct number_places *places);
	/* Writes a number to p, which has room for DIGITS_MAX bytes. Returns the end of the number.
	 */
	char *(*number)(char *p, enum frame_number which, uint64_t value);
};

/* An entry of the cache: the text of a frame, and where the numbers belong in the text. */
struct frame_text {
	uint32_t at, size; /* offset in the buffer of all texts, and size, in bytes */
	struct number_places places;
	uint64_t symbol_start;
	const struct pk_image *image; /* For frames of a dictionary: the image that was found last
				       * as the object of this frame. */
	bool unresolved,
		retry; /* `unresolved` is set if the function is unknown. `retry` is set if a later
			* call may find the function, so that the text is not cached. */
	bool inlined;
	uint16_t inlined_count; /* number of inlined functions at the address; their texts follow
				 * this text in the list of texts */
};

struct frame_texts;

/* resolve(arg, ...) finds the function of an address. If resolve is NULL, all addresses stay
 * unresolved. Returns NULL if memory is exhausted. */
struct frame_texts *frame_texts_new(const struct frame_format *format, pk_resolve_fn resolve,
				    void *arg);
void frame_texts_free(struct frame_texts *texts);
/* Clears the cache. Call it at the start of a new session. */
void frame_texts_forget(struct frame_texts *texts);
/* Clears the cache if it is too large. Call it between two samples. */
void frame_texts_trim(struct frame_texts *texts);
/* Returns true if memory was exhausted. In this case, some texts are missing or incomplete. */
bool frame_texts_failed(const struct frame_texts *texts);

/* A text of the cache together with an address. The numbers in the text are calculated from the
 * address. */
struct shown_text {
	uint32_t number; /* number that identifies the text; it is valid until frame_texts_trim() or
			  * frame_texts_forget() is called */
	uint64_t address; /* address in the object of the frame */
};

/* The result is valid until the next call of a function that returns a struct shown_text. */
const struct frame_text *frame_texts_get(const struct frame_texts *texts, uint32_t number);
/* Appends the text with its numbers. Leaves out the first `from` bytes of the text. */
void frame_texts_add(const struct frame_texts *texts, const struct shown_text *text, size_t from,
		     struct buffer *out);

/* Returns the text for an address in a thread. mode is PERF_RECORD_MISC_*. */
struct shown_text frame_texts_of_ip(struct frame_texts *texts, const struct pk_session *session,
				    const struct pk_thread *thread, uint64_t ip, uint16_t mode,
				    unsigned int parts);
/* Returns the text for a frame of a stack. */
struct shown_text frame_texts_of_frame(struct frame_texts *texts, const struct pk_session *session,
				       const struct pk_thread *thread,
				       const struct pk_address_walk *at, unsigned int parts);
/* Returns the text for a frame without an address or object. name must be a string constant,
 * because the cache compares only the addresses of names. */
struct shown_text frame_texts_of_name(struct frame_texts *texts, const char *name,
				      unsigned int parts);

#endif
