/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table of symbols that is filled once and searched often: for ELF objects, kallsyms, perf maps
 * and the like. Fill it with pk_symtable_add(), then call pk_symtable_settle() and
 * pk_symtable_flatten(), then find.
 *
 * The rules are those of perf (tools/perf/util/symbol.c), so that pk and perf show the same names,
 * with rare exceptions.
 */
#ifndef PK_SYMTABLE_H
#define PK_SYMTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "demangle.h"
#include "range.h"

/* The low 8 bits of pk_symtable_entry.info. The other bits are the number of the module, or 0 for
 * none. */
enum {
	PK_ENTRY_GLOBAL = 1 << 0,
	PK_ENTRY_WEAK = 1 << 1,
	PK_ENTRY_NOTYPE = 1 << 2,
	PK_ENTRY_IFUNC = 1 << 3, /* an IFUNC or an alias of one */
	PK_ENTRY_PLT = 1 << 4,	 /* shown as NAME@plt; by its address if the name is "" */
	PK_ENTRY_SHOWN = 1 << 5, /* name is an index of ->shown, not of ->names */
	PK_ENTRY_PLAIN = 1 << 6, /* the name is shown unchanged */
	PK_ENTRY_DATA = 1 << 7,	 /* not in a section of code */
};
#define PK_ENTRY_MODULE_SHIFT 8

struct pk_symtable_entry {
	uint64_t at;   /* start of this piece of the symbol */
	uint32_t size; /* of the whole symbol; cut at 4 GiB */
	uint32_t back; /* at - back is the start of the symbol; 0 except for a piece after an inner
			* symbol. Before settling: pk_symtable_limit() */
	uint32_t name;
	uint32_t info;
};

struct pk_symtable {
	bool demangle;	/* demangle names; set before symbols are added */
	bool all_names; /* keep several symbols with the same start; set before, too */
	struct pk_failures *failures; /* set before, too; counts exhausted memory, or NULL */
	struct pk_symtable_entry *entries;
	size_t count, room;
	char *names; /* NUL-terminated strings, one after another */
	size_t names_size, names_room;
	char **shown; /* names that are shown in changed form; built on first use */
	uint32_t shown_count;
	size_t shown_room;
	struct pk_name_budget budget;
};

/* Which one of several overlapping symbols gets the addresses that they share. */
enum pk_overlap {
	PK_OVERLAP_INNERMOST, /* the one that starts last (ELF, kallsyms) */
	PK_OVERLAP_NEWEST,    /* the one that was added last (perf maps) */
};

/* Appends size bytes, which must end in a NUL, to the names. *offset is their start. Returns
 * PK_NOMEM if memory is exhausted, or the names reach 4 GiB. */
PK_MUST_CHECK enum pk_status pk_symtable_names(struct pk_symtable *t, const void *bytes,
					       size_t size, uint32_t *offset);
/* The same for a caller that writes the bytes itself, to the result. Returns NULL in the same
 * cases. */
char *pk_symtable_names_room(struct pk_symtable *t, size_t size, uint32_t *offset);
/* Reserves space for so many further symbols. */
PK_MUST_CHECK enum pk_status pk_symtable_reserve(struct pk_symtable *t, size_t count);

/* Adds a symbol. A size of 0 means that it is unknown and set later. Returns PK_NOMEM if memory is
 * exhausted, or there are 2^32 symbols. */
PK_MUST_CHECK enum pk_status pk_symtable_add(struct pk_symtable *t, uint64_t start, uint64_t size,
					     uint32_t name, uint32_t info);

/* The symbol that was added last has no size: it gets at most this one, and only if no other symbol
 * at its address has a size. */
void pk_symtable_limit(struct pk_symtable *t, uint64_t size);

/* Sorts the symbols. Drops labels of unknown size inside other symbols. Extends other symbols of
 * unknown size to the next symbol or, if that is of another module, to the end of the page after
 * their own. Keeps the best one of several with the same start, unless all_names is set. More
 * symbols can be added and settled afterwards. */
PK_MUST_CHECK enum pk_status pk_symtable_settle(struct pk_symtable *t,
						const char *(*module_name)(const void *, uint32_t),
						const void *arg);

/* Sorts the entries, and cuts or splits them so that none overlap. */
PK_MUST_CHECK enum pk_status pk_symtable_flatten(struct pk_symtable *t, enum pk_overlap overlap);

/* The entry that covers addr, or NULL. Before flattening (settled only): the one that starts last,
 * if it covers addr. */
struct pk_symtable_entry *pk_symtable_find(const struct pk_symtable *t, uint64_t addr);
/* The same for a flat table. *same is the range around addr that has the same result. */
struct pk_symtable_entry *pk_symtable_find_range(const struct pk_symtable *t, uint64_t addr,
						 struct pk_range *same);

/* The entry's name as in perf. Valid until more names are added, or _clear. */
const char *pk_symtable_name(struct pk_symtable *t, struct pk_symtable_entry *e);

static inline uint64_t pk_symtable_start(const struct pk_symtable_entry *e)
{
	return e->at - e->back;
}

/* Frees the content and leaves the table empty; failures stays set, demangle and all_names do not.
 */
void pk_symtable_clear(struct pk_symtable *t);

#endif
