/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RESOLVE_H
#define PK_RESOLVE_H

/* Between the session, which says in what image an address lies, and the symbols, which say what is
 * there. */

#include "session.h"
#include "symbols.h"

struct resolver;

/* symbols stays the caller's. live: the recorded processes may still run on this machine. NULL: out
 * of memory. */
struct resolver *resolver_new(struct pk_symbols *symbols, bool live);
void resolver_free(struct resolver *resolver);
/* A new session has other images. */
void resolver_forget(struct resolver *resolver);
/* A pk_resolve_fn; arg is the resolver. */
void resolver_resolve(void *arg, const struct pk_location *location, struct pk_resolved *resolved);

#endif
