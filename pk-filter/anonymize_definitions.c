// SPDX-License-Identifier: BSD-2-Clause
/* Features, and pk's own definitions (SPEC 6.2, 9). */
#include <stdlib.h>

#include "anonymize_internal.h"
#include "machine.h"
#include "pkprivate.h"
#include "vector.h"

/* ---- Features ---- */

/* A feature that is one string. */
static enum pk_status put_text(struct anonymizer *a, const struct pk_record *record,
			       const char *text)
{
	static const uint8_t zeros[8];
	const uint32_t size = (uint32_t)strlen(text) + 1;

	anonymize_begin(a, record, sizeof(struct perf_record_header_feature));
	anonymize_add(a, &size, sizeof(size));
	anonymize_add(a, text, size);
	anonymize_add(a, zeros, (8 - a->used % 8) % 8);
	return anonymize_put(a);
}

enum pk_status anonymize_feature(struct anonymizer *a, const struct pk_record *record)
{
	const size_t head = sizeof(struct perf_record_header_feature);
	const uint32_t id = pk_feature_id(record);
	char text[4096], alias[ALIAS_SIZE];

	/* The end of features, at which perf 6.1 stops if it is above 32. */
	if (record->size <= head)
		return id <= PERF_FEATURE_CPU_DOMAIN_INFO ? a->put(a->arg, record) : PK_OK;
	switch (id) {
	case PERF_FEATURE_HOSTNAME:
	case PERF_FEATURE_OSRELEASE:
		if (!pk_feature_get_string(record, text, sizeof(text)))
			return PK_OK;
		return put_text(a, record, alias_of(&a->aliases, text, strlen(text), alias));
	case PERF_FEATURE_ARCH:
		if (!pk_feature_get_string(record, text, sizeof(text)) ||
		    !pk_machine_named(text, sizeof(text)))
			return PK_OK;
		return put_text(a, record, text);
	case PERF_FEATURE_NRCPUS:
	case PERF_FEATURE_CLOCKID: return anonymize_head(a, record, head + sizeof(uint64_t));
	case PERF_FEATURE_SAMPLE_TIME:
		return anonymize_head(a, record, head + sizeof(struct perf_feature_sample_time));
	default: a->left_out[LEFT_FEATURES] += id >= PERF_FEATURE_MAX; return PK_OK;
	}
}

/* ---- Definitions ---- */

static enum pk_status take_string(struct anonymizer *a, const struct pk_record *record)
{
	const struct pk_record_string *from = (const void *)record->data;
	struct pk_record_string *string = anonymize_begin(a, record, sizeof(*string));
	char alias[ALIAS_SIZE];

	alias_of(&a->aliases, from->text, from->length, alias);
	string->length = (uint32_t)strlen(alias);
	anonymize_add_name(a, from->text, from->length);
	return anonymize_put(a);
}

static enum pk_status take_frame(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_record_frame *frame = anonymize_begin(a, record, sizeof(*frame));
	const struct pk_dso *dso = pk_dictionary_get_dso(a->dictionary, frame->dso);
	const char *path = dso ? pk_dictionary_get_string(a->dictionary, dso->path, NULL) : NULL;
	const struct object object = anonymize_object(a, dso ? dso->kind : 0, path ? path : "");

	frame->address = anonymize_in(a, &object, frame->address);
	if (frame->symbol_start)
		frame->symbol_start = anonymize_in(a, &object, frame->symbol_start);
	return anonymize_put(a);
}

/* Ids that are out of turn are left out, as are definitions that do not hold together. */
static enum pk_status take_dictionary(struct anonymizer *a, const struct pk_record *record)
{
	enum pk_status status = pk_dictionary_read(a->dictionary, record);
	struct pk_record_dso *dso;

	if (status == PK_CORRUPT)
		pk_run_complain(a->run, record,
				"definition out of turn or of something undefined, left out");
	if (status)
		return status == PK_NOMEM ? status : PK_OK;
	switch (pk_definition_of(record)) {
	case PK_STRING: return take_string(a, record);
	case PK_FRAME: return take_frame(a, record);
	case PK_DSO:
		dso = anonymize_begin(a, record, sizeof(*dso));
		anonymize_build_id(a, dso->build_id, dso->build_id_size);
		dso->zero = 0;
		return anonymize_put(a);
	case PK_STACK:
		anonymize_begin(a, record, sizeof(struct pk_record_stack));
		return anonymize_put(a);
	default:
		anonymize_begin(a, record, sizeof(struct pk_record_reset));
		return anonymize_put(a);
	}
}

/* Which program it was is told, but not its version, when, where and how it was called. */
static enum pk_status take_stage(struct anonymizer *a, const struct pk_record *record)
{
	static const uint8_t zeros[8];
	const struct pk_record_stage *from = (const void *)record->data;
	const char *program = from->strings;
	struct pk_record_stage *stage;
	char alias[ALIAS_SIZE];
	size_t size;

	if (record->size < sizeof(*from) + 8) /* with the shortest strings, padded */
		return PK_OK;
	size = strnlen(program, record->size - sizeof(*from));
	stage = anonymize_begin(a, record, sizeof(*stage));
	stage->time = 0;
	stage->argc = stage->zero = 0;
	if (size > 3 && size < 24 && !memcmp(program, "pk-", 3) &&
	    strspn(program + 3, "abcdefghijklmnopqrstuvwxyz-") >= size - 3)
		anonymize_add(a, program, size);
	else
		anonymize_add(a, alias, strlen(alias_of(&a->aliases, program, size, alias)));
	anonymize_add(a, zeros, 3);
	anonymize_add(a, zeros, (8 - a->used % 8) % 8);
	return anonymize_put(a);
}

static enum pk_status take_image(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_image_info info;
	struct pk_record_image *image;

	if (pk_image_info_decode(record, &info) || info.id != a->images_count + 1)
		return PK_OK;
	if (!pk_reserve(&a->images, &a->images_capacity, a->images_count, 1, sizeof(*a->images)))
		return PK_NOMEM;
	a->images[a->images_count++] = anonymize_object(a, info.kind, info.path);
	image = anonymize_begin(a, record, sizeof(*image));
	anonymize_build_id(a, image->build_id, info.build_id_size);
	anonymize_add_name(a, info.path, strlen(info.path));
	return anonymize_put(a);
}

static const struct object *image_of(const struct anonymizer *a, uint32_t id)
{
	return id - 1 < a->images_count ? &a->images[id - 1] : NULL;
}

static void add_padded(struct anonymizer *a, const char *text, size_t size)
{
	static const uint8_t zeros[8];

	anonymize_add(a, text, size);
	anonymize_add(a, zeros, (8 - a->used % 8) % 8);
}

/* As many records as it takes: most names are shorter than what stands for them. */
static enum pk_status take_symbols(struct anonymizer *a, const struct pk_record *record)
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
	symbols = anonymize_begin(a, record, sizeof(*symbols));
	while (!status && !pk_symbol_info_next(&list, &info)) {
		struct pk_symbol_entry entry = {anonymize_in(a, image, info.start), info.size, 0,
						0};

		if (a->used + sizeof(entry) + ALIAS_SIZE > PERF_RECORD_SIZE_MAX) {
			symbols->count = count;
			status = anonymize_put(a);
			anonymize_begin(a, record, sizeof(*symbols));
			count = 0;
		}
		alias_of(&a->aliases, info.name, info.name_size, alias);
		entry.length = (uint32_t)strlen(alias);
		anonymize_add(a, &entry, sizeof(entry));
		add_padded(a, alias, entry.length);
		count++;
	}
	symbols->count = count;
	return status || !count ? status : anonymize_put(a);
}

static enum pk_status take_source(struct anonymizer *a, const struct pk_record *record)
{
	struct pk_offsite_list list;
	struct pk_source_info info;
	struct pk_record_source *source;
	const struct object *image;
	uint32_t count = 0;

	if (pk_offsite_entries(record, &list) || !(image = image_of(a, list.image)))
		return PK_OK;
	source = anonymize_begin(a, record, sizeof(*source));
	source->address = anonymize_in(a, image, list.address);
	for (; !pk_source_info_next(&list, &info); count++) {
		char function[ALIAS_SIZE] = "", file[ALIAS_SIZE] = "", both[2 * ALIAS_SIZE];
		struct pk_source_entry entry = {
			.line = info.line, .column = info.column, .flags = info.flags};

		if (info.function_size)
			alias_of(&a->aliases, info.function, info.function_size, function);
		if (info.file_size)
			alias_of(&a->aliases, info.file, info.file_size, file);
		entry.function_length = (uint32_t)strlen(function);
		entry.file_length = (uint32_t)strlen(file);
		memcpy(both, function, entry.function_length);
		memcpy(both + entry.function_length, file, entry.file_length);
		anonymize_add(a, &entry, sizeof(entry));
		add_padded(a, both, entry.function_length + entry.file_length);
	}
	source->count = count;
	return count ? anonymize_put(a) : PK_OK;
}

/* The part that this version knows. */
static enum pk_status put_head(struct anonymizer *a, const struct pk_record *record, size_t size)
{
	return record->size < size ? PK_OK : anonymize_head(a, record, size);
}

enum pk_status anonymize_definition(struct anonymizer *a, const struct pk_record *record)
{
	switch (pk_definition_of(record)) {
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK:
	case PK_RESET: return take_dictionary(a, record);
	case PK_STAGE: return take_stage(a, record);
	case PK_IMAGE: return take_image(a, record);
	case PK_SYMBOLS: return take_symbols(a, record);
	case PK_SOURCE: return take_source(a, record);
	case PK_FORGET: /* ids go on */ return put_head(a, record, sizeof(struct pk_record_forget));
	case PK_ORDER: return put_head(a, record, sizeof(struct pk_record_order));
	case PK_SESSION: return put_head(a, record, sizeof(struct pk_record_session));
	case PK_FINISH: return put_head(a, record, sizeof(struct pk_record_finish));
	case PK_LOSS: return put_head(a, record, sizeof(struct pk_record_loss));
	case PK_FEATURE_PART:
	case PK_ARGUMENTS: return PK_OK;
	default: a->left_out[LEFT_DEFINITIONS]++; return PK_OK;
	}
}
