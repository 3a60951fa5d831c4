// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "frames.h"
#include "pkutil.h"
#include "stacks.h"
#include "vector.h"

#define IDS_MAX ((size_t)16 << 20) /* the limit for pk_frames.ids, which is 64 MiB */

void pk_frames_forget_locations(struct pk_frames *frames)
{
	pk_code_ranges_free(&frames->ranges);
	free(frames->recent);
	frames->recent = NULL;
	frames->ids_count = 0;
	frames->stale = false;
	frames->generation++;
}

void pk_frames_forget(struct pk_frames *frames)
{
	pk_frames_forget_locations(frames);
	free(frames->ids);
	free(frames->dsos);
	free(frames->comms);
	frames->ids = NULL;
	frames->ids_room = 0;
	frames->dsos = frames->comms = NULL;
	frames->dsos_capacity = frames->comms_capacity = 0;
}

/* Sets failed if an id from the dictionary is 0, because this means that memory is exhausted. In a
 * frame, 0 would mean "unknown". Returns the id. */
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
	if (pk_extend(&frames->dsos, &frames->dsos_capacity, image->index) != PK_OK)
		return check(frames, 0);
	if (!frames->dsos[image->index])
		frames->dsos[image->index] = intern_dso(frames, image->kind, image->name, image);
	return frames->dsos[image->index];
}

/* Returns the DSO for a symbol if kallsyms and the map name different modules. kallsyms is correct.
 */
static uint32_t module_dso(struct pk_frames *frames, const char *module)
{
	char path[128] = "[";
	size_t length = strnlen(module, sizeof(path) - 3);

	memcpy(path + 1, module, length);
	path[length + 1] = ']';
	return intern_dso(frames, PK_DSO_MODULE, path, NULL);
}

/* Adds a frame to ids. */
static enum pk_status add_frame(struct pk_frames *frames, const struct pk_frame *frame)
{
	uint32_t id = pk_dictionary_frame(frames->dictionary, frame);

	PK_TRY(pk_reserve(&frames->ids, &frames->ids_room, frames->ids_count, 1,
			  sizeof(*frames->ids)));
	frames->ids[frames->ids_count++] = id;
	return id ? PK_OK : PK_NOMEM;
}

static uint32_t intern(struct pk_frames *frames, const char *text)
{
	return text ? check(frames, pk_dictionary_string(frames->dictionary, text, strlen(text)))
		    : 0;
}

/* Adds the frame of an inlined function. It has the address and the symbol start of the function
 * into which it is inlined. */
static enum pk_status add_inlined(struct pk_frames *frames, struct pk_frame frame,
				  const struct pk_inlined *inlined)
{
	frame.function = intern(frames, inlined->function);
	frame.file = intern(frames, inlined->file);
	frame.line = inlined->line;
	frame.column = inlined->column;
	frame.flags |= PK_FRAME_INLINED;
	return add_frame(frames, &frame);
}

/* Returns the DSO of a frame. Returns 0 if there is none or memory is exhausted. Kernel code that
 * is in no map, such as startup code, gets the DSO of the kernel if it has a symbol. */
static uint32_t dso_of(struct pk_frames *frames, const struct pk_location *location,
		       const struct pk_resolved *resolved)
{
	if (resolved->module)
		return module_dso(frames, resolved->module);
	if (location->image)
		return image_dso(frames, location->image);
	if (pk_kernel_name(location->flags) && resolved->function)
		return intern_dso(frames, PK_DSO_KERNEL, pk_kernel_name(location->flags), NULL);
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
	if (frames->calls)
		frame->address =
			pk_call_address(frame->address, frame->symbol_start, location->called);
	if (!frames->addresses) {
		frame->address = frame->symbol_start;
		frame->flags |= PK_FRAME_FUNCTION;
	}
	frame->file = intern(frames, resolved->file);
	if (location->image && location->image->kind == PK_DSO_JIT)
		frame->flags |= PK_FRAME_JIT;
}

/* Resolves the location. Sets *same to the range of addresses that have the same frames. */
static struct pk_found_frame make(struct pk_frames *frames, const struct pk_location *location,
				  struct pk_range *same)
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
		ok = add_inlined(frames, frame, &resolved.inlined[i]) == PK_OK;
	found.retry = resolved.retry;
	found.local = resolved.local;
	frames->stale |= resolved.appeared;
	found.frames.unresolved = !frame.function;
	found.frames.interrupts = resolved.interrupts;
	*same = frames->addresses || !pk_range_has(&resolved.same, location->address)
			? pk_range_of_one(location->address)
			: resolved.same;
	if (!frame.function)
		frame.flags |= PK_FRAME_UNRESOLVED;
	if (!ok || frames->failed || add_frame(frames, &frame) != PK_OK) {
		frames->ids_count = first;
		return found;
	}
	found.frames.count = (uint16_t)(frames->ids_count - first);
	found.frames.frames = (uint32_t)first;
	if (found.frames.count == 1) {
		found.frames.frames = frames->ids[first];
		frames->ids_count = first;
	}
	return found;
}

/* Returns true if the image has no name for the location, but its process has a name
 * (pk_resolved.local). */
static bool has_local_name(struct pk_frames *frames, const struct pk_location *location,
			   struct pk_found_frame *found)
{
	struct pk_location nameless = *location;
	struct pk_resolved resolved = {0};

	if (!frames->resolve || !location->image || location->image->kind != PK_DSO_FILE)
		return false;
	nameless.nameless = true;
	frames->resolve(frames->arg, &nameless, &resolved);
	frames->stale |= resolved.appeared;
	found->retry = resolved.retry;
	return resolved.function;
}

static struct pk_found_frame find_location(struct pk_frames *frames,
					   const struct pk_location *location)
{
	const struct pk_code_range *range = pk_code_ranges_find(&frames->ranges, location);
	struct pk_found_frame found = {0};
	struct pk_range same;

	if (pk_likely(range)) {
		found.frames = *range;
		if (pk_likely(!range->unresolved) || !has_local_name(frames, location, &found))
			return found;
	}
	if (pk_unlikely(pk_code_ranges_full(&frames->ranges) || frames->ids_count > IDS_MAX))
		pk_frames_forget_locations(frames);
	found = make(frames, location, &same);
	if (!found.frames.count)
		return found;
	if (found.retry)
		frames->ids_count -= found.frames.count > 1 ? found.frames.count : 0;
	else if (!found.local &&
		 pk_code_ranges_add(&frames->ranges, location, &same, found.frames) != PK_OK)
		found.frames.count = 0;
	return found;
}

struct pk_found_frame pk_frames_locate(struct pk_frames *frames, const struct pk_session *session,
				       const struct pk_thread *thread,
				       const struct pk_frame_key *key)
{
	const size_t count = (size_t)1 << PK_RECENT_SHIFT;
	struct pk_location location =
		pk_session_locate(session, thread, key->ip, pk_context_mode_of(key->context));
	struct pk_found_frame found;

	location.called = key->context & 1;
	found = find_location(frames, &location);
	if (pk_unlikely(!frames->recent)) {
		frames->recent = calloc(count, sizeof(*frames->recent));
		if (frames->recent)
			pk_use_large_pages(frames->recent, count * sizeof(*frames->recent));
	}
	if (!found.retry && frames->recent)
		*pk_recent_of(frames, key) =
			(struct pk_recent){key->ip, key->maps, key->context, found.frames};
	return found;
}

uint32_t pk_frames_comm(struct pk_frames *frames, const struct pk_session *session, uint32_t comm)
{
	struct pk_frame frame = {.flags = PK_FRAME_COMM};
	const char *text;

	if (pk_extend(&frames->comms, &frames->comms_capacity, comm) != PK_OK)
		return 0;
	if (!frames->comms[comm]) {
		text = pk_session_comm(session, comm);
		frame.function = pk_dictionary_string(frames->dictionary, text, strlen(text));
		if (frame.function)
			frames->comms[comm] = pk_dictionary_frame(frames->dictionary, &frame);
	}
	return frames->comms[comm];
}

uint32_t pk_frames_truncated(struct pk_dictionary *dictionary)
{
	static const char text[] = "[stack truncated]";
	const struct pk_frame frame = {
		.function = pk_dictionary_string(dictionary, text, sizeof(text) - 1),
		.flags = PK_FRAME_USER | PK_FRAME_TRUNCATED,
	};

	return frame.function ? pk_dictionary_frame(dictionary, &frame) : 0;
}
