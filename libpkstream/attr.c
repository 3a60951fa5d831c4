// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "events.h"
#include "pkprivate.h"
#include "vector.h"

#define EVENTS_MAX 65536 /* perf has the same limit */

size_t pk_events_count(const struct pk_events *events)
{
	return events->count;
}

const struct pk_event *pk_events_at(const struct pk_events *events, size_t index)
{
	return index < events->count ? &events->list[index]->event : NULL;
}

void pk_events_clear(struct pk_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		free((void *)events->list[i]->event.ids);
		free(events->list[i]->name);
		free(events->list[i]->arguments);
		free(events->list[i]);
	}
	free(events->list);
	pk_table_free(&events->ids);
	memset(events, 0, sizeof(*events));
}

/* ---- ids ---- */

/* If two events have the same id, the id belongs to the first of these events. */
static enum pk_status add_id(struct pk_events *events, uint64_t id, struct pk_event *event)
{
	return !id || pk_table_get(&events->ids, id) ? PK_OK
						     : pk_table_set(&events->ids, id, event);
}

const struct pk_event *pk_events_by_id(const struct pk_events *events, uint64_t id)
{
	return pk_table_get(&events->ids, id);
}

static const struct pk_event *cached_by_id(struct pk_events *events, uint64_t id)
{
	const size_t entry = id % (sizeof(events->recent) / sizeof(events->recent[0]));

	if (pk_unlikely(!events->recent[entry].event || events->recent[entry].id != id)) {
		events->recent[entry].event =
			id ? pk_events_by_id(events, id) : &events->list[0]->event;
		events->recent[entry].id = id;
	}
	return events->recent[entry].event;
}

/* ---- The event of a record (SPEC 4.4) ---- */

static uint16_t sample_id_place(const struct pk_layout *layout)
{
	return layout->identifier ? layout->identifier : layout->id;
}

static uint16_t trailer_id_place(const struct pk_layout *layout)
{
	return layout->trailer.identifier ? layout->trailer.identifier : layout->trailer.id;
}

static uint64_t load_id(const uint8_t *p, bool swapped)
{
	uint64_t id = pk_load_u64(p);

	return swapped ? __builtin_bswap64(id) : id;
}

/* The id can be at a different offset in the records of each event. So an id is accepted only if it
 * is at the offset that its event uses. Sets *zero if the number at the offset of the first event's
 * id is 0. No event has the id 0. */
static const struct pk_event *search_places(struct pk_events *events, const uint8_t *data,
					    bool sample, uint16_t size, bool swapped, bool *zero)
{
	const struct pk_layout *first = &events->list[0]->event.layout;
	const uint16_t first_place = sample ? sample_id_place(first) : trailer_id_place(first);
	unsigned int places = sample ? events->sample_places : events->trailer_places;

	for (uint16_t place = 8; places >>= 1; place += 8) {
		const struct pk_event *owner;
		uint64_t id;

		if (!(places & 1) || place + 8 > size)
			continue;
		id = load_id(data + (sample ? place : size - place), swapped);
		*zero |= !id && place == first_place;
		owner = pk_events_by_id(events, id);
		if (owner && place == (sample ? sample_id_place(&owner->layout)
					      : trailer_id_place(&owner->layout)))
			return owner;
	}
	return NULL;
}

static bool is_one_place(uint8_t places)
{
	return !(places & (places - 1));
}

static const struct pk_event *find_event(struct pk_events *events, const uint8_t *data, bool sample,
					 uint16_t size, bool swapped)
{
	const struct pk_event *first = &events->list[0]->event, *found;
	uint16_t place;
	bool zero = false;

	if (!is_one_place(sample ? events->sample_places : events->trailer_places)) {
		found = search_places(events, data, sample, size, swapped, &zero);
		return !found && zero ? first : found;
	}
	place = sample ? sample_id_place(&first->layout) : trailer_id_place(&first->layout);
	if (!place)
		return first; /* no event has an id */
	if (place + 8 > size)
		return NULL;
	return cached_by_id(events, load_id(data + (sample ? place : size - place), swapped));
}

const struct pk_event *pk_events_of(struct pk_events *events, const uint8_t *data, uint32_t type,
				    uint16_t size, bool swapped)
{
	bool sample = type == PERF_RECORD_SAMPLE;
	const struct pk_event *event;

	if (!events->count || type >= PERF_RECORD_USER_START)
		return NULL;
	if (events->read == 1)
		return &events->list[0]->event;
	event = find_event(events, data, sample, size, swapped);
	/* A SAMPLE can be decoded only with the layout of its own event. For other records, the
	 * event determines only the trailer, so the first event is used. */
	return event || sample ? event : &events->list[0]->event;
}

/* ---- HEADER_ATTR ---- */

/* The bitfields of a big-endian writer start at the highest bit (SPEC 8.2). Converts them to the
 * order of a little-endian writer, which is also the order of PERF_ATTR_*. */
static uint64_t canonical_flags(uint64_t flags)
{
	uint64_t mirrored = 0, precise;

	if (!PK_HOST_IS_BIG)
		return flags;
	for (int bit = 0; bit < 64; bit++)
		mirrored |= ((flags >> bit) & 1) << (63 - bit);
	precise = (flags >> (62 - PERF_ATTR_PRECISE_IP_SHIFT)) & 3;
	return (mirrored & ~PERF_ATTR_PRECISE_IP_MASK) | precise << PERF_ATTR_PRECISE_IP_SHIFT;
}

/* Copies an attr of size bytes (64 or more) in host layout into *attr. */
static void load_attr(const uint8_t *data, size_t size, struct perf_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	memcpy(attr, data, size < sizeof(*attr) ? size : sizeof(*attr));
	attr->size = (uint32_t)size;
	attr->flags = canonical_flags(attr->flags);
}

static void note_places(struct pk_events *events, const struct pk_layout *layout)
{
	events->sample_places |= (uint8_t)(1 << sample_id_place(layout) / 8);
	events->trailer_places |= (uint8_t)(1 << trailer_id_place(layout) / 8);
	memset(events->recent, 0, sizeof(events->recent));
}

static enum pk_status append(struct pk_events *events, struct pk_event_state *state)
{
	PK_TRY(pk_reserve(&events->list, &events->capacity, events->count, 1,
			  sizeof(*events->list)));
	state->event.index = (uint32_t)events->count;
	events->list[events->count++] = state;
	return PK_OK;
}

static enum pk_status set_ids(struct pk_events *events, struct pk_event *event, const uint8_t *data,
			      size_t count)
{
	uint64_t *ids = malloc((count ? count : 1) * sizeof(*ids));

	if (!ids)
		return PK_NOMEM;
	event->ids = ids;
	event->ids_count = count;
	for (size_t i = 0; i < count; i++) {
		ids[i] = pk_load_u64(data + 8 * i);
		PK_TRY(add_id(events, ids[i], event));
	}
	return PK_OK;
}

/* Returns true if an earlier HEADER_ATTR has defined the first id. This happens in the output of
 * perf inject: if it runs twice, the output has each HEADER_ATTR twice. */
static bool is_repeated(const struct pk_events *events, const uint8_t *ids, size_t count)
{
	return count && pk_load_u64(ids) && pk_events_by_id(events, pk_load_u64(ids));
}

enum pk_status pk_events_add(struct pk_events *events, const struct pk_record *record,
			     const char **problem)
{
	const struct perf_record_header_attr *header = (const void *)record->data;
	const uint8_t *attr = (const uint8_t *)&header->attr;
	size_t room = record->size - sizeof(header->header), size = header->attr.size, ids;
	struct pk_event_state *state;

	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > room || size % 8) {
		*problem = "attr has an impossible size";
		return PK_CORRUPT;
	}
	if ((room - size) % 8) {
		*problem = "the ids after the attr are not a multiple of 8 bytes";
		return PK_CORRUPT;
	}
	if (events->count == EVENTS_MAX) {
		*problem = "more than 65536 events";
		return PK_CORRUPT;
	}
	ids = (room - size) / 8;
	if (is_repeated(events, attr + size, ids)) {
		*problem = "an event with this id is defined already";
		return PK_CORRUPT;
	}
	state = calloc(1, sizeof(*state));
	if (!state)
		return PK_NOMEM;
	if (append(events, state) != PK_OK) {
		free(state);
		return PK_NOMEM;
	}
	events->read++;
	load_attr(attr, size, &state->event.attr);
	pk_event_derive_name(&state->event.attr, state->derived, sizeof(state->derived));
	state->event.name = state->derived;
	pk_event_set_layout(&state->event);
	if (state->event.attr.sample_type & PK_SAMPLE_UNKNOWN)
		*problem =
			"attr has unknown sample fields; only the fields before them are decoded";
	note_places(events, &state->event.layout);
	return set_ids(events, &state->event, attr + size, ids);
}

/* ---- Names ---- */

static enum pk_status set_name(struct pk_event_state *state, const uint8_t *text, size_t size)
{
	char *name = strndup((const char *)text, size);

	if (!name)
		return PK_NOMEM;
	free(state->name);
	state->name = name;
	state->event.name = name;
	pk_event_set_layout(&state->event);
	return PK_OK;
}

enum pk_status pk_events_name(struct pk_events *events, const struct pk_event *event,
			      const char *name)
{
	struct pk_event_state *state = events->list[event->index];

	return state->name ? PK_OK : set_name(state, (const uint8_t *)name, strlen(name));
}

const struct pk_event *pk_events_updated(const struct pk_events *events, uint64_t id)
{
	if (!events->count)
		return NULL;
	return id && events->read > 1 ? pk_events_by_id(events, id) : pk_events_at(events, 0);
}

enum pk_status pk_events_update(struct pk_events *events, const struct pk_record *record)
{
	const struct perf_record_event_update *update = (const void *)record->data;
	const struct pk_event *event;
	struct pk_event_state *state;

	if (update->type != PERF_EVENT_UPDATE_NAME || record->size <= sizeof(*update))
		return PK_OK;
	event = pk_events_updated(events, update->id);
	if (!event || !update->data[0])
		return PK_OK;
	state = events->list[event->index];
	state->named = true;
	return set_name(state, update->data, record->size - sizeof(*update));
}

enum pk_status pk_events_derive(struct pk_events *events, const struct perf_attr *attr, uint64_t id,
				const char *name)
{
	struct pk_event_state *state = calloc(1, sizeof(*state));
	uint64_t *ids = malloc(sizeof(*ids));

	if (!state || !ids || append(events, state) != PK_OK) {
		free(state);
		free(ids);
		return PK_NOMEM;
	}
	*ids = id;
	state->event.attr = *attr;
	state->event.ids = ids;
	state->event.ids_count = 1;
	state->event.name = state->derived;
	state->named = true;
	return set_name(state, (const uint8_t *)name, strlen(name));
}

/* Reads the entry at *at of the feature EVENT_DESC. Returns false if the feature ends within the
 * entry. */
static bool describe_one(struct pk_events *events, const struct pk_bytes *desc, size_t attr_size,
			 uint32_t index, size_t *at, enum pk_status *status)
{
	const struct perf_event_desc_ids *rest;
	const struct pk_event *event = NULL;
	size_t end = desc->size;

	if (end - *at < attr_size + sizeof(*rest))
		return false;
	rest = (const void *)(desc->data + *at + attr_size);
	*at += attr_size + sizeof(*rest);
	if (rest->name_size > end - *at || rest->ids > (end - *at - rest->name_size) / 8)
		return false;
	*at += rest->name_size;
	for (size_t i = 0; i < rest->ids && !event; i++)
		event = pk_events_by_id(events, pk_load_u64(desc->data + *at + 8 * i));
	*at += 8 * (size_t)rest->ids;
	if (!event)
		event = pk_events_at(events, index);
	if (event && rest->name_size && rest->name[0] && !events->list[event->index]->named)
		*status = set_name(events->list[event->index], (const uint8_t *)rest->name,
				   rest->name_size);
	return *status == PK_OK;
}

enum pk_status pk_events_describe(struct pk_events *events, const uint8_t *content, size_t size)
{
	const struct perf_feature_event_desc *head = (const void *)content;
	const struct pk_bytes desc = {content, size};
	enum pk_status status = PK_OK;
	size_t at = sizeof(*head);

	if (size < at || head->attr_size > size)
		return PK_OK;
	for (uint32_t i = 0; i < head->count; i++)
		if (!describe_one(events, &desc, head->attr_size, i, &at, &status))
			break;
	return status;
}
