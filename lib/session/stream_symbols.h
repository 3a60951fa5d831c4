/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STREAM_SYMBOLS_H
#define PK_STREAM_SYMBOLS_H

/* Symbols and source lines that are in the stream (SPEC 9.11), for programs that cannot read the
 * recorded files. A struct of all zero bytes is an empty set. */

#include "locate.h"
#include "texts.h"

/* The symbol and source lines of an address that are in the stream (SPEC 9.11). Texts are valid
 * until the next record. */
struct pk_stream_place {
	const char *function;
	uint64_t symbol_start, symbol_end; /* the same kind of address as pk_location.address */
	const char *module;		   /* kernel only: NULL is the kernel itself */
	struct pk_range same; /* the range around the address that has the same result */
	/* The functions inlined at the address, innermost first, and last the function that
	 * contains them, or NULL if it is unknown. */
	const struct pk_stream_source {
		uint32_t count;
		struct pk_stream_frame {
			const char *function, *file; /* NULL: unknown */
			uint32_t line, column;
			bool inlined;
		} frames[];
	} * source;
};

/* The path of the image of kind ANON whose functions are those of interpreted programs. The
 * recorder defines it, and no other program does (SPEC 9.11). */
#define PK_INTERPRETED_IMAGE "[python]"

#define PK_STREAM_FRAMES_MAX 1024 /* limit for pk_stream_source.count */

/* Returns false if the stream has no symbol for the address. place->source can be set
 * nevertheless. */
bool pk_session_stream_symbol(const struct pk_session *session, const struct pk_location *location,
			      struct pk_stream_place *place);
/* Whether the stream has symbols so far. */
bool pk_session_has_stream_symbols(const struct pk_session *session);
/* Whether symbols were skipped because the stream has too many. */
bool pk_session_stream_symbols_full(const struct pk_session *session);

/* ---- For the session only ---- */

struct pk_stream_image;
struct pk_stream_symbol;

struct pk_stream_symbols {
	struct pk_stream_image *all;
	/* The images by id - first_id - 1. Several ids can refer to one image. first_id is the last
	 * id before the latest FORGET, or 0 if there is none. */
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

/* Adds the definitions of IMAGE, SYMBOLS and SOURCE records. FORGET clears the set. Other records
 * are ignored. Returns PK_CORRUPT if a definition was malformed and ignored. */
enum pk_status pk_stream_symbols_record(struct pk_stream_symbols *set,
					const struct pk_record *record);
/* See pk_session_stream_symbol(). */
bool pk_stream_symbols_find(const struct pk_stream_symbols *set, const struct pk_location *location,
			    struct pk_stream_place *place);
/* Removes everything, except that ids of images continue after the last one. */
void pk_stream_symbols_clear(struct pk_stream_symbols *set);

#endif
