// SPDX-License-Identifier: BSD-2-Clause
#include "anonymizer_parts.h"
#include "vector.h"

/* ---- Definitions ---- */

/* Returns how the addresses of an object are moved. The object is a DSO or an image of that kind
 * and path. */
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

/* Moves an address in an object or in memory. */
static uint64_t move_address(const struct anonymizer *a, const struct object *object,
			     uint64_t address)
{
	if (object->space == SPACE_FILE)
		return address + object->offset;
	return alias_address(&a->aliases, address);
}

static enum pk_status anonymize_string(struct anonymizer *a, const struct pk_record *record)
{
	const struct pk_record_string *from = (const void *)record->data;
	struct pk_record_string *string = anonymizer_start(a, record, sizeof(*string));
	char alias[ALIAS_SIZE];

	const char *text = alias_of(&a->aliases, from->text, from->length, alias);

	string->length = (uint32_t)strlen(text);
	anonymizer_add_text(a, text);
	return anonymizer_put(a);
}

static enum pk_status anonymize_frame(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_record_frame *frame = anonymizer_start(a, record, sizeof(*frame));
	const struct pk_dso *dso = pk_dictionary_get_dso(a->dictionary, frame->dso);
	const char *path = dso ? pk_dictionary_get_string(a->dictionary, dso->path, NULL) : NULL;
	const struct object object = object_of(a, dso ? dso->kind : 0, path ? path : "");

	frame->address = move_address(a, &object, frame->address);
	if (frame->symbol_start)
		frame->symbol_start = move_address(a, &object, frame->symbol_start);
	return anonymizer_put(a);
}

/* Handles a definition of the dictionary. Definitions with unexpected ids or invalid references are
 * skipped. */
static enum pk_status anonymize_dictionary(struct anonymizer *a, const struct pk_record *record)
{
	enum pk_status status = pk_dictionary_read(a->dictionary, record);
	const struct pk_record_stack *stack;
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
		dso = anonymizer_start(a, record, sizeof(*dso));
		anonymizer_hide_build_id(a, dso->build_id, dso->build_id_size);
		dso->zero = 0;
		return anonymizer_put(a);
	case PK_STACK:
		stack = (const void *)record->data;
		return anonymizer_put_head(a, record,
					   sizeof(*stack) + stack->nr * sizeof(stack->inner[0]));
	default:
		anonymizer_start(a, record, sizeof(struct pk_record_reset));
		return anonymizer_put(a);
	}
}

/* Keeps the name of the program. Removes its version, its arguments, the host name and the time. */
static enum pk_status anonymize_stage(struct anonymizer *a, const struct pk_record *record)
{
	const struct pk_record_stage *from = (const void *)record->data;
	const char *program = from->strings;
	struct pk_record_stage *stage;
	char alias[ALIAS_SIZE];
	size_t size;

	if (record->size < sizeof(*from) + 8) /* 8 bytes are the shortest strings with padding */
		return PK_OK;
	size = strnlen(program, record->size - sizeof(*from));
	stage = anonymizer_start(a, record, sizeof(*stage));
	stage->time = 0;
	stage->argc = stage->zero = 0;
	if (size > 3 && size < 24 && !memcmp(program, "pk-", 3) &&
	    alias_consists_of(program + 3, size - 3, "abcdefghijklmnopqrstuvwxyz-"))
		anonymizer_add(a, program, size);
	else
		anonymizer_add(a, alias, strlen(alias_of(&a->aliases, program, size, alias)));
	anonymizer_add_zeros(a, 3);
	anonymizer_pad(a);
	return anonymizer_put(a);
}

static enum pk_status anonymize_image(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_image_info info;
	struct pk_record_image *image;

	if (pk_image_info_decode(record, &info) != PK_OK || info.id != a->images_count + 1)
		return PK_OK;
	PK_TRY(pk_reserve(&a->images, &a->images_capacity, a->images_count, 1, sizeof(*a->images)));
	a->images[a->images_count++] = object_of(a, info.kind, info.path);
	image = anonymizer_start(a, record, sizeof(*image));
	anonymizer_hide_build_id(a, image->build_id, info.build_id_size);
	anonymizer_add_alias(a, info.path, strlen(info.path));
	return anonymizer_put(a);
}

static const struct object *image_of(const struct anonymizer *a, uint32_t id)
{
	return id - 1 < a->images_count ? &a->images[id - 1] : NULL;
}

/* Replaces the names of symbols. Most aliases are longer than the names, so the result can need
 * several records. */
static enum pk_status anonymize_symbols(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_offsite_list list;
	struct pk_symbol_info info;
	const struct object *image;
	enum pk_status status = PK_OK;
	struct pk_record_symbols *symbols;
	char alias[ALIAS_SIZE];
	uint32_t count = 0;

	if (pk_offsite_entries(record, &list) != PK_OK || !(image = image_of(a, list.image)))
		return PK_OK;
	symbols = anonymizer_start(a, record, sizeof(*symbols));
	while (!status && pk_symbol_info_next(&list, &info) == PK_OK) {
		const char *name = alias_of(&a->aliases, info.name, info.name_size, alias);
		struct pk_symbol_entry entry = {move_address(a, image, info.start), info.size, 0,
						(uint32_t)strlen(name)};

		if (count &&
		    a->used + sizeof(entry) + PK_ALIGN8(entry.length) > PERF_RECORD_SIZE_MAX) {
			symbols->count = count;
			status = anonymizer_put(a);
			anonymizer_start(a, record, sizeof(*symbols));
			count = 0;
		}
		anonymizer_add(a, &entry, sizeof(entry));
		anonymizer_add_padded(a, name, entry.length);
		count++;
	}
	symbols->count = count;
	return status || !count ? status : anonymizer_put(a);
}

static enum pk_status anonymize_source(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_offsite_list list;
	struct pk_source_info info;
	struct pk_record_source *source;
	const struct object *image;
	uint32_t count = 0;

	if (pk_offsite_entries(record, &list) != PK_OK || !(image = image_of(a, list.image)))
		return PK_OK;
	source = anonymizer_start(a, record, sizeof(*source));
	source->address = move_address(a, image, list.address);
	for (; pk_source_info_next(&list, &info) == PK_OK; count++) {
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
		anonymizer_add(a, &entry, sizeof(entry));
		anonymizer_add(a, function, entry.function_length);
		anonymizer_add_padded(a, file, entry.file_length);
	}
	source->count = count;
	return count ? anonymizer_put(a) : PK_OK;
}

static void add_string(struct anonymizer *a, const char *text)
{
	const uint32_t size = (uint32_t)strlen(text) + 1;

	anonymizer_add(a, &size, sizeof(size));
	anonymizer_add(a, text, size);
}

/* Replaces the value of a label. The name is kept, because users choose it for their own programs.
 * It does not come from the recorded machine. */
static enum pk_status anonymize_label(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_label label;
	char alias[ALIAS_SIZE];

	if (pk_label_decode(record, &label) != PK_OK)
		return PK_OK;
	anonymizer_start(a, record, sizeof(struct pk_record_label));
	add_string(a, label.name);
	add_string(a, alias_of(&a->aliases, label.value, strlen(label.value), alias));
	anonymizer_pad(a);
	return anonymizer_put(a);
}

/* Writes the first `size` bytes of the record, which are the known fields. A shorter record is
 * skipped. */
static enum pk_status put_known(struct anonymizer *a, const struct pk_record *record, size_t size)
{
	return record->size < size ? PK_OK : anonymizer_put_head(a, record, size);
}

enum pk_status anonymize_definition(struct anonymizer *a, const struct pk_record *record)
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
	case PK_LABEL: return anonymize_label(a, record);
	case PK_FORGET: /* the ids of images do not start again */
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

/* ---- Samples ---- */

static void move(const struct anonymizer *a, uint8_t *at)
{
	pk_store_u64(at, alias_address(&a->aliases, pk_load_u64(at)));
}

/* Moves the addresses of a callchain. The number after the marker PERF_CONTEXT_USER_DEFERRED is not
 * moved, because it is a cookie and not an address. */
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
		case PERF_SAMPLE_RAW:
			if (record->event->off_cpu)
				move_chain(a, a->copy + record->event->layout.callchain);
			break;
		case PERF_SAMPLE_BRANCH_STACK:
			move_branches(a, &sample, record->data, a->copy);
			break;
		default: break;
		}
	}
	return PK_OK;
}

/* Removes the unknown bytes between the fields and pk's trailers. The fields end at the offset
 * `end`. Returns the new size of the record. */
static uint16_t close_up(struct anonymizer *a, const struct pk_record *record, uint32_t trailers,
			 uint16_t end)
{
	static const struct {
		uint32_t bit, tag;
	} kinds[] = {{PK_TRAILER_STACK, PK_STACK_TRAILER_TAG},
		     {PK_TRAILER_CHAIN, PK_CHAIN_TRAILER_TAG}};
	const size_t size = sizeof(struct pk_trailer);
	size_t at = record->size;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (trailers & kinds[i].bit && at >= end + size &&
		    pk_trailer_at(record->data + at - size)->tag == kinds[i].tag)
			at -= size;
	memcpy(a->copy + end, record->data + at, record->size - at);
	return (uint16_t)(end + (record->size - at));
}

enum pk_status anonymizer_sample(struct anonymizer *a, const struct pk_record *record,
				 uint32_t trailers)
{
	struct pk_record copy = *record;
	struct pk_sample_places places;
	enum pk_status status;
	uint16_t size;

	const bool known = !(record->event->attr.sample_type & PK_SAMPLE_UNKNOWN);

	if (!known && a->aliases.restore)
		return a->put(a->arg, record);
	if (!known) {
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
	return status ?: a->put(a->arg, &copy);
}
