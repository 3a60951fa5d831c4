// SPDX-License-Identifier: BSD-2-Clause
/* Events, and what the kernel says of tasks and maps. */
#include "anonymize_internal.h"

/* ---- Events ---- */

/* What else says where something is, and only mattered when the event was opened. */
static void hide_places(const struct anonymizer *a, uint8_t *attr, size_t room)
{
	const uint32_t type = pk_load_u32(attr);

	if (type == PERF_TYPE_BREAKPOINT)
		pk_store_u64(attr + 56, alias_address(&a->aliases, pk_load_u64(attr + 56)));
	else if (type > PERF_TYPE_BREAKPOINT)
		memset(attr + 56, 0, room >= 72 ? 16 : 8);
	if (room >= 136)
		memset(attr + 120, 0, 16); /* sig_data, config3 */
	if (room >= 144)
		memset(attr + 136, 0, 8);
	if (room > 144)
		memset(attr + 144, 0, room - 144);
}

enum pk_status anonymize_attr(struct anonymizer *a, const struct pk_record *record)
{
	uint8_t *data = anonymize_begin(a, record, record->size), *attr = data + 8;
	size_t room = pk_load_u32(attr + 4);

	if (!room || room > record->size - 8u)
		room = room ? record->size - 8u : 64;
	slim_attr(data, record->size, a->slim.drop);
	hide_places(a, attr, room);
	return anonymize_put(a);
}

/* Of a list of processors in so much room: a kind, and what that has. */
static size_t size_of_cpus(const uint8_t *cpus, size_t room)
{
	enum { CPUS, MASK, RANGE };
	size_t count;

	if (room < 6)
		return 0;
	count = pk_load_u16(cpus + 2);
	switch (pk_load_u16(cpus)) {
	case CPUS: return 4 + 2 * count;
	case MASK: return pk_load_u16(cpus + 4) == 4 ? 6 + 4 * count : 10 + 8 * count;
	case RANGE: return 8;
	default: return 0;
	}
}

/* Of a list of so many, if they have room. */
static size_t size_of_list(const struct pk_record *record, size_t each)
{
	const uint64_t count = pk_load_u64(record->data + 8);

	return count <= record->size / each ? 16 + each * (size_t)count : 16;
}

enum pk_status anonymize_numbers(struct anonymizer *a, const struct pk_record *record)
{
	size_t size = sizeof(struct perf_header);

	switch (record->type) {
	case PERF_RECORD_ID_INDEX: size = size_of_list(record, 32); break;
	case PERF_RECORD_CPU_MAP: size += size_of_cpus(record->data + 8, record->size - 8u); break;
	case PERF_RECORD_STAT_CONFIG: size = size_of_list(record, 16); break;
	case PERF_RECORD_STAT: size = 48; break;
	case PERF_RECORD_STAT_ROUND: size = 24; break;
	case PERF_RECORD_TIME_CONV: size = 50; break;
	default: break; /* FINISHED_ROUND, FINISHED_INIT */
	}
	return anonymize_head(a, record, size);
}

enum pk_status anonymize_update(struct anonymizer *a, const struct pk_record *record)
{
	static const uint8_t zeros[8];
	char alias[ALIAS_SIZE];
	const char *name;

	switch (pk_load_u64(record->data + 8)) {
	case PERF_EVENT_UPDATE_NAME:
		name = (const char *)record->data + 24;
		if (!memchr(name, 0, record->size - 24u))
			return PK_OK;
		anonymize_begin(a, record, 24);
		name = alias_of_event(&a->aliases, name, alias);
		anonymize_add(a, name, strlen(name));
		anonymize_add(a, zeros, 8 - a->used % 8);
		return anonymize_put(a);
	case PERF_EVENT_UPDATE_SCALE: return anonymize_head(a, record, 32);
	case PERF_EVENT_UPDATE_CPUS:
		return anonymize_head(a, record,
				      24 + size_of_cpus(record->data + 24, record->size - 24u));
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

static void hide_file(const struct anonymizer *a, uint8_t *data, uint16_t misc)
{
	const uint64_t device = pk_load_u64(data + 40), inode = pk_load_u64(data + 48);

	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID && data[40] <= PK_BUILD_ID_MAX) {
		memset(data + 41, 0, 3);
		anonymize_build_id(a, data + 44, data[40]);
		return;
	}
	pk_store_u64(data + 48,
		     alias_number(&a->aliases, inode ^ alias_number(&a->aliases, device)));
	pk_store_u64(data + 40, 0);
	pk_store_u64(data + 56, 0); /* the inode's generation */
}

/* A file's offset moves with the file; one of memory alone says nothing, or, of the kernel, where a
 * symbol was, from which perf would tell by how much it was moved. */
static enum pk_status take_mmap(struct anonymizer *a, const struct pk_record *record)
{
	const size_t at = record->type == PERF_RECORD_MMAP ? 40 : 72;
	const char *name = (const char *)record->data + at;
	uint8_t *data = anonymize_begin(a, record, at);
	uint64_t offset = pk_load_u64(data + 32);

	if (name[0] != '/' || name[1] == '/')
		offset = 0;
	else if (pk_load_u32(data + 8) != UINT32_MAX)
		offset += alias_offset(&a->aliases, name, strnlen(name, record->size - at));
	pk_store_u64(data + 16, alias_address(&a->aliases, pk_load_u64(data + 16)));
	pk_store_u64(data + 32, offset);
	if (record->type == PERF_RECORD_MMAP2)
		hide_file(a, data, record->misc);
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

/* Of a list that begins at 24 and says before how long it is; no more than there is room for. */
static size_t count_of(const struct anonymizer *a, const struct pk_record *record, size_t each)
{
	const uint64_t count = pk_load_u64(record->data + 16);
	const size_t others = 24 + trailer_of(a, record);
	const size_t room = record->size > others ? (record->size - others) / each : 0;

	return count < room ? (size_t)count : room;
}

static enum pk_status take_namespaces(struct anonymizer *a, const struct pk_record *record)
{
	const size_t count = count_of(a, record, 16);

	if (!begin_fields(a, record, 24 + 16 * count))
		return PK_OK;
	for (size_t i = 0; i < count; i++) {
		uint8_t *at = a->data + 24 + 16 * i;

		pk_store_u64(at, 0);
		pk_store_u64(at + 8, alias_number(&a->aliases, pk_load_u64(at + 8)));
	}
	return anonymize_put(a);
}

static enum pk_status take_ksymbol(struct anonymizer *a, const struct pk_record *record)
{
	uint8_t *data = anonymize_begin(a, record, 24);

	pk_store_u64(data + 8, alias_address(&a->aliases, pk_load_u64(data + 8)));
	return rename_at(a, record, 24);
}

static enum pk_status take_bpf(struct anonymizer *a, const struct pk_record *record)
{
	if (!begin_fields(a, record, 24))
		return PK_OK;
	alias_build_id(&a->aliases, a->data + 16, 8);
	return anonymize_put(a);
}

static enum pk_status take_deferred(struct anonymizer *a, const struct pk_record *record)
{
	const size_t count = count_of(a, record, 8);

	if (!begin_fields(a, record, 24 + 8 * count))
		return PK_OK;
	for (size_t i = 0; i < count; i++)
		pk_store_u64(a->data + 24 + 8 * i,
			     alias_address(&a->aliases, pk_load_u64(a->data + 24 + 8 * i)));
	return anonymize_put(a);
}

/* It may have a trailer that says nothing behind the name. */
static enum pk_status take_build_id(struct anonymizer *a, const struct pk_record *record)
{
	const char *name = (const char *)record->data + 36;
	uint8_t *data = anonymize_begin(a, record, 36);

	anonymize_build_id(a, data + 12,
			   record->misc & PERF_RECORD_MISC_BUILD_ID_SIZE ? data[32]
									 : PK_BUILD_ID_MAX);
	memset(data + 33, 0, 3);
	anonymize_add_name(a, name, strnlen(name, record->size - 36u));
	return anonymize_put(a);
}

enum pk_status anonymize_kernel(struct anonymizer *a, const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return take_mmap(a, record);
	case PERF_RECORD_COMM:
	case PERF_RECORD_CGROUP: anonymize_begin(a, record, 16); return rename_at(a, record, 16);
	case PERF_RECORD_NAMESPACES: return take_namespaces(a, record);
	case PERF_RECORD_KSYMBOL: return take_ksymbol(a, record);
	case PERF_RECORD_BPF_EVENT: return take_bpf(a, record);
	case PERF_RECORD_CALLCHAIN_DEFERRED: return take_deferred(a, record);
	case PERF_RECORD_HEADER_BUILD_ID: return take_build_id(a, record);
	case PERF_RECORD_SWITCH: return take_numbers(a, record, 8);
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_SWITCH_CPU_WIDE: return take_numbers(a, record, 16);
	case PERF_RECORD_LOST: return take_numbers(a, record, 24);
	case PERF_RECORD_EXIT:
	case PERF_RECORD_FORK:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE: return take_numbers(a, record, 32);
	case PERF_RECORD_READ: return a->put(a->arg, record);
	default: return PK_OK; /* code, and what belongs to the AUX area */
	}
}
