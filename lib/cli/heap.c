// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "heap.h"
#include "vector.h"

/* Parameters of glibc's mallopt(). musl has no such function. */
enum { TRIM_THRESHOLD = -1, TOP_PAD = -2, MMAP_THRESHOLD = -3, TOP_PAD_DEFAULT = 128 << 10 };
extern int mallopt(int parameter, int value) __attribute__((weak));

/* HEAP bytes of address space get large pages. Unused address space needs no memory. Blocks that
 * are larger than LARGE have their own mappings, which can grow without a copy. The program keeps
 * up to KEPT bytes of freed memory for later allocations. */
enum { HEAP = 256 << 20, LARGE = 32 << 20, KEPT = 256 << 20, LARGE_PAGE = 2 << 20 };

void pk_heap_prepare(void)
{
	/* malloc() writes to the start of the new memory. A large page cannot replace small pages
	 * that are in use, so this start is at the end of a large page. */
	enum { START = 512 << 10 };
	char *const old = sbrk(0);
	void *volatile block; /* volatile, so that the compiler does not remove the allocation */

	if (!mallopt || sbrk(-((intptr_t)old + START) & (LARGE_PAGE - 1)) == (void *)-1)
		return;
	mallopt(MMAP_THRESHOLD, LARGE);
	mallopt(TRIM_THRESHOLD, KEPT);
	mallopt(TOP_PAD, HEAP);
	block = malloc(START / 2);
	free(block);
	mallopt(TOP_PAD, TOP_PAD_DEFAULT);
	pk_use_large_pages(old, (size_t)((char *)sbrk(0) - old));
}
