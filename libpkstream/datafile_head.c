// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include "datafile_internal.h"
#include "vector.h"

#define FEATURES_MAX  256
#define ATTRS_MAX     65536
#define ATTR_SIZE_MAX 4096
#define IDS_MAX	      ((PERF_RECORD_SIZE_MAX - 8 - ATTR_SIZE_MAX) / 8) /* in one HEADER_ATTR */
#define NAME_MAX_SIZE 4096					       /* of an event */
#define BUILD_IDS_MAX ((uint64_t)64 << 20)			       /* bytes of that section */

static void fill_header(const struct pk_datafile *file, void *record, uint32_t type, size_t size)
{
	struct perf_header *header = record;

	header->type = pk_file_u32(file, type);
	header->size = pk_file_u16(file, (uint16_t)size);
}

/* A record of zeros, but for its header. */
static void *add_record(struct pk_datafile *file, uint32_t type, size_t size)
{
	uint8_t *record = pk_datafile_add(file, size);

	if (record)
		fill_header(file, record, type, size);
	return record;
}

/* ---- Events ---- */

static void note_event(struct pk_datafile *file, uint64_t entry, uint64_t id)
{
	if (!pk_reserve(&file->events, &file->events_capacity, file->events_count, 1,
			sizeof(*file->events))) {
		file->failed = true;
		return;
	}
	file->events[file->events_count++] = (struct pk_file_event){entry, id};
}

/* One HEADER_ATTR with count ids from offset on. */
static void add_attr(struct pk_datafile *file, const uint8_t *attr, size_t attr_size,
		     uint64_t offset, uint64_t count, uint64_t number)
{
	const size_t ids_at = offsetof(struct perf_record_header_attr, attr) + attr_size;
	struct perf_record_header_attr *record =
		add_record(file, PERF_RECORD_HEADER_ATTR, ids_at + 8 * count);
	uint8_t *ids = (uint8_t *)record + ids_at;

	if (!record)
		return;
	memcpy(&record->attr, attr, attr_size);
	record->attr.size = pk_file_u32(file, (uint32_t)attr_size);
	if (count && !pk_datafile_load(file, offset, ids, 8 * count))
		pk_datafile_complain_unread(file, offset, PERF_RECORD_HEADER_ATTR,
					    "ids of an event");
	note_event(file, number, count ? pk_get_u64(file, ids) : 0);
}

/* More ids than a record can hold go into further records: events of the same kind. */
static void add_event(struct pk_datafile *file, const uint8_t *entry, size_t stride,
		      uint64_t offset, uint64_t number)
{
	struct pk_section ids = {pk_get_u64(file, entry + stride - 16),
				 pk_get_u64(file, entry + stride - 8)};
	size_t size = pk_get_u32(file, entry + 4);
	uint64_t count;

	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size > stride - 16)
		size = stride - 16;
	size &= ~(size_t)7;
	if (size < PERF_ATTR_SIZE_VER0) {
		pk_datafile_complain(file, offset, PERF_RECORD_HEADER_ATTR,
				     "an event's attr is too short; left out");
		return;
	}
	if (!pk_datafile_has(file, &ids) || ids.size > file->ids_left) {
		pk_datafile_complain(file, offset, PERF_RECORD_HEADER_ATTR,
				     "an event's ids lie outside the file");
		ids.size = 0;
	}
	if (ids.size % 8)
		pk_datafile_complain(file, offset, PERF_RECORD_HEADER_ATTR,
				     "an event's ids are no multiple of 8 bytes");
	file->ids_left -= ids.size;
	pk_datafile_note_end(file, &ids);
	count = ids.size / 8;
	do {
		uint64_t now = count < IDS_MAX ? count : IDS_MAX;

		add_attr(file, entry, size, ids.offset, now, number);
		ids.offset += 8 * now;
		count -= now;
	} while (count && !file->failed);
}

enum pk_status pk_datafile_add_events(struct pk_datafile *file, const struct pk_section *attrs,
				      uint64_t stride)
{
	uint8_t entry[ATTR_SIZE_MAX + 16];
	uint64_t count;

	if (stride < PERF_ATTR_SIZE_VER0 + 16 || stride > sizeof(entry) ||
	    !pk_datafile_has(file, attrs))
		return PK_CORRUPT;
	count = attrs->size / stride;
	if (count > ATTRS_MAX)
		return PK_CORRUPT;
	pk_datafile_note_end(file, attrs);
	for (uint64_t i = 0; i < count && !file->failed; i++) {
		uint64_t offset = attrs->offset + i * stride;

		if (!pk_datafile_load(file, offset, entry, (size_t)stride))
			return errno ? PK_IO : PK_TRUNCATED;
		add_event(file, entry, (size_t)stride, offset, i);
	}
	return PK_OK;
}

/* ---- Features ---- */

/* A range of the file that goes into a record: as it lies there, then zeros. */
static void add_content(struct pk_datafile *file, const struct pk_section *section, uint64_t padded)
{
	pk_datafile_add_range(file, section);
	file->head_total += section->size;
	pk_datafile_add(file, padded - section->size);
}

/* What cannot be a HEADER_FEATURE, or must not be one for perf's sake (SPEC 9.13). */
static void add_parts(struct pk_datafile *file, unsigned int id, const struct pk_section *section)
{
	uint32_t order = file->swapped != PK_HOST_IS_BIG ? 2 : 1;
	uint64_t offset = 0;

	do {
		uint64_t left = section->size - offset,
			 now = left < PK_PART_SIZE_MAX ? left : PK_PART_SIZE_MAX;
		struct pk_section part = {section->offset + offset, now};
		struct pk_record_feature_part *record =
			(void *)pk_datafile_add(file, sizeof(*record));

		if (!record)
			return;
		fill_header(file, record, PERF_RECORD_EVENT_UPDATE,
			    sizeof(*record) + PK_ALIGN8(now));
		record->head.subtype = pk_file_u64(file, PK_SUBTYPE_BASE | PK_FEATURE_PART);
		record->feature = pk_file_u32(file, id);
		record->byte_order = pk_file_u32(file, order);
		record->size = pk_file_u64(file, section->size);
		record->offset = pk_file_u64(file, offset);
		add_content(file, &part, PK_ALIGN8(now));
		offset += now;
	} while (offset < section->size);
}

/* Padding could be taken for the part of a feature that only newer perfs write. */
static void add_feature(struct pk_datafile *file, unsigned int id, const struct pk_section *section)
{
	/* An empty one would be perf's mark of the end of features. */
	size_t size = section->size ? (size_t)section->size : 8;
	struct perf_record_header_feature *record;

	if (section->size > PK_FEATURE_SIZE_MAX) {
		pk_datafile_complain(file, section->offset, PERF_RECORD_HEADER_FEATURE,
				     "a feature larger than 64 MiB; left out");
		return;
	}
	if (sizeof(*record) + size > PERF_RECORD_SIZE_MAX || id > PK_FEATURE_ID_MAX) {
		add_parts(file, id, section);
		return;
	}
	record = add_record(file, PERF_RECORD_HEADER_FEATURE, sizeof(*record) + size);
	if (!record)
		return;
	record->feat_id = pk_file_u64(file, id);
	if (section->size &&
	    !pk_datafile_load(file, section->offset, record->data, (size_t)section->size))
		pk_datafile_complain_unread(file, section->offset, PERF_RECORD_HEADER_FEATURE,
					    "a feature");
}

static void add_tracing_data(struct pk_datafile *file, const struct pk_section *section)
{
	uint64_t padded = PK_ALIGN8(section->size);
	struct perf_record_tracing_data *record;

	if (padded > UINT32_MAX) {
		pk_datafile_complain(file, section->offset, PERF_RECORD_HEADER_TRACING_DATA,
				     "tracing data too large; left out");
		return;
	}
	record = add_record(file, PERF_RECORD_HEADER_TRACING_DATA, PK_ALIGN8(sizeof(*record)));
	if (record)
		record->size = pk_file_u32(file, (uint32_t)padded);
	add_content(file, section, padded);
}

/* ---- Names: perf takes them from EVENT_DESC in files, and from EVENT_UPDATE in streams ---- */

static void add_name(struct pk_datafile *file, uint64_t id, const uint8_t *name, size_t length)
{
	struct perf_record_event_update *record =
		add_record(file, PERF_RECORD_EVENT_UPDATE, PK_ALIGN8(sizeof(*record) + length + 1));

	if (!record)
		return;
	record->type = pk_file_u64(file, PERF_EVENT_UPDATE_NAME);
	record->id = pk_file_u64(file, id);
	memcpy(record->data, name, length);
}

/* Entry number of EVENT_DESC belongs to the same entry of the table of events. id: its first, 0
 * without any. *next: the first of file->events that may be meant. */
static void name_events(struct pk_datafile *file, uint64_t number, uint64_t id, const uint8_t *name,
			size_t size, size_t *next)
{
	size_t length = strnlen((const char *)name, size);

	while (*next < file->events_count && file->events[*next].entry < number)
		(*next)++;
	if (*next == file->events_count || !length || length > NAME_MAX_SIZE ||
	    (id && file->events[*next].id != id))
		return;
	/* perf stops at an update of id 0 unless the first event is meant. */
	for (; *next < file->events_count && file->events[*next].entry == number; (*next)++)
		if (file->events[*next].id || !*next)
			add_name(file, file->events[*next].id, name, length);
}

static void add_names(struct pk_datafile *file, const struct pk_section *section)
{
	size_t size = section->size <= PK_FEATURE_SIZE_MAX ? (size_t)section->size : 0, at = 8,
	       next = 0;
	uint8_t *desc = malloc(size + 8);
	uint64_t count, attr_size;

	file->failed |= !desc;
	if (desc && size >= 8 && !pk_datafile_load(file, section->offset, desc, size)) {
		pk_datafile_complain_unread(file, section->offset, PERF_RECORD_HEADER_FEATURE,
					    "the names of events");
		size = 0;
	}
	if (!desc || size < 8) {
		free(desc);
		return;
	}
	count = pk_get_u32(file, desc);
	attr_size = pk_get_u32(file, desc + 4);
	for (uint64_t i = 0; i < count && size - at >= attr_size + 8; i++) {
		uint64_t ids = pk_get_u32(file, desc + at + attr_size),
			 length = pk_get_u32(file, desc + at + attr_size + 4);
		const uint8_t *name = desc + at + attr_size + 8;

		at += attr_size + 8;
		if (length > size - at || ids > (size - at - length) / 8)
			break;
		at += length + 8 * ids;
		name_events(file, i, ids ? pk_get_u64(file, name + length) : 0, name,
			    (size_t)length, &next);
	}
	free(desc);
}

/* One entry is a BUILD_ID record but for its type, which files leave 0. */
static void add_build_ids(struct pk_datafile *file, const struct pk_section *section)
{
	const size_t head = sizeof(struct perf_record_build_id);
	const size_t size_at = offsetof(struct perf_header, size);
	uint64_t at = 0;
	uint8_t *bytes;

	if (section->size > BUILD_IDS_MAX) {
		pk_datafile_complain(file, section->offset, PERF_RECORD_HEADER_BUILD_ID,
				     "a table of build-ids larger than 64 MiB; left out");
		return;
	}
	bytes = malloc(section->size + 1);
	file->failed |= !bytes;
	if (!bytes)
		return;
	if (!pk_datafile_load(file, section->offset, bytes, (size_t)section->size)) {
		pk_datafile_complain_unread(file, section->offset, PERF_RECORD_HEADER_BUILD_ID,
					    "the table of build-ids");
		free(bytes);
		return;
	}
	while (section->size - at > head) {
		uint16_t size = pk_get_u16(file, bytes + at + size_at);
		uint8_t *record;

		if (size <= head || size > section->size - at) {
			pk_datafile_complain(file, section->offset + at,
					     PERF_RECORD_HEADER_BUILD_ID,
					     "an entry of the table of build-ids is wrong");
			break;
		}
		record = pk_datafile_add(file, PK_ALIGN8(size));
		if (!record)
			break;
		memcpy(record, bytes + at, size);
		fill_header(file, record, PERF_RECORD_HEADER_BUILD_ID, PK_ALIGN8(size));
		at += size;
	}
	free(bytes);
}

static void note_directory(struct pk_datafile *file, const struct pk_section *section)
{
	uint8_t version[8];

	if (section->size < 8)
		return;
	if (pk_datafile_load(file, section->offset, version, 8))
		file->directory = pk_get_u64(file, version);
	else
		pk_datafile_complain_unread(file, section->offset, PERF_RECORD_HEADER_FEATURE,
					    "the form of a directory");
}

static bool has_bit(const struct pk_datafile *file, const uint8_t *bitmap, unsigned int id,
		    bool short_words)
{
	if (short_words)
		return pk_get_u32(file, bitmap + id / 32 * 4) >> id % 32 & 1;
	return pk_get_u64(file, bitmap + id / 64 * 8) >> id % 64 & 1;
}

/* The bitmap is made of the writer's longs: HOSTNAME, which perf always sets, tells which size they
 * have. */
static bool has_feature(const struct pk_datafile *file, const uint8_t *bitmap, unsigned int id)
{
	bool short_words = file->swapped && !has_bit(file, bitmap, PERF_FEATURE_HOSTNAME, false) &&
			   has_bit(file, bitmap, PERF_FEATURE_HOSTNAME, true);

	return has_bit(file, bitmap, id, short_words);
}

static void add_one(struct pk_datafile *file, unsigned int id, const struct pk_section *section)
{
	switch (id) {
	case PERF_FEATURE_TRACING_DATA: add_tracing_data(file, section); break;
	case PERF_FEATURE_BUILD_ID: add_build_ids(file, section); break;
	case PERF_FEATURE_AUXTRACE: break; /* an index into the file: nothing in a stream */
	case PERF_FEATURE_DIR_FORMAT: note_directory(file, section); break;
	case PERF_FEATURE_EVENT_DESC:
		add_names(file, section);
		add_feature(file, id, section);
		break;
	default: add_feature(file, id, section); break;
	}
}

void pk_datafile_add_features(struct pk_datafile *file, const uint8_t *bitmap)
{
	uint64_t table = file->data.offset + file->data.size;
	uint8_t entry[16];

	for (unsigned int id = 0; id < FEATURES_MAX && !file->failed; id++) {
		struct pk_section section;

		if (!has_feature(file, bitmap, id))
			continue;
		if (!pk_datafile_load(file, table, entry, sizeof(entry))) {
			if (errno)
				pk_datafile_complain_unread(file, table, PERF_RECORD_HEADER_FEATURE,
							    "the table of features");
			else
				pk_datafile_complain(file, table, PERF_RECORD_HEADER_FEATURE,
						     "the table of features ends early");
			return;
		}
		pk_datafile_note_end(file, &(struct pk_section){table, sizeof(entry)});
		table += sizeof(entry);
		section = (struct pk_section){pk_get_u64(file, entry), pk_get_u64(file, entry + 8)};
		if (!pk_datafile_has(file, &section)) {
			pk_datafile_complain(file, table - sizeof(entry),
					     PERF_RECORD_HEADER_FEATURE,
					     "a feature lies outside the file; left out");
			continue;
		}
		if (section.size > file->features_left) {
			pk_datafile_complain(file, table - sizeof(entry),
					     PERF_RECORD_HEADER_FEATURE,
					     "features overlap; one left out");
			continue;
		}
		file->features_left -= section.size;
		pk_datafile_note_end(file, &section);
		add_one(file, id, &section);
	}
}
