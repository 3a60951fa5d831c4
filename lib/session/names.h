/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NAMES_H
#define PK_NAMES_H

#include "table.h"

/* Strings that are interned by content and known by a number. */
struct pk_names {
	char **texts;
	uint32_t count;
	size_t capacity;
	struct pk_table numbers; /* number + 1, by hash */
};

/* The number of the text; UINT32_MAX: out of memory. */
uint32_t pk_names_add(struct pk_names *names, const char *text, size_t size);
/* The number of the text; UINT32_MAX: it is not there. */
uint32_t pk_names_find(const struct pk_names *names, const char *text, size_t size);
void pk_names_free(struct pk_names *names);

#endif
