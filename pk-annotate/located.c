// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "located.h"
#include "texts.h"

struct located {
	struct heat *heat;
	struct objects *objects;
	struct pk_session *session;
	struct pk_texts seen;	/* each a struct sighting */
	struct pk_table places; /* uint32_t by number in `seen`: the place, or 0 */
	struct pk_table images; /* struct image_object by index */
};

/* An address of an image. */
struct sighting {
	uint64_t address;
	uint32_t image, flags;
};

struct image_object {
	uint32_t number; /* in the heat */
	uint64_t shift;
};

struct located *located_new(struct heat *heat, struct objects *objects)
{
	struct located *located = calloc(1, sizeof(*located));

	if (!located)
		return NULL;
	located->heat = heat;
	located->objects = objects;
	return located;
}

static void forget(struct located *located)
{
	pk_texts_clear(&located->seen);
	pk_table_free_all(&located->places);
	pk_table_free_all(&located->images);
}

void located_free(struct located *located)
{
	if (!located)
		return;
	forget(located);
	pk_texts_free(&located->seen);
	free(located);
}

void located_begin(struct located *located, struct pk_session *session)
{
	forget(located);
	located->session = session;
}

static struct image_object *object_of(struct located *located, const struct pk_location *location,
				      uint32_t pid)
{
	const struct pk_image *image = location->image;
	struct image_object *known =
		pk_table_get_or_add(&located->images, image->index, sizeof(*known));
	struct first_sight first = {.kernel = location->flags & PK_FRAME_KERNEL,
				    .address = location->address,
				    .pid = pid};

	if (!known || known->number)
		return known;
	first.object.kind = image->kind;
	first.object.path = image->path;
	first.object.build_id.size = (uint8_t)image->build_id_size;
	memcpy(first.object.build_id.bytes, image->build_id, sizeof(image->build_id));
	first.number = heat_object(located->heat, &first.object);
	if (!first.number || !objects_meet(located->objects, &first, &known->shift))
		return NULL;
	known->number = first.number;
	return known;
}

/* *place: 0 if no function is known. False: out of memory. */
static bool make_place(struct located *located, const struct pk_location *location, uint32_t pid,
		       uint32_t *place)
{
	const struct image_object *object;
	struct pk_resolved resolved = {0};
	struct heat_function function = {.kernel = location->flags & PK_FRAME_KERNEL};

	*place = 0;
	objects_resolve(located->objects, location, &resolved);
	if (!resolved.function)
		return true;
	function.name = resolved.function;
	object = object_of(located, location, pid);
	if (!object)
		return false;
	function.object = object->number;
	function.start = resolved.symbol_start + object->shift;
	*place = heat_place(located->heat, &function, location->address + object->shift);
	return *place;
}

bool located_place(struct located *located, const struct leaf_sample *sample, uint32_t *place)
{
	const struct pk_thread *thread =
		pk_session_thread(located->session, sample->pid, sample->tid);
	struct pk_location location;
	struct sighting sighting;
	uint32_t id, *kept;

	*place = 0;
	if (!thread)
		return false;
	location = pk_session_locate(located->session, thread, sample->ip, sample->mode);
	if (!location.image)
		return true;
	sighting = (struct sighting){location.address, location.image->index, location.flags};
	id = pk_texts_add(&located->seen, (const char *)&sighting, sizeof(sighting));
	kept = id ? pk_table_get(&located->places, id) : NULL;
	if (!kept) {
		kept = id ? pk_table_get_or_add(&located->places, id, sizeof(*kept)) : NULL;
		if (!kept || !make_place(located, &location, sample->pid, kept))
			return false;
	}
	*place = *kept;
	return true;
}
