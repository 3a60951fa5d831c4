// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "datafile_internal.h"

#define FEATURES_MAX  256
#define ATTRS_MAX     65536
#define ATTR_SIZE_MAX 4096
#define IDS_MAX	      ((PERF_RECORD_SIZE_MAX - 8 - ATTR_SIZE_MAX) / 8) /* in one HEADER_ATTR */
#define BUILD_IDS_MAX ((uint64_t)64 << 20)			       /* bytes of that section */

static uint8_t *add_record(struct pk_datafile *file, uint32_t type, size_t size)
{
	uint8_t *record = pk_datafile_add(file, size);

	if (!record)
		return NULL;
	pk_put_u32(file, record, type);
	pk_put_u16(file, record + 6, (uint16_t)size);
	return record;
}

/* ---- Events ---- */

/* One HEADER_ATTR with count ids from offset on. */
static void add_attr(struct pk_datafile *file, const uint8_t *attr, size_t attr_size,
		     uint64_t offset, uint64_t count)
{
	uint8_t *record = add_record(file, PERF_RECORD_HEADER_ATTR, 8 + attr_size + 8 * count);

	if (!record)
		return;
	memcpy(record + 8, attr, attr_size);
	pk_put_u32(file, record + 12, (uint32_t)attr_size);
	if (!pk_datafile_load(file, offset, record + 8 + attr_size, 8 * count))
		pk_datafile_complain(file, offset, "ids of an event cannot be read");
}

/* More ids than a record can hold go into further records: events of the same kind. */
static void add_event(struct pk_datafile *file, const uint8_t *entry, size_t stride,
		      uint64_t offset)
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
		pk_datafile_complain(file, offset, "an event's attr is too short; left out");
		return;
	}
	if (!pk_datafile_has(file, &ids) || ids.size > file->ids_left) {
		pk_datafile_complain(file, offset, "an event's ids lie outside the file");
		ids.size = 0;
	}
	file->ids_left -= ids.size;
	pk_datafile_note_end(file, &ids);
	count = ids.size / 8;
	do {
		uint64_t now = count < IDS_MAX ? count : IDS_MAX;

		add_attr(file, entry, size, ids.offset, now);
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
			return PK_IO;
		add_event(file, entry, (size_t)stride, offset);
	}
	return PK_OK;
}

/* ---- Features ---- */

static void add_feature(struct pk_datafile *file, unsigned int id, const struct pk_section *section)
{
	/* An empty one would be perf's mark of the end of features. */
	size_t size = section->size ? (size_t)section->size : 8;
	uint8_t *record;

	if (16 + PK_ALIGN8(size) > PERF_RECORD_SIZE_MAX) {
		pk_datafile_complain(file, section->offset,
				     "a feature that is too large for a record; left out");
		return;
	}
	record = add_record(file, PERF_RECORD_HEADER_FEATURE, 16 + PK_ALIGN8(size));
	if (!record)
		return;
	pk_put_u64(file, record + 8, id);
	if (section->size &&
	    !pk_datafile_load(file, section->offset, record + 16, (size_t)section->size))
		pk_datafile_complain(file, section->offset, "a feature cannot be read");
}

static void add_tracing_data(struct pk_datafile *file, const struct pk_section *section)
{
	uint64_t padded = PK_ALIGN8(section->size);
	uint8_t *record;

	if (padded > UINT32_MAX) {
		pk_datafile_complain(file, section->offset, "tracing data too large; left out");
		return;
	}
	record = add_record(file, PERF_RECORD_HEADER_TRACING_DATA, 16);
	if (record)
		pk_put_u32(file, record + 8, (uint32_t)padded);
	pk_datafile_add_range(file, section);
	file->head_total += section->size;
	pk_datafile_add(file, padded - section->size);
}

/* One entry is a BUILD_ID record but for its type, which files leave 0. */
static void add_build_ids(struct pk_datafile *file, const struct pk_section *section)
{
	uint64_t at = 0;
	uint8_t *bytes = section->size <= BUILD_IDS_MAX ? malloc(section->size + 1) : NULL;

	if (!bytes || !pk_datafile_load(file, section->offset, bytes, (size_t)section->size)) {
		pk_datafile_complain(file, section->offset,
				     "the table of build-ids cannot be read");
		free(bytes);
		return;
	}
	while (section->size - at > 36) {
		uint16_t size = pk_get_u16(file, bytes + at + 6);
		uint8_t *record;

		if (size <= 36 || size > section->size - at) {
			pk_datafile_complain(file, section->offset + at,
					     "an entry of the table of build-ids is wrong");
			break;
		}
		record = pk_datafile_add(file, PK_ALIGN8(size));
		if (!record)
			break;
		memcpy(record, bytes + at, size);
		pk_put_u32(file, record, PERF_RECORD_HEADER_BUILD_ID);
		pk_put_u16(file, record + 6, (uint16_t)PK_ALIGN8(size));
		at += size;
	}
	free(bytes);
}

/* Indexes into the file, or its form: they mean nothing in a stream. */
static bool is_of_file_only(unsigned int id)
{
	return id == PERF_FEATURE_AUXTRACE || id == PERF_FEATURE_DIR_FORMAT;
}

/* The bitmap is made of the writer's longs: HOSTNAME, which all writers set, tells which size they
 * have. */
static bool has_feature(const struct pk_datafile *file, const uint8_t *bitmap, unsigned int id)
{
	bool long_words = !file->swapped || pk_get_u64(file, bitmap) >> PERF_FEATURE_HOSTNAME & 1;

	if (long_words)
		return pk_get_u64(file, bitmap + id / 64 * 8) >> id % 64 & 1;
	return pk_get_u32(file, bitmap + id / 32 * 4) >> id % 32 & 1;
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
			pk_datafile_complain(file, table, "the table of features ends early");
			return;
		}
		pk_datafile_note_end(file, &(struct pk_section){table, sizeof(entry)});
		table += sizeof(entry);
		section = (struct pk_section){pk_get_u64(file, entry), pk_get_u64(file, entry + 8)};
		if (!pk_datafile_has(file, &section)) {
			pk_datafile_complain(file, table - sizeof(entry),
					     "a feature lies outside the file; left out");
			continue;
		}
		pk_datafile_note_end(file, &section);
		if (id == PERF_FEATURE_TRACING_DATA)
			add_tracing_data(file, &section);
		else if (id == PERF_FEATURE_BUILD_ID)
			add_build_ids(file, &section);
		else if (!is_of_file_only(id))
			add_feature(file, id, &section);
	}
}
