// SPDX-License-Identifier: BSD-2-Clause
/* Allocates memory once with each function of the C library. The sizes differ from those of other
 * allocations, such as allocations of the start-up code. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>

static void *volatile kept[16];

__attribute__((noinline)) static void plain(void)
{
	kept[0] = malloc(1000001);
	kept[1] = calloc(1000003, 8);
	kept[2] = realloc(NULL, 1000005);
	kept[2] = realloc(kept[2], 3000005);
	kept[3] = reallocarray(NULL, 1000007, 2);
}

__attribute__((noinline)) static void aligned(void)
{
	void *block = NULL;

	kept[4] = memalign(64, 1000009);
	kept[5] = aligned_alloc(64, 1000064);
	if (posix_memalign(&block, 64, 1000011))
		abort();
	kept[6] = block;
	kept[7] = valloc(1000013);
	kept[8] = pvalloc(1000015);
}

int main(void)
{
	plain();
	aligned();
	free(kept[0]);
	return 0;
}
