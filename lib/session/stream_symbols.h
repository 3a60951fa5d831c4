/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STREAM_SYMBOLS_H
#define PK_STREAM_SYMBOLS_H

/* The symbols and source lines that are in the stream (SPEC 9.11). They are for programs that
 * cannot read the recorded files. If all members are zero, the set is empty. */

#include "locate.h"
#include "texts.h"

/* The symbol and source lines of an address, from the stream (SPEC 9.11). Texts are valid until the
 * next record. */
struct pk_stream_place {
	const char *function;
	uint64_t symbol_start, symbol_end; /* the same kind of address as pk_location.address */
	const char *module;   /* only for kernel addresses; NULL for the kernel itself */
	struct pk_range same; /* the addresses that have the same result */
	/* The functions that are inlined at the address, starting with the innermost one. The last
	 * item is the function into which they are inlined. NULL if it is unknown. */
	const struct pk_stream_source {
		uint32_t count;
		struct pk_stream_frame {
			const char *function, *file; /* NULL if it is unknown */
			uint32_t line, column;
			bool inlined;
		} frames[];
	} * source;
};

/* The paths of images of kind ANON that contain the functions of interpreted programs. Only the
 * recorder defines these images, no other program (SPEC 9.11). */
#define PK_PYTHON_IMAGE "[python]"
#define PK_RUBY_IMAGE	"[ruby]"
#define PK_PHP_IMAGE	"[php]"

enum pk_interpreted {
	PK_INTERPRETED_NONE,
	PK_INTERPRETED_PYTHON,
	PK_INTERPRETED_RUBY,
	PK_INTERPRETED_PHP
};
/* Returns the language of the image of interpreted code with this path. `path` can be NULL. */
enum pk_interpreted pk_interpreted_image(const char *path);

#define PK_STREAM_FRAMES_MAX 1024 /* the highest value of pk_stream_source.count */

/* Looks up a location. Returns false if the stream has no symbol for the address. Even then,
 * place->source can be set. */
bool pk_session_stream_symbol(const struct pk_session *session, const struct pk_location *location,
			      struct pk_stream_place *place);
/* Returns true if the stream has symbols so far. */
bool pk_session_has_stream_symbols(const struct pk_session *session);
/* Returns true if symbols were skipped because the stream has too many. */
bool pk_session_stream_symbols_full(const struct pk_session *session);

/* ---- Only for the session ---- */

struct pk_stream_image;
struct pk_stream_symbol;

/* The symbols and source lines that are in the stream. */
struct pk_stream_symbols {
	struct pk_stream_image *all;
	/* The images, by id - first_id - 1. Several ids can refer to the same image. first_id is
	 * the last id before the latest FORGET record, or 0 if there was none. */
	struct pk_stream_image **images;
	uint32_t first_id, images_count;
	size_t images_capacity;
	struct pk_texts keys; /* the keys of images, as bytes */
	char *key;	      /* memory with enough space for the longest key */
	size_t key_capacity;
	struct pk_stream_image **by_key; /* the image of each key, by number of the key in `keys` */
	size_t by_key_capacity;
	struct pk_texts texts;
	struct pk_stream_symbol *symbols;
	struct pk_space *kernel; /* the symbols of the kernel and its modules */
	struct pk_table kernel_sources;
	uint64_t serials, bytes; /* `serials` is the counter from which pk_space takes serials;
				  * `bytes` is the size of all definitions */
	bool full;		 /* definitions were skipped because bytes has reached its limit */
};

/* Adds the definitions of IMAGE, SYMBOLS and SOURCE records. A FORGET record clears the set. Other
 * records are ignored. Returns PK_CORRUPT if a definition was malformed and ignored. */
enum pk_status pk_stream_symbols_record(struct pk_stream_symbols *set,
					const struct pk_record *record);
/* Implements pk_session_stream_symbol(). */
bool pk_stream_symbols_find(const struct pk_stream_symbols *set, const struct pk_location *location,
			    struct pk_stream_place *place);
/* Removes all symbols and images. The ids of new images still continue after the last id. */
void pk_stream_symbols_clear(struct pk_stream_symbols *set);

#endif
