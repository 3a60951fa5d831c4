// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "large_pages.h"

#define LARGE_PAGE ((uintptr_t)2 << 20)

void pk_use_large_pages(void *data, size_t size)
{
	const int kept = errno;
	const uintptr_t begin = ((uintptr_t)data + LARGE_PAGE - 1) & -LARGE_PAGE,
			end = ((uintptr_t)data + size) & -LARGE_PAGE;

	if (size < 2 * LARGE_PAGE)
		return;
	madvise((char *)data + (begin - (uintptr_t)data), end - begin, MADV_HUGEPAGE);
	errno = kept;
}
