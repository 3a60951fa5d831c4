/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RESOLVE_INTERNAL_H
#define PK_RESOLVE_INTERNAL_H

#include "session.h"
#include "symbols.h"

/*
 * Adds what debugging information says of address in object: files and lines, the functions that
 * are inlined there (kept in inlined, of PK_SOURCES_MAX), and the function's name if no symbol has
 * told it. shift: from an address of object to one of the location.
 */
void resolve_sources(struct pk_object *object, uint64_t address, uint64_t shift, bool inlines,
		     struct pk_inlined *inlined, struct pk_resolved *resolved);

/* The same of what the stream tells. */
void resolve_told_source(const struct pk_told_source *source, bool inlines, bool lines,
			 struct pk_inlined *inlined, struct pk_resolved *resolved);

/* Is that what the kernel or a signal put between a function and the code it interrupted? */
bool resolve_interrupts(const char *function, uint32_t flags);

#endif
