// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "heap.h"
#include "vector.h"

/* Parameters of glibc's mallopt(). musl has no such function. */
enum { TRIM_THRESHOLD = -1, TOP_PAD = -2, MMAP_THRESHOLD = -3, TOP_PAD_DEFAULT = 128 << 10 };
extern int mallopt(int parameter, int value) __attribute__((weak));

/* HEAP bytes of address space get large pages. What is not used takes no memory. Larger blocks than
 * LARGE have their own mappings, which can grow without a copy. Freed memory up to KEPT is used
 * again instead of being returned to the kernel. */
enum { HEAP = 64 << 20, LARGE = 4 << 20, KEPT = 256 << 20 };

void pk_heap_prepare(void)
{
	char *const start = sbrk(0);
	void *volatile block; /* volatile: the compiler would remove the allocation */

	if (!mallopt)
		return;
	mallopt(MMAP_THRESHOLD, LARGE);
	mallopt(TRIM_THRESHOLD, KEPT);
	mallopt(TOP_PAD, HEAP);
	block = malloc(LARGE / 2);
	free(block);
	mallopt(TOP_PAD, TOP_PAD_DEFAULT);
	pk_use_large_pages(start, (size_t)((char *)sbrk(0) - start));
}
