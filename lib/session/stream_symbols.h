/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STREAM_SYMBOLS_H
#define PK_STREAM_SYMBOLS_H

/* Symbols and source lines that are in the stream (SPEC 9.11), for programs that cannot read the
 * recorded files. A struct of all zero bytes is an empty set. */

#include "texts.h"
#include "session.h"

struct pk_stream_image;
struct pk_stream_symbol;

struct pk_stream_symbols {
	struct pk_stream_image *all;
	/* By id - first_id - 1; several ids can refer to one image. first_id: the last id before
	 * the latest FORGET; 0: none. */
	struct pk_stream_image **images;
	uint32_t first_id, images_count;
	size_t images_capacity;
	struct pk_texts keys; /* the keys of images, as bytes */
	char *key;	      /* space for the longest of them */
	size_t key_capacity;
	struct pk_stream_image **by_key; /* by the number in keys */
	size_t by_key_capacity;
	struct pk_texts texts;
	struct pk_stream_symbol *symbols;
	struct pk_space *kernel; /* symbols of the kernel and its modules */
	struct pk_table kernel_sources;
	uint64_t serials, bytes; /* bytes: size of all definitions so far */
	bool full;		 /* definitions were skipped: bytes reached its limit */
};

/* Adds the definitions of IMAGE, SYMBOLS and SOURCE records; FORGET clears the set; other records
 * are ignored. PK_CORRUPT: a definition was malformed and ignored. */
enum pk_status pk_stream_symbols_record(struct pk_stream_symbols *set,
					const struct pk_record *record);
/* See pk_session_stream_symbol(). */
bool pk_stream_symbols_find(const struct pk_stream_symbols *set, const struct pk_location *location,
			    struct pk_stream_place *place);
/* Removes everything, except that ids of images continue after the last one. */
void pk_stream_symbols_clear(struct pk_stream_symbols *set);

#endif
