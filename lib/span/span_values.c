// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "span_values.h"

void pk_span_values_free(struct pk_span_values *values)
{
	for (int side = 0; side < PK_SPAN_SIDES; side++)
		free(values->carried[side].data);
	free(values->key.data);
	free(values->hidden.data);
	pk_calls_clear(&values->calls.all);
}

bool pk_span_values_failed(const struct pk_span_values *values)
{
	return values->key.failed || values->carried[PK_SPAN_START].failed ||
	       values->carried[PK_SPAN_END].failed || values->hidden.failed;
}

/* Adds a value that is not a number at a known place. */
static bool add_value(struct pk_span_values *values, struct buffer *bytes,
		      const struct pk_span_sample *sample, uint32_t column)
{
	return pk_span_value_add(bytes, &values->fields->plans->columns.items[column], sample->view,
				 sample->raw, &sample->plan->sources[column], &values->calls);
}

/* Sets bytes to the values of the columns. False: the sample lacks one of them, or bytes->failed.
 */
static bool read_values(struct pk_span_values *values, struct buffer *bytes,
			const struct pk_span_sample *sample, const struct pk_span_item *items,
			size_t count)
{
	const struct pk_record *record = sample->view->record;
	const struct pk_bytes whole = {record->data, record->size};
	bool has = true;

	bytes->size = 0;
	for (size_t i = 0; i < count; i++) {
		const struct pk_span_item *item = &items[i];
		const struct pk_span_source *source = &sample->plan->sources[item->column];
		uint64_t number = 0;

		if (!item->is_whole || !source->place.size) {
			has &= add_value(values, bytes, sample, item->column);
			continue;
		}
		has &= pk_raw_number_load(&source->place, source->in_record ? &whole : sample->raw,
					  &number);
		buffer_add(bytes, &number, sizeof(number));
	}
	return has && !bytes->failed;
}

/* What is known about calls refers to formats of an epoch. */
static void check_epoch(struct pk_span_values *values)
{
	const uint64_t epoch = values->fields->plans->context->epoch;

	if (pk_likely(values->calls_epoch == epoch))
		return;
	pk_calls_clear(&values->calls.all);
	values->calls_epoch = epoch;
}

bool pk_span_values_key(struct pk_span_values *values, const struct pk_span_sample *sample)
{
	check_epoch(values);
	return read_values(values, &values->key, sample, values->fields->keys.items,
			   values->fields->keys.count);
}

void pk_span_values_carried(struct pk_span_values *values, const struct pk_span_sample *sample,
			    enum pk_span_side side)
{
	const struct pk_span_list *list = &values->fields->carry[side];

	check_epoch(values);
	values->calls.known = NULL;
	(void)read_values(values, &values->carried[side], sample, list->items, list->count);
}

uint32_t pk_span_values_task_of_key(const struct pk_span_values *values)
{
	const struct pk_span_fields *fields = values->fields;
	const uint8_t *at = (const void *)values->key.data;
	struct pk_span_value value = {0};

	if (fields->task_key == SIZE_MAX || fields->keys.count == 1)
		return 0;
	for (size_t i = 0; i <= fields->task_key; i++)
		value = pk_span_value_next(&at, fields->keys.items[i].is_text);
	return (uint32_t)value.number;
}

/* The value of a hidden column, 0 if the sample lacks it or memory is exhausted. */
static uint64_t read_hidden(struct pk_span_values *values, const struct pk_span_sample *sample,
			    size_t column)
{
	uint64_t value;

	values->hidden.size = 0;
	if (!add_value(values, &values->hidden, sample, (uint32_t)column) || values->hidden.failed)
		return 0;
	memcpy(&value, values->hidden.data, sizeof(value));
	return value;
}

uint32_t pk_span_values_task(struct pk_span_values *values, const struct pk_span_sample *sample,
			     enum pk_span_side side)
{
	const struct pk_span_fields *fields = values->fields;

	if (pk_likely(fields->task == SIZE_MAX) ||
	    fields->plans->columns.items[fields->task].side != side)
		return 0;
	return (uint32_t)read_hidden(values, sample, fields->task);
}

uint64_t pk_span_values_amount(struct pk_span_values *values, const struct pk_span_sample *sample)
{
	const size_t level = values->fields->level;

	return level == SIZE_MAX ? 1 : read_hidden(values, sample, level);
}

/* Values of errno are at most this; a larger negative result is an address. */
#define ERRNO_MAX 4095

const struct pk_span_value *pk_span_values_join(struct pk_span_values *values,
						const struct pk_span_parts *parts)
{
	const struct pk_span_fields *fields = values->fields;
	const struct pk_span_joined *joined = fields->joined;
	const uint8_t *at[PK_SPAN_PARTS] = {
		[PK_SPAN_OF_START] = parts->carried,
		[PK_SPAN_OF_END] = (const void *)values->carried[PK_SPAN_END].data,
		[PK_SPAN_OF_KEY] = parts->key,
	};
	const bool ended = parts->end == PK_SPAN_ENDED;
	struct pk_span_value *value = values->items, *const first = value + 2;
	int64_t ret;

	*value++ = (struct pk_span_value){.number = parts->start};
	*value++ = (struct pk_span_value){.number = parts->duration};
	for (size_t i = 0; i < fields->joined_count; i++, joined++)
		*value++ = joined->part == PK_SPAN_OF_END && !ended
				   ? (struct pk_span_value){0}
				   : pk_span_value_next(&at[joined->part], joined->is_text);
	if (pk_unlikely(fields->moved != SIZE_MAX))
		first[fields->moved].number = parts->moved;
	if (fields->ret != SIZE_MAX) {
		ret = (int64_t)first[fields->ret].number;
		*value++ = (struct pk_span_value){
			.number = ret < 0 && ret >= -ERRNO_MAX ? (uint64_t)-ret : 0};
	}
	if (fields->has_level) {
		*value++ = (struct pk_span_value){.number = parts->level};
		*value++ = (struct pk_span_value){.number = parts->others};
	}
	*value++ = (struct pk_span_value){.number = parts->gap};
	*value = (struct pk_span_value){.number = parts->end};
	return values->items;
}
