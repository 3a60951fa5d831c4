// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <sys/random.h>

#include "anonymize_internal.h"
#include "pkprivate.h"

/* Data of the recorded programs, or addresses that no map tells of. */
#define LEFT_OUT                                                                                   \
	(PERF_SAMPLE_RAW | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER |                        \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_AUX)

struct anonymizer *anonymizer_new(struct pk_run *run, const struct anonymize_options *options,
				  anonymize_fn put, void *arg)
{
	struct anonymizer *a = calloc(1, sizeof(*a));
	uint8_t random[32];
	bool good = a;

	if (good && options->key)
		aliases_init(&a->aliases, options->key, options->key_size);
	else if (good && getrandom(random, sizeof(random), 0) == sizeof(random))
		aliases_init(&a->aliases, random, sizeof(random));
	else
		good = false;
	if (!good) {
		free(a);
		return NULL;
	}
	a->run = run;
	a->put = put;
	a->arg = arg;
	a->slim = (struct slim){.drop = (LEFT_OUT & ~options->keep) | options->drop,
				.strip = options->strip};
	return a;
}

void anonymizer_free(struct anonymizer *a)
{
	if (!a)
		return;
	pk_dictionary_free(a->dictionary);
	free(a->images);
	free(a);
}

const struct aliases *anonymizer_aliases(const struct anonymizer *a)
{
	return &a->aliases;
}

bool anonymizer_begin(struct anonymizer *a)
{
	pk_dictionary_free(a->dictionary);
	a->dictionary = pk_dictionary_new(NULL);
	a->images_count = 0;
	return a->dictionary;
}

/* ---- Making records ---- */

void *anonymize_begin(struct anonymizer *a, const struct pk_record *record, size_t head)
{
	memcpy(a->data, record->data, head);
	a->used = head;
	return a->data;
}

void anonymize_add(struct anonymizer *a, const void *data, size_t size)
{
	if (a->used + size <= PERF_RECORD_SIZE_MAX)
		memcpy(a->data + a->used, data, size);
	a->used += size;
}

void anonymize_add_name(struct anonymizer *a, const char *name, size_t size)
{
	static const uint8_t zeros[8];
	char alias[ALIAS_SIZE];

	alias_of(&a->aliases, name, size, alias);
	anonymize_add(a, alias, strlen(alias));
	anonymize_add(a, zeros, 8 - a->used % 8);
}

enum pk_status anonymize_put(struct anonymizer *a)
{
	struct pk_record record;

	if (a->used > PERF_RECORD_SIZE_MAX) {
		a->left_out[LEFT_RECORDS]++;
		return PK_OK;
	}
	((struct perf_header *)a->data)->size = (uint16_t)a->used;
	record = pk_record_at(a->data);
	record.time = PK_NO_TIME;
	return a->put(a->arg, &record);
}

void anonymize_build_id(const struct anonymizer *a, uint8_t *field, size_t size)
{
	if (size > PK_BUILD_ID_MAX)
		size = PK_BUILD_ID_MAX;
	alias_build_id(&a->aliases, field, size);
	memset(field + size, 0, PK_BUILD_ID_MAX - size);
}

enum pk_status anonymize_head(struct anonymizer *a, const struct pk_record *record, size_t size)
{
	static const uint8_t zeros[8];

	anonymize_begin(a, record, size < record->size ? size : record->size);
	anonymize_add(a, zeros, (8 - a->used % 8) % 8);
	return anonymize_put(a);
}

struct object anonymize_object(const struct anonymizer *a, uint32_t kind, const char *path)
{
	const bool file = kind == PK_DSO_FILE || kind == PK_DSO_VDSO ||
			  (kind == PK_DSO_JIT && pk_is_jitdump(path));

	if (!file)
		return (struct object){SPACE_MEMORY, 0};
	return (struct object){SPACE_FILE, alias_offset(&a->aliases, path, strlen(path))};
}

uint64_t anonymize_in(const struct anonymizer *a, const struct object *object, uint64_t address)
{
	if (object->space == SPACE_FILE)
		return address + object->offset;
	return alias_address(&a->aliases, address);
}

/* ---- Samples ---- */

static void move(const struct anonymizer *a, uint8_t *at)
{
	pk_store_u64(at, alias_address(&a->aliases, pk_load_u64(at)));
}

/* The number behind the marker is no address. */
static void move_chain(const struct anonymizer *a, uint8_t *at)
{
	const uint64_t count = pk_load_u64(at);

	for (uint64_t i = 1; i <= count; i++) {
		if (pk_load_u64(at + i * sizeof(count)) == PERF_CONTEXT_USER_DEFERRED)
			i++;
		else
			move(a, at + i * sizeof(count));
	}
}

/* From and to of each. */
static void move_branches(const struct anonymizer *a, const struct pk_sample *sample,
			  const uint8_t *from, uint8_t *to)
{
	for (uint64_t i = 0; i < 3 * sample->branches.count; i++)
		if (i % 3 < 2)
			move(a, to + (sample->branches.data - from) + 8 * i);
}

static enum pk_status move_fields(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_sample_places places;
	struct pk_sample sample;
	enum pk_status status = pk_sample_places(record->event, record, &places);

	if (!status)
		status = pk_sample_decode(record->event, record, &sample);
	if (status)
		return status;
	for (unsigned int i = 0; i < places.count; i++) {
		uint8_t *at = a->copy + places.fields[i].at;

		switch (places.fields[i].bit) {
		case PERF_SAMPLE_IP:
		case PERF_SAMPLE_ADDR: move(a, at); break;
		case PERF_SAMPLE_CALLCHAIN: move_chain(a, at); break;
		case PERF_SAMPLE_BRANCH_STACK:
			move_branches(a, &sample, record->data, a->copy);
			break;
		default: break;
		}
	}
	return PK_OK;
}

/* What stands behind the fields may be anything but our trailers, the last of which is at the end.
 */
static uint16_t close_up(struct anonymizer *a, const struct pk_record *record, uint32_t trailers,
			 uint16_t end)
{
	const size_t size = sizeof(struct pk_trailer);
	const struct pk_trailer *last = pk_trailer_at(record->data + record->size - size);

	if (trailers & PK_TRAILER_CHAIN && record->size >= end + size &&
	    pk_trailer_at(record->data + end)->tag == PK_CHAIN_TRAILER_TAG)
		end = (uint16_t)(end + size);
	if (trailers & PK_TRAILER_STACK && record->size >= end + size &&
	    last->tag == PK_STACK_TRAILER_TAG) {
		memcpy(a->copy + end, last, size);
		end = (uint16_t)(end + size);
	}
	return end;
}

enum pk_status anonymizer_sample(struct anonymizer *a, const struct pk_record *record,
				 uint32_t trailers)
{
	struct pk_record copy = *record;
	struct pk_sample_places places;
	enum pk_status status;
	uint16_t size;

	if (!record->event->usable) {
		a->samples++;
		return PK_OK;
	}
	memcpy(a->copy, record->data, record->size);
	copy.data = a->copy;
	status = move_fields(a, record);
	if (!status)
		status = pk_sample_places(record->event, record, &places);
	if (status == PK_OK) {
		copy.size = close_up(a, record, trailers, places.end);
		((struct perf_header *)a->copy)->size = copy.size;
		status = slim_sample(&a->slim, &copy, a->data, &size);
	}
	if (status == PK_CORRUPT) {
		pk_run_complain(a->run, record, "sample with fields of no sound size, dropped");
		pk_run_lose(a->run, PK_LOSS_RECORDS_BAD, 1, 0);
		return PK_OK;
	}
	copy.data = a->data;
	copy.size = size;
	return status ? status : a->put(a->arg, &copy);
}

/* ---- Other records ---- */

/* A name of 16 bytes for each. */
static enum pk_status take_thread_map(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_thread_map *from = (const void *)record->data;
	const size_t each = sizeof(from->entries[0]), size = sizeof(from->entries[0].comm);
	const size_t room = (record->size - sizeof(*from)) / each;
	const size_t count = from->nr < room ? (size_t)from->nr : room;
	struct perf_record_thread_map *map =
		anonymize_begin(a, record, sizeof(*map) + each * count);
	char alias[ALIAS_SIZE];

	for (size_t i = 0; i < count; i++) {
		char *comm = map->entries[i].comm;

		alias_of(&a->aliases, comm, strnlen(comm, size), alias);
		memset(comm, 0, size);
		memcpy(comm, alias, strnlen(alias, size - 1));
	}
	return anonymize_put(a);
}

static enum pk_status leave_out(struct anonymizer *a, const struct pk_record *record)
{
	a->left_out[LEFT_RECORDS] +=
		record->type >= PERF_RECORD_USER_MAX ||
		(record->type >= PERF_RECORD_KERNEL_MAX && record->type < PERF_RECORD_USER_START);
	return PK_OK;
}

enum pk_status anonymizer_record(struct anonymizer *a, const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR: return anonymize_attr(a, record);
	case PERF_RECORD_HEADER_FEATURE: return anonymize_feature(a, record);
	case PERF_RECORD_EVENT_UPDATE:
		return pk_definition_of(record) ? anonymize_definition(a, record)
						: anonymize_update(a, record);
	case PERF_RECORD_THREAD_MAP: return take_thread_map(a, record);
	case PERF_RECORD_FINISHED_ROUND:
	case PERF_RECORD_ID_INDEX:
	case PERF_RECORD_CPU_MAP:
	case PERF_RECORD_STAT_CONFIG:
	case PERF_RECORD_STAT:
	case PERF_RECORD_STAT_ROUND:
	case PERF_RECORD_TIME_CONV:
	case PERF_RECORD_FINISHED_INIT: return anonymize_numbers(a, record);
	case PERF_RECORD_HEADER_BUILD_ID: return anonymize_kernel(a, record);
	default: break;
	}
	return record->type < PERF_RECORD_KERNEL_MAX ? anonymize_kernel(a, record)
						     : leave_out(a, record);
}

bool anonymizer_keeps_payload(const struct anonymizer *a, const struct pk_record *record)
{
	return record->type == PERF_RECORD_HEADER_TRACING_DATA && !(a->slim.drop & PERF_SAMPLE_RAW);
}

void anonymizer_tell(const struct anonymizer *a)
{
	char number[3][32];

	if (a->left_out[0] + a->left_out[1] + a->left_out[2])
		pk_warn("%s records, %s features and %s definitions of unknown kind left out",
			pk_number(number[0], a->left_out[0]), pk_number(number[1], a->left_out[1]),
			pk_number(number[2], a->left_out[2]));
	if (a->samples)
		pk_warn("%s samples with fields of unknown kind left out",
			pk_number(number[0], a->samples));
}
