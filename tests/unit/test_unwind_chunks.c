// SPDX-License-Identifier: BSD-2-Clause
/* Compares chunks of rows, which are made one by one, with a table of all rows of the same file. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object_debug.h"
#include "unwind_chunks.h"
#include "unwind_table.h"

#define CHUNK_SIZE (UINT64_C(1) << UNWIND_CHUNK_BITS)

#if defined(__x86_64__) || defined(__aarch64__)

static struct unwind_arenas arenas;

/* Allocates the memory that pk-record shares with the kernel. The tables of one library need one
 * arena. */
static void set_arenas(void)
{
	const struct pk_unwind_rule none = {.cfa = PK_UNWIND_NONE}, bad = {.cfa = PK_UNWIND_BAD};
	void *memory;

	arenas = (struct unwind_arenas){
		.memory = {calloc(1, UNWIND_ARENA_SIZE)},
		.count = 1,
		.chunks = calloc(UNWIND_CHUNKS_MAX, sizeof(*arenas.chunks)),
		.rules = calloc(UNWIND_RULES_MAX, sizeof(*arenas.rules)),
		.unused = {malloc(sizeof(struct unwind_extent)), 1, 1},
	};
	ck_assert(arenas.memory[0] && arenas.chunks && arenas.rules && arenas.unused.items);
	arenas.unused.items[0] = (struct unwind_extent){0, UNWIND_ARENA_SIZE};
	/* Place 0 of the arena has a chunk without rows. */
	ck_assert_uint_eq(
		unwind_arenas_place(
			&arenas, sizeof(struct unwind_chunk) + sizeof(struct unwind_row), &memory),
		0);
	ck_assert_uint_eq(unwind_arenas_rule(&arenas, &none), PK_UNWIND_NONE);
	ck_assert_uint_eq(unwind_arenas_rule(&arenas, &bad), PK_UNWIND_BAD);
}

static void free_arenas(void)
{
	free(arenas.memory[0]);
	free(arenas.chunks);
	free(arenas.rules);
	free(arenas.unused.items);
	pk_table_free(&arenas.numbers);
}

/* Writes the path of the C library that this program uses. */
static void find_library(char *path)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];

	ck_assert_ptr_nonnull(maps);
	*path = '\0';
	while (!*path && fgets(line, sizeof(line), maps))
		if (strstr(line, "/libc.so.6"))
			sscanf(line, "%*s %*s %*s %*s %*s %4095s", path);
	fclose(maps);
	ck_assert_msg(*path, "the C library is not mapped");
}

/* Compares the rules of a chunk with those of the table, at the start and the end of each row. */
static void compare(const struct unwind_chunks *chunks, const struct pk_unwind_table *table,
		    uint32_t chunk)
{
	const uint64_t from = chunk * CHUNK_SIZE;

	for (size_t i = 0; i < table->count; i++) {
		const uint64_t at = table->rows[i].start;

		for (uint64_t address = at ? at - 1 : at; address <= at; address++)
			if (address >= from && address - from < CHUNK_SIZE)
				ck_assert_mem_eq(
					unwind_arenas_find(&arenas, chunks->first, address),
					pk_unwind_table_find(table, table->base + address),
					sizeof(struct pk_unwind_rule));
	}
}

START_TEST(test_chunks_of_a_library)
{
	struct unwind_chunks chunks = {.count = 0};
	struct pk_unwind_table table;
	struct pk_symbols *symbols = pk_symbols_new(&(struct pk_symbols_options){.no_cache = true});
	const struct pk_unwind_info *info;
	enum pk_object_state state;
	uint64_t work, kept;
	char path[4096];

	find_library(path);
	set_arenas();
	info = pk_object_unwind_info(pk_symbols_file(symbols, path, NULL, NULL), &state);
	ck_assert_ptr_nonnull(info);
	chunks.count = 12;
	unwind_chunks_open(&chunks, &arenas, symbols, info);
	ck_assert_uint_eq(chunks.unmade, chunks.count);
	kept = arenas.kept;
	ck_assert_uint_gt(kept, 0);
	work = pk_unwind_table_work(chunks.cfi);
	ck_assert(pk_unwind_table_make(&table, chunks.cfi, 0, UINT64_MAX, &work) == PK_OK);

	unwind_chunks_make(&chunks, &arenas, chunks.first + 6);
	ck_assert_uint_gt(chunks.unmade, 0);
	ck_assert_uint_lt(chunks.unmade, chunks.count);
	compare(&chunks, &table, 6);
	ck_assert_uint_eq(arenas.kept, kept);
	for (uint32_t i = 0; i < chunks.count; i++)
		unwind_chunks_make(&chunks, &arenas, chunks.first + i);
	for (uint32_t i = 0; i < chunks.count; i++)
		compare(&chunks, &table, i);
	/* When all chunks are made, the call frame information is no longer stored. */
	ck_assert_uint_eq(chunks.unmade, 0);
	ck_assert_ptr_null(chunks.symbols);
	ck_assert_uint_eq(arenas.kept, 0);
	ck_assert(unwind_chunks_have(&chunks, chunks.first + chunks.count - 1));
	ck_assert(!unwind_chunks_have(&chunks, chunks.first + chunks.count));
	ck_assert(!arenas.full);
	pk_unwind_table_free(&table);
	free_arenas();
}
END_TEST

#endif

int main(void)
{
	TCase *tests = tcase_create("chunks");
	Suite *suite = suite_create("unwind_chunks");
	SRunner *runner = srunner_create(suite);
	int failed;

#if defined(__x86_64__) || defined(__aarch64__)
	tcase_add_test(tests, test_chunks_of_a_library);
#endif
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
