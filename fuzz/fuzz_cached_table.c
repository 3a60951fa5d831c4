/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/symbol/cached_table.c */
/* Reads a table of the cache. The first byte says whether the key and the checksum are made right.
 * Otherwise no input would get past them. Lookups in a table that is read find only what is in it,
 * and the table is written again as it was. */
#include <stdio.h>
#include <unistd.h>

#include "cached_table.h"
#include "symtable_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_up(const struct pk_symtable *t, uint64_t address)
{
	struct pk_range same;
	const struct pk_symtable_entry *e = pk_symtable_find_range(t, address, &same);

	check_that(address == UINT64_MAX || pk_range_has(&same, address));
	check_that(e == pk_symtable_find(t, address));
	check_that(!e || (e->at <= address && address - pk_symtable_start(e) < e->size));
}

static void check_lookups(struct pk_symtable *t)
{
	look_up(t, 0);
	for (size_t i = 0; i < t->count; i++) {
		struct pk_symtable_entry *e = &t->entries[i];

		check_that(strlen(pk_symtable_name(t, e)) < (64u << 20));
		check_that(pk_symtable_find(t, e->at) == e);
		look_up(t, e->at - 1);
		look_up(t, e->at);
		look_up(t, pk_symtable_start(e) + e->size - 1);
		look_up(t, pk_symtable_start(e) + e->size);
	}
}

/* Writes the table again, and reads it. */
static void check_again(const struct pk_symtable *t, const struct pk_cache_key *key,
			const void *extra, size_t extra_size)
{
	struct pk_symtable again = {.demangle = true};
	const void *other;
	size_t other_size, size;
	struct pk_table_copy copy;
	char *bytes;
	FILE *file;

	if (pk_table_copy_start(&copy, key, t, extra, extra_size)) {
		size = pk_table_copy_size(&copy);
		file = tmpfile();
		bytes = malloc(size);
		check_that(file && bytes);
		check_that(pk_table_copy_write(&copy, fileno(file)) == PK_OK);
		check_that(pread(fileno(file), bytes, size, 0) == (ssize_t)size);
		check_that(pk_cached_table_read(bytes, size, key, &again, &other, &other_size));
		check_that(again.count == t->count && other_size == extra_size &&
			   (!extra_size || !memcmp(other, extra, extra_size)));
		check_lookups(&again);
		pk_symtable_clear(&again);
		free(bytes);
		fclose(file);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_symtable t = {.demangle = true};
	const struct pk_cache_key key = {.size = 5, .bytes = "test"};
	const void *extra;
	size_t extra_size;
	uint64_t sum;
	char *bytes;

	if (!size)
		return 0;
	bytes = copy_text(data + 1, --size);
	if (*data & 1 && size % 8 == 0 &&
	    size >= sizeof(struct pk_cached_start) + key.size + sizeof(sum)) {
		memcpy(bytes, &key.size, sizeof(uint64_t));
		memcpy(bytes + sizeof(struct pk_cached_start), key.bytes, key.size);
		sum = pk_cached_table_sum(bytes, size);
		memcpy(bytes + size - sizeof(sum), &sum, sizeof(sum));
	}
	if (pk_cached_table_read(bytes, size, &key, &t, &extra, &extra_size)) {
		check_that(extra_size <= size);
		check_lookups(&t);
		check_again(&t, &key, extra, extra_size);
	}
	pk_symtable_clear(&t);
	free(bytes);
	return 0;
}
