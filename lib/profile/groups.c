// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "groups.h"
#include "number.h"
#include "vector.h"

/* ---- Buckets ---- */

bool pk_bucket_parse(struct pk_bucket *bucket, const char *text)
{
	const size_t digits = strspn(text, "0123456789");

	*bucket = (struct pk_bucket){.log2 = !strcmp(text, "log2")};
	if (bucket->log2)
		return true;
	if (text[digits] ? !pk_parse_time(text, &bucket->step) : !pk_parse_u64(text, &bucket->step))
		return false;
	return bucket->step && bucket->step <= INT64_MAX;
}

uint64_t pk_bucket_of(const struct pk_bucket *bucket, bool is_signed, uint64_t number)
{
	const bool negative = is_signed && (int64_t)number < 0;
	const uint64_t magnitude = negative ? -number : number;
	uint64_t low;

	if (bucket->log2 && magnitude) {
		low = UINT64_C(1) << (63 - __builtin_clzll(magnitude));
		return negative ? -low : low;
	}
	if (!bucket->step)
		return number;
	low = magnitude - magnitude % bucket->step;
	if (!negative)
		return low;
	return -(low == magnitude ? low : low + bucket->step);
}

/* ---- Keys ---- */

static size_t words_of(const struct pk_groups *groups)
{
	return groups->columns_count + 1u;
}

static uint64_t *key_of(const struct pk_groups *groups, uint32_t group)
{
	return groups->keys + (group - 1) * words_of(groups);
}

static uint64_t hash_of(struct pk_groups *groups, const uint64_t *key)
{
	return pk_hash(key, words_of(groups) * sizeof(*key), pk_table_secret(&groups->numbers));
}

/* Returns whether the group has this key. The loop is faster than memcmp(), because keys are short.
 */
static bool is_key(const struct pk_groups *groups, uint32_t group, const uint64_t *key)
{
	const uint64_t *of_group = key_of(groups, group);
	uint64_t difference = 0;

	for (size_t i = 0; i < words_of(groups); i++)
		difference |= of_group[i] ^ key[i];
	return !difference;
}

/* Returns the group with the key, or 0 if there is none. */
static uint32_t find_group(const struct pk_groups *groups, const uint64_t *key, uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&groups->numbers, hash);
	uint32_t group;

	while ((group = (uint32_t)pk_probe_next(&probe)))
		if (is_key(groups, group, key))
			break;
	return group;
}

static uint32_t add_group(struct pk_groups *groups, const uint64_t *key, uint64_t hash)
{
	const size_t words = words_of(groups);

	if (groups->count >= UINT32_MAX / 2 - 1 ||
	    pk_reserve(&groups->keys, &groups->keys_capacity, groups->count * words, words,
		       sizeof(*key)) != PK_OK ||
	    pk_table_add(&groups->numbers, hash, groups->count + UINT64_C(1)) != PK_OK)
		return 0;
	memcpy(groups->keys + groups->count * words, key, words * sizeof(*key));
	return ++groups->count;
}

/* Replaces the key of a value by the key of its bucket or of its words. Returns the kind of the new
 * value. */
static enum pk_value_kind reduce(struct pk_groups *groups, unsigned int column,
				 const struct pk_binding *binding, uint64_t *key)
{
	const struct pk_bucket *bucket = &groups->buckets[column];
	const bool has_bucket = pk_bucket_is_set(bucket);

	if (binding->kind == PK_VALUE_TEXT) {
		groups->texts |= (uint32_t)has_bucket << column;
	} else if (has_bucket) {
		*key = pk_bucket_of(bucket, pk_kind_is_signed(binding->kind), *key);
		return pk_kind_has_names(binding->kind) ? pk_kind_as_data(binding->kind)
							: binding->kind;
	} else if (pk_kind_is_words(binding->kind)) {
		*key = pk_words_key(groups->context, binding, *key);
		groups->context->failed |= !*key;
	}
	return binding->kind;
}

static enum pk_status fill_key(struct pk_groups *groups, struct pk_view *view, uint64_t *key)
{
	uint64_t *kinds = &key[groups->columns_count];

	*kinds = 0;
	for (unsigned int i = 0; i < groups->columns_count; i++) {
		struct pk_column *column = &groups->columns[i];
		const struct pk_binding *binding =
			pk_column_bind(column, groups->context, view->event);

		key[i] = 0;
		if (!binding)
			return PK_NOMEM;
		if (!pk_view_key(view, binding, &key[i]))
			continue;
		pk_key_set_kind(key, groups->columns_count, i, reduce(groups, i, binding, &key[i]));
	}
	return groups->context->failed ? PK_NOMEM : PK_OK;
}

const uint64_t *pk_groups_key(const struct pk_groups *groups, uint32_t group)
{
	return key_of(groups, group);
}

void pk_key_set_kind(uint64_t *key, unsigned int columns, unsigned int column,
		     enum pk_value_kind kind)
{
	key[columns] &= ~(UINT64_C(0xf) << (PK_KEY_KIND_BITS * column));
	key[columns] |= (uint64_t)kind << (PK_KEY_KIND_BITS * column);
}

/* ---- Groups of stacks ---- */

/* Returns true if the group of each sample depends only on its event and its stack. */
static bool depend_on_stacks(struct pk_groups *groups)
{
	if (groups->depend != PK_GROUPS_UNKNOWN)
		return groups->depend == PK_GROUPS_OF_STACK;
	groups->depend = PK_GROUPS_OF_STACK;
	for (unsigned int i = 0; i < groups->columns_count; i++) {
		const struct pk_reference *reference = &groups->columns[i].reference;
		const struct pk_field *field = reference->field;

		if (!reference->is_label &&
		    (!field || !(field->of_stack || field->frame_key || field->is_event)))
			groups->depend = PK_GROUPS_OF_SAMPLE;
	}
	return groups->depend == PK_GROUPS_OF_STACK;
}

/* The highest number of stored groups of stacks. It is limited because a recording can have many
 * events and many stacks. */
#define OF_STACKS_MAX ((size_t)16 << 20) /* this number needs 64 MiB */

/* Returns a pointer to the stored group for the event and the stack of the sample. Returns NULL if
 * the group is not stored. If memory is exhausted, returns NULL and sets pk_context.failed. */
static uint32_t *of_stack(struct pk_groups *groups, struct pk_view *view)
{
	const size_t event = view->counted->index;
	struct pk_groups_of_event *of_event;
	uint32_t stack;
	size_t before;

	if (!depend_on_stacks(groups) || !pk_source_symbolized(&groups->context->stacks) ||
	    !pk_source_dictionary(&groups->context->stacks))
		return NULL;
	stack = pk_view_stack(view);
	if (stack == PK_NO_STACK)
		return NULL;
	if (pk_extend(&groups->of_events, &groups->of_events_count, event) != PK_OK)
		goto failed;
	of_event = &groups->of_events[event];
	before = of_event->count;
	if (stack >= before && groups->of_stacks_count + stack - before >= OF_STACKS_MAX)
		return NULL;
	if (pk_extend(&of_event->by_stack, &of_event->count, stack) != PK_OK)
		goto failed;
	groups->of_stacks_count += of_event->count - before;
	return &of_event->by_stack[stack];
failed:
	groups->context->failed = true;
	return NULL;
}

static uint32_t of_key(struct pk_groups *groups, struct pk_view *view)
{
	uint64_t key[PK_GROUP_COLUMNS + 1], hash;
	uint32_t group = groups->last;

	if (fill_key(groups, view, key) != PK_OK)
		return 0;
	if (group && is_key(groups, group, key))
		return group;
	hash = hash_of(groups, key);
	group = find_group(groups, key, hash);
	if (!group)
		group = add_group(groups, key, hash);
	groups->last = group;
	return group;
}

uint32_t pk_groups_of(struct pk_groups *groups, struct pk_view *view)
{
	uint32_t *known = of_stack(groups, view), group;

	if (known && *known > groups->forgotten)
		return *known - groups->forgotten;
	group = of_key(groups, view);
	if (known && group)
		*known = groups->forgotten + group;
	return group;
}

bool pk_groups_text(const struct pk_groups *groups, uint32_t group, unsigned int column,
		    struct buffer *out)
{
	const uint64_t *key = key_of(groups, group);
	const enum pk_value_kind kind = pk_key_kind(key, groups->columns_count, column);
	const struct pk_binding binding = pk_text_binding(&groups->columns[column].reference);
	char number[PK_VALUE_SIZE];
	const char *text = number;
	uint64_t value;
	size_t size = 0;

	if (kind == PK_VALUE_NONE)
		return false;
	if (kind == PK_VALUE_TEXT || pk_kind_is_words(kind))
		text = pk_key_text(groups->context, &binding, key[column], &size);
	else
		size = pk_number_text(kind, key[column], number);
	if (text && pk_kind_is_words(kind))
		text = pk_words_split(text, &size, &value);
	if (text)
		buffer_add(out, text, size);
	return text;
}

static void free_of_stacks(struct pk_groups *groups)
{
	for (size_t i = 0; i < groups->of_events_count; i++)
		free(groups->of_events[i].by_stack);
	free(groups->of_events);
	groups->of_events = NULL;
	groups->of_events_count = groups->of_stacks_count = 0;
}

/* Binds the columns to all events, so that `found` of each column is complete. */
enum pk_status pk_groups_end_session(struct pk_groups *groups)
{
	for (unsigned int i = 0; i < groups->columns_count; i++)
		PK_TRY(pk_column_end_session(&groups->columns[i], groups->context));
	return PK_OK;
}

void pk_groups_forget(struct pk_groups *groups)
{
	pk_table_clear(&groups->numbers);
	groups->forgotten += groups->count;
	groups->count = groups->last = 0;
	if (groups->forgotten <= UINT32_MAX / 2)
		return;
	free_of_stacks(groups);
	groups->forgotten = 0;
}

void pk_groups_free(struct pk_groups *groups)
{
	for (unsigned int i = 0; i < groups->columns_count; i++)
		pk_column_free(&groups->columns[i]);
	free_of_stacks(groups);
	free(groups->keys);
	pk_table_free(&groups->numbers);
	*groups = (struct pk_groups){0};
}
