/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PAGE_CHANGES_H
#define PK_PAGE_CHANGES_H

/* Which functions of a page have changed between the base and the other recordings. The marks are
 * those of whole recordings, for each event. docs/compare.md explains the statistics. */

#include "page_data.h"

/* What has changed: the share of a function with what it calls, and without. */
enum { PAGE_CHANGED_TOTAL = 1, PAGE_CHANGED_SELF = 2 };

/* Returns an array with a set of these bits for each event, and within an event for each frame
 * (name of data->tree), in the order of their numbers. The frames of a function have the same bits.
 * Call it before the times are removed from data->base_sums. The caller frees the array. Returns
 * NULL if memory is exhausted. */
uint8_t *page_changes(const struct page_data *data);

#endif
