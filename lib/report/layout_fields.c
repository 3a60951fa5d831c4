// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <string.h>

#include "event_names.h"
#include "layout_maker.h"
#include "parents.h"
#include "report_keys.h"

/* Only with --parent. Without, it is a field of tracepoints. */
static const struct report_key parent_key = {"parent", "parent", "Parent symbol", STYLE_PLAIN,
					     NULL};

static const struct report_key *find_key(const struct layout_options *options, const char *text,
					 size_t size)
{
	if (options->parent && pk_layout_is_word(parent_key.name, text, size))
		return &parent_key;
	return pk_report_key_find(text, size, options->perf_keys);
}

static enum layout_result add_field(struct layout_maker *maker, const struct report_key *key,
				    const char *text, size_t size, const char *bucket)
{
	struct layout *layout = maker->layout;
	const unsigned int index = layout->fields_count;
	const char *field = key ? key->field : text;
	struct pk_reference *reference = &layout->fields[index];

	if (index == PK_GROUP_COLUMNS)
		return pk_layout_fail(maker, "too many fields");
	if (bucket && !pk_bucket_parse(&layout->buckets[index], bucket))
		return pk_layout_fail(maker,
				      "after the colon: log2, a number, or a time such as 100ms");
	if (key == &parent_key)
		*reference = (struct pk_reference){.field = &pk_parent_field};
	else if (!strcmp(key ? key->field : "", "event"))
		*reference = (struct pk_reference){.field = &pk_report_event_field};
	else if (!pk_reference_parse(reference, field, key ? strlen(field) : size))
		return LAYOUT_NOMEM;
	layout->shown[index] = reference->field;
	layout->fields_count++;
	if (bucket && reference->field && reference->field->kind == PK_VALUE_TEXT)
		return pk_layout_fail(maker, "a text has no buckets");
	return LAYOUT_OK;
}

/* The index of a field. It is 0 for the event, which always groups samples. */
static enum layout_result find_or_add_field(struct layout_maker *maker,
					    const struct report_key *key, const char *text,
					    size_t size, const char *bucket, unsigned int *index)
{
	struct layout *layout = maker->layout;
	const enum layout_result result = add_field(maker, key, text, size, bucket);
	const unsigned int last = layout->fields_count - 1;

	if (result)
		return result;
	for (*index = 0; *index < last; ++*index)
		if (pk_layout_is_same(&layout->fields[*index], &layout->fields[last]) &&
		    layout->buckets[*index].step == layout->buckets[last].step &&
		    layout->buckets[*index].log2 == layout->buckets[last].log2)
			break;
	if (*index < last)
		pk_reference_free(&layout->fields[--layout->fields_count]);
	layout->one_table |= *index == 0;
	return LAYOUT_OK;
}

static bool has_field(const struct layout *layout, unsigned int field)
{
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout->columns[i].kind == COLUMN_FIELD && layout->columns[i].field == field)
			return true;
	return false;
}

/* The size of the name in "name:bucket". "system:event.field" has a colon before the field, but a
 * bucket with a point begins with a digit. */
static size_t size_of_name(const char *text, size_t size)
{
	bool point = false;

	for (size_t i = size; i-- > 1;) {
		point |= text[i] == '.';
		if (text[i] == ':')
			return point && !isdigit((unsigned char)text[i + 1]) ? size : i;
	}
	return size;
}

enum layout_result pk_layout_add_key(struct layout_maker *maker, const char *text, size_t size)
{
	struct layout *layout = maker->layout;
	const size_t name = size_of_name(text, size);
	const struct report_key *key = find_key(maker->options, text, name);
	char bucket[32] = "";
	struct column *column;
	enum layout_result result;
	unsigned int field;

	if (!name)
		return pk_layout_fail(maker, "a field is missing");
	if (size - name > sizeof(bucket))
		return pk_layout_fail(maker,
				      "after the colon: log2, a number, or a time such as 100ms");
	if (size > name)
		memcpy(bucket, text + name + 1, size - name - 1);
	if (maker->options->perf_keys && !key && pk_layout_is_word(parent_key.name, text, name))
		return pk_layout_fail(maker, "needs --parent");
	result = find_or_add_field(maker, key, text, name,
				   size > name ? bucket
				   : key       ? key->bucket
					       : NULL,
				   &field);
	if (result || has_field(layout, field))
		return result;
	result = pk_layout_add_column(maker, COLUMN_FIELD, text, size, &column);
	if (result)
		return result;
	column->field = field;
	if (key) {
		column->title = key->title;
		column->style = key->style;
	}
	layout->has_tasks |= column->style == STYLE_TASK;
	return LAYOUT_OK;
}

enum layout_result pk_layout_add_event(struct layout_maker *maker)
{
	struct layout *layout = maker->layout;
	const enum layout_result result =
		add_field(maker, pk_report_key_find("event", 5, false), NULL, 0, NULL);

	if (maker->options->merge_events && !result) {
		layout->fields[0].field = layout->shown[0] = &pk_report_any_event_field;
		layout->one_table = true;
	}
	return result;
}
