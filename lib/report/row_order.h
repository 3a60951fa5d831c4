/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_ROW_ORDER_H
#define PK_REPORT_ROW_ORDER_H

/*
 * The order of rows by their fields, which do not change. A live table is sorted at each refresh,
 * and many of its rows have the same numbers: it then compares ranks. All zero is an empty order.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row_order {
	uint32_t *rows;	 /* sorted */
	uint32_t *ranks; /* by row */
	size_t count;	 /* of rows, which are numbered from 1 on */
};

/* Compares two rows, which are uint32_t; never 0 for two different ones. */
typedef int row_order_compare(const void *left, const void *right, void *arg);

/* Adds the rows up to `count`. If rows got other numbers, free the order before. False: out of
 * memory. */
bool pk_row_order_extend(struct row_order *order, size_t count, row_order_compare *compare,
			 void *arg);
void pk_row_order_free(struct row_order *order);

#endif
