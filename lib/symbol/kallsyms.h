/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel symbols as /proc/kallsyms lists them: "ADDRESS TYPE NAME[\t[MODULE]]", one a line, the
 * address in hexadecimal. Lines that look otherwise are passed over.
 */
#ifndef PK_KALLSYMS_H
#define PK_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symtable.h"

enum { PK_KALLSYMS_REFERENCES = 2 };

struct pk_kallsyms {
	struct pk_symtable table;
	uint32_t *modules; /* by number: where the name is in table.names */
	uint32_t module_count, module_room;
	uint64_t references[PK_KALLSYMS_REFERENCES]; /* 0: not listed */
	bool hidden;				     /* all addresses are 0: kptr_restrict */
};

/*
 * Takes over text, a block of malloc() whose byte at [size] is a NUL, and frees it in the end.
 * False: out of memory; k is empty then.
 */
bool pk_kallsyms_parse(struct pk_kallsyms *k, char *text, size_t size);

/* Of an entry of the table, without brackets; NULL: of the kernel itself. */
const char *pk_kallsyms_module(const struct pk_kallsyms *k, const struct pk_symtable_entry *e);

/* The names of references[], by index. */
const char *pk_kallsyms_reference_name(size_t index);

/* Where "_text" or "_stext" is. False: it is not listed, or another name was given. */
bool pk_kallsyms_reference(const struct pk_kallsyms *k, const char *name, uint64_t *address);

void pk_kallsyms_clear(struct pk_kallsyms *k);

#endif
