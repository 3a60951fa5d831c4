// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "frames_internal.h"

void pk_frames_forget(struct pk_frames *frames)
{
	free(frames->known);
	pk_table_free(&frames->numbers);
	free(frames->ids);
	free(frames->dsos);
	free(frames->comms);
	frames->known = NULL;
	frames->ids = NULL;
	frames->ids_room = frames->ids_count = 0;
	frames->dsos = frames->comms = NULL;
	frames->known_capacity = frames->known_count = 0;
	frames->dsos_capacity = frames->comms_capacity = 0;
}

/* Room for index in an array of ids; what is new is 0. */
static bool reserve_ids(uint32_t **ids, uint32_t *capacity, uint32_t index)
{
	size_t wanted = pk_pow2_above((size_t)index + 1);
	uint32_t *grown;

	if (index < *capacity)
		return true;
	grown = realloc(*ids, wanted * sizeof(*grown));
	if (!grown)
		return false;
	memset(grown + *capacity, 0, (wanted - *capacity) * sizeof(*grown));
	*ids = grown;
	*capacity = (uint32_t)wanted;
	return true;
}

/* Every id of the dictionary passes through here: 0 tells of exhausted memory, but in a frame it
 * would say that nothing is known. */
static uint32_t check(struct pk_frames *frames, uint32_t id)
{
	frames->failed |= !id;
	return id;
}

static uint32_t intern_dso(struct pk_frames *frames, enum pk_dso_kind kind, const char *path,
			   const struct pk_image *build)
{
	struct pk_dso dso = {.kind = kind};

	dso.path = check(frames, pk_dictionary_string(frames->dictionary, path, strlen(path)));
	if (!dso.path)
		return 0;
	if (build) {
		dso.build_id_size = build->build_id_size;
		memcpy(dso.build_id, build->build_id, sizeof(dso.build_id));
	}
	return check(frames, pk_dictionary_dso(frames->dictionary, &dso));
}

static uint32_t image_dso(struct pk_frames *frames, const struct pk_image *image)
{
	if (!reserve_ids(&frames->dsos, &frames->dsos_capacity, image->index))
		return check(frames, 0);
	if (!frames->dsos[image->index])
		frames->dsos[image->index] = intern_dso(frames, image->kind, image->path, image);
	return frames->dsos[image->index];
}

/* A symbol of another module than the map says: kallsyms knows better. */
static uint32_t module_dso(struct pk_frames *frames, const char *module)
{
	char path[128] = "[";
	size_t length = strnlen(module, sizeof(path) - 3);

	memcpy(path + 1, module, length);
	path[length + 1] = ']';
	return intern_dso(frames, PK_DSO_MODULE, path, NULL);
}

/* Takes a frame into ids, behind those that are there. False: out of memory. */
static bool add(struct pk_frames *frames, const struct pk_frame *frame)
{
	const size_t room = frames->ids_room ? 2 * frames->ids_room : 1024;
	uint32_t id = pk_dictionary_frame(frames->dictionary, frame), *ids;

	if (frames->ids_count == frames->ids_room) {
		ids = realloc(frames->ids, room * sizeof(*ids));
		if (!ids)
			return false;
		frames->ids = ids;
		frames->ids_room = room;
	}
	frames->ids[frames->ids_count++] = id;
	return id;
}

static uint32_t intern(struct pk_frames *frames, const char *text)
{
	return text ? check(frames, pk_dictionary_string(frames->dictionary, text, strlen(text)))
		    : 0;
}

/* What is inlined shares the address, and where the function begins, with the one it is in. */
static bool add_inlined(struct pk_frames *frames, struct pk_frame frame,
			const struct pk_inlined *inlined)
{
	frame.function = intern(frames, inlined->function);
	frame.file = intern(frames, inlined->file);
	frame.line = inlined->line;
	frame.column = inlined->column;
	frame.flags |= PK_FRAME_INLINED;
	return add(frames, &frame);
}

/* Of code of the kernel that its map does not cover, such as that of its start, too. */
static uint32_t dso_of(struct pk_frames *frames, const struct pk_location *location,
		       const struct pk_resolved *resolved)
{
	if (resolved->module)
		return module_dso(frames, resolved->module);
	if (location->image)
		return image_dso(frames, location->image);
	if (location->flags == PK_FRAME_KERNEL && resolved->function)
		return intern_dso(frames, PK_DSO_KERNEL, "[kernel.kallsyms]", NULL);
	return 0;
}

static void fill(struct pk_frames *frames, const struct pk_location *location,
		 const struct pk_resolved *resolved, struct pk_frame *frame)
{
	*frame = (struct pk_frame){.address = location->address,
				   .dso = dso_of(frames, location, resolved),
				   .flags = location->flags,
				   .line = resolved->line,
				   .column = resolved->column};
	if (resolved->function) {
		frame->function =
			check(frames, pk_dictionary_string(frames->dictionary, resolved->function,
							   resolved->function_size));
		frame->symbol_start = resolved->symbol_start;
	}
	frame->file = intern(frames, resolved->file);
	if (location->image && location->image->kind == PK_DSO_JIT)
		frame->flags |= PK_FRAME_JIT;
}

static struct pk_found_frame make(struct pk_frames *frames, const struct pk_location *location)
{
	const size_t first = frames->ids_count;
	struct pk_resolved resolved = {0};
	struct pk_found_frame found = {0};
	struct pk_frame frame;
	bool ok = true;

	frames->failed = false;
	if (frames->resolve)
		frames->resolve(frames->arg, location, &resolved);
	fill(frames, location, &resolved, &frame);
	for (size_t i = 0; ok && i < resolved.inlined_count; i++)
		ok = add_inlined(frames, frame, &resolved.inlined[i]);
	found.unresolved = !frame.function;
	found.retry = resolved.retry;
	found.interrupts = resolved.interrupts;
	if (found.unresolved)
		frame.flags |= PK_FRAME_UNRESOLVED;
	if (ok && !frames->failed && add(frames, &frame)) {
		found.ids = frames->ids + first;
		found.count = (uint16_t)(frames->ids_count - first);
	} else {
		frames->ids_count = first;
	}
	return found;
}

static const struct pk_known_frame *find(const struct pk_frames *frames,
					 const struct pk_location *location, uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&frames->numbers, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		const struct pk_known_frame *known = &frames->known[number - 1];

		if (known->address == location->address && known->image == location->image &&
		    known->flags == location->flags && known->called == location->called)
			return known;
	}
	return NULL;
}

static uint64_t hash_of(struct pk_frames *frames, const struct pk_location *location)
{
	const uint64_t image = (uintptr_t)location->image,
		       flags = location->flags | (uint64_t)location->called << 32,
		       secret = pk_table_secret(&frames->numbers);

	return pk_mix64(location->address ^ secret,
			pk_mix64(image ^ secret, flags ^ UINT64_C(0xe7037ed1a0b428db)));
}

/* False: out of memory. */
static bool remember(struct pk_frames *frames, const struct pk_location *location, uint64_t hash,
		     const struct pk_found_frame *found)
{
	if (!pk_reserve(&frames->known, &frames->known_capacity, frames->known_count, 1,
			sizeof(*frames->known)) ||
	    !pk_table_add(&frames->numbers, hash, frames->known_count + 1))
		return false;
	frames->known[frames->known_count++] =
		(struct pk_known_frame){.image = location->image,
					.address = location->address,
					.flags = location->flags,
					.first = (uint32_t)(found->ids - frames->ids),
					.count = found->count,
					.called = location->called,
					.unresolved = found->unresolved,
					.interrupts = found->interrupts};
	return true;
}

struct pk_found_frame pk_frames_find(struct pk_frames *frames, const struct pk_location *location)
{
	const uint64_t hash = hash_of(frames, location);
	const struct pk_known_frame *known = find(frames, location, hash);
	struct pk_found_frame found;

	if (known)
		return (struct pk_found_frame){frames->ids + known->first, known->count,
					       known->unresolved, false, known->interrupts};
	found = make(frames, location);
	if (!found.count)
		return found;
	if (found.retry)
		frames->ids_count -= found.count;
	else if (!remember(frames, location, hash, &found))
		found.count = 0;
	return found;
}

uint32_t pk_frames_comm(struct pk_frames *frames, const struct pk_session *session, uint32_t comm)
{
	struct pk_frame frame = {.flags = PK_FRAME_COMM};
	const char *text;

	if (!reserve_ids(&frames->comms, &frames->comms_capacity, comm))
		return 0;
	if (!frames->comms[comm]) {
		text = pk_session_comm(session, comm);
		frame.function = pk_dictionary_string(frames->dictionary, text, strlen(text));
		if (frame.function)
			frames->comms[comm] = pk_dictionary_frame(frames->dictionary, &frame);
	}
	return frames->comms[comm];
}
