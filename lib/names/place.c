// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pkutil.h"
#include "place.h"
#include "texts.h"
#include "vector.h"

/* The key of an object. */
struct file_key {
	uint32_t path; /* the number of the path in pk_places.texts */
	uint32_t kind; /* enum pk_dso_kind */
	uint32_t build_id_size;
	uint8_t build_id[PK_BUILD_ID_MAX];
};

/* The key of a place. */
struct place_key {
	uint64_t address, start; /* the address of the instruction, and the start of its function */
	uint32_t object, function, kernel, unused;
};

/* An object that the session uses. */
struct known_object {
	uint32_t number; /* 0 if the object is not registered yet */
	uint64_t shift;
};

/* The innermost function of a stack, without inlined functions. */
struct leaf {
	struct place_key key; /* describes the function; its member `address` is ignored */
	uint64_t shift;	      /* the shift of the object, from pk_code_objects_meet() */
	bool known;
};

/* An address of an image of the session. */
struct image_address {
	uint64_t address;
	uint32_t image, flags;
};

struct pk_places {
	struct pk_code_objects *objects;
	struct pk_texts texts;	/* the paths of objects and the names of functions; each text gets a
				 * number */
	struct pk_texts files;	/* The objects, as struct file_key. The number of a key in this set
				 * identifies the object. */
	struct pk_texts places; /* The places, as struct place_key. The number of a key in this set
				 * identifies the place. */
	/* These members are valid while the ids of the dictionary are valid. */
	struct leaf *leaves; /* the innermost function of each stack; the index is the index of the
			      * stack */
	size_t leaves_count;
	struct pk_table dsos; /* The key is the id of a DSO. The value is a struct known_object. */
	/* These members belong to the current session. */
	const struct pk_session *session;
	/* The key is the index of an image. The value is a struct known_object. */
	struct pk_table images;
	struct pk_texts addresses; /* the addresses that were looked up, as struct image_address;
				    * each address gets a number in this set */
	struct pk_table located;   /* The key is the number of an address. The value is a uint32_t:
				    * the number of the place, or 0 if the function is unknown. */
};

struct pk_places *pk_places_new(struct pk_code_objects *objects)
{
	struct pk_places *places = calloc(1, sizeof(*places));

	if (places)
		places->objects = objects;
	return places;
}

void pk_places_forget_stacks(struct pk_places *places)
{
	free(places->leaves);
	places->leaves = NULL;
	places->leaves_count = 0;
	pk_table_free_all(&places->dsos);
}

void pk_places_start_session(struct pk_places *places, const struct pk_session *session)
{
	places->session = session;
	pk_places_forget_stacks(places);
	pk_table_free_all(&places->images);
	pk_table_free_all(&places->located);
	pk_texts_clear(&places->addresses);
}

void pk_places_free(struct pk_places *places)
{
	if (!places)
		return;
	pk_places_start_session(places, NULL);
	pk_texts_free(&places->addresses);
	pk_texts_free(&places->texts);
	pk_texts_free(&places->files);
	pk_texts_free(&places->places);
	free(places);
}

/* ---- Numbers ---- */

uint32_t pk_places_object(struct pk_places *places, const struct pk_code_file *file)
{
	struct file_key key = {.kind = file->kind, .build_id_size = file->build_id.size};

	key.path = pk_texts_add(&places->texts, file->path, strlen(file->path));
	memcpy(key.build_id, file->build_id.bytes, key.build_id_size);
	return key.path ? pk_texts_add(&places->files, (const char *)&key, sizeof(key)) : 0;
}

uint32_t pk_places_add(struct pk_places *places, const struct pk_place_function *function,
		       uint64_t address)
{
	struct place_key key = {.object = function->object,
				.kernel = function->kernel,
				.address = address,
				.start = function->start};

	key.function = pk_texts_add(&places->texts, function->name, strlen(function->name));
	return key.function ? pk_texts_add(&places->places, (const char *)&key, sizeof(key)) : 0;
}

uint32_t pk_places_count(const struct pk_places *places)
{
	return (uint32_t)places->places.count;
}

struct pk_place pk_places_at(const struct pk_places *places, uint32_t place)
{
	struct place_key key;

	memcpy(&key, pk_texts_get(&places->places, place, NULL), sizeof(key));
	return (struct pk_place){
		.function = {.object = key.object,
			     .kernel = key.kernel,
			     .start = key.start,
			     .name = pk_texts_get(&places->texts, key.function, NULL)},
		.name = key.function,
		.address = key.address,
	};
}

struct pk_code_file pk_places_object_at(const struct pk_places *places, uint32_t object)
{
	struct pk_code_file file;
	struct file_key key;

	memcpy(&key, pk_texts_get(&places->files, object, NULL), sizeof(key));
	file = (struct pk_code_file){.kind = (enum pk_dso_kind)key.kind,
				     .path = pk_texts_get(&places->texts, key.path, NULL),
				     .build_id.size = (uint8_t)key.build_id_size};
	memcpy(file.build_id.bytes, key.build_id, sizeof(key.build_id));
	return file;
}

/* ---- Objects of the session ---- */

static enum pk_status meet(struct pk_places *places, const struct pk_code_file *file,
			   uint64_t address, uint32_t pid, struct known_object *known)
{
	const struct pk_code_use use = {.number = pk_places_object(places, file),
					.file = *file,
					.address = address,
					.pid = pid};

	if (!use.number)
		return PK_NOMEM;
	PK_TRY(pk_code_objects_meet(places->objects, &use, &known->shift));
	known->number = use.number;
	return PK_OK;
}

/* ---- By stack ---- */

/* Returns the object of a frame, or NULL if memory is exhausted. */
static struct known_object *object_of_frame(struct pk_places *places,
					    const struct pk_dictionary *dictionary,
					    const struct pk_frame *frame, uint64_t address,
					    uint32_t pid)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(dictionary, frame->dso);
	struct known_object *known = pk_table_get_or_add(&places->dsos, frame->dso, sizeof(*known));
	struct pk_code_file file = {.kind = dso->kind};
	const char *path;

	if (!known || known->number)
		return known;
	file.path = pk_dictionary_get_string(dictionary, dso->path, NULL);
	file.path = file.path ? file.path : "";
	path = dso->kind == PK_DSO_KERNEL || dso->kind == PK_DSO_MODULE
		       ? pk_session_path_of_name(places->session, file.path)
		       : NULL;
	file.path = path ? path : file.path;
	file.build_id.size = (uint8_t)dso->build_id_size;
	memcpy(file.build_id.bytes, dso->build_id, sizeof(dso->build_id));
	return meet(places, &file, address, pid, known) == PK_OK ? known : NULL;
}

static enum pk_status find_leaf(struct pk_places *places, const struct pk_dictionary *dictionary,
				const struct pk_frame *frame, uint64_t address, uint32_t pid,
				struct leaf *leaf)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(dictionary, frame->dso);
	const struct known_object *object;
	const char *name;
	size_t size;

	leaf->known = true;
	name = pk_dictionary_get_string(dictionary, frame->function, &size);
	if (!dso || !name || frame->flags & PK_FRAME_GUEST) /* code of guests is not read */
		return PK_OK;
	object = object_of_frame(places, dictionary, frame, address, pid);
	if (!object)
		return PK_NOMEM;
	leaf->shift = object->shift;
	leaf->key = (struct place_key){.start = frame->symbol_start + object->shift,
				       .object = object->number,
				       .function = pk_texts_add(&places->texts, name, size),
				       .kernel = !!(frame->flags & PK_FRAME_KERNEL)};
	return leaf->key.function ? PK_OK : PK_NOMEM;
}

enum pk_status pk_places_of_stack(struct pk_places *places, const struct pk_dictionary *dictionary,
				  uint32_t index, const struct pk_frame *frame, uint64_t address,
				  uint32_t pid, uint32_t *place)
{
	struct place_key key;
	struct leaf *leaf;

	*place = 0;
	PK_TRY(pk_extend(&places->leaves, &places->leaves_count, index));
	leaf = &places->leaves[index];
	if (!leaf->known)
		PK_TRY(find_leaf(places, dictionary, frame, address, pid, leaf));
	if (!leaf->key.function)
		return PK_OK;
	key = leaf->key;
	key.address = address + leaf->shift;
	*place = pk_texts_add(&places->places, (const char *)&key, sizeof(key));
	return *place ? PK_OK : PK_NOMEM;
}

/* ---- By address ---- */

/* Returns the object of an image, or NULL if memory is exhausted. */
static struct known_object *object_of_image(struct pk_places *places,
					    const struct pk_location *location, uint32_t pid)
{
	const struct pk_image *image = location->image;
	struct known_object *known =
		pk_table_get_or_add(&places->images, image->index, sizeof(*known));
	struct pk_code_file file = {.kind = image->kind, .path = image->path};

	if (!known || known->number)
		return known;
	file.build_id.size = (uint8_t)image->build_id_size;
	memcpy(file.build_id.bytes, image->build_id, sizeof(image->build_id));
	return meet(places, &file, location->address, pid, known) == PK_OK ? known : NULL;
}

/* Sets *place to the place at a location, or to 0 if the function is unknown. */
static enum pk_status resolve(struct pk_places *places, const struct pk_location *location,
			      uint32_t pid, uint32_t *place)
{
	struct pk_place_function function = {.kernel = location->flags & PK_FRAME_KERNEL};
	struct pk_resolved resolved = {0};
	const struct known_object *object;

	*place = 0;
	pk_code_objects_resolve(places->objects, location, &resolved);
	if (!resolved.function)
		return PK_OK;
	function.name = resolved.function;
	object = object_of_image(places, location, pid);
	if (!object)
		return PK_NOMEM;
	function.object = object->number;
	function.start = resolved.symbol_start + object->shift;
	*place = pk_places_add(places, &function, location->address + object->shift);
	return *place ? PK_OK : PK_NOMEM;
}

enum pk_status pk_places_of_location(struct pk_places *places, const struct pk_location *location,
				     uint32_t pid, uint32_t *place)
{
	struct image_address key;
	uint32_t id, *known;

	*place = 0;
	if (!location->image || location->flags & PK_FRAME_GUEST)
		return PK_OK;
	key = (struct image_address){location->address, location->image->index, location->flags};
	id = pk_texts_add(&places->addresses, (const char *)&key, sizeof(key));
	known = id ? pk_table_get(&places->located, id) : NULL;
	if (!known) {
		known = id ? pk_table_get_or_add(&places->located, id, sizeof(*known)) : NULL;
		if (!known)
			return PK_NOMEM;
		PK_TRY(resolve(places, location, pid, known));
	}
	*place = *known;
	return PK_OK;
}
