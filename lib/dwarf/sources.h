/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SOURCES_H
#define PK_SOURCES_H

#include "symbols.h"

/*
 * What debugging information says of an address, which is that of pk_object_lookup(): the
 * functions inlined there, the innermost first, and last the one they are inlined into, which is
 * not. The line of the first is the address's, that of each other one is where it calls the one
 * before it. How many; 0: none covers the address. At most PK_SOURCES_MAX.
 * Of a caller, address - 1 is what it was doing. *sources: until the next call that gets the same
 * store.
 */
size_t pk_object_sources(struct pk_object *o, uint64_t address, const struct pk_source **sources);

#endif
