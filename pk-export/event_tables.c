// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "event_tables.h"

/* A HEADER_ATTR with at least so many ids can be continued by the next one: writers keep room for
 * the longest attr. */
#define IDS_OF_FULL_RECORD ((PERF_RECORD_SIZE_MAX - sizeof(struct perf_header) - 4096) / 8)
#define NAME_ALIGN	   64 /* as perf writes it */

/* If the ids of an event do not fit into a HEADER_ATTR, a stream has several with the same attr
 * (SPEC 4.2). In the file, they are one event. Returns the index after the last of them. */
static size_t end_of_event(const struct pk_events *events, size_t first)
{
	const struct pk_event *one = pk_events_at(events, first);
	size_t end = first + 1;

	for (; end < pk_events_count(events); end++) {
		const struct pk_event *next = pk_events_at(events, end);

		if (pk_events_at(events, end - 1)->ids_count < IDS_OF_FULL_RECORD ||
		    memcmp(&one->attr, &next->attr, sizeof(one->attr)) != 0 ||
		    strcmp(one->name, next->name) != 0)
			break;
	}
	return end;
}

static size_t count_events(const struct pk_events *events)
{
	size_t count = 0;

	for (size_t i = 0; i < pk_events_count(events); i = end_of_event(events, i))
		count++;
	return count;
}

static uint64_t count_ids(const struct pk_events *events, size_t first, size_t end)
{
	uint64_t count = 0;

	for (size_t i = first; i < end; i++)
		count += pk_events_at(events, i)->ids_count;
	return count;
}

/* perf reads as many bytes as the attr's own size, so all attrs must have the same size. perf 6.1
 * refuses attrs above 128 bytes. */
static size_t common_attr_size(const struct pk_events *events)
{
	size_t size = PERF_ATTR_SIZE_VER0;

	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct perf_attr *attr = &pk_events_at(events, i)->attr;
		size_t own = attr->size < sizeof(*attr) ? attr->size : sizeof(*attr);

		if (!attr->config3 && !attr->config4 && own > PERF_ATTR_SIZE_VER7)
			own = PERF_ATTR_SIZE_VER7;
		if (own > size)
			size = own;
	}
	return size;
}

static void add_attr(struct buffer *buffer, const struct pk_event *event, size_t size)
{
	struct perf_attr attr = event->attr;

	attr.flags = pk_attr_written_flags(attr.flags);
	attr.size = (uint32_t)size;
	buffer_add(buffer, &attr, size);
}

static void add_ids(struct buffer *buffer, const struct pk_events *events, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct pk_event *event = pk_events_at(events, i);

		buffer_add(buffer, event->ids, event->ids_count * sizeof(*event->ids));
	}
}

void add_events_table(struct buffer *buffer, uint64_t at, const struct pk_events *events,
		      struct perf_file_header *header)
{
	const size_t size = common_attr_size(events), count = count_events(events);
	struct perf_file_section ids;
	size_t end;

	header->attr_size = size + sizeof(ids);
	header->attrs = (struct perf_file_section){at, count * header->attr_size};
	ids = (struct perf_file_section){at + header->attrs.size, 0};
	for (size_t i = 0; i < pk_events_count(events); i = end) {
		end = end_of_event(events, i);
		ids.size = count_ids(events, i, end) * sizeof(uint64_t);
		add_attr(buffer, pk_events_at(events, i), size);
		buffer_add(buffer, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
	add_ids(buffer, events, 0, pk_events_count(events));
}

static void add_name(struct buffer *buffer, const char *name, uint64_t ids)
{
	const size_t length = strlen(name), size = (length / NAME_ALIGN + 1) * NAME_ALIGN;
	struct perf_event_desc_ids head = {(uint32_t)ids, (uint32_t)size};
	char *at;

	buffer_add(buffer, &head, sizeof(head));
	at = buffer_room(buffer, size);
	if (!at)
		return;
	memset(at, 0, size);
	memcpy(at, name, length);
	buffer_end(buffer, at + size);
}

void add_event_desc(struct buffer *buffer, const struct pk_events *events)
{
	const size_t size = common_attr_size(events);
	const struct perf_feature_event_desc head = {(uint32_t)count_events(events),
						     (uint32_t)size};
	size_t end;

	buffer_add(buffer, &head, sizeof(head));
	for (size_t i = 0; i < pk_events_count(events); i = end) {
		const struct pk_event *event = pk_events_at(events, i);

		end = end_of_event(events, i);
		add_attr(buffer, event, size);
		add_name(buffer, event->name, count_ids(events, i, end));
		add_ids(buffer, events, i, end);
	}
}
