// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "span_values.h"

void pk_span_values_free(struct pk_span_values *values)
{
	for (int side = 0; side < PK_SPAN_SIDES; side++)
		free(values->carried[side].data);
	free(values->key.data);
	free(values->task.data);
	pk_calls_clear(&values->calls);
}

bool pk_span_values_failed(const struct pk_span_values *values)
{
	return values->key.failed || values->carried[PK_SPAN_START].failed ||
	       values->carried[PK_SPAN_END].failed || values->task.failed;
}

/* Sets bytes to the values of the columns. False: the sample lacks one of them. */
static bool read_values(struct pk_span_values *values, struct buffer *bytes,
			const struct pk_span_sample *sample, const struct pk_span_list *list)
{
	const struct pk_span_columns *columns = &values->fields->plans->columns;
	bool has = true;

	bytes->size = 0;
	for (size_t i = 0; i < list->count; i++) {
		const uint32_t column = list->items[i];

		has &= pk_span_value_add(bytes, &columns->items[column], sample->view, sample->raw,
					 &sample->plan->sources[column], &values->calls);
	}
	return has;
}

/* What is known about calls refers to formats of an epoch. */
static void check_epoch(struct pk_span_values *values)
{
	const uint64_t epoch = values->fields->plans->context->epoch;

	if (pk_likely(values->calls_epoch == epoch))
		return;
	pk_calls_clear(&values->calls);
	values->calls_epoch = epoch;
}

bool pk_span_values_key(struct pk_span_values *values, const struct pk_span_sample *sample)
{
	check_epoch(values);
	return read_values(values, &values->key, sample, &values->fields->keys);
}

void pk_span_values_carried(struct pk_span_values *values, const struct pk_span_sample *sample,
			    enum pk_span_side side)
{
	check_epoch(values);
	(void)read_values(values, &values->carried[side], sample, &values->fields->carry[side]);
}

uint32_t pk_span_values_task_of_key(const struct pk_span_values *values)
{
	const struct pk_span_fields *fields = values->fields;
	const uint8_t *at = (const void *)values->key.data;
	struct pk_span_value value = {0};

	if (fields->task_key == SIZE_MAX || fields->keys.count == 1)
		return 0;
	for (size_t i = 0; i <= fields->task_key; i++)
		value = pk_span_value_next(
			&at, fields->plans->columns.items[fields->keys.items[i]].kind);
	return (uint32_t)value.number;
}

/* The value of the column fields->task, which is a field of this side. */
static uint32_t read_task(struct pk_span_values *values, const struct pk_span_sample *sample)
{
	const struct pk_span_list list = {.items = {(uint32_t)values->fields->task}, .count = 1};
	uint64_t value;

	if (!read_values(values, &values->task, sample, &list))
		return 0;
	memcpy(&value, values->task.data, sizeof(value));
	return (uint32_t)value;
}

uint32_t pk_span_values_task(struct pk_span_values *values, const struct pk_span_sample *sample,
			     enum pk_span_side side)
{
	const struct pk_span_fields *fields = values->fields;

	if (pk_likely(fields->task == SIZE_MAX) ||
	    fields->plans->columns.items[fields->task].side != side)
		return 0;
	return read_task(values, sample);
}

/* Values of errno are at most this; a larger negative result is an address. */
#define ERRNO_MAX 4095

const struct pk_span_value *pk_span_values_join(struct pk_span_values *values,
						const struct pk_span_parts *parts)
{
	const struct pk_span_fields *fields = values->fields;
	const struct pk_span_columns *columns = &fields->plans->columns;
	const uint8_t *key = parts->key, *carried = parts->carried,
		      *at_end = (const void *)values->carried[PK_SPAN_END].data;
	struct pk_span_value *value = values->items;
	int64_t ret = 0;

	*value++ = (struct pk_span_value){.number = parts->start};
	*value++ = (struct pk_span_value){.number = parts->duration};
	for (size_t i = 0; i < columns->count; i++) {
		const struct pk_span_column *column = &columns->items[i];

		if (!column->active || column->hidden)
			continue;
		if (column->is_key)
			*value = pk_span_value_next(&key, column->kind);
		else if (column->side == PK_SPAN_START)
			*value = pk_span_value_next(&carried, column->kind);
		else if (parts->end == PK_SPAN_ENDED)
			*value = pk_span_value_next(&at_end, column->kind);
		else
			*value = (struct pk_span_value){0};
		if (pk_unlikely(i == fields->moved))
			value->number = parts->moved;
		if (i == fields->ret)
			ret = (int64_t)value->number;
		value++;
	}
	if (fields->ret != SIZE_MAX)
		*value++ = (struct pk_span_value){
			.number = ret < 0 && ret >= -ERRNO_MAX ? (uint64_t)-ret : 0};
	*value++ = (struct pk_span_value){.number = parts->gap};
	*value = (struct pk_span_value){.number = parts->end};
	return values->items;
}
