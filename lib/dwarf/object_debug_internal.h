/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OBJECT_DEBUG_INTERNAL_H
#define PK_OBJECT_DEBUG_INTERNAL_H

/* What lib/dwarf keeps of an object of lib/symbol. */

#include "dwarf.h"
#include "object.h"
#include "types_internal.h"
#include "unwind_info.h"

struct object_debug {
	struct pk_object_debug base;

	struct pk_dwarf *dwarf; /* or NULL */
	char *source;		/* the file that it is from */
	uint64_t shift;		/* kernel: to be added to an address of the stream */
	bool dwarf_tried;

	struct pk_types *types; /* or NULL */
	bool types_tried;

	struct pk_unwind_info *unwind; /* or NULL */
	enum pk_object_state unwind_state;
};

/* The object's, made when it is asked for the first time. NULL: out of memory, which is counted. */
struct object_debug *object_debug(struct pk_object *o);
/* Debugging information is looked for when it is asked for the first time: most objects have none,
 * and symbols do without. NULL: there is none. */
struct pk_dwarf *object_dwarf(struct pk_object *o);

#endif
