/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LARGE_PAGES_H
#define PK_LARGE_PAGES_H

/* Large arrays that are read in no order: the processor finds what is in pages of 2 MiB without
 * walking page tables for nearly every access. */

#include <stddef.h>

/* Asks for large pages where an allocation is large enough for some. Only a hint. */
void pk_use_large_pages(void *data, size_t size);

#endif
