// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field_table.h"
#include "number.h"
#include "pkutil.h"

/* ---- The table ---- */

static const struct pk_fields *const parts[] = {&pk_fields_of_samples, &pk_fields_of_stacks,
						&pk_fields_of_memory, &pk_fields_of_branches};

const struct pk_field *pk_field_at(size_t index)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (index < parts[i]->count)
			return &parts[i]->items[index];
		index -= parts[i]->count;
	}
	return NULL;
}

static bool is_called(const char *name, const char *text, size_t size)
{
	return name && strlen(name) == size && !memcmp(name, text, size);
}

const struct pk_field *pk_field_find(const char *name, size_t size)
{
	const struct pk_field *field;

	for (size_t i = 0; (field = pk_field_at(i)); i++)
		if (is_called(field->name, name, size) || is_called(field->alias, name, size))
			return field;
	return NULL;
}

/* ---- References ---- */

enum pk_status pk_reference_parse(struct pk_reference *reference, const char *text, size_t size)
{
	const char *dot = memrchr(text, '.', size);
	size_t before = dot ? (size_t)(dot - text) : 0;

	*reference = (struct pk_reference){.field = pk_field_find(text, size)};
	if (reference->field)
		return PK_OK;
	reference->is_label = dot && is_called("label", text, before);
	reference->as_text = dot && is_called("text", text, before);
	if (dot && !reference->is_label && !reference->as_text &&
	    !is_called("trace", text, before)) {
		reference->event = strndup(text, before);
		if (!reference->event)
			return PK_NOMEM;
	}
	if (dot) {
		size -= before + 1;
		text = dot + 1;
	}
	reference->name = strndup(text, size);
	if (!reference->name)
		pk_reference_free(reference);
	return reference->name ? PK_OK : PK_NOMEM;
}

static bool is_equal(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool pk_reference_is_equal(const struct pk_reference *a, const struct pk_reference *b)
{
	return a->field == b->field && a->is_label == b->is_label && a->as_text == b->as_text &&
	       is_equal(a->name, b->name) && is_equal(a->event, b->event);
}

bool pk_reference_starts_with(const struct pk_reference *reference, const char *name, size_t size)
{
	return reference->name && !reference->is_label && !strncmp(reference->name, name, size);
}

/* Returns NULL if this succeeds, or the text of the error. */
static const char *add_reference(struct pk_reference *references, unsigned int *count,
				 unsigned int most, const char *name, size_t size)
{
	struct pk_reference new;

	if (!size)
		return "a field is missing";
	if (pk_reference_parse(&new, name, size) != PK_OK)
		return pk_status_text(PK_NOMEM);
	for (unsigned int i = 0; i < *count; i++) {
		if (!pk_reference_is_equal(&references[i], &new))
			continue;
		pk_reference_free(&new);
		return NULL;
	}
	if (*count == most) {
		pk_reference_free(&new);
		return "too many fields";
	}
	references[(*count)++] = new;
	return NULL;
}

static void free_references(struct pk_reference *references, unsigned int *count)
{
	while (*count)
		pk_reference_free(&references[--*count]);
}

const char *pk_references_parse(struct pk_reference *references, unsigned int *count,
				unsigned int most, const char *text)
{
	const char *error = NULL, *word;
	size_t size;

	free_references(references, count);
	if (!strcmp(text, "none"))
		return NULL;
	while (!error && pk_next_word(&text, &word, &size))
		error = add_reference(references, count, most, word, size);
	if (error)
		free_references(references, count);
	return error;
}

void pk_reference_missing(const struct pk_reference *reference, char text[PK_MISSING_SIZE])
{
	if (reference->is_label) {
		snprintf(text, PK_MISSING_SIZE, "the recording has no label %s", reference->name);
		return;
	}
	snprintf(text, PK_MISSING_SIZE, "no event%s%s has a field called %s",
		 reference->event ? " " : "", reference->event ? reference->event : "",
		 reference->name);
}

unsigned int pk_reference_needs(const struct pk_reference *reference)
{
	if (reference->is_label)
		return 0;
	return reference->field ? reference->field->needs : PK_NEED_FORMATS;
}
