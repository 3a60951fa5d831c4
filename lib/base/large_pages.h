/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LARGE_PAGES_H
#define PK_LARGE_PAGES_H

/* Large pages (2 MiB) for large arrays with random accesses: with small pages nearly every access
 * would need a page table walk. */

#include <stddef.h>

/* Requests large pages if the allocation is large enough. Only a hint. */
void pk_use_large_pages(void *data, size_t size);

#endif
