/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_AMOUNT_TEXT_H
#define PK_REPORT_AMOUNT_TEXT_H

#include "buffer.h"
#include "field_measure.h"

/* Appends a number. `kind` is the kind of the field that the number belongs to. The forms are:
 *   AMOUNT_TABLE: for tables. Fractions have two decimals, and time stamps are in seconds.
 *   AMOUNT_EXACT: the exact number, with the names that numbers of this kind have.
 *   AMOUNT_DATA: for programs that read the output. */
enum amount_form { AMOUNT_TABLE, AMOUNT_EXACT, AMOUNT_DATA };
void pk_amount_add(struct buffer *out, const struct pk_amount *amount, enum pk_value_kind kind,
		   enum amount_form form);

/* A unit of time or of numbers, which the user can choose with --unit. */
struct amount_unit {
	const char *name;
	uint64_t size;	       /* in nanoseconds for a time, otherwise a power of 1024 */
	unsigned int decimals; /* number of decimals; for a unit of time, all nanoseconds are shown;
				  for other units, it is 2 */
};

/* The units that the user has chosen. A member is NULL if its numbers are printed without a unit.
 */
struct units {
	const struct amount_unit *time, *number;
};

/* Parses one unit, such as "ms" or "K", or several units that are separated by commas. Returns
 * false if a unit is unknown. */
bool pk_units_parse(struct units *units, const char *text);
/* Appends a number in the given unit, followed by the name of the unit. */
void pk_amount_add_unit(struct buffer *out, const struct pk_amount *amount,
			const struct amount_unit *unit);

#endif
