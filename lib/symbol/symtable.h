/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table of symbols that is filled once and searched often: ELF objects, kallsyms and perf maps
 * all end here. Fill it with pk_symtable_add(), then pk_symtable_settle() and
 * pk_symtable_flatten(), then find.
 *
 * The rules are those of perf (tools/perf/util/symbol.c), so that a name does not depend on the
 * tool that was asked.
 */
#ifndef PK_SYMTABLE_H
#define PK_SYMTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "demangle.h"
#include "range.h"

/* The low 8 bits of pk_symtable_entry.info; the others are the number of the module, 0: none. */
enum {
	PK_ENTRY_GLOBAL = 1 << 0,
	PK_ENTRY_WEAK = 1 << 1,
	PK_ENTRY_NOTYPE = 1 << 2,
	PK_ENTRY_IFUNC = 1 << 3, /* or an alias of one */
	PK_ENTRY_PLT = 1 << 4,	 /* shown as NAME@plt; after its place, if the name is "" */
	PK_ENTRY_SHOWN = 1 << 5, /* name is an index of ->shown, not of ->names */
	PK_ENTRY_PLAIN = 1 << 6, /* the name is shown as it stands */
};
#define PK_ENTRY_MODULE_SHIFT 8

struct pk_symtable_entry {
	uint64_t at;   /* where this piece of the symbol begins */
	uint32_t size; /* of the whole symbol; one that is larger than 4 GiB is cut */
	uint32_t back; /* at - back: where the symbol begins; 0 but for a piece behind an inner
			  symbol */
	uint32_t name;
	uint32_t info;
};

struct pk_symtable {
	bool demangle;		      /* C++ names; set before anything is added */
	struct pk_failures *failures; /* likewise; where exhausted memory is counted, or NULL */
	struct pk_symtable_entry *entries;
	size_t count, room;
	char *names; /* NUL-terminated strings, one after the other */
	size_t names_size, names_room;
	char **shown; /* the names that are not shown as they stand, once they were asked for */
	uint32_t shown_count;
	size_t shown_room;
	struct pk_name_budget budget;
};

/* What to do where symbols overlap. */
enum pk_overlap {
	PK_OVERLAP_INNERMOST, /* the one that begins last has the bytes (ELF, kallsyms) */
	PK_OVERLAP_NEWEST,    /* the one that was added last has them (perf maps) */
};

/*
 * Appends size bytes, which must end in a NUL, to the names; *offset is where they begin.
 * False: out of memory, or 4 GiB of names.
 */
bool pk_symtable_names(struct pk_symtable *t, const void *bytes, size_t size, uint32_t *offset);

/* Size 0: unknown, settled later. False: out of memory, or 2^32 symbols. */
bool pk_symtable_add(struct pk_symtable *t, uint64_t start, uint64_t size, uint32_t name,
		     uint32_t info);

/*
 * Sorts; gives symbols of unknown size the room up to the next one; keeps the best of those that
 * begin at the same address. More may be added and settled afterwards. False: out of memory.
 */
bool pk_symtable_settle(struct pk_symtable *t, const char *(*module_name)(const void *, uint32_t),
			const void *arg);

/* Sorts and makes the entries disjoint. False: out of memory. */
bool pk_symtable_flatten(struct pk_symtable *t, enum pk_overlap overlap);

/* The entry that covers addr, or NULL. Before flattening (settled only): the last one to begin. */
struct pk_symtable_entry *pk_symtable_find(const struct pk_symtable *t, uint64_t addr);
/* The same of a flat table; *same: the addresses around addr that have the same answer. */
struct pk_symtable_entry *pk_symtable_find_range(const struct pk_symtable *t, uint64_t addr,
						 struct pk_range *same);

/* The entry's name as perf shows it. Valid until _clear. */
const char *pk_symtable_name(struct pk_symtable *t, struct pk_symtable_entry *e);

static inline uint64_t pk_symtable_start(const struct pk_symtable_entry *e)
{
	return e->at - e->back;
}

/* Frees what the table holds and leaves it empty, but for where failures are counted. */
void pk_symtable_clear(struct pk_symtable *t);

#endif
