/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the properties that every finished table must have. */
#ifndef SYMTABLE_CHECK_H
#define SYMTABLE_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "check_that.h"
#include "symtable.h"

static inline void check_symtable(struct pk_symtable *t)
{
	uint64_t previous = 0;
	struct pk_symtable_entry *found;

	for (size_t i = 0; i < t->count; i++) {
		struct pk_symtable_entry *e = &t->entries[i];

		check_that(i == 0 || e->at > previous);
		check_that(e->size > e->back && e->size <= UINT64_MAX - pk_symtable_start(e));
		check_that(e->info & PK_ENTRY_SHOWN || e->name < t->names_size);
		check_that(strlen(pk_symtable_name(t, e)) < (64u << 20));
		check_that(pk_symtable_find(t, e->at) == e);
		found = pk_symtable_find(t, pk_symtable_start(e) + e->size - 1);
		check_that(found && found >= e);
		previous = e->at;
	}
	check_that(!t->count || !t->entries[0].at || !pk_symtable_find(t, t->entries[0].at - 1));
}

/* Returns a copy with a NUL, for a parser that takes over the ownership of its text. */
static inline char *copy_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	check_that(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	return text;
}

#endif
