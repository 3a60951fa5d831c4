// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <sys/random.h>

#include "anonymizer_parts.h"
#include "machine.h"

/* The fields of samples that are removed. They contain data of the recorded programs, or addresses
 * that are not in any map. */
#define LEFT_OUT                                                                                   \
	(PERF_SAMPLE_RAW | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER |                        \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_AUX)

struct anonymizer *anonymizer_new(struct pk_run *run, const struct anonymize_options *options,
				  anonymize_fn put, void *arg)
{
	struct anonymizer *a = calloc(1, sizeof(*a));
	uint8_t random[32];
	bool good = a;

	if (good && options->names && options->names->has_hash)
		aliases_init_from(&a->aliases, &options->names->hash);
	else if (good && options->key)
		aliases_init(&a->aliases, options->key, options->key_size);
	else if (good && getrandom(random, sizeof(random), 0) == sizeof(random))
		aliases_init(&a->aliases, random, sizeof(random));
	else
		good = false;
	if (!good) {
		free(a);
		return NULL;
	}
	if (options->names) {
		options->names->hash = a->aliases.key;
		options->names->has_hash = true;
	}
	a->aliases.names = options->names;
	a->aliases.restore = options->restore;
	a->run = run;
	a->put = put;
	a->arg = arg;
	a->slim.drop = options->drop | (options->restore ? 0 : LEFT_OUT & ~options->keep);
	a->slim.strip = options->strip;
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

enum pk_status anonymizer_start_session(struct anonymizer *a)
{
	pk_dictionary_free(a->dictionary);
	a->dictionary = pk_dictionary_new(NULL);
	a->images_count = 0;
	return a->dictionary ? PK_OK : PK_NOMEM;
}

/* ---- Events ---- */

/* Moves the address of a breakpoint. Clears the fields of the attr that were only needed to open
 * the event. */
static void hide_places(const struct anonymizer *a, struct perf_record_header_attr *record,
			size_t room)
{
	const size_t end = offsetof(struct perf_attr, sig_data);

	if (record->attr.type == PERF_TYPE_BREAKPOINT)
		record->attr.config1 = alias_address(&a->aliases, record->attr.config1);
	if (a->aliases.restore)
		return;
	if (record->attr.type > PERF_TYPE_BREAKPOINT)
		record->attr.config1 = 0;
	if (record->attr.type > PERF_TYPE_BREAKPOINT &&
	    room >= offsetof(struct perf_attr, branch_sample_type))
		record->attr.config2 = 0;
	/* The bytes after the known fields of the attr are set to 0. They are sig_data, config3,
	 * config4 and unknown fields. */
	if (room > end)
		memset((uint8_t *)&record->attr + end, 0, room - end);
}

static enum pk_status anonymize_attr(struct anonymizer *a, const struct pk_record *record)
{
	struct perf_record_header_attr *copy = anonymizer_start(a, record, record->size);
	const size_t most = record->size - sizeof(copy->header);
	size_t room = copy->attr.size ? copy->attr.size : PERF_ATTR_SIZE_VER0;

	if (room > most)
		room = most;
	slim_attr(pk_reader_events(a->run->reader), a->slim.drop, a->data, record->size);
	hide_places(a, copy, room);
	return anonymizer_put(a);
}

/* Returns the size of a set of CPUs, which is its kind and its content. `room` is the size of the
 * field that contains the set. */
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

/* Returns the size of a record that has `head` bytes and then `count` entries of `each` bytes. If
 * count is too large for the record, returns head. */
static size_t size_of_list(const struct pk_record *record, size_t head, uint64_t count, size_t each)
{
	return count <= record->size / each ? head + each * (size_t)count : head;
}

static enum pk_status anonymize_numbers(struct anonymizer *a, const struct pk_record *record)
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
	default: break; /* FINISHED_ROUND and FINISHED_INIT have no content */
	}
	return anonymizer_put_head(a, record, size);
}

static enum pk_status anonymize_update(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_event_update *update = (const void *)record->data;
	char alias[ALIAS_SIZE];
	const char *name;

	switch (update->type) {
	case PERF_EVENT_UPDATE_NAME:
		name = pk_record_text(record, sizeof(*update));
		if (!name)
			return PK_OK;
		anonymizer_start(a, record, sizeof(*update));
		anonymizer_add_text(a, alias_of_event(&a->aliases, name, alias));
		return anonymizer_put(a);
	case PERF_EVENT_UPDATE_SCALE:
		return anonymizer_put_head(a, record, sizeof(*update) + sizeof(double));
	case PERF_EVENT_UPDATE_CPUS:
		return anonymizer_put_head(
			a, record,
			sizeof(*update) +
				size_of_cpus(update->data, record->size - sizeof(*update)));
	case PERF_EVENT_UPDATE_UNIT: return PK_OK;
	default: a->left_out[LEFT_DEFINITIONS]++; return PK_OK;
	}
}

/* ---- Features ---- */

/* Writes a feature whose content is one string. */
static enum pk_status put_string_feature(struct anonymizer *a, const struct pk_record *record,
					 const char *text)
{
	const uint32_t size = (uint32_t)strlen(text) + 1;

	anonymizer_start(a, record, sizeof(struct perf_record_header_feature));
	anonymizer_add(a, &size, sizeof(size));
	anonymizer_add_padded(a, text, size);
	return anonymizer_put(a);
}

static enum pk_status anonymize_feature(struct anonymizer *a, const struct pk_record *record)
{
	const size_t head = sizeof(struct perf_record_header_feature);
	const uint32_t id = pk_feature_id(record);
	char text[4096], alias[ALIAS_SIZE];

	/* An empty feature marks the end of the features. perf 6.1 stops with an error if the id of
	 * this feature is larger than 32. */
	if (record->size <= head)
		return id <= PERF_FEATURE_CPU_DOMAIN_INFO ? a->put(a->arg, record) : PK_OK;
	switch (id) {
	case PERF_FEATURE_HOSTNAME:
	case PERF_FEATURE_OSRELEASE:
		if (!pk_feature_get_string(record, text, sizeof(text)))
			return PK_OK;
		return put_string_feature(a, record,
					  alias_of(&a->aliases, text, strlen(text), alias));
	case PERF_FEATURE_ARCH:
		if (!pk_feature_get_string(record, text, sizeof(text)) ||
		    !pk_machine_named(text, sizeof(text)))
			return PK_OK;
		return put_string_feature(a, record, text);
	case PERF_FEATURE_NRCPUS:
	case PERF_FEATURE_CLOCKID: return anonymizer_put_head(a, record, head + sizeof(uint64_t));
	case PERF_FEATURE_SAMPLE_TIME:
		return anonymizer_put_head(a, record,
					   head + sizeof(struct perf_feature_sample_time));
	default: a->left_out[LEFT_FEATURES] += id >= PERF_FEATURE_MAX; return PK_OK;
	}
}

/* ---- Other records ---- */

/* Replaces the names in a THREAD_MAP. Each name has 16 bytes. */
static enum pk_status anonymize_thread_map(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_thread_map *from = (const void *)record->data;
	const size_t each = sizeof(from->entries[0]), size = sizeof(from->entries[0].comm);
	const size_t room = (record->size - sizeof(*from)) / each;
	const size_t count = from->nr < room ? (size_t)from->nr : room;
	struct perf_record_thread_map *map =
		anonymizer_start(a, record, sizeof(*map) + each * count);
	char alias[ALIAS_SIZE];

	for (size_t i = 0; i < count; i++) {
		char *comm = map->entries[i].comm;
		const char *name = alias_of(&a->aliases, comm, strnlen(comm, size), alias);

		memset(comm, 0, size);
		memcpy(comm, name, strnlen(name, a->aliases.restore ? size : size - 1));
	}
	return anonymizer_put(a);
}

static enum pk_status leave_out(struct anonymizer *a, const struct pk_record *record)
{
	a->left_out[LEFT_RECORDS] +=
		record->type >= PERF_RECORD_USER_MAX ||
		(record->type >= PERF_RECORD_KERNEL_MAX && record->type < PERF_RECORD_USER_START);
	return PK_OK;
}

/* Returns true if the record has names or addresses that --anonymize replaces. */
static bool has_aliases(const struct pk_record *record)
{
	const struct perf_record_event_update *update = (const void *)record->data;

	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR:
	case PERF_RECORD_HEADER_BUILD_ID:
	case PERF_RECORD_THREAD_MAP:
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
	case PERF_RECORD_CALLCHAIN_DEFERRED: return true;
	case PERF_RECORD_HEADER_FEATURE:
		return pk_feature_id(record) == PERF_FEATURE_HOSTNAME ||
		       pk_feature_id(record) == PERF_FEATURE_OSRELEASE;
	case PERF_RECORD_EVENT_UPDATE: break;
	default: return false;
	}
	switch (pk_definition_of(record)) {
	case PK_DEFINITION_NONE: return update->type == PERF_EVENT_UPDATE_NAME;
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK:
	case PK_RESET:
	case PK_IMAGE:
	case PK_SYMBOLS:
	case PK_SOURCE:
	case PK_LABEL: return true;
	default: return false;
	}
}

enum pk_status anonymizer_record(struct anonymizer *a, const struct pk_record *record)
{
	if (a->aliases.restore && !has_aliases(record))
		return a->put(a->arg, record);
	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR: return anonymize_attr(a, record);
	case PERF_RECORD_HEADER_FEATURE: return anonymize_feature(a, record);
	case PERF_RECORD_EVENT_UPDATE:
		return pk_definition_of(record) ? anonymize_definition(a, record)
						: anonymize_update(a, record);
	case PERF_RECORD_THREAD_MAP: return anonymize_thread_map(a, record);
	case PERF_RECORD_FINISHED_ROUND:
	case PERF_RECORD_ID_INDEX:
	case PERF_RECORD_CPU_MAP:
	case PERF_RECORD_STAT_CONFIG:
	case PERF_RECORD_STAT:
	case PERF_RECORD_STAT_ROUND:
	case PERF_RECORD_TIME_CONV:
	case PERF_RECORD_FINISHED_INIT: return anonymize_numbers(a, record);
	case PERF_RECORD_HEADER_BUILD_ID: return anonymize_kernel_record(a, record);
	default: break;
	}
	return record->type < PERF_RECORD_KERNEL_MAX ? anonymize_kernel_record(a, record)
						     : leave_out(a, record);
}

bool anonymizer_keeps_payload(const struct anonymizer *a, const struct pk_record *record)
{
	return a->aliases.restore || (record->type == PERF_RECORD_HEADER_TRACING_DATA &&
				      !(a->slim.drop & PERF_SAMPLE_RAW));
}

void anonymizer_report(const struct anonymizer *a)
{
	char number[3][32];

	if (a->left_out[0] + a->left_out[1] + a->left_out[2])
		pk_warn("%s records, %s features and %s definitions of unknown kind removed",
			pk_number(number[0], a->left_out[0]), pk_number(number[1], a->left_out[1]),
			pk_number(number[2], a->left_out[2]));
	if (a->samples)
		pk_warn("%s samples with fields of unknown kind removed",
			pk_number(number[0], a->samples));
}
