// SPDX-License-Identifier: BSD-2-Clause
/* LABEL records. A label is a name and a value that the user gave to the recording (SPEC 9.16). */
#include <assert.h>
#include <string.h>

#include "characters.h"
#include "pkprivate.h"
#include "records.h"

bool pk_label_name_is_valid(const char *name)
{
	size_t size = 0;

	if (!pk_starts_name(*name))
		return false;
	while (pk_is_of_name(name[size]))
		size++;
	return !name[size] && size <= PK_LABEL_NAME_MAX;
}

/* ---- Reading ---- */

/* Reads a size and then a text that ends with a NUL. Returns NULL if the record ends too early. */
static const char *read_string(const uint8_t **at, const uint8_t *end)
{
	const char *text = (const char *)*at + sizeof(uint32_t);
	const size_t left = (size_t)(end - *at);
	uint32_t size;

	if (left < sizeof(size))
		return NULL;
	size = pk_load_u32(*at);
	if (size > left - sizeof(size) || strnlen(text, size) == size)
		return NULL;
	*at += sizeof(size) + size;
	return text;
}

enum pk_status pk_label_decode(const struct pk_record *record, struct pk_label *label)
{
	const struct pk_record_label *from = (const void *)record->data;
	const uint8_t *at = from->strings, *end = record->data + record->size;

	if (record->size < sizeof(*from))
		return PK_CORRUPT;
	label->name = read_string(&at, end);
	label->value = label->name ? read_string(&at, end) : NULL;
	if (!label->value || !pk_label_name_is_valid(label->name) ||
	    strlen(label->value) > PK_LABEL_VALUE_MAX)
		return PK_CORRUPT;
	return PK_OK;
}

/* ---- Writing ---- */

static uint8_t *put_string(uint8_t *at, const char *text)
{
	const uint32_t size = (uint32_t)strlen(text) + 1;

	memcpy(at, &size, sizeof(size));
	memcpy(at + sizeof(size), text, size);
	return at + sizeof(size) + size;
}

enum pk_status pk_label_write(struct pk_writer *writer, const struct pk_label *label)
{
	const size_t size = sizeof(struct pk_record_label) + 2 * (sizeof(uint32_t) + 1) +
			    strlen(label->name) + strlen(label->value);
	struct pk_record_label *record;

	assert(pk_label_name_is_valid(label->name) && strlen(label->value) <= PK_LABEL_VALUE_MAX);
	record = pk_definition_append(writer, PK_LABEL, size);
	if (!record)
		return pk_writer_status(writer);
	put_string(put_string(record->strings, label->name), label->value);
	return PK_OK;
}
