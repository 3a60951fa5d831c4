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

#include "elf_image.h"
#include "symtable.h"

enum { PK_KALLSYMS_REFERENCES = 2 };

struct pk_kallsyms {
	struct pk_symtable table;
	uint32_t *modules; /* by number: where the name is in table.names */
	uint32_t module_count;
	size_t module_room;
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

/* Where "_text" or "_stext" is. False: it is not listed, or another name was given. */
bool pk_kallsyms_reference(const struct pk_kallsyms *k, const char *name, uint64_t *address);

void pk_kallsyms_clear(struct pk_kallsyms *k);

/* ---- A kernel's ELF file in the place of its kallsyms ---- */

/* The same as pk_kallsyms_parse(), of the file's symbols and at the addresses it has. */
bool pk_vmlinux_load(struct pk_kallsyms *k, const struct pk_elf *elf);
/* Where the file has that symbol. False: it has none of that name. */
bool pk_vmlinux_symbol(const struct pk_elf *elf, const char *name, uint64_t *value);

/* ---- The copy that is kept ---- */

/*
 * The text of /proc/kallsyms, kept: the kernel takes some 18 ms to make it anew, which is most of
 * what a short recording costs. A copy holds for one boot, one list of modules and one user.
 * Whatever is wrong with it, it is as if there were none; many programs may use it at once.
 */
struct pk_kallsyms_cache {
	char path[4096];
	uint64_t key;
};

/* folder: where it is kept. False: it cannot be, as the boot cannot be told from others. */
bool pk_kallsyms_cache_find(struct pk_kallsyms_cache *c, const char *folder);
/* The text, with a NUL behind it, for free(); NULL: there is none, or not one that can be trusted.
 */
char *pk_kallsyms_cache_read(const struct pk_kallsyms_cache *c, size_t max, size_t *size);
/* It is no harm if that fails. */
void pk_kallsyms_cache_write(const struct pk_kallsyms_cache *c, const char *text, size_t size);

#endif
