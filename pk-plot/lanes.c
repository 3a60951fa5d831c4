// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE /* for strverscmp() */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lanes.h"
#include "lookups.h"
#include "vector.h"

/* ---- Which fields ---- */

int lanes_set(const struct pk_option *option, void *at, const char *text)
{
	struct pk_tail_options *options = at;
	const int result = pk_tail_by(options, text, PK_GROUP_COLUMNS);

	if (result < 0 && !options->by_count)
		return pk_option_error(option, text, "a field is missing");
	return result;
}

enum pk_status lanes_init(struct lanes *lanes, struct pk_tail *tail)
{
	lanes->groups = &tail->groups;
	lanes->threads = !tail->options->by_count;
	if ((lanes->threads && pk_tail_by(tail->options, "tid", PK_GROUP_COLUMNS) >= 0))
		return PK_NOMEM;
	PK_TRY(pk_reference_parse(&lanes->comm.reference, "comm", strlen("comm")));
	if (lanes->threads)
		tail->needs |= pk_reference_needs(&lanes->comm.reference);
	return PK_OK;
}

/* ---- The lane of a sample ---- */

/* Sets lanes->text to the values of the group. */
static void add_values(struct lanes *lanes, uint32_t group, const char *suffix)
{
	const struct pk_groups *groups = lanes->groups;

	lanes->text.size = 0;
	for (unsigned int i = 0; i < groups->columns_count; i++) {
		const struct pk_reference *reference = &groups->columns[i].reference;

		if (i)
			buffer_text(&lanes->text, " ");
		if (reference->field && !strcmp(reference->field->name, "cpu"))
			buffer_text(&lanes->text, "CPU ");
		if (!pk_groups_text(groups, group, i, &lanes->text))
			buffer_text(&lanes->text, "unknown");
	}
	if (suffix) {
		buffer_text(&lanes->text, " ");
		buffer_text(&lanes->text, suffix);
	}
}

/* Returns the number of the lane whose text is lanes->text. Returns 0 if there are too many lanes.
 * If memory is exhausted, returns 0 and sets *failed. */
static uint32_t find_lane(struct lanes *lanes, bool *failed)
{
	struct buffer *text = &lanes->text;
	uint32_t lane = text->failed ? 0 : pk_texts_find(&lanes->keys, text->data, text->size);

	*failed = text->failed;
	if (lane || *failed)
		return lane;
	if (lanes->count == LANES_MAX)
		return 0;
	*failed = pk_vector_reserve(lanes, 1) != PK_OK ||
		  !(lane = pk_texts_add(&lanes->keys, text->data, text->size));
	if (*failed)
		return 0;
	lanes->items[lanes->count] = (struct lane){0};
	buffer_add(&lanes->items[lanes->count++].label, text->data, text->size);
	return lane;
}

/* Sets the label of a thread to its newest name and its number. */
static enum pk_status name_thread(struct lanes *lanes, struct lane *lane, uint32_t number,
				  struct pk_view *view)
{
	const struct pk_binding *binding =
		pk_column_bind(&lanes->comm, view->context, view->counted);
	struct pk_bytes text;
	uint64_t key;
	size_t size;
	const char *values = pk_texts_get(&lanes->keys, number, &size);

	if (!binding)
		return PK_NOMEM;
	if (!pk_view_key(view, binding, &key) || (lane->has_comm && lane->comm == key) ||
	    !pk_view_text(view, binding, &text))
		return PK_OK;
	lane->comm = key;
	lane->has_comm = true;
	lane->label.size = 0;
	buffer_add(&lane->label, text.data, text.size);
	buffer_char(&lane->label, ' ');
	buffer_add(&lane->label, values, size);
	return lane->label.failed ? PK_NOMEM : PK_OK;
}

uint32_t lanes_of(struct lanes *lanes, struct pk_view *view, const char *suffix, bool *failed)
{
	const uint32_t group = pk_groups_of(lanes->groups, view);
	const size_t index = 2 * (size_t)group + !!suffix;
	uint32_t lane;

	*failed = !group || pk_extend(&lanes->of_group, &lanes->of_group_count, index) != PK_OK;
	if (*failed)
		return 0;
	lane = lanes->of_group[index];
	if (!lane) {
		add_values(lanes, group, suffix);
		lane = lanes->of_group[index] = find_lane(lanes, failed);
	}
	if (!lane)
		lanes->dropped++;
	else if (lanes->threads)
		*failed = name_thread(lanes, lanes_get(lanes, lane), lane, view) != PK_OK;
	return lane;
}

void lanes_forget(struct lanes *lanes)
{
	free(lanes->of_group);
	lanes->of_group = NULL;
	lanes->of_group_count = 0;
	for (size_t i = 0; i < lanes->count; i++)
		lanes->items[i].has_comm = false;
}

/* ---- The order of lanes ---- */

struct order {
	const struct lane *lane;
	uint32_t number;
};

static int by_time(const void *left, const void *right)
{
	const struct order *a = left, *b = right;

	if (a->lane->time != b->lane->time)
		return a->lane->time < b->lane->time ? 1 : -1;
	return a->number < b->number ? -1 : 1;
}

static int by_label(const void *left, const void *right)
{
	const struct order *a = left, *b = right;
	const int order = strverscmp(a->lane->label.data, b->lane->label.data);

	return order ? order : a->number < b->number ? -1 : 1;
}

/* Returns how many lanes of `order` can be drawn. */
static size_t lanes_fitting(const struct order *order, size_t most, size_t rows)
{
	size_t count = 0, sum = 0;

	while (count < most && (!count || sum + order[count].lane->rows <= rows))
		sum += order[count++].lane->rows;
	return count;
}

uint32_t *lanes_order(struct lanes *lanes, size_t most, size_t rows, size_t *drawn)
{
	struct order *order = calloc(lanes->count + 1, sizeof(*order));
	uint32_t *numbers = calloc(lanes->count + 1, sizeof(*numbers));
	size_t count = 0;

	for (size_t i = 0; order && i < lanes->count; i++) {
		buffer_char(&lanes->items[i].label, '\0');
		if (lanes->items[i].label.failed) {
			free(numbers);
			numbers = NULL;
			break;
		}
		lanes->items[i].label.size--;
		if (lanes->items[i].count)
			order[count++] = (struct order){&lanes->items[i], (uint32_t)i + 1};
	}
	if (order && numbers) {
		qsort(order, count, sizeof(*order), by_time);
		*drawn = lanes_fitting(order, count < most ? count : most, rows);
		qsort(order, *drawn, sizeof(*order), by_label);
		for (size_t i = 0; i < *drawn; i++)
			numbers[i] = order[i].number;
	}
	if (!order) {
		free(numbers);
		numbers = NULL;
	}
	free(order);
	return numbers;
}

void lanes_free(struct lanes *lanes)
{
	for (size_t i = 0; i < lanes->count; i++) {
		free(lanes->items[i].label.data);
		free(lanes->items[i].data);
	}
	pk_texts_free(&lanes->keys);
	pk_column_free(&lanes->comm);
	free(lanes->items);
	free(lanes->of_group);
	free(lanes->text.data);
}

void lanes_report(const struct lanes *lanes)
{
	char number[32];

	if (lanes->without_time)
		pk_warn("%s samples have no time, skipped", pk_number(number, lanes->without_time));
	if (lanes->dropped)
		pk_warn("%s samples are of further lanes than %d, skipped",
			pk_number(number, lanes->dropped), LANES_MAX);
}

/* ---- Times of samples ---- */

static enum pk_status set(struct pk_column *column, const char *name)
{
	return pk_reference_parse(&column->reference, name, strlen(name));
}

enum pk_status span_times_init(struct span_times *times)
{
	PK_TRY(set(&times->duration, "trace.duration"));
	PK_TRY(set(&times->call, "trace.call"));
	PK_TRY(set(&times->symbol, "trace.symbol"));
	return set(&times->function, "trace.event");
}

void span_times_free(struct span_times *times)
{
	pk_column_free(&times->duration);
	pk_column_free(&times->call);
	pk_column_free(&times->symbol);
	pk_column_free(&times->function);
}

bool span_times_of(struct span_times *times, struct pk_view *view, struct span_extent *extent)
{
	const struct pk_sample *sample = pk_view_sample(view);
	const struct pk_binding *binding =
		pk_column_bind(&times->duration, view->context, view->counted);
	uint64_t duration;

	if (!sample || sample->time == PK_NO_TIME)
		return false;
	if (!binding)
		view->context->failed = true;
	*extent = (struct span_extent){.start = sample->time, .end = sample->time};
	extent->is_span = binding && binding->kind != PK_VALUE_NONE &&
			  binding->kind != PK_VALUE_TEXT && pk_view_key(view, binding, &duration) &&
			  duration <= sample->time;
	if (extent->is_span)
		extent->start -= duration;
	return true;
}

const char *event_short_name(const struct pk_event *event)
{
	const char *colon = strchr(event->name, ':');

	return colon && colon[1] ? colon + 1 : event->name;
}

/* Returns "f" if the text is "probe:f". */
static struct pk_bytes without_system(struct pk_bytes text)
{
	const uint8_t *colon = memchr(text.data, ':', text.size);
	const size_t size = colon ? (size_t)(colon - text.data) + 1 : 0;

	if (size == text.size)
		return text;
	return (struct pk_bytes){text.data + size, text.size - size};
}

static bool get_text(struct pk_column *column, struct pk_view *view, struct pk_bytes *text)
{
	const struct pk_binding *binding = pk_column_bind(column, view->context, view->counted);

	if (!binding)
		view->context->failed = true;
	return binding && pk_view_text(view, binding, text) && text->size;
}

struct pk_bytes span_times_name(struct span_times *times, struct pk_view *view)
{
	const char *name = event_short_name(view->counted);
	struct pk_bytes text;

	if (get_text(&times->call, view, &text) || get_text(&times->symbol, view, &text))
		return text;
	if (get_text(&times->function, view, &text))
		return without_system(text);
	return (struct pk_bytes){(const uint8_t *)name, strlen(name)};
}
