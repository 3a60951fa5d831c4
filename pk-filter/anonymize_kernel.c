// SPDX-License-Identifier: BSD-2-Clause
#include "anonymizer_parts.h"

/* Returns the size of the record's trailer (sample_id_all) in bytes. */
static size_t trailer_of(const struct anonymizer *a, const struct pk_record *record)
{
	const struct pk_event *event =
		record->event ? record->event : pk_reader_event_of(a->run->reader, record);

	return event ? event->layout.trailer.size : 0;
}

/* Replaces the name at the end of a record. The name starts at offset `at`. The trailer is kept. */
static enum pk_status rename_at(struct anonymizer *a, const struct pk_record *record, size_t at)
{
	const size_t trailer = trailer_of(a, record);
	const char *name = (const char *)record->data + at;

	if (record->size < at + trailer)
		return PK_OK;
	anonymizer_add_alias(a, name, strnlen(name, record->size - trailer - at));
	anonymizer_add(a, record->data + record->size - trailer, trailer);
	return anonymizer_put(a);
}

static enum pk_status anonymize_name(struct anonymizer *a, const struct pk_record *record,
				     size_t at)
{
	anonymizer_start(a, record, at);
	return rename_at(a, record, at);
}

static void hide_file(const struct anonymizer *a, struct perf_record_mmap2 *map, bool build_id)
{
	uint64_t device = (uint64_t)map->min << 32 | map->maj;

	if (build_id) {
		anonymizer_hide_build_id(a, map->build_id, map->build_id_size);
		return;
	}
	map->ino = alias_file(&a->aliases, map->ino, &device);
	map->maj = (uint32_t)device;
	map->min = (uint32_t)(device >> 32);
	map->ino_generation = 0;
}

/* Replaces the name of a map and moves its address. The offset in a file is moved like all offsets
 * in this file. The offset of a map without a file has no meaning. The offset of the kernel's map
 * is the address of a symbol. It is replaced, because it would reveal how far addresses are moved.
 */
static enum pk_status anonymize_mmap(struct anonymizer *a, const struct pk_record *record)
{
	const size_t at = pk_mmap_name_at(record);
	const char *name = (const char *)record->data + at;
	struct perf_record_mmap2 *map = anonymizer_start(
		a, record, at); /* an MMAP2 record starts with the fields of an MMAP record */
	const bool file = name[0] == '/' && name[1] != '/', kernel = map->pid == UINT32_MAX;
	const uint64_t address = alias_address(&a->aliases, map->addr);

	if (file && !kernel)
		map->pgoff += alias_offset(&a->aliases, name, strnlen(name, record->size - at));
	else if (!file && kernel)
		map->pgoff = alias_reference(&a->aliases, a->aliases.restore ? map->addr : address,
					     map->pgoff);
	else if (!file)
		map->pgoff = 0;
	map->addr = address;
	if (record->type == PERF_RECORD_MMAP2)
		hide_file(a, map, pk_mmap2_has_build_id(record));
	return rename_at(a, record, at);
}

/* Starts a record that has the known fields and the trailer, without other bytes between them.
 * Returns false if the record is too short. */
static bool start_fields(struct anonymizer *a, const struct pk_record *record, size_t fields)
{
	const size_t trailer = trailer_of(a, record);

	if (record->size < fields + trailer)
		return false;
	anonymizer_start(a, record, fields);
	anonymizer_add(a, record->data + record->size - trailer, trailer);
	return true;
}

static enum pk_status anonymize_fields(struct anonymizer *a, const struct pk_record *record,
				       size_t fields)
{
	return start_fields(a, record, fields) ? anonymizer_put(a) : PK_OK;
}

/* Returns how many entries the record really has. `head` bytes precede the entries, and `count` is
 * the number that the record declares. */
static size_t count_of(const struct anonymizer *a, const struct pk_record *record, size_t head,
		       uint64_t count, size_t each)
{
	const size_t others = head + trailer_of(a, record);
	const size_t room = record->size > others ? (record->size - others) / each : 0;

	return count < room ? (size_t)count : room;
}

static enum pk_status anonymize_namespaces(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_namespaces *from = (const void *)record->data;
	struct perf_record_namespaces *to = (void *)a->data;
	const size_t each = sizeof(from->namespaces[0]);
	const size_t count = count_of(a, record, sizeof(*from), from->nr, each);

	if (!start_fields(a, record, sizeof(*from) + each * count))
		return PK_OK;
	for (size_t i = 0; i < count; i++) {
		to->namespaces[i].dev = 0;
		to->namespaces[i].ino = alias_number(&a->aliases, to->namespaces[i].ino);
	}
	return anonymizer_put(a);
}

static enum pk_status anonymize_ksymbol(struct anonymizer *a, const struct pk_record *record)
{
	struct perf_record_ksymbol *symbol = anonymizer_start(a, record, sizeof(*symbol));

	symbol->addr = alias_address(&a->aliases, symbol->addr);
	return rename_at(a, record, sizeof(*symbol));
}

static enum pk_status anonymize_bpf(struct anonymizer *a, const struct pk_record *record)
{
	struct perf_record_bpf_event *event = (void *)a->data;

	if (!start_fields(a, record, sizeof(*event)))
		return PK_OK;
	alias_build_id(&a->aliases, event->tag, sizeof(event->tag));
	return anonymizer_put(a);
}

static enum pk_status anonymize_deferred(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *from = (const void *)record->data;
	struct perf_record_callchain_deferred *to = (void *)a->data;
	const size_t each = sizeof(from->ips[0]);
	const size_t count = count_of(a, record, sizeof(*from), from->nr, each);

	if (!start_fields(a, record, sizeof(*from) + each * count))
		return PK_OK;
	for (size_t i = 0; i < count; i++)
		to->ips[i] = alias_address(&a->aliases, to->ips[i]);
	return anonymizer_put(a);
}

/* Replaces the build-id and the name. Bytes after the name have no meaning, so they are removed. */
static enum pk_status anonymize_build_id(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_build_id *from = (const void *)record->data;
	struct perf_record_build_id *id = anonymizer_start(a, record, sizeof(*id));

	anonymizer_hide_build_id(a, id->build_id,
				 record->misc & PERF_RECORD_MISC_BUILD_ID_SIZE ? id->size
									       : PK_BUILD_ID_MAX);
	memset(id->reserved, 0, sizeof(id->reserved));
	anonymizer_add_alias(a, from->filename,
			     strnlen(from->filename, record->size - sizeof(*from)));
	return anonymizer_put(a);
}

enum pk_status anonymize_kernel_record(struct anonymizer *a, const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return anonymize_mmap(a, record);
	case PERF_RECORD_COMM: return anonymize_name(a, record, sizeof(struct perf_record_comm));
	case PERF_RECORD_CGROUP:
		return anonymize_name(a, record, sizeof(struct perf_record_cgroup));
	case PERF_RECORD_NAMESPACES: return anonymize_namespaces(a, record);
	case PERF_RECORD_KSYMBOL: return anonymize_ksymbol(a, record);
	case PERF_RECORD_BPF_EVENT: return anonymize_bpf(a, record);
	case PERF_RECORD_CALLCHAIN_DEFERRED: return anonymize_deferred(a, record);
	case PERF_RECORD_HEADER_BUILD_ID: return anonymize_build_id(a, record);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_SWITCH_CPU_WIDE:
	case PERF_RECORD_LOST:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_FORK:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return anonymize_fields(a, record, pk_record_layout(record->type, 0)->size_min);
	case PERF_RECORD_READ: return a->put(a->arg, record);
	default:
		return PK_OK; /* not written: TEXT_POKE, which contains code, and the records of the
			       * AUX area */
	}
}
