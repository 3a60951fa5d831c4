// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cached_table.h"
#include "hash.h"
#include "pkutil.h"

/* The seed of the checksums. They do not protect against a user who changes his own files. */
#define SEED UINT64_C(0x2d358dccaa6c78a5)

/* ---- Keys ---- */

void pk_cache_key_add(struct pk_cache_key *key, const void *bytes, size_t size)
{
	if (!key->size || size > sizeof(key->bytes) - key->size) {
		key->size = 0;
		return;
	}
	memcpy(key->bytes + key->size, bytes, size);
	key->size += size;
}

void pk_cache_key_start(struct pk_cache_key *key, const char *kind)
{
	/* The Makefile defines PK_SYMBOL_RULES, a checksum of the sources that make tables. */
	static const char version[] = PK_VERSION " " PK_SYMBOL_RULES;

	memcpy(key->bytes, version, sizeof(version));
	key->size = sizeof(version);
	pk_cache_key_add(key, kind, strlen(kind) + 1);
}

/* ---- The layout ---- */

_Static_assert(sizeof(struct pk_symtable_entry) == 24 && sizeof(struct pk_cached_start) % 8 == 0,
	       "the parts have addresses that are multiples of 8");

static uint64_t room_of(const struct pk_cached_start *s, enum pk_table_part part)
{
	return part < PK_PART_NAMES ? (s->sizes[part] + 7) & ~UINT64_C(7) : s->sizes[part];
}

static uint64_t size_of(const struct pk_cached_start *s)
{
	uint64_t size = sizeof(*s);

	for (enum pk_table_part part = 0; part < PK_PARTS; part++)
		size += room_of(s, part);
	return size;
}

/* Returns whether a table of these sizes can exist. */
static bool is_possible(const struct pk_cached_start *s)
{
	for (enum pk_table_part part = 0; part < PK_PARTS; part++)
		if (s->sizes[part] > PK_CACHED_TABLE_MAX)
			return false;
	return s->sizes[PK_PART_KEY] && s->sizes[PK_PART_NAMES] && s->sizes[PK_PART_ENTRIES] &&
	       s->sizes[PK_PART_ENTRIES] % sizeof(struct pk_symtable_entry) == 0 &&
	       size_of(s) <= PK_CACHED_TABLE_MAX;
}

static uint64_t sum_of(const struct pk_cached_start *s, const void *const parts[PK_PARTS])
{
	uint64_t sum =
		pk_hash(&s->sizes, sizeof(*s) - offsetof(struct pk_cached_start, sizes), SEED);

	for (enum pk_table_part part = 0; part < PK_PARTS; part++)
		sum = pk_hash(parts[part], s->sizes[part], sum);
	return sum;
}

/* ---- Reading ---- */

/* Sets `parts` to the addresses of the parts. Returns false if the sizes at the start are wrong. */
static bool find_parts(const char *bytes, uint64_t size, struct pk_cached_start *s,
		       const void *parts[PK_PARTS])
{
	if (size < sizeof(*s))
		return false;
	memcpy(s, bytes, sizeof(*s));
	if (!is_possible(s) || size_of(s) != size || bytes[size - 1])
		return false;
	bytes += sizeof(*s);
	for (enum pk_table_part part = 0; part < PK_PARTS; part++) {
		parts[part] = bytes;
		bytes += room_of(s, part);
	}
	return true;
}

uint64_t pk_cached_table_sum(const char *bytes, uint64_t size)
{
	const void *parts[PK_PARTS];
	struct pk_cached_start s;

	return find_parts(bytes, size, &s, parts) ? sum_of(&s, parts) : 0;
}

/* Returns whether the table has the properties of a flattened table, so that lookups need no
 * checks.
 */
static bool is_sound(const struct pk_symtable *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct pk_symtable_entry *e = &t->entries[i];

		if ((i && e->at <= e[-1].at) || e->size <= e->back || e->back > e->at ||
		    e->size > UINT64_MAX - pk_symtable_start(e) || e->name >= t->names_size ||
		    e->info & PK_ENTRY_SHOWN)
			return false;
	}
	return true;
}

bool pk_cached_table_read(char *bytes, uint64_t size, const struct pk_cache_key *key,
			  struct pk_symtable *t, const void **extra, size_t *extra_size)
{
	const void *parts[PK_PARTS];
	struct pk_cached_start s;
	struct pk_symtable table = *t;

	if (!find_parts(bytes, size, &s, parts) || s.sizes[PK_PART_KEY] != key->size ||
	    memcmp(parts[PK_PART_KEY], key->bytes, key->size) || s.check != sum_of(&s, parts))
		return false;
	table.entries = (struct pk_symtable_entry *)(uintptr_t)parts[PK_PART_ENTRIES];
	table.count = s.sizes[PK_PART_ENTRIES] / sizeof(*table.entries);
	table.names = (char *)(uintptr_t)parts[PK_PART_NAMES];
	table.names_size = s.sizes[PK_PART_NAMES] + s.sizes[PK_PART_SHOWN];
	table.budget.spent = s.spent;
	table.mapped = true;
	if (!is_sound(&table))
		return false;
	*t = table;
	*extra = parts[PK_PART_EXTRA];
	*extra_size = s.sizes[PK_PART_EXTRA];
	return true;
}

/* ---- Writing ---- */

/* Returns the size of the names that were made to be shown. */
static uint64_t shown_size(const struct pk_symtable *t)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < t->shown_count; i++)
		size += strlen(t->shown[i]) + 1;
	return size;
}

/* Copies the entries and the names that were made to be shown. The names in the copy stay as they
 * are. */
static void copy_shown(const struct pk_symtable *t, struct pk_symtable_entry *entries, char *shown)
{
	size_t at = 0;

	for (size_t i = 0; i < t->count; i++) {
		struct pk_symtable_entry *e = &entries[i];
		const char *name;

		*e = t->entries[i];
		if (!(e->info & PK_ENTRY_SHOWN) || e->name >= t->shown_count)
			continue;
		name = t->shown[e->name];
		e->name = (uint32_t)(t->names_size + at);
		e->info = (e->info & ~(uint32_t)PK_ENTRY_SHOWN) | PK_ENTRY_PLAIN;
		memcpy(shown + at, name, strlen(name) + 1);
		at += strlen(name) + 1;
	}
}

enum pk_status pk_table_copy_make(struct pk_table_copy *copy, const struct pk_cache_key *key,
				  const struct pk_symtable *t, const void *extra, size_t extra_size)
{
	struct pk_cached_start *const s = &copy->start;

	*copy = (struct pk_table_copy){.start.spent = t->budget.spent};
	if (t->count > PK_CACHED_TABLE_MAX / sizeof(*t->entries))
		return PK_FAILED;
	s->sizes[PK_PART_KEY] = key->size;
	s->sizes[PK_PART_EXTRA] = extra_size;
	s->sizes[PK_PART_ENTRIES] = t->count * sizeof(*t->entries);
	s->sizes[PK_PART_NAMES] = t->names_size;
	s->sizes[PK_PART_SHOWN] = shown_size(t);
	if (!is_possible(s))
		return PK_FAILED;
	copy->entries = malloc(s->sizes[PK_PART_ENTRIES]); /* may fail */
	copy->shown = malloc(s->sizes[PK_PART_SHOWN] + 1); /* may fail */
	if (!copy->entries || !copy->shown)
		return PK_NOMEM;
	copy_shown(t, copy->entries, copy->shown);
	copy->parts[PK_PART_KEY] = key->bytes;
	copy->parts[PK_PART_EXTRA] = extra_size ? extra : "";
	copy->parts[PK_PART_ENTRIES] = copy->entries;
	copy->parts[PK_PART_NAMES] = t->names;
	copy->parts[PK_PART_SHOWN] = copy->shown;
	s->check = sum_of(s, copy->parts);
	return PK_OK;
}

uint64_t pk_table_copy_size(const struct pk_table_copy *copy)
{
	return size_of(&copy->start);
}

enum pk_status pk_table_copy_write(const struct pk_table_copy *copy, int fd)
{
	static const char zeros[8];
	const struct pk_cached_start *const s = &copy->start;
	enum pk_status status = pk_write_all(fd, s, sizeof(*s));

	for (enum pk_table_part part = 0; part < PK_PARTS && status == PK_OK; part++) {
		status = pk_write_all(fd, copy->parts[part], s->sizes[part]);
		if (status == PK_OK)
			status = pk_write_all(fd, zeros, room_of(s, part) - s->sizes[part]);
	}
	return status;
}

void pk_table_copy_free(struct pk_table_copy *copy)
{
	free(copy->entries);
	free(copy->shown);
}
