// SPDX-License-Identifier: BSD-2-Clause
/* Where the pieces of code of a jitdump are, in the file and in memory. */
#include <stdlib.h>
#include <string.h>

#include "jitdump.h"
#include "object_code_internal.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_offset(const void *left, const void *right)
{
	const struct pk_code *a = left, *b = right;

	return compare_numbers(a->offset, b->offset);
}

/* Of what was loaded at one address, the last in the file is last. */
static int by_address(const void *left, const void *right)
{
	const struct pk_code *a = left, *b = right;
	int order = compare_numbers(a->start, b->start);

	return order ? order : compare_numbers(a->offset, b->offset);
}

static struct pk_code *in_order(const struct pk_jitdump *dump,
				int (*compare)(const void *, const void *))
{
	struct pk_code *codes =
		pk_need(dump->failures, malloc((dump->code_count + 1) * sizeof(*codes)));

	if (!codes || !dump->code_count)
		return codes;
	memcpy(codes, dump->codes, dump->code_count * sizeof(*codes));
	qsort(codes, dump->code_count, sizeof(*codes), compare);
	return codes;
}

static bool prepare(struct pk_machine_code *c)
{
	const struct pk_jitdump *dump = c->object->dump;

	if (c->by_offset)
		return true;
	if (!dump)
		return false;
	c->by_offset = in_order(dump, by_offset);
	c->by_address = in_order(dump, by_address);
	c->codes_count = c->by_address ? dump->code_count : 0;
	return c->by_offset;
}

const struct pk_code *pk_code_at_offset(struct pk_machine_code *c, uint64_t offset)
{
	size_t low = 0, high;

	if (!prepare(c))
		return NULL;
	for (high = c->codes_count; low < high;) {
		const size_t middle = low + (high - low) / 2;

		if (c->by_offset[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	/* What was moved has its bytes where they were, and comes behind what was loaded. */
	return low && offset - c->by_offset[low - 1].offset < c->by_offset[low - 1].size
		       ? &c->by_offset[low - 1]
		       : NULL;
}

const struct pk_code *pk_code_at_address(struct pk_machine_code *c, uint64_t address)
{
	size_t low = 0, high;

	if (!prepare(c))
		return NULL;
	for (high = c->codes_count; low < high;) {
		const size_t middle = low + (high - low) / 2;

		if (c->by_address[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address - c->by_address[low - 1].start < c->by_address[low - 1].size
		       ? &c->by_address[low - 1]
		       : NULL;
}
