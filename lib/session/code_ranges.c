// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "code_ranges.h"
#include "pkutil.h"
#include "vector.h"

#define PAGE_SHIFT 12
#define PAGE_LAST  ((1u << PAGE_SHIFT) - 1)
#define RANGES_MAX ((size_t)4 << 20) /* needs about 100 MB if most pages have several ranges */

/* The number of a page whose range is valid for all addresses that have no image. */
#define ANY_PAGE UINT64_MAX

#define INSIDE 3 /* number of ranges that fit into struct pk_code_page */

/* The ranges of a page. The size of this struct is 64 bytes, the size of a cache line. */
struct pk_code_page {
	uint64_t page;	/* address >> PAGE_SHIFT, or ANY_PAGE */
	uint32_t image; /* index of the image + 1; 0 if there is none */
	uint16_t flags; /* the result of flags_of() for the location */
	uint16_t count; /* number of ranges, which are sorted by address and do not overlap */
	struct pk_code_range *ranges; /* the ranges; NULL if they are in the array `inside` */
	struct pk_code_range inside[INSIDE];
	uint32_t capacity; /* capacity of the array ranges */
};

static const struct pk_code_range *ranges_of(const struct pk_code_page *page)
{
	return page->ranges ? page->ranges : page->inside;
}

void pk_code_ranges_free(struct pk_code_ranges *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->pages[i].ranges);
	free(set->pages);
	pk_table_free(&set->numbers);
	*set = (struct pk_code_ranges){0};
}

bool pk_code_ranges_full(const struct pk_code_ranges *set)
{
	return set->ranges >= RANGES_MAX;
}

static uint32_t image_of(const struct pk_location *location)
{
	return location->image ? location->image->index + 1 : 0;
}

/* The values of a location that determine its frames besides the address. For moved code, a perf
 * map has precedence. An image gets its symbols with its first executable map (pk_image.code). So
 * ranges that were added before this map have other flags than later ranges. */
static uint16_t flags_of(const struct pk_location *location)
{
	const bool code = location->image && location->image->code;

	return (uint16_t)(location->flags << 3 | location->moved << 2 | code << 1 |
			  location->called);
}

static uint64_t hash_of(struct pk_code_ranges *set, const struct pk_location *location,
			uint64_t page)
{
	return pk_mix64(page ^ pk_table_secret(&set->numbers),
			(uint64_t)image_of(location) << 32 | flags_of(location));
}

static struct pk_code_page *find_page(const struct pk_code_ranges *set,
				      const struct pk_location *location, uint64_t page,
				      uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&set->numbers, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		struct pk_code_page *found = &set->pages[number - 1];

		if (found->page == page && found->image == image_of(location) &&
		    found->flags == flags_of(location))
			return found;
	}
	return NULL;
}

/* Returns the index of the first range that ends at offset `at` or after it, or count if there is
 * none. */
static size_t find_index(const struct pk_code_page *page, unsigned int at)
{
	const struct pk_code_range *ranges = ranges_of(page);
	size_t low = 0, n = page->count;

	while (n) {
		const size_t half = n / 2;

		if (ranges[low + half].last < at) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

const struct pk_code_range *pk_code_ranges_find(struct pk_code_ranges *set,
						const struct pk_location *location)
{
	const uint64_t number = location->address >> PAGE_SHIFT;
	const unsigned int at = location->address & PAGE_LAST;
	const struct pk_code_page *page =
		find_page(set, location, number, hash_of(set, location, number));
	const struct pk_code_range *range;
	size_t i = page ? find_index(page, at) : 0;

	if (pk_likely(page && i < page->count)) {
		range = ranges_of(page) + i;
		if (pk_likely(range->first <= at))
			return range;
	}
	page = find_page(set, location, ANY_PAGE, hash_of(set, location, ANY_PAGE));
	return page ? page->inside : NULL;
}

/* Returns true if the range is valid for all addresses without an image. A range in an image is
 * never valid for all addresses: it covers only one map, and other maps of the image can have
 * symbols. */
static bool is_any(const struct pk_location *location, const struct pk_range *same)
{
	return !location->image && !same->from && same->to == UINT64_MAX;
}

/* Returns the page with this number. Adds it if it does not exist. Returns NULL if memory is
 * exhausted. */
static struct pk_code_page *get_page(struct pk_code_ranges *set, const struct pk_location *location,
				     uint64_t number)
{
	const uint64_t hash = hash_of(set, location, number);
	struct pk_code_page *page = find_page(set, location, number, hash);

	if (page)
		return page;
	if (pk_reserve(&set->pages, &set->capacity, set->count, 1, sizeof(*set->pages)) != PK_OK ||
	    pk_table_add(&set->numbers, hash, set->count + 1) != PK_OK)
		return NULL;
	page = &set->pages[set->count++];
	*page = (struct pk_code_page){
		.page = number, .image = image_of(location), .flags = flags_of(location)};
	return page;
}

/* Cuts the range around the address to the page, and to the addresses that no other range covers.
 */
static void fit(const struct pk_code_page *page, size_t index, uint64_t address,
		const struct pk_range *same, struct pk_code_range *range)
{
	const struct pk_code_range *ranges = ranges_of(page);
	const unsigned int at = address & PAGE_LAST;
	const uint64_t before = address - same->from, after = same->to - 1 - address;

	range->first = (uint16_t)(before > at ? 0 : at - before);
	range->last = (uint16_t)(after > PAGE_LAST - at ? PAGE_LAST : at + after);
	if (index && ranges[index - 1].last >= range->first)
		range->first = (uint16_t)(ranges[index - 1].last + 1);
	if (index < page->count && ranges[index].first <= range->last)
		range->last = (uint16_t)(ranges[index].first - 1);
}

/* Makes room for one more range. Returns the array of ranges, or NULL if memory is exhausted. */
static struct pk_code_range *make_room(struct pk_code_page *page)
{
	const bool moves = !page->ranges;
	size_t capacity = page->capacity;

	if (page->count < INSIDE)
		return page->inside;
	if (pk_reserve(&page->ranges, &capacity, page->count, 1, sizeof(*page->ranges)) != PK_OK)
		return NULL;
	page->capacity = (uint32_t)capacity;
	if (moves)
		memcpy(page->ranges, page->inside, sizeof(page->inside));
	return page->ranges;
}

enum pk_status pk_code_ranges_add(struct pk_code_ranges *set, const struct pk_location *location,
				  const struct pk_range *same, struct pk_code_range range)
{
	const uint64_t address = location->address;
	const bool any = is_any(location, same);
	struct pk_code_page *page = get_page(set, location, any ? ANY_PAGE : address >> PAGE_SHIFT);
	struct pk_code_range *ranges;
	size_t i;

	if (!page || (any && page->count))
		return page ? PK_OK : PK_NOMEM;
	ranges = make_room(page);
	if (!ranges)
		return PK_NOMEM;
	i = find_index(page, address & PAGE_LAST);
	fit(page, i, address, same, &range);
	memmove(ranges + i + 1, ranges + i, (page->count - i) * sizeof(range));
	ranges[i] = range;
	page->count++;
	set->ranges++;
	return PK_OK;
}
