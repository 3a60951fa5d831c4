/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INJECT_DEFINE_H
#define PK_INJECT_DEFINE_H

/* Writes IMAGE, SYMBOLS and SOURCE definitions (SPEC 9.11), each once. */

#include "pkprivate.h"
#include "session.h"
#include "symbols.h"

struct define;

/* NULL: out of memory. */
struct define *define_new(struct pk_failures *failures);
void define_free(struct define *define);
/* For a new session: ids begin anew. writer stays the caller's. */
void define_start_session(struct define *define, struct pk_writer *writer);
/* Says so in the stream; everything is written again when it is met again. */
void define_forget(struct define *define);
/* Bytes written since the last of these two. */
uint64_t define_size(const struct define *define);

/* What is defined for: an image that was mapped, or the kernel or a module that has none. */
struct define_image {
	uint64_t key; /* the same for the same image, and for no other */
	struct pk_image_info info;
};

/* True: the symbol was not written before with that name and size. */
bool define_symbol(struct define *define, const struct define_image *image,
		   const struct pk_symbol_info *symbol);
/* To be called behind one or more of these: what is still in a buffer is written. */
void define_flush(struct define *define);
/* The functions at an address, count of them, the innermost first. */
void define_source(struct define *define, const struct define_image *image, uint64_t address,
		   const struct pk_source_info *sources, size_t count);

#endif
