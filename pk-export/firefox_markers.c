// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "characters.h"
#include "firefox_markers.h"
#include "scaled_time.h"
#include "vector.h"
#include "weights.h"

#define LABEL_FIELDS 6 /* maximum number of fields in the label of a marker */

/* ---- Schemas ---- */

/* Returns true if the profiler itself uses a member with this name. */
static bool is_reserved(const struct occurrence_value *value)
{
	static const char *const names[] = {"type", "cause", "stack", "category", "interval"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == value->name_size &&
		    !memcmp(names[i], value->name, value->name_size))
			return true;
	return false;
}

static void add_name(struct json *json, const struct occurrence_value *value)
{
	buffer_quoted(json->out, value->name, value->name_size);
	if (is_reserved(value)) {
		json->out->size--;
		buffer_text(json->out, "_\"");
	}
}

/* Returns true if the name has no special characters. Other names cannot be in a label. */
static bool is_plain(const struct occurrence_value *value)
{
	for (size_t i = 0; i < value->name_size; i++)
		if (!pk_is_of_name(value->name[i]))
			return false;
	return value->name_size && !is_reserved(value);
}

static void add_label(struct buffer *label, const struct occurrence_value *value)
{
	buffer_text(label, label->size ? " " : "");
	buffer_add(label, value->name, value->name_size);
	buffer_text(label, "={marker.data.");
	buffer_add(label, value->name, value->name_size);
	buffer_text(label, "}");
}

static enum pk_status describe(struct marker_schema *schema, const struct occurrence *occurrence,
			       struct pk_view *view)
{
	struct json json = {.out = &schema->fields};
	struct occurrence_value value;
	size_t index = 0, labels = 0;

	schema->described = true;
	while (occurrence_value(occurrence, view, &index, &value)) {
		const enum pk_value_kind kind = pk_kind_as_data(value.kind);
		const bool number = kind == PK_VALUE_NUMBER || pk_kind_is_signed(kind);

		json_open(&json, NULL, '{');
		json_key(&json, "key");
		add_name(&json, &value);
		json_text(&json, "format", number ? "integer" : "string");
		json_close(&json, '}');
		if (is_plain(&value) && labels++ < LABEL_FIELDS)
			add_label(&schema->label, &value);
	}
	if (schema->fields.failed)
		return PK_NOMEM;
	return schema->label.failed ? PK_NOMEM : PK_OK;
}

/* ---- Adding ---- */

static void note_times(struct firefox_markers *markers, const struct marker *marker)
{
	const uint64_t end = marker->start > UINT64_MAX - marker->duration
				     ? UINT64_MAX
				     : marker->start + marker->duration;

	if (marker->start && (!markers->first || marker->start < markers->first))
		markers->first = marker->start;
	if (end > markers->last)
		markers->last = end;
}

static enum pk_status add_data(struct firefox_markers *markers, const struct occurrence *occurrence,
			       struct pk_view *view, struct marker *marker)
{
	struct buffer *data = &markers->data;
	struct json json = {.out = data, .comma = true};
	struct occurrence_value value;
	size_t index = 0;

	marker->data = data->size;
	while (occurrence_value(occurrence, view, &index, &value)) {
		if (value.kind == PK_VALUE_NONE)
			continue;
		json_key(&json, NULL);
		add_name(&json, &value);
		buffer_char(data, ':');
		occurrence_json(data, &value);
	}
	marker->data_size = (uint32_t)(data->size - marker->data);
	return data->failed ? PK_NOMEM : PK_OK;
}

static uint8_t category_of(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
	case PERF_RECORD_MISC_GUEST_KERNEL: return FIREFOX_KERNEL;
	case PERF_RECORD_MISC_USER:
	case PERF_RECORD_MISC_GUEST_USER: return FIREFOX_USER;
	default: return FIREFOX_OTHER;
	}
}

enum pk_status firefox_markers_add(struct firefox_markers *markers,
				   const struct export_sample *sample)
{
	struct pk_view *view = sample->view;
	const struct occurrence *occurrence;
	struct marker_schema *schema;
	struct marker marker = {
		.start = sample->time,
		.row = sample->row,
		.stack = sample->stack,
		.series = sample->series,
		.category = category_of(view->record->misc),
	};

	if (view->counted != view->event || !pk_event_is_occurrence(view->event))
		return PK_OK;
	occurrence = occurrence_of(&markers->occurrences, view->context, view->event);
	if (!occurrence)
		return PK_NOMEM;
	PK_TRY(pk_extend(&markers->schemas, &markers->schemas_count, sample->series));
	PK_TRY(pk_vector_reserve(markers, 1));
	schema = &markers->schemas[sample->series];
	if (!schema->described)
		PK_TRY(describe(schema, occurrence, view));
	marker.is_span = occurrence_times(occurrence, view, &marker.start, &marker.duration);
	PK_TRY(add_data(markers, occurrence, view, &marker));
	note_times(markers, &marker);
	markers->items[markers->count++] = marker;
	return PK_OK;
}

/* Sorts by row and start. Markers with equal starts keep the order in which they were added, which
 * is also the order of their data. */
static int compare(const void *left, const void *right)
{
	const struct marker *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->data < b->data ? -1 : a->data > b->data;
}

void firefox_markers_sort(struct firefox_markers *markers)
{
	if (markers->count)
		qsort(markers->items, markers->count, sizeof(*markers->items), compare);
}

/* ---- Writing ---- */

/* The data that is needed to write a column of the markers. */
struct column {
	const struct firefox_markers *markers;
	struct firefox_tables *tables;
	const struct export_samples *samples;
	uint64_t zero;
};

static uint64_t since(uint64_t time, uint64_t zero)
{
	return time > zero ? time - zero : 0;
}

static void put_data(const struct column *column, const struct marker *marker)
{
	const uint32_t stack = firefox_stack(column->tables, marker->stack);
	struct json *json = &column->tables->out->json;

	json_open(json, NULL, '{');
	json_text(json, "type", column->samples->series[marker->series].event);
	if (stack) {
		json_open(json, "cause", '{');
		json_time(json, "time", since(marker->start, column->zero), 6);
		json_number(json, "stack", stack - 1);
		json_close(json, '}');
	}
	buffer_add(json->out, column->markers->data.data + marker->data, marker->data_size);
	json_close(json, '}');
}

static void put_name(const struct column *column, const struct marker *marker)
{
	const char *event = column->samples->series[marker->series].event;

	json_number(&column->tables->out->json, NULL,
		    firefox_string(column->tables, event, strlen(event)));
}

static void put_start(const struct column *column, const struct marker *marker)
{
	json_time(&column->tables->out->json, NULL, since(marker->start, column->zero), 6);
}

static void put_end(const struct column *column, const struct marker *marker)
{
	const uint64_t start = since(marker->start, column->zero);

	if (!marker->is_span)
		json_word(&column->tables->out->json, NULL, "null");
	else
		json_time(&column->tables->out->json, NULL,
			  start > UINT64_MAX - marker->duration ? UINT64_MAX
								: start + marker->duration,
			  6);
}

/* Writes the phase of a marker: 0 for an instant, and 1 for an interval. */
static void put_phase(const struct column *column, const struct marker *marker)
{
	json_number(&column->tables->out->json, NULL, marker->is_span);
}

static void put_category(const struct column *column, const struct marker *marker)
{
	json_number(&column->tables->out->json, NULL, marker->category);
}

static void put_column(const struct column *column, const char *name, size_t from, size_t to,
		       void (*put)(const struct column *column, const struct marker *marker))
{
	struct export_output *out = column->tables->out;

	json_line(&out->json);
	json_open(&out->json, name, '[');
	for (size_t i = from; i < to; i++) {
		put(column, &column->markers->items[i]);
		output_part(out);
	}
	json_close(&out->json, ']');
}

void firefox_markers_write(const struct firefox_markers *markers, struct firefox_tables *tables,
			   const struct export_samples *samples, uint64_t zero, size_t from,
			   size_t to)
{
	const struct column column = {markers, tables, samples, zero};
	struct json *json = &tables->out->json;

	json_open(json, "markers", '{');
	json_number(json, "length", to - from);
	put_column(&column, "data", from, to, put_data);
	put_column(&column, "name", from, to, put_name);
	put_column(&column, "startTime", from, to, put_start);
	put_column(&column, "endTime", from, to, put_end);
	put_column(&column, "phase", from, to, put_phase);
	put_column(&column, "category", from, to, put_category);
	json_close(json, '}');
}

void firefox_markers_schemas(const struct firefox_markers *markers,
			     const struct export_samples *samples, struct export_output *out)
{
	struct json *json = &out->json;

	json_open(json, "markerSchema", '[');
	for (size_t i = 0; i < markers->schemas_count; i++) {
		const struct marker_schema *schema = &markers->schemas[i];

		if (!schema->described)
			continue;
		if (json->comma)
			json_line(json);
		json_open(json, NULL, '{');
		json_text(json, "name", samples->series[i].event);
		json_known(json, "'display':['marker-chart','marker-table','timeline-overview']");
		json_bytes(json, "tableLabel", schema->label.data, schema->label.size);
		json_open(json, "fields", '[');
		buffer_add(json->out, schema->fields.data, schema->fields.size);
		json_close(json, ']');
		json_close(json, '}');
		output_part(out);
	}
	json_close(json, ']');
}

void firefox_markers_free(struct firefox_markers *markers)
{
	for (size_t i = 0; i < markers->schemas_count; i++) {
		free(markers->schemas[i].fields.data);
		free(markers->schemas[i].label.data);
	}
	free(markers->schemas);
	free(markers->items);
	free(markers->data.data);
	occurrences_free(&markers->occurrences);
}
