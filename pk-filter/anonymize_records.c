// SPDX-License-Identifier: BSD-2-Clause
/* Events, and what the kernel says of tasks and maps. */
#include "anonymize_internal.h"
#include "pkprivate.h"

/* ---- Events ---- */

/* What else says where something is, and only mattered when the event was opened. */
static void hide_places(const struct anonymizer *a, struct perf_record_header_attr *record,
			size_t room)
{
	const size_t known = sizeof(record->attr);

	if (record->attr.type == PERF_TYPE_BREAKPOINT)
		record->attr.config1 = alias_address(&a->aliases, record->attr.config1);
	else if (record->attr.type > PERF_TYPE_BREAKPOINT)
		record->attr.config1 = 0;
	if (record->attr.type > PERF_TYPE_BREAKPOINT &&
	    room >= offsetof(struct perf_attr, branch_sample_type))
		record->attr.config2 = 0;
	if (room >= offsetof(struct perf_attr, config4))
		record->attr.sig_data = record->attr.config3 = 0;
	if (room >= known)
		record->attr.config4 = 0;
	if (room > known)
		memset((uint8_t *)&record->attr + known, 0, room - known);
}

enum pk_status anonymize_attr(struct anonymizer *a, const struct pk_record *record)
{
	struct perf_record_header_attr *copy = anonymize_begin(a, record, record->size);
	const size_t most = record->size - sizeof(copy->header);
	size_t room = copy->attr.size ? copy->attr.size : PERF_ATTR_SIZE_VER0;

	if (room > most)
		room = most;
	slim_attr(a->data, record->size, a->slim.drop);
	hide_places(a, copy, room);
	return anonymize_put(a);
}

/* Of a list of processors in so much room: a kind, and what that has. */
static size_t size_of_cpus(const uint8_t *cpus, size_t room)
{
	const struct perf_cpus_list *list = (const void *)cpus;
	const struct perf_cpus_mask *mask = (const void *)cpus;
	const struct perf_cpus_mask64 *mask64 = (const void *)cpus;

	if (room < sizeof(*mask))
		return 0;
	switch (list->type) {
	case PERF_CPUS_LIST: return sizeof(*list) + list->nr * sizeof(list->cpu[0]);
	case PERF_CPUS_MASK:
		return mask->long_size == sizeof(mask->words[0])
			       ? sizeof(*mask) + mask->nr * sizeof(mask->words[0])
			       : sizeof(*mask64) + mask->nr * sizeof(mask64->words[0]);
	case PERF_CPUS_RANGE: return sizeof(struct perf_cpus_range);
	default: return 0;
	}
}

/* Of a record of count entries, if they have room. */
static size_t size_of_list(const struct pk_record *record, size_t head, uint64_t count, size_t each)
{
	return count <= record->size / each ? head + each * (size_t)count : head;
}

enum pk_status anonymize_numbers(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_id_index *index = (const void *)record->data;
	const struct perf_record_stat_config *config = (const void *)record->data;
	const struct perf_record_cpu_map *map = (const void *)record->data;
	size_t size = sizeof(struct perf_header);

	switch (record->type) {
	case PERF_RECORD_ID_INDEX:
		size = size_of_list(record, sizeof(*index), index->nr, sizeof(index->entries[0]));
		break;
	case PERF_RECORD_CPU_MAP:
		size += size_of_cpus(map->cpus, record->size - sizeof(*map));
		break;
	case PERF_RECORD_STAT_CONFIG:
		size = size_of_list(record, sizeof(*config), config->nr, sizeof(config->terms[0]));
		break;
	case PERF_RECORD_STAT: size = sizeof(struct perf_record_stat); break;
	case PERF_RECORD_STAT_ROUND: size = sizeof(struct perf_record_stat_round); break;
	case PERF_RECORD_TIME_CONV:
		size = offsetof(struct perf_record_time_conv_long, reserved);
		break;
	default: break; /* FINISHED_ROUND, FINISHED_INIT */
	}
	return anonymize_head(a, record, size);
}

enum pk_status anonymize_update(struct anonymizer *a, const struct pk_record *record)
{
	static const uint8_t zeros[8];
	const struct perf_record_event_update *update = (const void *)record->data;
	char alias[ALIAS_SIZE];
	const char *name;

	switch (update->type) {
	case PERF_EVENT_UPDATE_NAME:
		name = pk_record_text(record, sizeof(*update));
		if (!name)
			return PK_OK;
		anonymize_begin(a, record, sizeof(*update));
		name = alias_of_event(&a->aliases, name, alias);
		anonymize_add(a, name, strlen(name));
		anonymize_add(a, zeros, 8 - a->used % 8);
		return anonymize_put(a);
	case PERF_EVENT_UPDATE_SCALE:
		return anonymize_head(a, record, sizeof(*update) + sizeof(double));
	case PERF_EVENT_UPDATE_CPUS:
		return anonymize_head(
			a, record,
			sizeof(*update) +
				size_of_cpus(update->data, record->size - sizeof(*update)));
	case PERF_EVENT_UPDATE_UNIT: return PK_OK;
	default: a->left_out[LEFT_DEFINITIONS]++; return PK_OK;
	}
}

/* ---- The kernel's ---- */

/* The bytes of the trailer. */
static size_t trailer_of(const struct anonymizer *a, const struct pk_record *record)
{
	const struct pk_event *event =
		record->event ? record->event : pk_reader_event_of(a->run->reader, record);

	return event ? event->layout.trailer.size : 0;
}

/* A record with a name at a place, and nothing behind that but the trailer. */
static enum pk_status rename_at(struct anonymizer *a, const struct pk_record *record, size_t at)
{
	const size_t trailer = trailer_of(a, record);
	const char *name = (const char *)record->data + at;

	if (record->size < at + trailer)
		return PK_OK;
	anonymize_add_name(a, name, strnlen(name, record->size - trailer - at));
	anonymize_add(a, record->data + record->size - trailer, trailer);
	return anonymize_put(a);
}

static enum pk_status take_name(struct anonymizer *a, const struct pk_record *record, size_t at)
{
	anonymize_begin(a, record, at);
	return rename_at(a, record, at);
}

static void hide_file(const struct anonymizer *a, struct perf_record_mmap2 *map, uint16_t misc)
{
	const uint64_t device = (uint64_t)map->min << 32 | map->maj;

	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID && map->build_id_size <= PK_BUILD_ID_MAX) {
		map->reserved_1 = 0;
		memset(map->reserved_2, 0, sizeof(map->reserved_2));
		anonymize_build_id(a, map->build_id, map->build_id_size);
		return;
	}
	map->ino = alias_number(&a->aliases, map->ino ^ alias_number(&a->aliases, device));
	map->maj = map->min = 0;
	map->ino_generation = 0;
}

/* A file's offset moves with the file; one of memory alone says nothing, or, of the kernel, where a
 * symbol was, from which perf would tell by how much it was moved. */
static enum pk_status take_mmap(struct anonymizer *a, const struct pk_record *record)
{
	const size_t at = pk_mmap_name_at(record);
	const char *name = (const char *)record->data + at;
	struct perf_record_mmap2 *map = anonymize_begin(a, record, at); /* begins as MMAP */

	if (name[0] != '/' || name[1] == '/')
		map->pgoff = 0;
	else if (map->pid != UINT32_MAX)
		map->pgoff += alias_offset(&a->aliases, name, strnlen(name, record->size - at));
	map->addr = alias_address(&a->aliases, map->addr);
	if (record->type == PERF_RECORD_MMAP2)
		hide_file(a, map, record->misc);
	return rename_at(a, record, at);
}

/* Fields up to a place that this version knows, and the trailer: not what may stand between. False:
 * there is no room for them. */
static bool begin_fields(struct anonymizer *a, const struct pk_record *record, size_t fields)
{
	const size_t trailer = trailer_of(a, record);

	if (record->size < fields + trailer)
		return false;
	anonymize_begin(a, record, fields);
	anonymize_add(a, record->data + record->size - trailer, trailer);
	return true;
}

static enum pk_status take_numbers(struct anonymizer *a, const struct pk_record *record,
				   size_t fields)
{
	return begin_fields(a, record, fields) ? anonymize_put(a) : PK_OK;
}

/* How many of count entries after the first head bytes the record has room for. */
static size_t count_of(const struct anonymizer *a, const struct pk_record *record, size_t head,
		       uint64_t count, size_t each)
{
	const size_t others = head + trailer_of(a, record);
	const size_t room = record->size > others ? (record->size - others) / each : 0;

	return count < room ? (size_t)count : room;
}

static enum pk_status take_namespaces(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_namespaces *from = (const void *)record->data;
	struct perf_record_namespaces *to = (void *)a->data;
	const size_t each = sizeof(from->namespaces[0]);
	const size_t count = count_of(a, record, sizeof(*from), from->nr, each);

	if (!begin_fields(a, record, sizeof(*from) + each * count))
		return PK_OK;
	for (size_t i = 0; i < count; i++) {
		to->namespaces[i].dev = 0;
		to->namespaces[i].ino = alias_number(&a->aliases, to->namespaces[i].ino);
	}
	return anonymize_put(a);
}

static enum pk_status take_ksymbol(struct anonymizer *a, const struct pk_record *record)
{
	struct perf_record_ksymbol *symbol = anonymize_begin(a, record, sizeof(*symbol));

	symbol->addr = alias_address(&a->aliases, symbol->addr);
	return rename_at(a, record, sizeof(*symbol));
}

static enum pk_status take_bpf(struct anonymizer *a, const struct pk_record *record)
{
	struct perf_record_bpf_event *event = (void *)a->data;

	if (!begin_fields(a, record, sizeof(*event)))
		return PK_OK;
	alias_build_id(&a->aliases, event->tag, sizeof(event->tag));
	return anonymize_put(a);
}

static enum pk_status take_deferred(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *from = (const void *)record->data;
	struct perf_record_callchain_deferred *to = (void *)a->data;
	const size_t each = sizeof(from->ips[0]);
	const size_t count = count_of(a, record, sizeof(*from), from->nr, each);

	if (!begin_fields(a, record, sizeof(*from) + each * count))
		return PK_OK;
	for (size_t i = 0; i < count; i++)
		to->ips[i] = alias_address(&a->aliases, to->ips[i]);
	return anonymize_put(a);
}

/* It may have a trailer that says nothing behind the name. */
static enum pk_status take_build_id(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_build_id *from = (const void *)record->data;
	struct perf_record_build_id *id = anonymize_begin(a, record, sizeof(*id));

	anonymize_build_id(a, id->build_id,
			   record->misc & PERF_RECORD_MISC_BUILD_ID_SIZE ? id->size
									 : PK_BUILD_ID_MAX);
	memset(id->reserved, 0, sizeof(id->reserved));
	anonymize_add_name(a, from->filename,
			   strnlen(from->filename, record->size - sizeof(*from)));
	return anonymize_put(a);
}

enum pk_status anonymize_kernel(struct anonymizer *a, const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return take_mmap(a, record);
	case PERF_RECORD_COMM: return take_name(a, record, sizeof(struct perf_record_comm));
	case PERF_RECORD_CGROUP: return take_name(a, record, sizeof(struct perf_record_cgroup));
	case PERF_RECORD_NAMESPACES: return take_namespaces(a, record);
	case PERF_RECORD_KSYMBOL: return take_ksymbol(a, record);
	case PERF_RECORD_BPF_EVENT: return take_bpf(a, record);
	case PERF_RECORD_CALLCHAIN_DEFERRED: return take_deferred(a, record);
	case PERF_RECORD_HEADER_BUILD_ID: return take_build_id(a, record);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_SWITCH_CPU_WIDE:
	case PERF_RECORD_LOST:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_FORK:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return take_numbers(a, record, pk_record_layout(record->type, 0)->size_min);
	case PERF_RECORD_READ: return a->put(a->arg, record);
	default: return PK_OK; /* code, and what belongs to the AUX area */
	}
}
