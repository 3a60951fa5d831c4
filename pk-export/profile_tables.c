// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "profile_tables.h"
#include "vector.h"

#define PAGE 4096

uint32_t profile_number(struct profile_tables *tables, struct pk_texts *table, const void *item,
			size_t size)
{
	const uint32_t number = pk_texts_add(table, item, size);

	tables->failed |= !number;
	return number;
}

/* ---- Strings ---- */

uint32_t profile_string(struct profile_tables *tables, const char *text, size_t size)
{
	if (tables->raw)
		return profile_number(tables, &tables->strings, text, size);
	tables->text.size = 0;
	buffer_valid(&tables->text, text, size, SIZE_MAX);
	tables->failed |= tables->text.failed;
	return tables->text.size ? profile_number(tables, &tables->strings, tables->text.data,
						  tables->text.size)
				 : 0;
}

uint32_t profile_string_of(struct profile_tables *tables, uint32_t id)
{
	size_t size;
	const char *text = pk_dictionary_get_string(tables->names, id, &size);

	return text ? profile_string(tables, text, size) : 0;
}

/* ---- Functions ---- */

uint32_t profile_function(struct profile_tables *tables, const struct profile_function *function)
{
	return profile_number(tables, &tables->functions, function, sizeof(*function));
}

const struct profile_function *profile_function_at(const struct profile_tables *tables,
						   uint32_t number)
{
	return (const void *)pk_texts_get(&tables->functions, number, NULL);
}

/* ---- Objects ---- */

struct profile_object *profile_object(struct profile_tables *tables, uint32_t id)
{
	struct profile_object *object;

	if (!pk_dictionary_get_dso(tables->names, id))
		return NULL;
	if (pk_extend(&tables->objects, &tables->objects_count, id) != PK_OK ||
	    pk_reserve(&tables->used, &tables->used_capacity, tables->used_count, 1,
		       sizeof(*tables->used)) != PK_OK) {
		tables->failed = true;
		return NULL;
	}
	object = &tables->objects[id];
	if (!object->number) {
		tables->used[tables->used_count++] = id;
		object->number = (uint32_t)tables->used_count;
	}
	return object;
}

void profile_object_add(struct profile_object *object, uint64_t address)
{
	if (!object->has_addresses || address < object->low)
		object->low = address;
	if (address > object->high)
		object->high = address;
	object->has_addresses = true;
}

uint64_t profile_object_start(const struct profile_object *object, const struct pk_dso *dso)
{
	if (dso->kind == PK_DSO_FILE || dso->kind == PK_DSO_MODULE || dso->kind == PK_DSO_VDSO)
		return 0;
	return object->has_addresses ? object->low / PAGE * PAGE : UINT64_MAX;
}

uint64_t profile_object_limit(const struct profile_object *object)
{
	uint64_t limit = PAGE;

	while (limit && limit <= object->high)
		limit <<= 1;
	return limit ? limit : UINT64_MAX;
}

/* ---- Locations ---- */

uint32_t *profile_of_frame(struct profile_tables *tables, uint32_t frame)
{
	if (pk_extend(&tables->of_frames, &tables->of_frames_count, frame) == PK_OK)
		return &tables->of_frames[frame];
	tables->failed = true;
	return NULL;
}

uint32_t profile_location(struct profile_tables *tables, const uint32_t *frames, size_t count)
{
	uint32_t *number;

	if (count > 1)
		return profile_number(tables, &tables->locations, frames, count * sizeof(*frames));
	number = profile_of_frame(tables, frames[0]);
	if (!number)
		return 0;
	if (!*number)
		*number = profile_number(tables, &tables->locations, frames, sizeof(*frames));
	return *number;
}

const uint32_t *profile_location_frames(const struct profile_tables *tables, uint32_t number,
					size_t *count)
{
	const char *frames = pk_texts_get(&tables->locations, number, count);

	*count /= sizeof(uint32_t);
	return (const void *)frames;
}

void profile_tables_free(struct profile_tables *tables)
{
	pk_texts_free(&tables->strings);
	pk_texts_free(&tables->functions);
	pk_texts_free(&tables->locations);
	free(tables->objects);
	free(tables->used);
	free(tables->of_frames);
	free(tables->text.data);
}
