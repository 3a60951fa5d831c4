// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>

#include "code_objects.h"
#include "context_internal.h"
#include "field_table.h"

/* Keys and texts that fields of several parts of the table use. */

bool pk_built_key(struct pk_context *context, uint64_t *key)
{
	const struct buffer *text = &context->state->text;

	*key = text->failed ? 0 : pk_texts_add(&context->state->texts, text->data, text->size);
	context->failed |= !*key;
	return *key;
}

const char *pk_built_text(struct pk_context *context, uint64_t key, size_t *size)
{
	return pk_texts_get(&context->state->texts, (uint32_t)key, size);
}

bool pk_view_name_address(struct pk_view *view, uint64_t address, bool offset, uint64_t *key)
{
	struct pk_context *context = view->context;
	const struct pk_location location = pk_view_locate(view, address);
	const struct pk_address_name *name =
		context->failed ? NULL
				: pk_address_names_at(context->state->address_names, &location);
	struct buffer *text = &context->state->text;

	if (!name) {
		context->failed = true;
		return false;
	}
	*key = name->number;
	if (name->number && !offset)
		return true;
	text->size = 0;
	if (name->number) {
		buffer_text(text, pk_texts_get(&context->state->texts, name->number, NULL));
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
