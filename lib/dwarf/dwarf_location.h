/* SPDX-License-Identifier: BSD-2-Clause */
/* Locations of variables: expressions and lists of them (DWARF 5, 2.5 and 2.6). */
#ifndef PK_DWARF_LOCATION_H
#define PK_DWARF_LOCATION_H

#include "dwarf_unit.h"
#include "types.h"

struct pk_variable_location {
	struct pk_types *types;
	struct pk_unit *unit;
	const struct pk_form_value *frame_base; /* of the function; class NONE: it has none */
	void *arg;
	/* Called for each location. Only the location in v is set, not the name and type. Returns
	 * false to stop. */
	bool (*place)(void *arg, const struct pk_variable *v);
};

/* Calls place for each location of an attribute DW_AT_location, which is an expression or a list.
 * An expression without a list is valid for every pc: low is 0 and high is UINT64_MAX. Returns
 * false if the budget is used up, if place has stopped it, or if an expression of a list is damaged
 * or too long. */
bool pk_location_each(const struct pk_variable_location *l, const struct pk_form_value *location);

#endif
