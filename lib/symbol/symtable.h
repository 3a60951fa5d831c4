/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table of symbols that is filled once and searched often. It is used for ELF objects, kallsyms,
 * perf maps and similar sources. First fill it with pk_symtable_add(). Then call
 * pk_symtable_settle() and pk_symtable_flatten(). After this, it can be searched.
 *
 * The rules are the rules of perf (tools/perf/util/symbol.c), so that pk and perf show the same
 * names, with rare exceptions.
 */
#ifndef PK_SYMTABLE_H
#define PK_SYMTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "demangle.h"
#include "range.h"

/* The low 8 bits of pk_symtable_entry.info. The other bits are the number of the module, or 0 if
 * there is no module. */
enum {
	PK_ENTRY_GLOBAL = 1 << 0,
	PK_ENTRY_WEAK = 1 << 1,
	PK_ENTRY_NOTYPE = 1 << 2,
	PK_ENTRY_IFUNC = 1 << 3, /* the symbol is an IFUNC, or an alias of an IFUNC */
	PK_ENTRY_PLT = 1 << 4,	 /* shown as NAME@plt, or with its address if the name is "" */
	PK_ENTRY_SHOWN = 1 << 5, /* `name` is an index of `shown`, not an offset in `names` */
	PK_ENTRY_PLAIN = 1 << 6, /* the name is shown unchanged */
	PK_ENTRY_DATA = 1 << 7,	 /* the symbol is not in a section of code */
};
#define PK_ENTRY_MODULE_SHIFT 8

/* A range of addresses that belongs to a symbol. */
struct pk_symtable_entry {
	uint64_t at;   /* start of this range of the symbol */
	uint32_t size; /* size of the whole symbol, at most 4 GiB */
	/* `at` - `back` is the start of the symbol. `back` is not 0 if another symbol inside this
	 * one divides it, and this is a later range. Before the table is settled, `back` is the
	 * size of pk_symtable_limit(). */
	uint32_t back;
	uint32_t name;
	uint32_t info;
};

/* A table of symbols. The comment at the top of this file tells how it is filled and searched. */
struct pk_symtable {
	bool demangle;	/* demangle names; set it before symbols are added */
	bool all_names; /* keep several symbols with the same start; set it before symbols are added
			 */
	/* Counts failed allocations, or NULL; set it before symbols are added. */
	struct pk_failures *failures;
	struct pk_symtable_entry *entries;
	size_t count, room;
	char *names; /* NUL-terminated strings, one after another */
	size_t names_size, names_room;
	bool mapped;  /* `entries` and `names` belong to a cache (symbol_cache.h) */
	char **shown; /* The names that are not shown as they are in `names`. Each one is made when
		       * it is first needed. */
	uint32_t shown_count;
	size_t shown_room;
	struct pk_name_budget budget;
};

/* If several symbols overlap, this says which one gets the addresses that they share. */
enum pk_overlap {
	PK_OVERLAP_INNERMOST, /* the symbol that starts last (ELF, kallsyms) */
	PK_OVERLAP_NEWEST,    /* the symbol that was added last (perf maps) */
};

/* Appends `size` bytes to the names. The bytes must end with a NUL. *offset is set to the start of
 * the bytes. Returns PK_NOMEM if memory is exhausted, or if the names reach 4 GiB. */
PK_MUST_CHECK enum pk_status pk_symtable_names(struct pk_symtable *t, const void *bytes,
					       size_t size, uint32_t *offset);
/* Reserves space for `size` bytes at the end of the names. The caller writes the bytes to the
 * returned address. *offset is set to their start. Returns NULL if memory is exhausted, or if the
 * names reach 4 GiB. */
char *pk_symtable_names_room(struct pk_symtable *t, size_t size, uint32_t *offset);
/* Reserves space for `count` more symbols. */
PK_MUST_CHECK enum pk_status pk_symtable_reserve(struct pk_symtable *t, size_t count);

/* Adds a symbol. A size of 0 means that the size is unknown. pk_symtable_settle() sets it. Returns
 * PK_NOMEM if memory is exhausted, or if there are 2^32 symbols. */
PK_MUST_CHECK enum pk_status pk_symtable_add(struct pk_symtable *t, uint64_t start, uint64_t size,
					     uint32_t name, uint32_t info);

/* Limits the size of the symbol that was added last and has no size. When the table is settled, the
 * symbol gets at most this size, and only if no other symbol at its address has a size. */
void pk_symtable_limit(struct pk_symtable *t, uint64_t size);

/* Sorts the symbols, and sets unknown sizes. Labels of unknown size inside other symbols are
 * dropped. Other symbols of unknown size extend to the next symbol. If the next symbol is of
 * another module, they extend to the end of the page after their own page. If several symbols have
 * the same start, only the best one is kept, unless all_names is set. More symbols can be added and
 * settled afterwards. */
PK_MUST_CHECK enum pk_status pk_symtable_settle(struct pk_symtable *t);

/* Sorts the entries, and cuts or splits them so that they do not overlap. */
PK_MUST_CHECK enum pk_status pk_symtable_flatten(struct pk_symtable *t, enum pk_overlap overlap);

/* Returns the entry that covers addr, or NULL. If the table is settled but not flattened, only the
 * entry that starts last at or before addr is checked. */
struct pk_symtable_entry *pk_symtable_find(const struct pk_symtable *t, uint64_t addr);
/* Does the same as pk_symtable_find() for a flattened table. *same is set to the range around addr
 * that has the same result. */
struct pk_symtable_entry *pk_symtable_find_range(const struct pk_symtable *t, uint64_t addr,
						 struct pk_range *same);

/* Returns the name of the entry, as perf shows it. It is valid until names are added, or until
 * pk_symtable_clear(). */
const char *pk_symtable_name(struct pk_symtable *t, struct pk_symtable_entry *e);

static inline uint64_t pk_symtable_start(const struct pk_symtable_entry *e)
{
	return e->at - e->back;
}

/* Frees the content and leaves the table empty. `failures` stays set, but demangle and all_names
 * are reset. */
void pk_symtable_clear(struct pk_symtable *t);

#endif
