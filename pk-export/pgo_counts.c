// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "branch_entry.h"
#include "locate.h"
#include "pgo_kernel.h"
#include "sample_view.h"
#include "vector.h"

/* An address: the number of its object, or 0 if it is in no object that is counted, and its offset
 * in the file. */
struct point {
	uint32_t object, offset;
};

/* ---- Objects ---- */

/* Returns the number of the object of an image, or 0 if memory is exhausted. */
static uint32_t add_object(struct pgo_counts *counts, const struct pk_image *image)
{
	const size_t size = strlen(image->path) + 1, before = counts->keys.count;
	struct pgo_object *object;
	struct buffer key = {0};
	uint32_t number = 0;

	buffer_add(&key, image->path, size);
	buffer_add(&key, image->build_id, image->build_id_size);
	if (!key.failed)
		number = pk_texts_add(&counts->keys, key.data, key.size);
	free(key.data);
	if (!number || number <= before)
		return number;
	object = pk_reserve(&counts->objects, &counts->capacity, counts->count, 1,
			    sizeof(object)) == PK_OK
			 ? calloc(1, sizeof(*object))
			 : NULL;
	if (!object)
		return 0;
	object->path = pk_texts_get(&counts->keys, number, NULL);
	object->build_id.size = (uint8_t)image->build_id_size;
	memcpy(object->build_id.bytes, image->build_id, image->build_id_size);
	object->by =
		(struct pk_mapped){(pid_t)image->pid, image->major, image->minor, image->inode};
	counts->objects[counts->count++] = object;
	return number;
}

/* Sets *number to the number of the object of an image, or to 0 if its code is not counted. */
static enum pk_status object_of(struct pgo_counts *counts, const struct pk_image *image,
				uint32_t *number)
{
	*number = 0;
	if (!image || image->kind != (counts->kernel ? PK_DSO_KERNEL : PK_DSO_FILE) || image->guest)
		return PK_OK;
	PK_TRY(pk_extend(&counts->of_images, &counts->of_images_count, image->index));
	if (!counts->of_images[image->index])
		counts->of_images[image->index] = add_object(counts, image);
	*number = counts->of_images[image->index];
	return *number ? PK_OK : PK_NOMEM;
}

/* ---- Addresses ---- */

/* Finds the place of an address that is in none of the last places, and stores it. */
static enum pk_status find_place(struct pgo_counts *counts, struct pk_view *view, uint64_t address,
				 const struct pgo_place **found)
{
	struct pgo_place *place = &counts->places[counts->next];
	const struct pk_location location =
		pk_session_locate(pk_context_session(view->context), pk_view_thread(view), address,
				  counts->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);

	PK_TRY(object_of(counts, location.image, &place->object));
	place->start = location.map_end ? location.map_start : address;
	place->end = location.map_end ? location.map_end : address + 1;
	place->shift = location.address - address;
	if (counts->kernel && place->object &&
	    !pgo_kernel_place(counts->kernel, location.image, address, place))
		place->object = 0;
	counts->next = (counts->next + 1) % PGO_PLACES;
	*found = place;
	return PK_OK;
}

static enum pk_status locate(struct pgo_counts *counts, struct pk_view *view, uint64_t address,
			     struct point *point)
{
	const struct pgo_place *place = NULL;
	uint64_t offset;

	*point = (struct point){0};
	if (address >> 63 != (counts->kernel != NULL))
		return PK_OK;
	for (size_t i = 0; i < PGO_PLACES && !place; i++)
		if (address - counts->places[i].start <
		    counts->places[i].end - counts->places[i].start)
			place = &counts->places[i];
	if (pk_unlikely(!place))
		PK_TRY(find_place(counts, view, address, &place));
	offset = address + place->shift;
	if (place->object && offset <= PGO_OFFSET_MAX)
		*point = (struct point){place->object, (uint32_t)offset};
	return PK_OK;
}

/* Forgets the places if the sample has another address space than the sample before. */
static enum pk_status select_space(struct pgo_counts *counts, struct pk_view *view)
{
	const struct pk_thread *thread = pk_view_thread(view);
	uint64_t serial;

	if (!thread)
		return PK_NOMEM;
	serial = pk_space_serial(thread->process->space);
	if (counts->serial != serial)
		memset(counts->places, 0, sizeof(counts->places));
	counts->serial = serial;
	return PK_OK;
}

/* ---- Counting ---- */

static void add_one(struct pgo_trace *trace, bool missed)
{
	trace->count++;
	if (missed && trace->missed != UINT32_MAX)
		trace->missed++;
}

/* Adds 1 to the count of a trace. Sets *index to the index of the trace, but not if the trace is
 * left out. */
static enum pk_status count(struct pgo_counts *counts, struct pgo_traces *traces,
			    const struct pgo_trace *key, uint32_t *index)
{
	const size_t before = traces->count;
	bool full = false;
	struct pgo_trace *trace = pgo_traces_get(traces, key->from, key->to, key->end,
						 before + (counts->most - counts->used), &full);

	if (pk_unlikely(!trace)) {
		counts->dropped++;
		return full ? PK_OK : PK_NOMEM;
	}
	counts->used += traces->count - before;
	add_one(trace, key->missed);
	*index = (uint32_t)(trace - traces->items);
	return PK_OK;
}

/* Counts a branch, and stores in *recent what was counted. A branch between two objects is counted
 * in both, and is not stored. */
static enum pk_status count_branch(struct pgo_counts *counts, struct pk_view *view, bool missed,
				   struct pgo_recent *recent)
{
	struct pgo_trace trace = {PGO_NONE, PGO_NONE, PGO_NONE, missed, 0};
	uint32_t index = PGO_NONE;
	struct point from, to, next;

	PK_TRY(locate(counts, view, recent->from, &from));
	PK_TRY(locate(counts, view, recent->to, &to));
	PK_TRY(locate(counts, view, recent->next, &next));
	if (to.object) {
		trace.to = to.offset;
		if (from.object == to.object)
			trace.from = from.offset;
		if (next.object == to.object && next.offset >= to.offset)
			trace.end = next.offset;
		counts->objects[to.object - 1]->branches++;
		PK_TRY(count(counts, &counts->objects[to.object - 1]->traces, &trace, &index));
	}
	if (!from.object || from.object == to.object) {
		recent->object = index == PGO_NONE ? 0 : to.object;
		recent->trace = index;
		return PK_OK;
	}
	recent->object = 0;
	trace = (struct pgo_trace){from.offset, PGO_NONE, PGO_NONE, missed, 0};
	counts->objects[from.object - 1]->branches++;
	return count(counts, &counts->objects[from.object - 1]->traces, &trace, &index);
}

/* Returns the entry for a branch. If the entry belongs to another branch, empties it. */
static struct pgo_recent *recent_of(struct pgo_counts *counts, uint64_t from, uint64_t to,
				    uint64_t next)
{
	const uint64_t hash =
		(from ^ to << 16 ^ next << 32 ^ next >> 16) * UINT64_C(0x9e3779b97f4a7c15);
	struct pgo_recent *recent = &counts->recent[hash >> 32 & (PGO_RECENT - 1)];

	if (recent->from != from || recent->to != to || recent->next != next ||
	    recent->serial != counts->serial)
		*recent = (struct pgo_recent){counts->serial, from, to, next, 0, 0};
	return recent;
}

static enum pk_status count_branches(struct pgo_counts *counts, struct pk_view *view,
				     const struct pk_u64s *branches)
{
	const bool all = pk_has_all_branches(&view->event->attr);
	const bool join = counts->join_interrupts && !counts->kernel;
	uint64_t next = 0;

	counts->samples++;
	counts->partial += !all;
	for (uint64_t i = 0; i < branches->count; i++) {
		const struct pk_branch branch = pk_branch_at(branches, i);
		const bool missed = branch.flags & PK_BRANCH_MISPREDICTED;
		struct pgo_recent *recent;

		if (join && (branch.from | branch.to) >> 63)
			continue;
		counts->branches++;
		recent = recent_of(counts, branch.from, branch.to, next);
		if (pk_likely(recent->object)) {
			struct pgo_object *object = counts->objects[recent->object - 1];

			object->branches++;
			add_one(&object->traces.items[recent->trace], missed);
		} else {
			PK_TRY(count_branch(counts, view, missed, recent));
		}
		if (all)
			next = branch.from;
	}
	return PK_OK;
}

static enum pk_status count_address(struct pgo_counts *counts, struct pk_view *view,
				    uint32_t series)
{
	const struct pk_location location = pk_view_location(view);
	struct pgo_trace trace = {.to = series};
	struct point point;
	uint32_t index;

	counts->branchless++;
	if (view->context->failed)
		return PK_NOMEM;
	if (location.flags != (counts->kernel ? PK_FRAME_KERNEL : PK_FRAME_USER))
		return PK_OK;
	PK_TRY(locate(counts, view, location.ip, &point));
	if (!point.object)
		return PK_OK;
	trace.from = point.offset;
	return count(counts, &counts->objects[point.object - 1]->addresses, &trace, &index);
}

enum pk_status pgo_counts_add(struct pgo_counts *counts, const struct export_samples *samples,
			      const struct export_sample *export)
{
	struct pk_view *view = export->view;
	const struct pk_sample *sample;

	if (counts->session != samples->sessions) {
		free(counts->of_images);
		counts->of_images = NULL;
		counts->of_images_count = 0;
		counts->serial = 0;
		memset(counts->recent, 0, sizeof(counts->recent));
		counts->session = samples->sessions;
	}
	/* A sample with the counters of a group is passed once for each event of the group. */
	if (counts->record == samples->tail.profile.bytes)
		return PK_OK;
	counts->record = samples->tail.profile.bytes;
	sample = pk_view_sample(view);
	if (!sample)
		return PK_OK;
	PK_TRY(select_space(counts, view));
	return sample->branches.count && !counts->only_addresses
		       ? count_branches(counts, view, &sample->branches)
		       : count_address(counts, view, export->series);
}

void pgo_counts_free(struct pgo_counts *counts)
{
	for (size_t i = 0; i < counts->count; i++) {
		pgo_traces_free(&counts->objects[i]->traces);
		pgo_traces_free(&counts->objects[i]->addresses);
		free(counts->objects[i]);
	}
	free(counts->objects);
	free(counts->of_images);
	pk_texts_free(&counts->keys);
}
