// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "nameless_objects.h"
#include "object_names.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "vector.h"

#define PERCENT_MIN 5 /* a smaller share of samples is not reported */

/* The index of an object among the DSOs of the dictionary plus 2, or one of these. */
enum { NOT_SEARCHED, NONE, FIRST };

enum cause { NO_FILE, NO_SYMBOLS, DENIED, CAUSES };

struct pk_nameless_objects {
	const struct pk_dictionary *dictionary;
	uint32_t *objects; /* for each stack of the dictionary; the first one has index 0 */
	size_t objects_capacity;
	uint64_t *counts; /* samples, for each DSO of the dictionary */
	size_t counts_capacity;
	/* The indexes of the stacks that are searched now. */
	uint32_t *path;
	size_t path_capacity;
	uint64_t samples; /* all samples since the start of the session */
	bool reported[CAUSES];
};

struct pk_nameless_objects *pk_nameless_objects_new(const struct pk_dictionary *dictionary)
{
	struct pk_nameless_objects *nameless = calloc(1, sizeof(*nameless));

	if (nameless)
		nameless->dictionary = dictionary;
	return nameless;
}

void pk_nameless_objects_free(struct pk_nameless_objects *nameless)
{
	if (!nameless)
		return;
	free(nameless->objects);
	free(nameless->counts);
	free(nameless->path);
	free(nameless);
}

void pk_nameless_objects_forget(struct pk_nameless_objects *nameless)
{
	if (nameless->objects)
		memset(nameless->objects, 0,
		       nameless->objects_capacity * sizeof(*nameless->objects));
	if (nameless->counts)
		memset(nameless->counts, 0, nameless->counts_capacity * sizeof(*nameless->counts));
	nameless->samples = 0;
}

/* ---- Stacks ---- */

static uint32_t object_of_frame(const struct pk_nameless_objects *nameless, uint32_t id)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(nameless->dictionary, id);

	if (!frame || !frame->dso || !(frame->flags & PK_FRAME_UNRESOLVED) ||
	    frame->flags & PK_FRAME_GUEST)
		return NOT_SEARCHED;
	return FIRST + frame->dso - pk_dictionary_dsos(nameless->dictionary).base - 1;
}

/* Finds the object of the stack whose index in `objects` is given, and that of its callers up to
 * this object. */
static enum pk_status search(struct pk_nameless_objects *nameless, uint32_t base, uint32_t index)
{
	uint32_t id = base + 1 + index, end = UINT32_MAX; /* callers have smaller ids */
	uint32_t found = NOT_SEARCHED;
	size_t count = 0;

	PK_TRY(pk_extend(&nameless->objects, &nameless->objects_capacity, index));
	while (!found && id > base && id < end) {
		const struct pk_stack *stack = pk_dictionary_get_stack(nameless->dictionary, id);

		found = nameless->objects[id - base - 1];
		if (found || !stack)
			break;
		PK_TRY(pk_reserve(&nameless->path, &nameless->path_capacity, count, 1,
				  sizeof(*nameless->path)));
		nameless->path[count++] = id - base - 1;
		found = object_of_frame(nameless, stack->frame);
		end = id;
		id = stack->parent;
	}
	while (count)
		nameless->objects[nameless->path[--count]] = found ? found : NONE;
	return PK_OK;
}

enum pk_status pk_nameless_objects_count(struct pk_nameless_objects *nameless, uint32_t stack)
{
	const struct pk_id_range range = pk_dictionary_stacks(nameless->dictionary);
	const uint32_t index = stack - range.base - 1;
	uint32_t object;

	nameless->samples++;
	if (index >= range.count)
		return PK_OK;
	if (pk_unlikely(index >= nameless->objects_capacity || !nameless->objects[index]))
		PK_TRY(search(nameless, range.base, index));
	object = nameless->objects[index];
	if (pk_likely(object == NONE))
		return PK_OK;
	PK_TRY(pk_extend(&nameless->counts, &nameless->counts_capacity, object - FIRST));
	nameless->counts[object - FIRST]++;
	return PK_OK;
}

/* ---- Objects ---- */

/* The objects with the most samples for which a cause holds. */
struct named {
	uint64_t samples[PK_OBJECTS_NAMED], all;
	uint32_t ids[PK_OBJECTS_NAMED];
	size_t count; /* of all objects */
};

static void add(struct named *named, uint32_t id, uint64_t samples)
{
	size_t i = named->count < PK_OBJECTS_NAMED ? named->count : PK_OBJECTS_NAMED;

	named->count++;
	named->all += samples;
	for (; i && named->samples[i - 1] < samples; i--)
		if (i < PK_OBJECTS_NAMED) {
			named->samples[i] = named->samples[i - 1];
			named->ids[i] = named->ids[i - 1];
		}
	if (i < PK_OBJECTS_NAMED) {
		named->samples[i] = samples;
		named->ids[i] = id;
	}
}

static const char *path_of(const struct pk_nameless_objects *nameless, const struct pk_dso *dso)
{
	const char *path =
		dso->path ? pk_dictionary_get_string(nameless->dictionary, dso->path, NULL) : NULL;

	return path ? path : "";
}

/* Returns CAUSES if the cause has a message of its own, or if there is none. */
static enum cause cause_of(const struct pk_nameless_objects *nameless, struct resolver *resolver,
			   const struct pk_dso *dso)
{
	struct pk_image image = {.kind = (enum pk_dso_kind)dso->kind, .code = true};
	struct pk_object *object;

	if (dso->kind == PK_DSO_KERNEL || dso->kind == PK_DSO_MODULE)
		return pk_resolver_kernel(resolver) ? CAUSES : NO_FILE;
	if (dso->kind != PK_DSO_FILE)
		return CAUSES;
	image.path = image.name = path_of(nameless, dso);
	image.build_id_size = dso->build_id_size;
	memcpy(image.build_id, dso->build_id, sizeof(image.build_id));
	object = pk_resolver_open(resolver, &image);
	if (!object)
		return NO_FILE;
	switch (pk_object_state(object)) {
	case PK_OBJECT_NO_FILE: return NO_FILE;
	case PK_OBJECT_DENIED: return DENIED;
	case PK_OBJECT_READY:
	case PK_OBJECT_STRIPPED: return NO_SYMBOLS;
	default: return CAUSES;
	}
}

static void warn_of(const struct pk_nameless_objects *nameless, enum cause cause,
		    const struct named *named, struct pk_messages *messages)
{
	static const char *const texts[CAUSES] = {
		[NO_FILE] = ("not found here; pk-archive packs such files on the machine of the "
			     "recording"),
		[NO_SYMBOLS] = "symbols are missing; install debug symbols, or set DEBUGINFOD_URLS",
		[DENIED] =
			"may not be read by this user; pk-symbolize as root can read such files"};
	const struct pk_object_names names =
		pk_object_names(nameless->dictionary, named->ids, named->count);

	pk_messages_warn(messages, "%s: %s", names.text, texts[cause]);
}

void pk_nameless_objects_report(struct pk_nameless_objects *nameless, struct resolver *resolver,
				struct pk_messages *messages)
{
	const struct pk_id_range dsos = pk_dictionary_dsos(nameless->dictionary);
	struct named named[CAUSES + 1] = {0};

	for (uint32_t i = 0; i < dsos.count && i < nameless->counts_capacity; i++) {
		const uint32_t id = dsos.base + 1 + i;
		const struct pk_dso *dso = pk_dictionary_get_dso(nameless->dictionary, id);

		if (nameless->counts[i] && dso)
			add(&named[cause_of(nameless, resolver, dso)], id, nameless->counts[i]);
	}
	for (int cause = 0; cause < CAUSES; cause++)
		if (named[cause].all && 100 * named[cause].all >= PERCENT_MIN * nameless->samples &&
		    !nameless->reported[cause]) {
			nameless->reported[cause] = true;
			warn_of(nameless, (enum cause)cause, &named[cause], messages);
		}
	pk_nameless_objects_forget(nameless);
}
