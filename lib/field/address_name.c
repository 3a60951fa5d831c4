// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "address_name.h"
#include "field_table.h"
#include "vector.h"

struct place {
	uint64_t address;
	uint32_t image, flags; /* image: index + 1 */
};

struct name {
	uint64_t start;	 /* of the symbol */
	uint32_t number; /* in pk_context.texts; 0: no symbol */
	bool known;
};

struct pk_address_names {
	struct pk_texts places;
	struct name *names; /* by number of the place */
	size_t names_count;
};

/* Looks up the symbol. False: out of memory. */
static bool resolve(struct pk_context *context, const struct pk_location *location,
		    struct name *name)
{
	struct pk_resolved resolved = {0};

	*name = (struct name){0};
	pk_code_objects_resolve(context->objects, location, &resolved);
	name->known = !resolved.retry && !resolved.local;
	if (!resolved.function)
		return true;
	name->start = resolved.symbol_start;
	name->number = pk_texts_add(&context->texts, resolved.function, resolved.function_size);
	return name->number;
}

/* NULL: out of memory. */
static const struct name *name_of(struct pk_context *context, const struct pk_location *location)
{
	struct pk_address_names *names = context->address_names;
	const struct place place = {location->address,
				    location->image ? location->image->index + 1 : 0,
				    location->flags};
	const uint32_t number = pk_texts_add(&names->places, (const char *)&place, sizeof(place));
	struct name *name;

	if (!number || !pk_extend(&names->names, &names->names_count, number))
		return NULL;
	name = &names->names[number];
	return name->known || resolve(context, location, name) ? name : NULL;
}

bool pk_view_name_address(struct pk_view *view, uint64_t address, bool offset, uint64_t *key)
{
	struct pk_context *context = view->context;
	const struct pk_location location = pk_view_locate(view, address);
	const struct name *name = context->failed ? NULL : name_of(context, &location);
	struct buffer *text = &context->text;

	if (!name) {
		context->failed = true;
		return false;
	}
	*key = name->number;
	if (name->number && !offset)
		return true;
	text->size = 0;
	if (name->number) {
		buffer_text(text, pk_texts_get(&context->texts, name->number, NULL));
		buffer_text(text, "+0x");
		buffer_hex(text, location.address - name->start, 0);
	} else {
		buffer_format(text, "0x%016" PRIx64, address);
	}
	return pk_built_key(context, key);
}

bool pk_view_object_of(struct pk_view *view, uint64_t address, uint64_t *key)
{
	const struct pk_image *image = pk_view_locate(view, address).image;

	*key = (uintptr_t)image;
	return image;
}

const char *pk_object_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const struct pk_image *image = (const void *)(uintptr_t)key;

	(void)context;
	return pk_with_size(image->name, size);
}

struct pk_address_names *pk_address_names_new(void)
{
	return calloc(1, sizeof(struct pk_address_names));
}

void pk_address_names_clear(struct pk_address_names *names)
{
	pk_texts_free(&names->places);
	free(names->names);
	*names = (struct pk_address_names){0};
}

void pk_address_names_free(struct pk_address_names *names)
{
	if (names)
		pk_address_names_clear(names);
	free(names);
}
