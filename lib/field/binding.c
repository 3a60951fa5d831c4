// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "context_internal.h"
#include "field.h"
#include "pkutil.h"
#include "vector.h"

/* The longest text of words for a number, in bytes. A format can make long texts from short
 * numbers. Longer texts are cut. */
#define WORDS_MAX 256

static uint32_t make(struct pk_context *context, const struct pk_binding *binding, uint64_t value)
{
	const struct pk_bytes words =
		pk_tracepoint_words(binding->tracepoint, binding->trace, value);
	struct buffer *text = &context->state->text;

	text->size = 0;
	buffer_add(text, &value, sizeof(value));
	buffer_add(text, words.data, words.size < WORDS_MAX ? (size_t)words.size : WORDS_MAX);
	return text->failed ? 0 : pk_texts_add(&context->state->texts, text->data, text->size);
}

static uint32_t find_or_make(struct pk_context *context, const struct pk_binding *binding,
			     uint64_t value)
{
	const uint64_t place[] = {(uintptr_t)binding->trace, value};
	struct pk_words *words = &context->state->words;
	const uint32_t at = pk_texts_add(&words->numbers, (const char *)place, sizeof(place));

	if (!at || pk_extend(&words->keys, &words->count, at) != PK_OK)
		return 0;
	if (!words->keys[at])
		words->keys[at] = make(context, binding, value);
	return words->keys[at];
}

/* Most fields with words have few values. So most samples find their value among the recent ones.
 */
uint32_t pk_words_key(struct pk_context *context, const struct pk_binding *binding, uint64_t value)
{
	const uint64_t hash = value * UINT64_C(0x9e3779b97f4a7c15) >> 32;
	struct pk_words_recent *recent = &context->state->words.recent[hash % PK_WORDS_RECENT];

	if (!recent->key || recent->trace != binding->trace || recent->value != value)
		*recent = (struct pk_words_recent){binding->trace, value,
						   find_or_make(context, binding, value)};
	return recent->key;
}

void pk_words_forget(struct pk_words *words)
{
	pk_texts_free(&words->numbers);
	free(words->keys);
	*words = (struct pk_words){0};
}

/* The values of references in samples. Functions of the fields in the table use them, too. */

void pk_reference_free(struct pk_reference *reference)
{
	free(reference->event);
	free(reference->name);
	*reference = (struct pk_reference){0};
}

static bool fits(const char *pattern, const char *name)
{
	return !strcmp(pattern, name) || !fnmatch(pattern, name, 0);
}

bool pk_event_is_called(const struct pk_event *event, const char *pattern)
{
	const char *colon = strchr(event->name, ':');

	if (fits(pattern, event->name))
		return true;
	return event->attr.type == PERF_TYPE_TRACEPOINT && colon && !strchr(pattern, ':') &&
	       fits(pattern, colon + 1);
}

/* ---- Bindings ---- */

static enum pk_value_kind argument_kind(const struct pk_argument *argument)
{
	const bool is_signed = argument->flags & PK_ARGUMENT_SIGNED;
	const enum pk_value_kind kind = pk_kind_known("", "", argument->name, is_signed);

	if (kind != PK_VALUE_NONE)
		return kind;
	if (argument->flags & PK_ARGUMENT_ADDRESS)
		return PK_VALUE_ADDRESS;
	return is_signed ? PK_VALUE_SIGNED : PK_VALUE_NUMBER;
}

static struct pk_binding bind_in_event(const struct pk_context *context,
				       const struct pk_reference *reference,
				       const struct pk_event *event)
{
	struct pk_binding binding = {.kind = PK_VALUE_NONE};

	if (reference->event && !pk_event_is_called(event, reference->event))
		return binding;
	if (event->attr.type == PERF_TYPE_TRACEPOINT && context->state->tracepoints)
		binding.tracepoint =
			pk_tracepoints_find(context->state->tracepoints, event->attr.config);
	if (binding.tracepoint)
		binding.trace = pk_tracepoint_find_field(binding.tracepoint, reference->name);
	if (binding.trace && reference->as_text) {
		binding.kind = PK_VALUE_TEXT;
		binding.as_text = true;
		binding.shown = pk_tracepoint_shows(binding.tracepoint, binding.trace);
		return binding;
	}
	if (binding.trace) {
		binding.kind = binding.trace->kind;
		binding.place = pk_tracepoint_place(binding.tracepoint, binding.trace);
		if (binding.place.size || binding.kind == PK_VALUE_TEXT)
			binding.raw = pk_fixed_raw(event);
		return binding;
	}
	binding.argument = pk_argument_find(event, reference->name);
	if (binding.argument)
		binding.kind = argument_kind(binding.argument);
	return binding;
}

static struct pk_binding bind_label(const struct pk_context *context,
				    const struct pk_reference *reference)
{
	struct pk_binding binding = {.kind = PK_VALUE_NONE};

	binding.label = pk_session_label(context->state->session, reference->name);
	if (binding.label)
		binding.kind = PK_VALUE_TEXT;
	return binding;
}

struct pk_binding pk_bind(const struct pk_context *context, const struct pk_reference *reference,
			  const struct pk_event *event)
{
	const struct pk_field *field = reference->field;
	struct pk_binding binding = {.field = field};

	if (reference->is_label)
		return bind_label(context, reference);
	if (!field)
		return bind_in_event(context, reference, event);
	if (field->sample_bits && !(event->attr.sample_type & field->sample_bits))
		return binding;
	if (field->needs & PK_NEED_CODE && !context->state->access_types)
		return binding;
	if (field->size) {
		memcpy(&binding.at, (const uint8_t *)&event->layout + field->layout,
		       sizeof(binding.at));
		if (binding.at)
			binding.at = (uint16_t)(binding.at + field->offset);
	}
	if (binding.at || field->key)
		binding.kind = field->kind;
	return binding;
}

/* ---- Values ---- */

static bool trace_number(struct pk_view *view, const struct pk_binding *binding, uint64_t *value)
{
	const struct pk_sample *sample;
	const struct pk_bytes *raw;

	if (pk_likely(pk_fixed_raw_load(view->record, binding->raw, &binding->place, value)))
		return true;
	if (binding->argument) {
		sample = pk_view_sample(view);
		return sample && pk_argument_get(view->event, binding->argument, sample, value);
	}
	raw = pk_view_raw(view);
	return raw && pk_tracepoint_number(binding->tracepoint, binding->trace, raw, value);
}

static bool trace_text(struct pk_view *view, const struct pk_binding *binding,
		       struct pk_bytes *text)
{
	struct pk_bytes fixed;
	const struct pk_bytes *raw =
		pk_fixed_raw_bytes(view->record, binding->raw, &fixed) ? &fixed : pk_view_raw(view);

	if (!raw || !binding->as_text)
		return raw && pk_tracepoint_bytes(binding->tracepoint, binding->trace, raw, text);
	*text = pk_tracepoint_shown(binding->tracepoint, binding->trace, binding->shown, raw);
	return true;
}

/* The key of a number at a fixed place of the record. */
static inline uint64_t fixed_key(const struct pk_view *view, const struct pk_binding *binding)
{
	const uint8_t *at = view->record->data + binding->at;

	return binding->field->size == 4 ? (uint64_t)(int32_t)pk_load_u32(at) : pk_load_u64(at);
}

static bool number_key(struct pk_view *view, const struct pk_binding *binding, uint64_t *key)
{
	if (pk_likely(binding->at)) {
		*key = fixed_key(view, binding);
		return true;
	}
	if (binding->field)
		return binding->field->key(view, key);
	return trace_number(view, binding, key);
}

/* This function is not inlined, so that pk_view_key() saves no registers for the usual case. */
static __attribute__((noinline)) bool other_key(struct pk_view *view,
						const struct pk_binding *binding, uint64_t *key)
{
	struct pk_bytes text;

	if (binding->kind == PK_VALUE_NONE)
		return false;
	if (binding->label) {
		*key = binding->label;
		return true;
	}
	if (binding->kind != PK_VALUE_TEXT || binding->field)
		return number_key(view, binding, key);
	if (!trace_text(view, binding, &text))
		return false;
	*key = pk_texts_add(&view->context->state->texts, (const char *)text.data, text.size);
	view->context->failed |= !*key;
	return *key;
}

bool pk_view_key(struct pk_view *view, const struct pk_binding *binding, uint64_t *key)
{
	if (pk_likely(binding->at)) {
		*key = fixed_key(view, binding);
		return true;
	}
	return other_key(view, binding, key);
}

bool pk_view_number(struct pk_view *view, const struct pk_binding *binding, struct pk_wide *number)
{
	uint64_t key;

	if (binding->kind == PK_VALUE_NONE || binding->kind == PK_VALUE_TEXT ||
	    !number_key(view, binding, &key))
		return false;
	if (pk_kind_is_signed(binding->kind))
		*number = pk_wide_of((int64_t)key);
	else
		*number = pk_wide_of_u64(key);
	return true;
}

struct pk_binding pk_text_binding(const struct pk_reference *reference)
{
	return (struct pk_binding){
		.kind = PK_VALUE_TEXT, .field = reference->field, .label = reference->is_label};
}

const char *pk_key_text(struct pk_context *context, const struct pk_binding *binding, uint64_t key,
			size_t *size)
{
	if (binding->label)
		return pk_session_label_value(context->state->session, (uint32_t)key, size);
	if (binding->field)
		return binding->field->text(context, key, size);
	return pk_texts_get(&context->state->texts, (uint32_t)key, size);
}

bool pk_view_text(struct pk_view *view, const struct pk_binding *binding, struct pk_bytes *text)
{
	const char *found;
	uint64_t key;
	size_t size;

	if (binding->kind != PK_VALUE_TEXT)
		return false;
	if (!binding->field && !binding->label)
		return trace_text(view, binding, text);
	if (!pk_view_key(view, binding, &key))
		return false;
	found = pk_key_text(view->context, binding, key, &size);
	if (found)
		*text = (struct pk_bytes){(const uint8_t *)found, size};
	return found;
}

bool pk_view_shown(struct pk_view *view, const struct pk_binding *binding,
		   char number[PK_VALUE_SIZE], struct pk_bytes *text)
{
	struct pk_context *context = view->context;
	uint64_t key;
	uint32_t words;
	size_t size;
	const char *found;

	if (binding->kind == PK_VALUE_TEXT)
		return pk_view_text(view, binding, text);
	if (binding->kind == PK_VALUE_NONE || !pk_view_key(view, binding, &key))
		return false;
	if (!pk_kind_is_words(binding->kind)) {
		size = pk_number_text(binding->kind, key, number);
		*text = (struct pk_bytes){(const uint8_t *)number, size};
		return true;
	}
	words = pk_words_key(context, binding, key);
	context->failed |= !words;
	found = words ? pk_texts_get(&context->state->texts, words, &size) : NULL;
	found = found ? pk_words_split(found, &size, &key) : NULL;
	*text = (struct pk_bytes){(const uint8_t *)found, found ? size : 0};
	return found;
}

/* ---- Columns ---- */

static void forget(struct pk_column *column)
{
	free(column->bindings);
	free(column->bound);
	column->bindings = NULL;
	column->bound = NULL;
	column->bindings_count = column->bound_count = 0;
}

const struct pk_binding *pk_column_bind_event(struct pk_column *column,
					      const struct pk_context *context,
					      const struct pk_event *event)
{
	if (column->epoch != context->epoch) {
		forget(column);
		column->epoch = context->epoch;
	}
	if (pk_extend(&column->bindings, &column->bindings_count, event->index) != PK_OK ||
	    pk_extend(&column->bound, &column->bound_count, event->index) != PK_OK)
		return NULL;
	column->bindings[event->index] = pk_bind(context, &column->reference, event);
	column->bound[event->index] = true;
	column->found |= column->bindings[event->index].kind != PK_VALUE_NONE;
	return &column->bindings[event->index];
}

enum pk_status pk_column_end_session(struct pk_column *column, const struct pk_context *context)
{
	const struct pk_events *events =
		context->state->reader ? pk_reader_events(context->state->reader) : NULL;
	const size_t count = events ? pk_events_count(events) : 0;

	for (size_t i = 0; i < count && !column->found; i++)
		if (!pk_column_bind(column, context, pk_events_at(events, i)))
			return PK_NOMEM;
	return PK_OK;
}

void pk_column_free(struct pk_column *column)
{
	forget(column);
	pk_reference_free(&column->reference);
}
