/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INJECT_DEFINE_H
#define PK_INJECT_DEFINE_H

/* Writes IMAGE, SYMBOLS and SOURCE definitions (SPEC 9.11), each once. */

#include "pkprivate.h"
#include "symbols.h"

struct define;

/* NULL: out of memory. */
struct define *define_new(struct pk_failures *failures);
void define_free(struct define *define);
/* For a new session: ids start again. writer stays the caller's. */
void define_start_session(struct define *define, struct pk_writer *writer);
/* The ids of images continue after this one, which is already in the stream. */
void define_continue_ids(struct define *define, uint32_t id);
/* Writes FORGET. All definitions are written again when they are needed again. */
void define_forget(struct define *define);
/* Approximate bytes of definitions since the last call of one of the two functions above. */
uint64_t define_size(const struct define *define);

/* The owner of definitions: an image that was mapped, or the kernel or a module without an
 * image. */
struct define_image {
	uint64_t key; /* unique for the image */
	struct pk_image_info info;
};

/* Adds a symbol. Returns false if it was added before with this start, name and size, or it cannot
 * be written. */
bool define_symbol(struct define *define, const struct define_image *image,
		   const struct pk_symbol_info *symbol);
/* Writes the buffered SYMBOLS. Call it after one or more calls of define_symbol(). */
void define_flush(struct define *define);
/* Defines the count functions at an address, the innermost first. */
void define_source(struct define *define, const struct define_image *image, uint64_t address,
		   const struct pk_source_info *sources, size_t count);

#endif
