// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "access_types.h"
#include "buffer.h"
#include "pkutil.h"
#include "texts.h"
#include "typing.h"
#include "vector.h"

struct function_key {
	uint64_t start;
	uint32_t object, unused;
};

struct typed_function {
	struct pk_function_code code;
	struct pk_function_types types;
};

/* The result of a lookup. */
struct known {
	bool is;
	struct pk_accessed accessed; /* the result for the place; accessed.type is 0 if there is no
				      * access or its type is unknown */
};

struct pk_access_types {
	struct pk_code_objects *objects;
	const struct pk_places *places;
	struct pk_typing typing;
	struct pk_texts keys; /* The analysed functions, as struct function_key. Each function gets
			       * a number in this set. */
	struct pk_table functions; /* The key is the number of a function in `keys`. The value is a
				    * struct typed_function. */
	struct pk_texts texts;
	struct known *known; /* an array with an item for each place; the index is the number of the
			      * place */
	size_t known_count;
};

struct pk_access_types *pk_access_types_new(struct pk_code_objects *objects,
					    const struct pk_places *places)
{
	struct pk_access_types *types = calloc(1, sizeof(*types));

	if (!types)
		return NULL;
	types->objects = objects;
	types->places = places;
	return types;
}

static void release(struct typed_function *function)
{
	pk_function_types_free(&function->types);
	pk_function_code_release(&function->code);
}

void pk_access_types_free(struct pk_access_types *types)
{
	struct typed_function *function;
	size_t cursor = 0;

	if (!types)
		return;
	while ((function = pk_table_next_value(&types->functions, &cursor)))
		release(function);
	pk_table_free_all(&types->functions);
	pk_typing_free(&types->typing);
	pk_texts_free(&types->keys);
	pk_texts_free(&types->texts);
	free(types->known);
	free(types);
}

/* ---- Functions ---- */

static enum pk_status analyse(struct pk_access_types *types, const struct pk_place *place,
			      struct typed_function *function)
{
	const struct pk_place_function *is = &place->function;
	const struct pk_code_file file = pk_places_object_at(types->places, is->object);
	const struct pk_code_object *object =
		pk_code_objects_open(types->objects, is->object, &file);

	if (!object)
		return PK_NOMEM;
	PK_TRY(pk_function_code_load(&function->code, object, is->start, place->address));
	return function->code.reason
		       ? PK_OK
		       : pk_function_types_read(&function->types, &types->typing, &function->code);
}

/* Returns the function of a place, or NULL if memory is exhausted. */
static const struct typed_function *function_of(struct pk_access_types *types,
						const struct pk_place *place)
{
	const struct function_key key = {.start = place->function.start,
					 .object = place->function.object};
	const uint32_t number = pk_texts_add(&types->keys, (const char *)&key, sizeof(key));
	struct typed_function *function;

	if (!number)
		return NULL;
	function = pk_table_get(&types->functions, number);
	if (function)
		return function;
	function = calloc(1, sizeof(*function));
	if (function && analyse(types, place, function) == PK_OK &&
	    pk_table_set(&types->functions, number, function) == PK_OK)
		return function;
	if (function)
		release(function);
	free(function);
	return NULL;
}

/* ---- Accesses ---- */

/* Makes the text that perf prints for its sort key typeoff. Returns the number that identifies the
 * text, or 0 if memory is exhausted. */
static uint32_t offset_text(struct pk_access_types *types, const struct flow_access *a,
			    const struct pk_access_type *typed)
{
	struct buffer text = {0};
	uint32_t number;

	buffer_text(&text, typed->type);
	if (a->offset > 0)
		buffer_format(&text, " +0x%" PRIx64, (uint64_t)a->offset);
	else
		buffer_text(&text, " +0");
	buffer_format(&text, " (%s)", *typed->member ? typed->member : "no field");
	number = text.failed ? 0 : pk_texts_add(&types->texts, text.data, text.size);
	free(text.data);
	return number;
}

static enum pk_status describe(struct pk_access_types *types, const struct pk_place *place,
			       struct pk_accessed *accessed)
{
	const struct typed_function *function = function_of(types, place);
	const struct flow_access *a;
	struct pk_access_type typed;
	uint32_t row;

	*accessed = (struct pk_accessed){0};
	if (!function)
		return PK_NOMEM;
	if (function->code.reason || place->address < place->function.start)
		return PK_OK;
	row = pk_function_code_row(&function->code, place->address - place->function.start);
	a = row == PK_NO_ROW ? NULL : pk_access_of_sample(&function->types, row);
	if (!a)
		return PK_OK;
	pk_access_describe(&function->types, a, true, &typed);
	if (!*typed.type)
		return PK_OK;
	accessed->type = pk_texts_add(&types->texts, typed.type, strlen(typed.type));
	accessed->offset = offset_text(types, a, &typed);
	accessed->line = a->offset > 0 ? (uint64_t)a->offset / PK_CACHE_LINE : 0;
	if (!accessed->type)
		return PK_NOMEM;
	return accessed->offset ? PK_OK : PK_NOMEM;
}

const struct pk_accessed *pk_access_types_at(struct pk_access_types *types, uint32_t place)
{
	struct known *known;
	struct pk_place is;

	if (pk_extend(&types->known, &types->known_count, place) != PK_OK)
		return NULL;
	known = &types->known[place];
	if (pk_unlikely(!known->is)) {
		is = pk_places_at(types->places, place);
		if (describe(types, &is, &known->accessed) != PK_OK)
			return NULL;
		known->is = true;
	}
	return &known->accessed;
}

const char *pk_access_types_text(const struct pk_access_types *types, uint32_t number, size_t *size)
{
	return pk_texts_get(&types->texts, number, size);
}
