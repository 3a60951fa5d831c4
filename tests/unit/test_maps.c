// SPDX-License-Identifier: BSD-2-Clause
#include <malloc.h>

#include "address_space.h"
#include "stream_builder.h"

static struct pk_image file_a = {.kind = PK_DSO_FILE, .path = "/a"};
static struct pk_image file_b = {.kind = PK_DSO_FILE, .path = "/b"};

static uint64_t serials;

static void map(struct pk_space **space, uint64_t start, uint64_t end, uint64_t pgoff,
		const struct pk_image *image)
{
	const struct pk_map m = {
		.start = start, .end = end, .pgoff = pgoff, .image = image, .executable = true};

	ck_assert(pk_space_map(space, &m) == PK_OK);
}

/* Checks the image and the address in the image at ip. If `image` is NULL, there must be no map. */
static void expect(const struct pk_space *space, uint64_t ip, const struct pk_image *image,
		   uint64_t address)
{
	const struct pk_map *found = pk_space_find(space, ip);

	if (!image) {
		ck_assert_ptr_null(found);
		return;
	}
	ck_assert_ptr_nonnull(found);
	ck_assert_ptr_eq(found->image, image);
	ck_assert_uint_le(found->start, ip);
	ck_assert_uint_gt(found->end, ip);
	ck_assert_uint_eq(pk_map_address(found, ip), address);
}

START_TEST(bounds)
{
	struct pk_space *space = pk_space_new(&serials);

	expect(space, 0, NULL, 0);
	map(&space, 0x1000, 0x2000, 0x500, &file_a);
	expect(space, 0xfff, NULL, 0);
	expect(space, 0x1000, &file_a, 0x500);
	expect(space, 0x1fff, &file_a, 0x14ff);
	expect(space, 0x2000, NULL, 0);
	map(&space, 0x2000, 0x3000, 0, &file_b);
	expect(space, 0x1fff, &file_a, 0x14ff);
	expect(space, 0x2000, &file_b, 0);
	map(&space, 0, 1, 7, &file_b);
	expect(space, 0, &file_b, 7);
	expect(space, 1, NULL, 0);
	map(&space, UINT64_MAX - 0xfff, UINT64_MAX, 0, &file_a);
	expect(space, UINT64_MAX - 1, &file_a, 0xffe);
	expect(space, UINT64_MAX, NULL, 0);
	pk_space_release(space);
	pk_space_release(NULL);
}
END_TEST

/* The memory of a replaced map is freed. */
START_TEST(replaced)
{
	struct pk_space *space = pk_space_new(&serials);
	size_t before;

	map(&space, 0x1000, 0x2000, 0, &file_a);
	before = mallinfo2().uordblks;
	for (int i = 0; i < 1000; i++)
		map(&space, 0x1000, 0x2000, 0, i % 2 ? &file_a : &file_b);
	ck_assert_uint_le(mallinfo2().uordblks, before + 1000);
	expect(space, 0x1000, &file_a, 0);
	pk_space_release(space);
}
END_TEST

/* A new map overlaps older maps: before, after, inside of and around one map, and over several
 * maps. */
START_TEST(overlaps)
{
	struct pk_space *space = pk_space_new(&serials);

	map(&space, 0x1000, 0x9000, 0x100000, &file_a);
	map(&space, 0x3000, 0x5000, 0x200000, &file_b);
	expect(space, 0x2fff, &file_a, 0x101fff);
	expect(space, 0x3000, &file_b, 0x200000);
	expect(space, 0x4fff, &file_b, 0x201fff);
	expect(space, 0x5000, &file_a, 0x104000);
	expect(space, 0x8fff, &file_a, 0x107fff);
	map(&space, 0x0800, 0x1800, 0x300000, &file_b);
	expect(space, 0x17ff, &file_b, 0x300fff);
	expect(space, 0x1800, &file_a, 0x100800);
	map(&space, 0x8000, 0xa000, 0x400000, &file_b);
	expect(space, 0x7fff, &file_a, 0x106fff);
	expect(space, 0x8000, &file_b, 0x400000);
	map(&space, 0x1000, 0x9800, 0x500000, &file_a);
	expect(space, 0x0fff, &file_b, 0x3007ff);
	expect(space, 0x1000, &file_a, 0x500000);
	expect(space, 0x97ff, &file_a, 0x5087ff);
	expect(space, 0x9800, &file_b, 0x401800);
	ck_assert(pk_space_unmap(&space, 0x2000, 0x3000) == PK_OK);
	expect(space, 0x1fff, &file_a, 0x500fff);
	expect(space, 0x2000, NULL, 0);
	expect(space, 0x3000, &file_a, 0x502000);
	ck_assert(pk_space_unmap(&space, 0, UINT64_MAX) == PK_OK);
	expect(space, 0x1fff, NULL, 0);
	pk_space_release(space);
}
END_TEST

/* Two spaces with different maps never have the same serial number. */
START_TEST(serials_and_sharing)
{
	struct pk_space *parent = pk_space_new(&serials), *child;
	uint64_t first = pk_space_serial(parent), second, third;

	map(&parent, 0x1000, 0x2000, 0, &file_a);
	second = pk_space_serial(parent);
	ck_assert_uint_ne(first, second);
	child = pk_space_share(parent);
	ck_assert_uint_eq(pk_space_serial(child), second);
	map(&child, 0x1800, 0x3000, 0, &file_b);
	third = pk_space_serial(child);
	ck_assert_uint_gt(third, second);
	ck_assert_uint_eq(pk_space_serial(parent), second);
	expect(parent, 0x1800, &file_a, 0x800);
	expect(parent, 0x2000, NULL, 0);
	expect(child, 0x1800, &file_b, 0);
	expect(child, 0x17ff, &file_a, 0x7ff);
	map(&parent, 0x5000, 0x6000, 0, &file_b);
	ck_assert_uint_gt(pk_space_serial(parent), third);
	expect(child, 0x5000, NULL, 0);
	pk_space_release(parent);
	expect(child, 0x1000, &file_a, 0);
	pk_space_release(child);
}
END_TEST

/* Addresses in the image for each kind of object. SPEC 3.5 and perf define them. */
START_TEST(addresses)
{
	static const struct {
		enum pk_dso_kind kind;
		uint64_t address;
	} cases[] = {
		{PK_DSO_FILE, 0x40123}, {PK_DSO_KERNEL, 0x7123}, {PK_DSO_MODULE, 0x40123},
		{PK_DSO_VDSO, 0x40123}, {PK_DSO_JIT, 0x7123},	 {PK_DSO_BPF, 0x7123},
		{PK_DSO_ANON, 0x7123},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pk_image image = {.kind = cases[i].kind};
		struct pk_map m = {.start = 0x7000,
				   .end = 0x8000,
				   .pgoff = 0x40000,
				   .image = &image,
				   .executable = true};

		ck_assert_uint_eq(pk_map_address(&m, 0x7123), cases[i].address);
	}
}
END_TEST

/* ---- Comparison with a model: an array has the map of each page ---- */

enum { PAGES = 64, PAGE = 0x1000, SPACES = 4 };

struct page {
	const struct pk_image *image;
	uint64_t address;
};

static struct page pages[SPACES][PAGES];
static struct pk_space *spaces[SPACES];

static bool check(unsigned int s)
{
	bool same = true;

	for (uint64_t i = 0; i < PAGES; i++) {
		const struct pk_map *first = pk_space_find(spaces[s], i * PAGE);
		const struct pk_map *last = pk_space_find(spaces[s], i * PAGE + PAGE - 1);
		const struct page *page = &pages[s][i];

		if (!first || !last || !page->image)
			same &= !first && !last && !page->image;
		else
			same &= first->image == page->image && last->image == page->image &&
				pk_map_address(first, i * PAGE) == page->address &&
				pk_map_address(last, i * PAGE + 1) == page->address + 1;
	}
	return same;
}

static void change(uint64_t *seed, unsigned int s)
{
	uint64_t start = random_below(seed, PAGES), length = 1 + random_below(seed, PAGES - start);
	uint64_t pgoff = PAGE * random_below(seed, 1000), what = random_below(seed, 5);
	const struct pk_image *image = what == 0 ? NULL : what < 3 ? &file_a : &file_b;

	if (image)
		map(&spaces[s], start * PAGE, (start + length) * PAGE, pgoff, image);
	else
		ck_assert(pk_space_unmap(&spaces[s], start * PAGE, (start + length) * PAGE) ==
			  PK_OK);
	for (uint64_t i = 0; i < length; i++)
		pages[s][start + i] = (struct page){image, pgoff + i * PAGE};
}

START_TEST(random_changes)
{
	uint64_t seed = 1070739171;

	for (unsigned int s = 0; s < SPACES; s++)
		spaces[s] = pk_space_new(&serials);
	for (int i = 0; i < 3000; i++) {
		unsigned int s = (unsigned int)random_below(&seed, SPACES);

		if (random_below(&seed, 10) == 0) {
			unsigned int from = (s + 1) % SPACES;

			pk_space_release(spaces[s]);
			spaces[s] = pk_space_share(spaces[from]);
			memcpy(pages[s], pages[from], sizeof(pages[s]));
		} else {
			change(&seed, s);
		}
		for (s = 0; s < SPACES; s++)
			ck_assert(check(s));
	}
	for (unsigned int s = 0; s < SPACES; s++)
		pk_space_release(spaces[s]);
}
END_TEST

/* Each of 10,000 spaces differs in one map from a space with 20,000 maps. Copies of all maps would
 * need 16 GB. */
START_TEST(many_forks)
{
	static struct pk_space *forks[10000];
	struct pk_space *parent = pk_space_new(&serials);

	for (uint64_t i = 0; i < 20000; i++)
		map(&parent, 0x1000 * i, 0x1000 * (i + 1), 0, &file_a);
	for (size_t i = 0; i < COUNT(forks); i++) {
		forks[i] = pk_space_share(parent);
		map(&forks[i], 0x1000 * i, 0x1000 * i + 0x10, 0, &file_b);
	}
	for (size_t i = 0; i < COUNT(forks); i++) {
		expect(forks[i], 0x1000 * i + 0xf, &file_b, 0xf);
		expect(forks[i], 0x1000 * i + 0x10, &file_a, 0x10);
		expect(parent, 0x1000 * i, &file_a, 0);
		pk_space_release(forks[i]);
	}
	pk_space_release(parent);
}
END_TEST

RUN_TESTS("maps", bounds, replaced, overlaps, serials_and_sharing, addresses, random_changes,
	  many_forks)
