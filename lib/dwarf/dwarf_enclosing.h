/* SPDX-License-Identifier: BSD-2-Clause */
/* The namespaces and classes of a unit, in the order of their entries. They show which of them
 * contains a type. */
#ifndef PK_DWARF_ENCLOSING_H
#define PK_DWARF_ENCLOSING_H

#include "dwarf_unit.h"

/* The names of the namespaces and classes around an entry, the innermost first; NULL: unnamed.
 * Returns their number. */
size_t pk_enclosing_names(struct pk_unit *unit, uint64_t die, const char **names, size_t room);
void pk_enclosing_free(struct pk_enclosing *x);

#endif
