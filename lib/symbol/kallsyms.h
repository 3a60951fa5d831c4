/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernel symbols in the format of /proc/kallsyms: "ADDRESS TYPE NAME[\t[MODULE]]", one on each
 * line, the address in hexadecimal. Other lines are skipped, and symbols of other types than t, w,
 * d and b (in either case). */
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
	uint32_t *modules; /* index: number of the module - 1; the offset of its name in
			    * table.names */
	uint32_t module_count;
	size_t module_room;
	uint64_t references[PK_KALLSYMS_REFERENCES]; /* addresses of _text and _stext; 0: not
						      * listed */
	bool hidden;				     /* all addresses are 0: kptr_restrict */
};

/* Takes ownership of text, a block of malloc() whose byte at [size] is a NUL. Returns PK_NOMEM if
 * memory is exhausted, or the text has 4 GiB. k is empty then. */
PK_MUST_CHECK enum pk_status pk_kallsyms_parse(struct pk_kallsyms *k, char *text, size_t size);

/* The module of an entry of the table, without brackets, or NULL for the kernel itself. */
const char *pk_kallsyms_module(const struct pk_kallsyms *k, const struct pk_symtable_entry *e);

/* Whether code that the kernel generates at run time can be at an address with this entry, or with
 * none (NULL), if the text lacks that code: the end of the last symbol of the kernel or of a module
 * is a guess. */
bool pk_kallsyms_may_lack(const struct pk_kallsyms *k, const struct pk_symtable_entry *e);

/* The address of "_text" or "_stext". Returns false if it is not listed, or another name was
 * given. */
bool pk_kallsyms_reference(const struct pk_kallsyms *k, const char *name, uint64_t *address);

void pk_kallsyms_clear(struct pk_kallsyms *k);

/* ---- A kernel's ELF file instead of its kallsyms ---- */

/* Like pk_kallsyms_parse(), with the code symbols of a vmlinux file, at the addresses in that file.
 * elf stays the caller's. */
bool pk_vmlinux_load(struct pk_kallsyms *k, const struct pk_elf *elf);
/* The address of that symbol in the file. Returns false if there is no symbol of that name. */
bool pk_vmlinux_symbol(const struct pk_elf *elf, const char *name, uint64_t *value);

/* ---- The cache ---- */

/* A cache of the text of /proc/kallsyms. The kernel takes some 18 ms to generate it, most of the
 * time of a short recording. A copy is valid for one boot, one list of modules and one user. An
 * invalid copy is ignored. Many programs may use the cache at once. */
struct pk_kallsyms_cache {
	char path[4096]; /* "": no cache */
	uint64_t key;
	int fd; /* for writing; -1: not prepared */
};

/* Sets the path and the key of the valid copy, which need not exist. folder is the folder of the
 * cache, or "" for none. Returns false if there is no folder, the boot cannot be identified, or the
 * path is too long. */
bool pk_kallsyms_cache_find(struct pk_kallsyms_cache *c, const char *folder);
/* If there is no copy, creates and opens the file for it, and removes copies that are older than 7
 * days: in a sandbox, which may be entered now, no file can be opened for writing. Failures are
 * ignored. */
void pk_kallsyms_cache_prepare(struct pk_kallsyms_cache *c);
/* The text, with a NUL at the end, for free(). Returns NULL if there is no valid copy, or it cannot
 * be read. */
char *pk_kallsyms_cache_read(const struct pk_kallsyms_cache *c, size_t max, size_t *size);
/* Writes the copy of a text with a NUL at its end, if it was prepared. Failures are ignored. */
void pk_kallsyms_cache_write(struct pk_kallsyms_cache *c, const char *text, size_t size);
void pk_kallsyms_cache_close(struct pk_kallsyms_cache *c);

#endif
