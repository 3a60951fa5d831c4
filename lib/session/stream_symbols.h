/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STREAM_SYMBOLS_H
#define PK_STREAM_SYMBOLS_H

/* Symbols and source lines that are in the stream (SPEC 9.11), for programs without the recorded
 * files. All zero is an empty set. */

#include "texts.h"
#include "session.h"

struct pk_stream_image;
struct pk_stream_symbol;

struct pk_stream_symbols {
	struct pk_stream_image *all;
	struct pk_stream_image **images; /* by id; several ids can refer to one image */
	uint32_t first_id, images_count;
	size_t images_capacity;
	struct pk_texts keys; /* the keys of images, as bytes */
	char *key;	      /* space for the longest of them */
	size_t key_capacity;
	struct pk_stream_image **by_key;
	size_t by_key_capacity;
	struct pk_texts texts;
	struct pk_stream_symbol *symbols;
	struct pk_space *kernel; /* symbols of the kernel and its modules */
	struct pk_table kernel_sources;
	uint64_t serials, bytes;
	bool full; /* some symbols were skipped */
};

/* Adds the definitions of IMAGE, SYMBOLS and SOURCE records; FORGET clears; other records are
 * ignored. */
enum pk_status pk_stream_symbols_record(struct pk_stream_symbols *set,
					const struct pk_record *record);
/* False: no symbol; source can be set nevertheless. */
bool pk_stream_symbols_find(const struct pk_stream_symbols *set, const struct pk_location *location,
			    struct pk_stream_place *place);
/* Removes everything except which ids were used. */
void pk_stream_symbols_clear(struct pk_stream_symbols *set);

#endif
