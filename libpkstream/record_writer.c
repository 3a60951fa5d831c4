// SPDX-License-Identifier: BSD-2-Clause
/* Functions that write records, for records that more than one program writes. */
#include "pkprivate.h"
#include "records.h"

void *pk_writer_zeroed(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t size)
{
	uint8_t *record = pk_writer_append(writer, type, misc, size);

	if (record)
		memset(record + sizeof(struct perf_header), 0, size - sizeof(struct perf_header));
	return record;
}

void *pk_writer_with_text(struct pk_writer *writer, uint32_t type, uint16_t misc, size_t at,
			  const char *text, size_t trailer)
{
	const size_t length = strlen(text), size = PK_ALIGN8(at + length + 1) + trailer;
	uint8_t *record;

	if (size > PERF_RECORD_SIZE_MAX)
		return NULL;
	record = pk_writer_zeroed(writer, type, misc, size);
	if (record)
		memcpy(record + at, text, length);
	return record;
}

uint8_t *pk_writer_extend(struct pk_writer *writer, const struct pk_record *record, size_t more)
{
	const size_t head = sizeof(struct perf_header);
	uint8_t *copy = pk_writer_append(writer, record->type, record->misc, record->size + more);

	if (copy)
		memcpy(copy + head, record->data + head, record->size - head);
	return copy;
}

enum pk_status pk_writer_attr(struct pk_writer *writer, const struct perf_attr *attr,
			      const uint64_t *ids, size_t count)
{
	const size_t at = offsetof(struct perf_record_header_attr, attr);
	struct perf_attr written = *attr;
	uint8_t *record = pk_writer_append(writer, PERF_RECORD_HEADER_ATTR, 0,
					   at + attr->size + count * sizeof(*ids));

	if (!record)
		return pk_writer_status(writer);
	written.flags = pk_attr_written_flags(attr->flags);
	memcpy(record + at, &written, attr->size);
	memcpy(record + at + attr->size, ids, count * sizeof(*ids));
	return PK_OK;
}

enum pk_status pk_writer_update(struct pk_writer *writer, uint64_t subtype, uint64_t id,
				const void *data, size_t size)
{
	struct perf_record_event_update *update = pk_writer_zeroed(
		writer, PERF_RECORD_EVENT_UPDATE, 0, PK_ALIGN8(sizeof(*update) + size));

	if (!update)
		return pk_writer_status(writer);
	update->type = subtype;
	update->id = id;
	memcpy(update->data, data, size);
	return PK_OK;
}

struct perf_thread_map_entry *pk_writer_thread_map(struct pk_writer *writer, size_t count)
{
	struct perf_record_thread_map *map = pk_writer_zeroed(
		writer, PERF_RECORD_THREAD_MAP, 0, sizeof(*map) + count * sizeof(map->entries[0]));

	if (!map)
		return NULL;
	map->nr = count;
	return map->entries;
}

struct perf_cpus_list *pk_writer_cpu_map(struct pk_writer *writer, size_t count)
{
	struct perf_cpus_list *list;
	struct perf_record_cpu_map *map = pk_writer_zeroed(
		writer, PERF_RECORD_CPU_MAP, 0,
		PK_ALIGN8(sizeof(*map) + sizeof(*list) + count * sizeof(list->cpu[0])));

	if (!map)
		return NULL;
	list = (struct perf_cpus_list *)map->cpus;
	list->type = PERF_CPUS_LIST;
	list->nr = (uint16_t)count;
	return list;
}
