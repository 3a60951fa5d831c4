/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads kernel symbols in the format of /proc/kallsyms. Each line is "ADDRESS TYPE
 * NAME[\t[MODULE]]", with the address in hexadecimal. Other lines are skipped, and also symbols
 * whose type is not t, w, d or b (in either case). */
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
	uint32_t *modules; /* For each module, the offset of its name in table.names. The index is
			      the number of the module - 1. */
	uint32_t module_count;
	size_t module_room;
	uint64_t references[PK_KALLSYMS_REFERENCES]; /* addresses of _text and _stext, or 0 if they
							are not listed */
	bool hidden; /* all addresses are 0, because of kptr_restrict */
};

/* Parses a text. The function becomes the owner of `text`, which must be from malloc(), with a NUL
 * at text[size]. If memory is exhausted, or the text has 4 GiB, returns PK_NOMEM, and *k is empty.
 */
PK_MUST_CHECK enum pk_status pk_kallsyms_parse(struct pk_kallsyms *k, char *text, size_t size);

/* Returns the name of the module that an entry of the table belongs to, without brackets. Returns
 * NULL for the kernel itself. */
const char *pk_kallsyms_module(const struct pk_kallsyms *k, const struct pk_symtable_entry *e);

/* The kernel generates code at run time, such as BPF programs. Returns whether an address can
 * belong to such code if the text does not list this code. `e` is the entry that was found for the
 * address, or NULL. If `e` is the last symbol of the kernel or of a module, the result is true,
 * because the end of the last symbol is a guess. */
bool pk_kallsyms_may_lack(const struct pk_kallsyms *k, const struct pk_symtable_entry *e);

/* Finds the address of "_text" or "_stext". Returns false if it is not listed, or if `name` is
 * another name. */
bool pk_kallsyms_reference(const struct pk_kallsyms *k, const char *name, uint64_t *address);

void pk_kallsyms_clear(struct pk_kallsyms *k);

/* ---- A kernel's ELF file instead of its kallsyms ---- */

/* Does the same as pk_kallsyms_parse() for the code symbols of a vmlinux file. The symbols have the
 * addresses that are in the file. `elf` still belongs to the caller. */
bool pk_vmlinux_load(struct pk_kallsyms *k, const struct pk_elf *elf);
/* Finds the address of a symbol in the file. Returns false if no symbol has this name. */
bool pk_vmlinux_symbol(const struct pk_elf *elf, const char *name, uint64_t *value);

/* ---- The cache ---- */

/* A cache for the text of /proc/kallsyms. The kernel needs about 18 ms to generate the text, which
 * is most of the time of a short recording. A copy is valid for one boot, one list of modules and
 * one user. An invalid copy is ignored. Several programs may use the cache at the same time. */
struct pk_kallsyms_cache {
	char path[4096]; /* "" if there is no cache */
	uint64_t key;
	int fd; /* for writing, or -1 if it is not prepared */
};

/* Sets the path and the key that a valid copy has. The copy need not exist. `folder` is the folder
 * of the cache, or "" for no cache. Returns false if there is no folder, if the boot cannot be
 * identified, or if the path is too long. */
bool pk_kallsyms_cache_find(struct pk_kallsyms_cache *c, const char *folder);
/* If there is no copy, creates and opens the file for it, and removes copies that are older than 7
 * days. Call it before the program enters a sandbox, because in a sandbox no file can be opened for
 * writing. Failures are ignored. */
void pk_kallsyms_cache_prepare(struct pk_kallsyms_cache *c);
/* Returns the text of the copy, with a NUL at the end. The caller frees it. Returns NULL if there
 * is no valid copy, or if the copy cannot be read. */
char *pk_kallsyms_cache_read(const struct pk_kallsyms_cache *c, size_t max, size_t *size);
/* Writes a text to the copy, if the copy was prepared. The text must have a NUL at its end.
 * Failures are ignored. */
void pk_kallsyms_cache_write(struct pk_kallsyms_cache *c, const char *text, size_t size);
void pk_kallsyms_cache_close(struct pk_kallsyms_cache *c);

#endif
