// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "span_fields.h"

static const char *const side_names[PK_SPAN_SIDES] = {"start", "end"};

/* Finds the kind of a column in the events of one side. Sets *any if at least one event starts or
 * ends spans on this side. */
static bool find_kind(struct pk_span_fields *fields, struct pk_span_column *column,
		      enum pk_span_side side, bool *any)
{
	const struct pk_events *events =
		pk_reader_events(pk_context_reader(fields->plans->context));
	const size_t index = (size_t)(column - fields->plans->columns.items);

	for (size_t i = 0; column->on[side] && i < pk_events_count(events); i++) {
		const struct pk_span_plan *plan =
			pk_span_plans_of(fields->plans, pk_events_at(events, i));
		const struct pk_span_role_plan *of_side = plan ? &plan->roles[side] : NULL;

		if (!of_side || !of_side->selector.active)
			continue;
		*any = true;
		if (!pk_span_source_exists(&of_side->sources[index]))
			continue;
		column->kind = pk_span_kind_of(&of_side->sources[index]);
		column->words =
			pk_kind_is_words(column->kind) ? &of_side->sources[index].binding : NULL;
		return true;
	}
	return false;
}

struct complaint {
	void (*complain)(void *arg, const char *text);
	void *arg;
};

static void complain_of(const struct complaint *complaint, const struct pk_span_column *column,
			const char *what)
{
	char text[256];

	snprintf(text, sizeof(text), "--%s=%s: %s",
		 column->is_key	    ? "key"
		 : column->is_level ? "level"
		 : column->hidden   ? "task"
				    : "carry",
		 column->text, what);
	complaint->complain(complaint->arg, text);
}

static void prepare_key(struct pk_span_fields *fields, struct pk_span_column *column,
			const struct complaint *complaint)
{
	enum pk_value_kind kinds[PK_SPAN_SIDES] = {PK_VALUE_NUMBER, PK_VALUE_NUMBER};
	bool any[PK_SPAN_SIDES] = {false}, found[PK_SPAN_SIDES];
	char text[64];

	column->words = NULL;
	for (int side = PK_SPAN_SIDES - 1; side >= 0; side--) {
		found[side] = find_kind(fields, column, (enum pk_span_side)side, &any[side]);
		if (found[side])
			kinds[side] = column->kind;
		snprintf(text, sizeof(text), "no %s event has this field", side_names[side]);
		if (any[side] && !found[side])
			complain_of(complaint, column, text);
	}
	column->active = true;
	column->kind = found[PK_SPAN_START] ? kinds[PK_SPAN_START] : kinds[PK_SPAN_END];
	column->words = pk_kind_is_words(column->kind) ? column->words : NULL;
	if (found[PK_SPAN_START] && found[PK_SPAN_END] &&
	    (kinds[PK_SPAN_START] == PK_VALUE_TEXT) != (kinds[PK_SPAN_END] == PK_VALUE_TEXT))
		complain_of(complaint, column, "a number on one side, a text on the other");
}

static void prepare_carried(struct pk_span_fields *fields, struct pk_span_column *column,
			    const struct complaint *complaint)
{
	bool any = false;

	column->active = true;
	column->kind = PK_VALUE_NUMBER;
	column->words = NULL;
	for (int side = 0; side < PK_SPAN_SIDES; side++) {
		column->side = (enum pk_span_side)side;
		if (!find_kind(fields, column, column->side, &any))
			continue;
		if (column->is_level && column->kind == PK_VALUE_TEXT)
			complain_of(complaint, column, "a text, not a number");
		return;
	}
	column->side = column->on[PK_SPAN_START] ? PK_SPAN_START : PK_SPAN_END;
	column->active = !column->optional;
	if (any && !column->optional)
		complain_of(complaint, column, "no start or end event has this field");
}

static void add_to_list(struct pk_span_list *list, const struct pk_span_columns *columns,
			size_t column)
{
	const bool is_text = columns->items[column].kind == PK_VALUE_TEXT;

	list->items[list->count++] = (struct pk_span_item){(uint32_t)column, is_text, !is_text};
}

/* Adds the column to the list of columns that spans have. */
static void join(struct pk_span_fields *fields, const struct pk_span_column *column)
{
	struct pk_span_joined *joined = &fields->joined[fields->joined_count++];

	joined->is_text = column->kind == PK_VALUE_TEXT;
	if (column->is_key)
		joined->part = PK_SPAN_OF_KEY;
	else
		joined->part = column->side == PK_SPAN_START ? PK_SPAN_OF_START : PK_SPAN_OF_END;
}

/* Fills the lists of columns. They have enough room, because the format has at most
 * PK_SPAN_FIELDS_MAX columns. */
static void list_columns(struct pk_span_fields *fields)
{
	fields->keys.count = fields->joined_count = 0;
	fields->task = fields->level = SIZE_MAX;
	for (int side = 0; side < PK_SPAN_SIDES; side++)
		fields->carry[side].count = 0;
	for (size_t i = 0; i < fields->plans->columns.count; i++) {
		const struct pk_span_columns *columns = &fields->plans->columns;
		const struct pk_span_column *column = &columns->items[i];

		if (column->hidden)
			*(column->is_level ? &fields->level : &fields->task) = i;
		if (column->hidden || !column->active)
			continue;
		add_to_list(column->is_key ? &fields->keys : &fields->carry[column->side], columns,
			    i);
		join(fields, column);
	}
}

/* Returns the first source that a column has on one side, or NULL if no event of this side has the
 * column. */
static const struct pk_span_source *first_source(const struct pk_span_fields *fields, size_t column,
						 enum pk_span_side side)
{
	for (size_t i = 0; i < fields->plans->count; i++) {
		const struct pk_span_role_plan *plan = &fields->plans->items[i].roles[side];

		if (plan->selector.active && pk_span_source_exists(&plan->sources[column]))
			return &plan->sources[column];
	}
	return NULL;
}

/* Finds the size to which the numbers of a key are reduced before they are compared. */
static void prepare_size(struct pk_span_fields *fields, size_t column)
{
	const struct pk_span_source *first = first_source(fields, column, PK_SPAN_START);

	fields->plans->columns.items[column].common_size = 0;
	for (size_t i = 0; first && i < fields->plans->count; i++)
		for (int role = 0; role < PK_SPAN_RULES; role++)
			if (fields->plans->items[i].roles[role].selector.active)
				pk_span_column_add_source(
					&fields->plans->columns.items[column],
					&fields->plans->items[i].roles[role].sources[column],
					first);
}

static void prepare_tasks(struct pk_span_fields *fields)
{
	fields->task_key = SIZE_MAX;
	for (size_t i = fields->keys.count; i-- > 0;) {
		struct pk_span_item *item = &fields->keys.items[i];
		const struct pk_span_source *source =
			first_source(fields, item->column, PK_SPAN_START);

		prepare_size(fields, item->column);
		item->is_whole &= !fields->plans->columns.items[item->column].common_size;
		if (source && pk_span_source_is_task(source))
			fields->task_key = i;
	}
}

static void prepare_moved(struct pk_span_fields *fields)
{
	const struct pk_span_columns *columns = &fields->plans->columns;
	size_t place = 0;

	fields->moved = SIZE_MAX;
	for (size_t i = 0; i < columns->count; i++) {
		const struct pk_span_source *source = columns->items[i].compares_cpus
							      ? first_source(fields, i, PK_SPAN_END)
							      : NULL;

		if (columns->items[i].hidden || !columns->items[i].active)
			continue;
		if (source && source->moved)
			fields->moved = place;
		place++;
	}
}

/* Finds the column from which the field "error" is computed. */
static void prepare_error(struct pk_span_fields *fields, struct pk_span_format *format)
{
	const struct pk_span_columns *columns = &fields->plans->columns;
	bool has_error = false;
	size_t place = 0;

	fields->ret = SIZE_MAX;
	for (size_t i = 0; i < columns->count; i++) {
		const struct pk_span_column *column = &columns->items[i];

		if (column->hidden || !column->active)
			continue;
		has_error |= !strcmp(column->name, "error");
		if (column->kind != PK_VALUE_TEXT && !strcmp(column->name, "ret"))
			fields->ret = place;
		place++;
	}
	if (has_error)
		fields->ret = SIZE_MAX;
	else if (fields->ret != SIZE_MAX)
		pk_span_format_add(format, "error", PK_VALUE_NUMBER);
}

/* Returns whether spans have this column as a field. */
static bool is_field(const struct pk_span_fields *fields, const struct pk_span_column *column)
{
	if (!column->active || column->hidden)
		return false;
	return column->is_key || column->kind != PK_VALUE_TEXT || !fields->uses ||
	       fields->uses(fields->uses_arg, column->name);
}

static bool add_field(struct pk_span_format *format, const struct pk_span_column *column)
{
	struct pk_span_field *field = &format->fields[format->count];

	if (!pk_span_format_add(format, column->name, column->kind))
		return false;
	if (column->words) {
		field->of = column->words->tracepoint;
		field->words = column->words->trace;
	}
	return true;
}

void pk_span_fields_prepare(struct pk_span_fields *fields, struct pk_span_format *format,
			    void (*complain)(void *arg, const char *text), void *arg)
{
	const struct pk_events *events =
		pk_reader_events(pk_context_reader(fields->plans->context));
	const struct complaint complaint = {complain, arg};
	struct pk_span_columns *columns = &fields->plans->columns;

	for (size_t i = 0; i < pk_events_count(events); i++)
		(void)pk_span_plans_of(fields->plans, pk_events_at(events, i));
	pk_span_format_add(format, "start", PK_VALUE_NUMBER);
	pk_span_format_add(format, fields->has_age ? "age" : "duration", PK_VALUE_NUMBER);
	for (size_t i = 0; i < columns->count; i++) {
		struct pk_span_column *each = &columns->items[i];

		if (each->is_key)
			prepare_key(fields, each, &complaint);
		else
			prepare_carried(fields, each, &complaint);
		if (!each->hidden)
			each->active = is_field(fields, each) && add_field(format, each);
	}
	list_columns(fields);
	prepare_tasks(fields);
	prepare_moved(fields);
	prepare_error(fields, format);
	if (fields->has_level) {
		pk_span_format_add(format, "level", PK_VALUE_NUMBER);
		pk_span_format_add(format, "others", PK_VALUE_NUMBER);
	}
	pk_span_format_add(format, "gap", PK_VALUE_NUMBER);
	pk_span_format_add(format, "unfinished", PK_VALUE_NUMBER);
}

/* ---- Values of fields ---- */

void pk_span_values_free(struct pk_span_values *values)
{
	for (int side = 0; side < PK_SPAN_SIDES; side++)
		free(values->carried[side].data);
	free(values->key.data);
	free(values->hidden.data);
	pk_calls_clear(&values->calls.all);
}

/* Adds a value that is not a number at a known offset. */
static bool add_value(struct pk_span_values *values, struct buffer *bytes,
		      const struct pk_span_sample *sample, uint32_t column)
{
	return pk_span_value_add(bytes, &values->fields->plans->columns.items[column], sample->view,
				 sample->raw, &sample->plan->sources[column], &values->calls);
}

/* Sets *bytes to the values of the columns. Returns false if the sample lacks at least one of them,
 * or if memory is exhausted. */
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

/* Forgets what is known about system calls if the epoch has changed, because this data refers to
 * formats of the old epoch. */
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

/* Returns the value of a hidden column. Returns 0 if the sample lacks the value or if memory is
 * exhausted. */
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

/* The largest value of errno. A result below -4095 is an address, not an error. */
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
