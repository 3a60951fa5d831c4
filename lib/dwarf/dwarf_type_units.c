// SPDX-License-Identifier: BSD-2-Clause
/* Types that have units of their own (DWARF 5, 3.1.4): programs that have any have many. */
#include <stdlib.h>

#include "types_internal.h"

static int compare_signatures(const void *a, const void *b)
{
	const struct pk_unit *x = *(struct pk_unit *const *)a, *y = *(struct pk_unit *const *)b;

	return x->signature < y->signature ? -1 : x->signature > y->signature;
}

static void list_units(struct pk_dwarf_file *f)
{
	f->type_units_tried = true;
	f->type_units =
		pk_need(f->dwarf->failures, malloc((f->unit_count + 1) * sizeof(struct pk_unit *)));
	for (size_t i = 0; f->type_units && i < f->unit_count; i++) {
		struct pk_unit *unit = pk_unit_get(f, i);

		if (unit && unit->type_die && unit->type_die < unit->end - unit->offset)
			f->type_units[f->type_unit_count++] = unit;
	}
	if (f->type_unit_count)
		qsort(f->type_units, f->type_unit_count, sizeof(struct pk_unit *),
		      compare_signatures);
}

struct pk_unit *pk_types_signature(const struct pk_unit *from, uint64_t signature)
{
	struct pk_dwarf_file *f = from->file;
	const struct pk_unit key = {.signature = signature}, *const wanted = &key;
	struct pk_unit *const *found;

	if (!f->type_units_tried)
		list_units(f);
	found = f->type_unit_count ? bsearch(&wanted, f->type_units, f->type_unit_count,
					     sizeof(struct pk_unit *), compare_signatures)
				   : NULL;
	return found ? *found : NULL;
}
