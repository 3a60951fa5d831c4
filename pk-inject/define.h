/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INJECT_DEFINE_H
#define PK_INJECT_DEFINE_H

/* Writes IMAGE, SYMBOLS and SOURCE definitions (SPEC 9.11). Each definition is written only once.
 */

#include "pkprivate.h"
#include "symbols.h"

struct define;

/* Returns NULL if memory is exhausted. */
struct define *define_new(struct pk_failures *failures);
void define_free(struct define *define);
/* Starts a new session. The ids start at 1 again. The caller owns writer. */
void define_start_session(struct define *define, struct pk_writer *writer);
/* Tells that the stream already has an image with this id. The ids of further images continue after
 * it. */
void define_continue_ids(struct define *define, uint32_t id);
/* Writes a FORGET record. A definition that is needed after this is written again. */
void define_forget(struct define *define);
/* Returns the approximate size in bytes of all definitions since the last call of
 * define_start_session() or define_forget(). */
uint64_t define_size(const struct define *define);

/* The image to which definitions belong. This is an image that was mapped, the kernel, or a kernel
 * module. */
struct define_image {
	uint64_t key; /* a number that identifies the image */
	struct pk_image_info info;
};

/* Adds a symbol of an image. Returns false if a symbol with this start, name and size was added
 * before, or if it cannot be written. */
bool define_symbol(struct define *define, const struct define_image *image,
		   const struct pk_symbol_info *symbol);
/* Writes the buffered SYMBOLS record. Call this after one or more calls of define_symbol(). */
void define_flush(struct define *define);
/* Defines which functions are at an address. `sources` has `count` functions, the innermost first.
 */
void define_source(struct define *define, const struct define_image *image, uint64_t address,
		   const struct pk_source_info *sources, size_t count);

#endif
