/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ADDRESS_NAMES_H
#define PK_ADDRESS_NAMES_H

/* Names of addresses that are not in stacks: data, and ends of branches. They are looked up in the
 * object files, or in the symbols of the stream, once for each address. */

#include "code_objects.h"
#include "texts.h"

struct pk_address_names;

struct pk_address_name {
	uint64_t start;	 /* of the symbol */
	uint32_t number; /* of its name in the texts; 0: no symbol */
	bool known;	 /* private */
};

/* objects and texts stay the caller's. NULL: out of memory. */
struct pk_address_names *pk_address_names_new(struct pk_code_objects *objects,
					      struct pk_texts *texts);
/* The symbol at a location; without an image, none. Valid until the next call. NULL: out of
 * memory. */
const struct pk_address_name *pk_address_names_at(struct pk_address_names *names,
						  const struct pk_location *location);
/* Call when numbers of the texts become invalid. */
void pk_address_names_clear(struct pk_address_names *names);
void pk_address_names_free(struct pk_address_names *names);

#endif
