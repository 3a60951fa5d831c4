/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_AMOUNT_TEXT_H
#define PK_REPORT_AMOUNT_TEXT_H

#include "buffer.h"
#include "field_measure.h"

/* Appends a number. kind is that of the field. The forms are: for tables, with two decimals, and
 * time stamps in seconds. Exact, with the names that numbers of that kind have. Data, for
 * programs. */
enum amount_form { AMOUNT_TABLE, AMOUNT_EXACT, AMOUNT_DATA };
void pk_amount_add(struct buffer *out, const struct pk_amount *amount, enum pk_value_kind kind,
		   enum amount_form form);

/* A unit of --unit. */
struct amount_unit {
	const char *name;
	uint64_t size;	       /* nanoseconds; or a power of 1024 */
	unsigned int decimals; /* of an exact number of nanoseconds; or 2 */
};

/* NULL if the numbers are printed without a unit. */
struct units {
	const struct amount_unit *time, *number;
};

/* Parses "ms", "K", or several with commas. Returns false if there is no such unit. */
bool pk_units_parse(struct units *units, const char *text);
/* Appends a number in this unit, and the name of the unit. */
void pk_amount_add_unit(struct buffer *out, const struct pk_amount *amount,
			const struct amount_unit *unit);

#endif
