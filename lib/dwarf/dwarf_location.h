/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the locations of variables. A location is an expression or a list of expressions (DWARF
 * 5, 2.5 and 2.6). */
#ifndef PK_DWARF_LOCATION_H
#define PK_DWARF_LOCATION_H

#include "dwarf_unit.h"
#include "types.h"

/* The context in which the location of a variable is evaluated. */
struct pk_variable_location {
	struct pk_types *types;
	struct pk_unit *unit;
	/* The attribute DW_AT_frame_base of the function. Its class is PK_FORM_NONE if there is no
	 * such attribute. */
	const struct pk_form_value *frame_base;
	void *arg;
	/* Called for each location. Only the location in `v` is set, and not the name and the type.
	 * Returns false to stop. */
	bool (*place)(void *arg, const struct pk_variable *v);
};

/* Calls `place` for each location of the attribute DW_AT_location, which is an expression or a
 * list. An expression that is not in a list is valid for every pc: `low` is 0, and `high` is
 * UINT64_MAX. Returns false if the budget is used up, if `place` has returned false, or if an
 * expression in a list is damaged or too long. */
bool pk_location_each(const struct pk_variable_location *l, const struct pk_form_value *location);

#endif
