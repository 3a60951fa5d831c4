// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cached_table.h"
#include "hash.h"
#include "pkutil.h"

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

static uint64_t padded(uint64_t size)
{
	return (size + 7) & ~UINT64_C(7);
}

/* Returns the offset of a part. PK_PARTS means the end of the last part. */
static uint64_t offset_of(const struct pk_cached_start *s, enum pk_table_part part)
{
	uint64_t at = sizeof(*s);

	for (enum pk_table_part i = 0; i < part; i++)
		at += i < PK_PART_NAMES ? padded(s->sizes[i]) : s->sizes[i];
	return at;
}

static uint64_t size_of(const struct pk_cached_start *s)
{
	return padded(offset_of(s, PK_PARTS)) + sizeof(uint64_t);
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

/* ---- The checksum ---- */

/* A table is summed up in pieces of this size, from its start. The last piece may be shorter. */
enum { PIECE = 1 << 20 };

static uint64_t add_word(uint64_t sum, const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	sum ^= word;
	return (sum << 29 | sum >> 35) * UINT64_C(0xa0761d6478bd642f);
}

/* Returns the checksum of a piece, whose size is a multiple of 8. `sum` is the checksum of the
 * pieces before. Four sums are calculated at the same time, because each step must wait for the
 * previous step of the same sum. The sums do not protect against a user who changes his own files.
 */
static uint64_t add_piece(uint64_t sum, const char *bytes, size_t size)
{
	uint64_t a = sum, b = sum + 1, c = sum + 2, d = sum + 3;
	size_t at = 0;

	for (; at + 32 <= size; at += 32) {
		a = add_word(a, bytes + at);
		b = add_word(b, bytes + at + 8);
		c = add_word(c, bytes + at + 16);
		d = add_word(d, bytes + at + 24);
	}
	for (; at < size; at += 8)
		a = add_word(a, bytes + at);
	return pk_mix64(pk_mix64(a, b ^ size), pk_mix64(c, d) ^ sum);
}

uint64_t pk_cached_table_sum(const char *bytes, uint64_t size)
{
	uint64_t sum = 0, left = size - sizeof(sum);

	for (; left > PIECE; left -= PIECE, bytes += PIECE)
		sum = add_piece(sum, bytes, PIECE);
	return add_piece(sum, bytes, left);
}

static bool is_sum_right(const char *bytes, uint64_t size)
{
	uint64_t sum;

	memcpy(&sum, bytes + size - sizeof(sum), sizeof(sum));
	return sum == pk_cached_table_sum(bytes, size);
}

/* ---- Reading ---- */

/* Reads the start of a table. Returns false if the sizes are wrong. */
static bool read_start(const char *bytes, uint64_t size, struct pk_cached_start *s)
{
	if (size < sizeof(*s))
		return false;
	memcpy(s, bytes, sizeof(*s));
	return is_possible(s) && size_of(s) == size && !bytes[offset_of(s, PK_PARTS) - 1];
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
	struct pk_cached_start s;
	struct pk_symtable table = *t;

	if (!read_start(bytes, size, &s) || s.sizes[PK_PART_KEY] != key->size ||
	    memcmp(bytes + offset_of(&s, PK_PART_KEY), key->bytes, key->size) ||
	    !is_sum_right(bytes, size))
		return false;
	table.entries =
		(struct pk_symtable_entry *)(void *)(bytes + offset_of(&s, PK_PART_ENTRIES));
	table.count = s.sizes[PK_PART_ENTRIES] / sizeof(*table.entries);
	table.names = bytes + offset_of(&s, PK_PART_NAMES);
	table.names_size = s.sizes[PK_PART_NAMES] + s.sizes[PK_PART_SHOWN];
	table.budget.spent = s.spent;
	table.mapped = true;
	if (!is_sound(&table))
		return false;
	*t = table;
	*extra = bytes + offset_of(&s, PK_PART_EXTRA);
	*extra_size = s.sizes[PK_PART_EXTRA];
	return true;
}

/* ---- Writing ---- */

static bool is_shown(const struct pk_symtable *t, const struct pk_symtable_entry *e)
{
	return e->info & PK_ENTRY_SHOWN && e->name < t->shown_count;
}

bool pk_table_copy_start(struct pk_table_copy *copy, const struct pk_cache_key *key,
			 const struct pk_symtable *t, const void *extra, size_t extra_size)
{
	uint64_t *const sizes = copy->start.sizes;

	*copy = (struct pk_table_copy){
		.key = key, .table = t, .extra = extra, .start.spent = t->budget.spent};
	if (t->count > PK_CACHED_TABLE_MAX / sizeof(*t->entries))
		return false;
	sizes[PK_PART_KEY] = key->size;
	sizes[PK_PART_EXTRA] = extra_size;
	sizes[PK_PART_ENTRIES] = t->count * sizeof(*t->entries);
	sizes[PK_PART_NAMES] = t->names_size;
	for (uint32_t i = 0; i < t->shown_count; i++)
		sizes[PK_PART_SHOWN] += strlen(t->shown[i]) + 1;
	return is_possible(&copy->start);
}

uint64_t pk_table_copy_size(const struct pk_table_copy *copy)
{
	return size_of(&copy->start);
}

/* Writes bytes in pieces, and calculates their checksum. A piece is summed up and written while it
 * is in the processor's cache. */
struct output {
	int fd;
	enum pk_status status; /* of the first write that failed */
	uint64_t sum;
	size_t used;
	char piece[PIECE];
};

static void write_piece(struct output *o)
{
	o->sum = add_piece(o->sum, o->piece, o->used);
	if (o->status == PK_OK)
		o->status = pk_write_all(o->fd, o->piece, o->used);
	o->used = 0;
}

static void put(struct output *o, const void *bytes, size_t size)
{
	const char *from = bytes;

	while (size) {
		const size_t room = PIECE - o->used, n = size < room ? size : room;

		if (!n) {
			write_piece(o);
			continue;
		}
		memcpy(o->piece + o->used, from, n);
		o->used += n;
		from += n;
		size -= n;
	}
}

/* Adds padding after a part or parts of `size` bytes. */
static void pad(struct output *o, uint64_t size)
{
	static const char zeros[8];

	put(o, zeros, padded(size) - size);
}

static void put_entries(struct output *o, const struct pk_symtable *t)
{
	uint64_t at = t->names_size;

	for (size_t i = 0; i < t->count; i++) {
		struct pk_symtable_entry e = t->entries[i];

		if (is_shown(t, &e)) {
			e.info = (e.info & ~(uint32_t)PK_ENTRY_SHOWN) | PK_ENTRY_PLAIN;
			e.name = (uint32_t)at;
			at += strlen(t->shown[t->entries[i].name]) + 1;
		}
		put(o, &e, sizeof(e));
	}
}

/* Adds the names that were made to be shown, in the order of their entries. */
static void put_shown(struct output *o, const struct pk_symtable *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct pk_symtable_entry *e = &t->entries[i];

		if (is_shown(t, e))
			put(o, t->shown[e->name], strlen(t->shown[e->name]) + 1);
	}
}

static void put_table(struct output *o, const struct pk_table_copy *copy)
{
	const uint64_t *const sizes = copy->start.sizes;

	put(o, &copy->start, sizeof(copy->start));
	put(o, copy->key->bytes, sizes[PK_PART_KEY]);
	pad(o, sizes[PK_PART_KEY]);
	put(o, copy->extra, sizes[PK_PART_EXTRA]);
	pad(o, sizes[PK_PART_EXTRA]);
	put_entries(o, copy->table);
	put(o, copy->table->names, sizes[PK_PART_NAMES]);
	put_shown(o, copy->table);
	pad(o, sizes[PK_PART_NAMES] + sizes[PK_PART_SHOWN]);
	write_piece(o);
}

enum pk_status pk_table_copy_write(const struct pk_table_copy *copy, int fd)
{
	struct output *o = malloc(sizeof(*o)); /* may fail */
	enum pk_status status;

	if (!o)
		return PK_NOMEM;
	o->fd = fd;
	o->status = PK_OK;
	o->sum = 0;
	o->used = 0;
	put_table(o, copy);
	status = o->status != PK_OK ? o->status : pk_write_all(fd, &o->sum, sizeof(o->sum));
	free(o);
	return status;
}
