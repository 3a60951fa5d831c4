// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "address_names.h"
#include "vector.h"

struct place {
	uint64_t address;
	uint32_t image, flags; /* image: index + 1 */
};

struct pk_address_names {
	struct pk_code_objects *objects;
	struct pk_texts *texts;
	struct pk_texts places;
	struct pk_address_name *names; /* by number of the place */
	size_t names_count;
};

/* Looks up the symbol. False: out of memory. */
static bool resolve(struct pk_address_names *names, const struct pk_location *location,
		    struct pk_address_name *name)
{
	struct pk_resolved resolved = {0};

	*name = (struct pk_address_name){0};
	pk_code_objects_resolve(names->objects, location, &resolved);
	name->known = !resolved.retry && !resolved.local;
	if (!resolved.function)
		return true;
	name->start = resolved.symbol_start;
	name->number = pk_texts_add(names->texts, resolved.function, resolved.function_size);
	return name->number;
}

const struct pk_address_name *pk_address_names_at(struct pk_address_names *names,
						  const struct pk_location *location)
{
	const struct place place = {location->address,
				    location->image ? location->image->index + 1 : 0,
				    location->flags};
	const uint32_t number = pk_texts_add(&names->places, (const char *)&place, sizeof(place));
	struct pk_address_name *name;

	if (!number || !pk_extend(&names->names, &names->names_count, number))
		return NULL;
	name = &names->names[number];
	return name->known || resolve(names, location, name) ? name : NULL;
}

struct pk_address_names *pk_address_names_new(struct pk_code_objects *objects,
					      struct pk_texts *texts)
{
	struct pk_address_names *names = calloc(1, sizeof(*names));

	if (names)
		*names = (struct pk_address_names){.objects = objects, .texts = texts};
	return names;
}

void pk_address_names_clear(struct pk_address_names *names)
{
	pk_texts_free(&names->places);
	free(names->names);
	names->names = NULL;
	names->names_count = 0;
}

void pk_address_names_free(struct pk_address_names *names)
{
	if (names)
		pk_address_names_clear(names);
	free(names);
}
