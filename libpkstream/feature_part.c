// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "feature_part.h"
#include "pkprivate.h"
#include "records.h"
#include "vector.h"

enum pk_status pk_join_add(struct pk_join *join, const struct pk_record *record)
{
	const struct pk_record_feature_part *part = (const void *)record->data;
	uint64_t bytes;

	if (record->size < sizeof(*part) || part->offset > part->size ||
	    part->size > PK_FEATURE_SIZE_MAX)
		return PK_CORRUPT;
	if (!part->offset) {
		join->id = part->feature;
		join->byte_order = part->byte_order;
		join->size = part->size;
		join->have = 0;
	}
	if (part->feature != join->id || part->size != join->size || part->offset != join->have) {
		join->size = join->have = join->id = 0;
		return PK_CORRUPT;
	}
	bytes = part->size - part->offset;
	if (bytes > record->size - sizeof(*part))
		bytes = record->size - sizeof(*part);
	/* Memory grows with the bytes read, not with the size that a record declares. */
	if (!pk_reserve(&join->data, &join->capacity, join->have, bytes, 1))
		return PK_NOMEM;
	if (bytes)
		memcpy(join->data + join->have, part->data, bytes);
	join->have += bytes;
	return PK_OK;
}

enum pk_status pk_parts_write(struct pk_writer *writer,
			      const struct perf_record_header_feature *feature, size_t feature_size,
			      uint32_t byte_order)
{
	const size_t size = feature_size - sizeof(*feature);
	size_t offset = 0;

	do {
		size_t now = size - offset < PK_PART_SIZE_MAX ? size - offset : PK_PART_SIZE_MAX;
		struct pk_record_feature_part *part =
			pk_definition_append(writer, PK_FEATURE_PART, sizeof(*part) + now);

		if (!part)
			break;
		part->feature = (uint32_t)feature->feat_id;
		part->byte_order = byte_order;
		part->size = size;
		part->offset = offset;
		memcpy(part->data, feature->data + offset, now);
		offset += now;
	} while (offset < size);
	return pk_writer_status(writer);
}

bool pk_feature_is_new(const struct pk_record *record)
{
	const struct perf_record_header_feature *feature = (const void *)record->data;

	if (record->type != PERF_RECORD_HEADER_FEATURE)
		return false;
	return record->size > sizeof(*feature) ? feature->feat_id > PK_FEATURE_ID_MAX
					       : feature->feat_id > PK_FEATURE_ID_MAX + 1;
}
