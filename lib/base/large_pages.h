/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LARGE_PAGES_H
#define PK_LARGE_PAGES_H

/* Large pages (2 MiB) for large arrays with random accesses: with pages of 4 KiB nearly every
 * access would need a page table walk. */

#include <stddef.h>

/* Advises the kernel to use large pages (MADV_HUGEPAGE) for an allocation of at least 4 MiB. Errors
 * are ignored; errno is unchanged. */
void pk_use_large_pages(void *data, size_t size);

#endif
