/* SPDX-License-Identifier: BSD-2-Clause */
/* Locations of variables: expressions and lists of them (DWARF 5, 2.5 and 2.6). */
#ifndef PK_DWARF_LOCATION_H
#define PK_DWARF_LOCATION_H

#include "dwarf_unit.h"
#include "types.h"

struct pk_location {
	struct pk_types *types;
	struct pk_unit *unit;
	const struct pk_form_value *frame_base; /* of the function; its class can be NONE */
	void *arg;
	/* Called for each location; false stops. v has only the location. */
	bool (*place)(void *arg, const struct pk_variable *v);
};

/* Calls place for the locations of an attribute DW_AT_location, or of a list: for all pc, low is 0
 * and high UINT64_MAX. False: out of budget, or stopped. */
bool pk_location_each(const struct pk_location *l, const struct pk_form_value *location);

#endif
