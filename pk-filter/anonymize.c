// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <sys/random.h>

#include "anonymize.h"
#include "machine.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "vector.h"

/* Fields that are removed: they contain data of the recorded programs, or addresses that no map
 * describes. */
#define LEFT_OUT                                                                                   \
	(PERF_SAMPLE_RAW | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER |                        \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_AUX)

/* What determines the distance for addresses: memory, or the file of a DSO or an IMAGE. */
enum address_space { SPACE_MEMORY, SPACE_FILE };

struct anonymizer {
	struct pk_run *run;
	struct aliases aliases;
	struct slim slim;
	anonymize_fn put;
	void *arg;
	uint64_t left_out[3]; /* records, features, definitions of unknown kind */
	uint64_t samples;     /* number of samples of unreadable events, which are skipped */
	/* The session's: */
	struct pk_dictionary *dictionary; /* the unchanged definitions */
	struct object {
		enum address_space space;
		uint64_t offset;
	} * images;	       /* by image id - 1 */
	uint32_t images_count; /* last id */
	size_t images_capacity;
	size_t used;
	uint8_t data[PERF_RECORD_SIZE_MAX + 64]; /* the record that is being built */
	uint8_t copy[PERF_RECORD_SIZE_MAX + 64]; /* a copy of a whole sample */
};

enum { LEFT_RECORDS, LEFT_FEATURES, LEFT_DEFINITIONS };

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

bool anonymizer_start_session(struct anonymizer *a)
{
	pk_dictionary_free(a->dictionary);
	a->dictionary = pk_dictionary_new(NULL);
	a->images_count = 0;
	return a->dictionary;
}

/* ---- Making records ---- */

/* Starts a record with the first bytes of another one. If it becomes too large, it is cut, and
 * put_record then skips it. */
static void *start_record(struct anonymizer *a, const struct pk_record *record, size_t head)
{
	memcpy(a->data, record->data, head);
	a->used = head;
	return a->data;
}

static void add_bytes(struct anonymizer *a, const void *data, size_t size)
{
	if (a->used + size <= PERF_RECORD_SIZE_MAX)
		memcpy(a->data + a->used, data, size);
	a->used += size;
}

static void add_zeros(struct anonymizer *a, size_t size)
{
	static const uint8_t zeros[8];

	add_bytes(a, zeros, size);
}

/* Zeros up to a multiple of 8 bytes. */
static void pad(struct anonymizer *a)
{
	add_zeros(a, (8 - a->used % 8) % 8);
}

static void add_padded(struct anonymizer *a, const char *text, size_t size)
{
	add_bytes(a, text, size);
	pad(a);
}

/* Adds a text, and zeros up to a multiple of 8 bytes, at least one. */
static void add_text(struct anonymizer *a, const char *text)
{
	add_bytes(a, text, strlen(text));
	add_zeros(a, 8 - a->used % 8);
}

static void add_alias(struct anonymizer *a, const char *name, size_t size)
{
	char alias[ALIAS_SIZE];

	add_text(a, alias_of(&a->aliases, name, size, alias));
}

static enum pk_status put_record(struct anonymizer *a)
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

/* Replaces a build-id in a field of PK_BUILD_ID_MAX bytes. The bytes after it become zero. */
static void hide_build_id(const struct anonymizer *a, uint8_t *field, size_t size)
{
	if (size > PK_BUILD_ID_MAX)
		size = PK_BUILD_ID_MAX;
	alias_build_id(&a->aliases, field, size);
	memset(field + size, 0, PK_BUILD_ID_MAX - size);
}

/* Writes the first bytes of a record: the fields that this version knows, or the whole record if it
 * is shorter. */
static enum pk_status put_head(struct anonymizer *a, const struct pk_record *record, size_t size)
{
	start_record(a, record, size < record->size ? size : record->size);
	pad(a);
	return put_record(a);
}

/* The distance for the addresses of an object of that kind and path. */
static struct object object_of(const struct anonymizer *a, uint32_t kind, const char *path)
{
	char alias[ALIAS_SIZE];
	const char *original =
		a->aliases.restore ? alias_of(&a->aliases, path, strlen(path), alias) : path;
	const bool file = kind == PK_DSO_FILE || kind == PK_DSO_VDSO ||
			  (kind == PK_DSO_JIT && pk_is_jitdump(original));

	if (!file)
		return (struct object){SPACE_MEMORY, 0};
	return (struct object){SPACE_FILE, alias_offset(&a->aliases, path, strlen(path))};
}

/* An address of an object or of memory. */
static uint64_t move_address(const struct anonymizer *a, const struct object *object,
			     uint64_t address)
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

/* Moves the addresses of a callchain. The number after PERF_CONTEXT_USER_DEFERRED is a cookie, not
 * an address. */
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

/* Moves the addresses `from` and `to` of each branch. */
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

/* Removes unknown bytes between the fields, which end at `end`, and pk's trailers. Returns the new
 * size. */
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

	if (!record->event->usable && a->aliases.restore)
		return a->put(a->arg, record);
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
		pk_run_complain(a->run, record,
				"sample with a field of an impossible size, dropped");
		pk_run_lose(a->run, PK_LOSS_RECORDS_BAD, 1, 0);
		return PK_OK;
	}
	copy.data = a->data;
	copy.size = size;
	return status ? status : a->put(a->arg, &copy);
}

/* ---- Events ---- */

/* Moves the address of a breakpoint, and clears fields of the attr that were only used to open the
 * event. */
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
	/* sig_data, config3, config4, and unknown fields */
	if (room > end)
		memset((uint8_t *)&record->attr + end, 0, room - end);
}

static enum pk_status anonymize_attr(struct anonymizer *a, const struct pk_record *record)
{
	struct perf_record_header_attr *copy = start_record(a, record, record->size);
	const size_t most = record->size - sizeof(copy->header);
	size_t room = copy->attr.size ? copy->attr.size : PERF_ATTR_SIZE_VER0;

	if (room > most)
		room = most;
	slim_attr(a->data, record->size, a->slim.drop);
	hide_places(a, copy, room);
	return put_record(a);
}

/* The size of a set of CPUs in a field of that size: its kind and its content. */
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

/* The size of a record with count entries; if there cannot be so many, that of its head. */
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
	default: break; /* FINISHED_ROUND, FINISHED_INIT */
	}
	return put_head(a, record, size);
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
		start_record(a, record, sizeof(*update));
		add_text(a, alias_of_event(&a->aliases, name, alias));
		return put_record(a);
	case PERF_EVENT_UPDATE_SCALE: return put_head(a, record, sizeof(*update) + sizeof(double));
	case PERF_EVENT_UPDATE_CPUS:
		return put_head(a, record,
				sizeof(*update) +
					size_of_cpus(update->data, record->size - sizeof(*update)));
	case PERF_EVENT_UPDATE_UNIT: return PK_OK;
	default: a->left_out[LEFT_DEFINITIONS]++; return PK_OK;
	}
}

/* ---- Records of the kernel, and HEADER_BUILD_ID ---- */

/* The bytes of the trailer. */
static size_t trailer_of(const struct anonymizer *a, const struct pk_record *record)
{
	const struct pk_event *event =
		record->event ? record->event : pk_reader_event_of(a->run->reader, record);

	return event ? event->layout.trailer.size : 0;
}

/* Renames a record whose last field is a name, and keeps the trailer. */
static enum pk_status rename_at(struct anonymizer *a, const struct pk_record *record, size_t at)
{
	const size_t trailer = trailer_of(a, record);
	const char *name = (const char *)record->data + at;

	if (record->size < at + trailer)
		return PK_OK;
	add_alias(a, name, strnlen(name, record->size - trailer - at));
	add_bytes(a, record->data + record->size - trailer, trailer);
	return put_record(a);
}

static enum pk_status anonymize_name(struct anonymizer *a, const struct pk_record *record,
				     size_t at)
{
	start_record(a, record, at);
	return rename_at(a, record, at);
}

static void hide_file(const struct anonymizer *a, struct perf_record_mmap2 *map, bool build_id)
{
	uint64_t device = (uint64_t)map->min << 32 | map->maj;

	if (build_id) {
		hide_build_id(a, map->build_id, map->build_id_size);
		return;
	}
	map->ino = alias_file(&a->aliases, map->ino, &device);
	map->maj = (uint32_t)device;
	map->min = (uint32_t)(device >> 32);
	map->ino_generation = 0;
}

/* A file's offset moves with the file. The offset of memory has no meaning; for the kernel it is
 * the address of a symbol, which would reveal the distance to perf. */
static enum pk_status anonymize_mmap(struct anonymizer *a, const struct pk_record *record)
{
	const size_t at = pk_mmap_name_at(record);
	const char *name = (const char *)record->data + at;
	struct perf_record_mmap2 *map = start_record(a, record, at); /* starts like MMAP */
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

/* Starts a record with the known fields and the trailer, without bytes between them. False: they do
 * not fit. */
static bool start_fields(struct anonymizer *a, const struct pk_record *record, size_t fields)
{
	const size_t trailer = trailer_of(a, record);

	if (record->size < fields + trailer)
		return false;
	start_record(a, record, fields);
	add_bytes(a, record->data + record->size - trailer, trailer);
	return true;
}

static enum pk_status anonymize_fields(struct anonymizer *a, const struct pk_record *record,
				       size_t fields)
{
	return start_fields(a, record, fields) ? put_record(a) : PK_OK;
}

/* The number of the count entries after the first head bytes that fit into the record. */
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
	return put_record(a);
}

static enum pk_status anonymize_ksymbol(struct anonymizer *a, const struct pk_record *record)
{
	struct perf_record_ksymbol *symbol = start_record(a, record, sizeof(*symbol));

	symbol->addr = alias_address(&a->aliases, symbol->addr);
	return rename_at(a, record, sizeof(*symbol));
}

static enum pk_status anonymize_bpf(struct anonymizer *a, const struct pk_record *record)
{
	struct perf_record_bpf_event *event = (void *)a->data;

	if (!start_fields(a, record, sizeof(*event)))
		return PK_OK;
	alias_build_id(&a->aliases, event->tag, sizeof(event->tag));
	return put_record(a);
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
	return put_record(a);
}

/* Bytes without a meaning can follow the name: they are removed. */
static enum pk_status anonymize_build_id(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_build_id *from = (const void *)record->data;
	struct perf_record_build_id *id = start_record(a, record, sizeof(*id));

	hide_build_id(a, id->build_id,
		      record->misc & PERF_RECORD_MISC_BUILD_ID_SIZE ? id->size : PK_BUILD_ID_MAX);
	memset(id->reserved, 0, sizeof(id->reserved));
	add_alias(a, from->filename, strnlen(from->filename, record->size - sizeof(*from)));
	return put_record(a);
}

static enum pk_status anonymize_kernel_record(struct anonymizer *a, const struct pk_record *record)
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
	default: return PK_OK; /* code, and records of the AUX area */
	}
}

/* ---- Features ---- */

/* A feature that is one string. */
static enum pk_status put_string_feature(struct anonymizer *a, const struct pk_record *record,
					 const char *text)
{
	const uint32_t size = (uint32_t)strlen(text) + 1;

	start_record(a, record, sizeof(struct perf_record_header_feature));
	add_bytes(a, &size, sizeof(size));
	add_padded(a, text, size);
	return put_record(a);
}

static enum pk_status anonymize_feature(struct anonymizer *a, const struct pk_record *record)
{
	const size_t head = sizeof(struct perf_record_header_feature);
	const uint32_t id = pk_feature_id(record);
	char text[4096], alias[ALIAS_SIZE];

	/* An empty feature marks the end of features. perf 6.1 stops with an error if its id is
	 * above 32. */
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
	case PERF_FEATURE_CLOCKID: return put_head(a, record, head + sizeof(uint64_t));
	case PERF_FEATURE_SAMPLE_TIME:
		return put_head(a, record, head + sizeof(struct perf_feature_sample_time));
	default: a->left_out[LEFT_FEATURES] += id >= PERF_FEATURE_MAX; return PK_OK;
	}
}

/* ---- Definitions ---- */

static enum pk_status anonymize_string(struct anonymizer *a, const struct pk_record *record)
{
	const struct pk_record_string *from = (const void *)record->data;
	struct pk_record_string *string = start_record(a, record, sizeof(*string));
	char alias[ALIAS_SIZE];

	const char *text = alias_of(&a->aliases, from->text, from->length, alias);

	string->length = (uint32_t)strlen(text);
	add_text(a, text);
	return put_record(a);
}

static enum pk_status anonymize_frame(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_record_frame *frame = start_record(a, record, sizeof(*frame));
	const struct pk_dso *dso = pk_dictionary_get_dso(a->dictionary, frame->dso);
	const char *path = dso ? pk_dictionary_get_string(a->dictionary, dso->path, NULL) : NULL;
	const struct object object = object_of(a, dso ? dso->kind : 0, path ? path : "");

	frame->address = move_address(a, &object, frame->address);
	if (frame->symbol_start)
		frame->symbol_start = move_address(a, &object, frame->symbol_start);
	return put_record(a);
}

/* Definitions with unexpected ids or invalid references are skipped. */
static enum pk_status anonymize_dictionary(struct anonymizer *a, const struct pk_record *record)
{
	enum pk_status status = pk_dictionary_read(a->dictionary, record);
	struct pk_record_dso *dso;

	if (status == PK_CORRUPT)
		pk_run_complain(
			a->run, record,
			"definition with an unexpected id or an undefined reference, skipped");
	if (status)
		return status == PK_NOMEM ? status : PK_OK;
	switch (pk_definition_of(record)) {
	case PK_STRING: return anonymize_string(a, record);
	case PK_FRAME: return anonymize_frame(a, record);
	case PK_DSO:
		dso = start_record(a, record, sizeof(*dso));
		hide_build_id(a, dso->build_id, dso->build_id_size);
		dso->zero = 0;
		return put_record(a);
	case PK_STACK:
		start_record(a, record, sizeof(struct pk_record_stack));
		return put_record(a);
	default: start_record(a, record, sizeof(struct pk_record_reset)); return put_record(a);
	}
}

/* Keeps the program's name; removes its version, arguments, working directory and time. */
static enum pk_status anonymize_stage(struct anonymizer *a, const struct pk_record *record)
{
	const struct pk_record_stage *from = (const void *)record->data;
	const char *program = from->strings;
	struct pk_record_stage *stage;
	char alias[ALIAS_SIZE];
	size_t size;

	if (record->size < sizeof(*from) + 8) /* size with the shortest strings, padded */
		return PK_OK;
	size = strnlen(program, record->size - sizeof(*from));
	stage = start_record(a, record, sizeof(*stage));
	stage->time = 0;
	stage->argc = stage->zero = 0;
	if (size > 3 && size < 24 && !memcmp(program, "pk-", 3) &&
	    alias_consists_of(program + 3, size - 3, "abcdefghijklmnopqrstuvwxyz-"))
		add_bytes(a, program, size);
	else
		add_bytes(a, alias, strlen(alias_of(&a->aliases, program, size, alias)));
	add_zeros(a, 3);
	pad(a);
	return put_record(a);
}

static enum pk_status anonymize_image(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_image_info info;
	struct pk_record_image *image;

	if (pk_image_info_decode(record, &info) || info.id != a->images_count + 1)
		return PK_OK;
	if (!pk_reserve(&a->images, &a->images_capacity, a->images_count, 1, sizeof(*a->images)))
		return PK_NOMEM;
	a->images[a->images_count++] = object_of(a, info.kind, info.path);
	image = start_record(a, record, sizeof(*image));
	hide_build_id(a, image->build_id, info.build_id_size);
	add_alias(a, info.path, strlen(info.path));
	return put_record(a);
}

static const struct object *image_of(const struct anonymizer *a, uint32_t id)
{
	return id - 1 < a->images_count ? &a->images[id - 1] : NULL;
}

/* Writes as many records as needed: most aliases are longer than the names. */
static enum pk_status anonymize_symbols(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_offsite_list list;
	struct pk_symbol_info info;
	const struct object *image;
	enum pk_status status = PK_OK;
	struct pk_record_symbols *symbols;
	char alias[ALIAS_SIZE];
	uint32_t count = 0;

	if (pk_offsite_entries(record, &list) || !(image = image_of(a, list.image)))
		return PK_OK;
	symbols = start_record(a, record, sizeof(*symbols));
	while (!status && !pk_symbol_info_next(&list, &info)) {
		const char *name = alias_of(&a->aliases, info.name, info.name_size, alias);
		struct pk_symbol_entry entry = {move_address(a, image, info.start), info.size, 0,
						(uint32_t)strlen(name)};

		if (count &&
		    a->used + sizeof(entry) + PK_ALIGN8(entry.length) > PERF_RECORD_SIZE_MAX) {
			symbols->count = count;
			status = put_record(a);
			start_record(a, record, sizeof(*symbols));
			count = 0;
		}
		add_bytes(a, &entry, sizeof(entry));
		add_padded(a, name, entry.length);
		count++;
	}
	symbols->count = count;
	return status || !count ? status : put_record(a);
}

static enum pk_status anonymize_source(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_offsite_list list;
	struct pk_source_info info;
	struct pk_record_source *source;
	const struct object *image;
	uint32_t count = 0;

	if (pk_offsite_entries(record, &list) || !(image = image_of(a, list.image)))
		return PK_OK;
	source = start_record(a, record, sizeof(*source));
	source->address = move_address(a, image, list.address);
	for (; !pk_source_info_next(&list, &info); count++) {
		char aliases[2][ALIAS_SIZE];
		const char *function = "", *file = "";
		struct pk_source_entry entry = {
			.line = info.line, .column = info.column, .flags = info.flags};

		if (info.function_size)
			function = alias_of(&a->aliases, info.function, info.function_size,
					    aliases[0]);
		if (info.file_size)
			file = alias_of(&a->aliases, info.file, info.file_size, aliases[1]);
		entry.function_length = (uint32_t)strlen(function);
		entry.file_length = (uint32_t)strlen(file);
		add_bytes(a, &entry, sizeof(entry));
		add_bytes(a, function, entry.function_length);
		add_padded(a, file, entry.file_length);
	}
	source->count = count;
	return count ? put_record(a) : PK_OK;
}

/* Records that are shorter than the known fields are skipped. */
static enum pk_status put_known(struct anonymizer *a, const struct pk_record *record, size_t size)
{
	return record->size < size ? PK_OK : put_head(a, record, size);
}

static enum pk_status anonymize_definition(struct anonymizer *a, const struct pk_record *record)
{
	switch (pk_definition_of(record)) {
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK:
	case PK_RESET: return anonymize_dictionary(a, record);
	case PK_STAGE: return anonymize_stage(a, record);
	case PK_IMAGE: return anonymize_image(a, record);
	case PK_SYMBOLS: return anonymize_symbols(a, record);
	case PK_SOURCE: return anonymize_source(a, record);
	case PK_FORGET: /* ids continue */
		return put_known(a, record, sizeof(struct pk_record_forget));
	case PK_ORDER: return put_known(a, record, sizeof(struct pk_record_order));
	case PK_SESSION: return put_known(a, record, sizeof(struct pk_record_session));
	case PK_FINISH: return put_known(a, record, sizeof(struct pk_record_finish));
	case PK_LOSS: return put_known(a, record, sizeof(struct pk_record_loss));
	case PK_FEATURE_PART:
	case PK_ARGUMENTS: return PK_OK;
	default: a->left_out[LEFT_DEFINITIONS]++; return PK_OK;
	}
}

/* ---- Other records ---- */

/* Each name has 16 bytes. */
static enum pk_status anonymize_thread_map(struct anonymizer *a, const struct pk_record *record)
{
	const struct perf_record_thread_map *from = (const void *)record->data;
	const size_t each = sizeof(from->entries[0]), size = sizeof(from->entries[0].comm);
	const size_t room = (record->size - sizeof(*from)) / each;
	const size_t count = from->nr < room ? (size_t)from->nr : room;
	struct perf_record_thread_map *map = start_record(a, record, sizeof(*map) + each * count);
	char alias[ALIAS_SIZE];

	for (size_t i = 0; i < count; i++) {
		char *comm = map->entries[i].comm;
		const char *name = alias_of(&a->aliases, comm, strnlen(comm, size), alias);

		memset(comm, 0, size);
		memcpy(comm, name, strnlen(name, a->aliases.restore ? size : size - 1));
	}
	return put_record(a);
}

static enum pk_status leave_out(struct anonymizer *a, const struct pk_record *record)
{
	a->left_out[LEFT_RECORDS] +=
		record->type >= PERF_RECORD_USER_MAX ||
		(record->type >= PERF_RECORD_KERNEL_MAX && record->type < PERF_RECORD_USER_START);
	return PK_OK;
}

/* Whether the record has names or addresses that --anonymize replaces. */
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
	case PK_SOURCE: return true;
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
