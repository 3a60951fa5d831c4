// SPDX-License-Identifier: BSD-2-Clause
#include "value_words.h"
#include "vector.h"

/* A format can make long texts from short numbers: longer ones are cut. */
#define WORDS_MAX 256

static uint32_t make(struct pk_context *context, const struct pk_binding *binding, uint64_t value)
{
	const struct pk_bytes words =
		pk_tracepoint_words(binding->tracepoint, binding->trace, value);
	struct buffer *text = &context->text;

	text->size = 0;
	buffer_add(text, &value, sizeof(value));
	buffer_add(text, words.data, words.size < WORDS_MAX ? (size_t)words.size : WORDS_MAX);
	return text->failed ? 0 : pk_texts_add(&context->texts, text->data, text->size);
}

static uint32_t find_or_make(struct pk_context *context, const struct pk_binding *binding,
			     uint64_t value)
{
	const uint64_t place[] = {(uintptr_t)binding->trace, value};
	const uint32_t at = pk_texts_add(&context->words, (const char *)place, sizeof(place));

	if (!at || !pk_extend(&context->words_keys, &context->words_count, at))
		return 0;
	if (!context->words_keys[at])
		context->words_keys[at] = make(context, binding, value);
	return context->words_keys[at];
}

/* Most fields with words have few values: most samples find theirs among the recent ones. */
uint32_t pk_words_key(struct pk_context *context, const struct pk_binding *binding, uint64_t value)
{
	const uint64_t hash = value * UINT64_C(0x9e3779b97f4a7c15) >> 32;
	struct pk_words_recent *recent = &context->words_recent[hash % PK_WORDS_RECENT];

	if (!recent->key || recent->trace != binding->trace || recent->value != value)
		*recent = (struct pk_words_recent){binding->trace, value,
						   find_or_make(context, binding, value)};
	return recent->key;
}
