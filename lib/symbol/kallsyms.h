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
#include "symbol_cache.h"
#include "texts.h"
#include "symtable.h"

enum { PK_KALLSYMS_REFERENCES = 2 };

/* The symbols of a kernel and its modules. */
struct pk_kallsyms {
	struct pk_symtable table;
	struct pk_texts modules; /* The number of a module in the table is the number of its name.
				  */
	uint64_t references[PK_KALLSYMS_REFERENCES]; /* addresses of _text and _stext, or 0 if they
						      * are not listed */
	bool hidden; /* all addresses are 0, because of kptr_restrict */
};

/* Returns the size of the first part of the text, which stays valid while no module is loaded or
 * removed. The lines after this part list code that the kernel generates at run time. */
size_t pk_kallsyms_lasting_size(const char *text, size_t size);

/* Parses a text of less than 4 GiB. The function becomes the owner of `text`, which must be from
 * malloc(), with a NUL at text[size]. If memory is exhausted, returns PK_NOMEM, and *k is empty. */
PK_MUST_CHECK enum pk_status pk_kallsyms_parse(struct pk_kallsyms *k, char *text, size_t size);

/* Sets *all, which must be empty, to the symbols of `k` and of the lines of the text after
 * pk_kallsyms_lasting_size(). No name of `k` may have been shown. If memory is exhausted, returns
 * PK_NOMEM, and *all is empty. */
PK_MUST_CHECK enum pk_status pk_kallsyms_extend(const struct pk_kallsyms *k, const char *text,
						size_t size, struct pk_kallsyms *all);

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

/* ---- The symbols of the running kernel in the cache ---- */

/* The kernel needs about 18 ms to generate the text of /proc/kallsyms, and parsing the text takes
 * longer. */

/* Sets the key of the first part of the text (pk_kallsyms_lasting_size()). The key is valid for one
 * boot and one list of modules. It is empty if the boot cannot be identified. */
void pk_kallsyms_key(struct pk_cache_key *key);
/* Loads the symbols from the cache. *k must be empty. Returns false if the cache does not have
 * them. */
bool pk_kallsyms_load(const struct pk_symbol_cache *c, const struct pk_cache_key *key,
		      struct pk_kallsyms *k);
/* Saves the symbols in the cache, if it does not have them. */
void pk_kallsyms_save(struct pk_symbol_cache *c, const struct pk_cache_key *key,
		      const struct pk_kallsyms *k);

/* ---- A kernel's ELF file instead of its kallsyms ---- */

/* Does the same as pk_kallsyms_parse() for the code symbols of a vmlinux file. The symbols have the
 * addresses that are in the file. `elf` still belongs to the caller. */
bool pk_vmlinux_load(struct pk_kallsyms *k, const struct pk_elf *elf);
/* Finds the address of a symbol in the file. Returns false if no symbol has this name. */
bool pk_vmlinux_symbol(const struct pk_elf *elf, const char *name, uint64_t *value);

#endif
