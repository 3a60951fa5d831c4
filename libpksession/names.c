// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "session_internal.h"

/* Texts are kept with their size before them, since an object's key has NULs in it. */
struct text {
	size_t size;
	char data[];
};

static struct text *text_of(const struct pk_names *names, uint32_t number)
{
	return (struct text *)(names->texts[number] - offsetof(struct text, data));
}

static uint32_t *find(const struct pk_names *names, const char *text, size_t size)
{
	size_t mask = names->slots_capacity - 1;
	size_t i = pk_hash(text, size, names->secret) & mask;

	for (; names->slots[i]; i = (i + 1) & mask) {
		const struct text *have = text_of(names, names->slots[i] - 1);

		if (have->size == size && !memcmp(have->data, text, size))
			break;
	}
	return &names->slots[i];
}

uint32_t pk_names_find(const struct pk_names *names, const char *text, size_t size)
{
	return names->slots_capacity ? *find(names, text, size) - 1 : UINT32_MAX;
}

static bool grow_slots(struct pk_names *names)
{
	struct pk_names bigger = *names;

	if (2 * ((size_t)names->count + 1) <= names->slots_capacity)
		return true;
	if (!names->slots_capacity)
		bigger.secret = pk_secret();
	bigger.slots_capacity = names->slots_capacity ? 2 * names->slots_capacity : 64;
	bigger.slots = calloc(bigger.slots_capacity, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (uint32_t i = 0; i < names->count; i++)
		*find(&bigger, names->texts[i], text_of(names, i)->size) = i + 1;
	free(names->slots);
	*names = bigger;
	return true;
}

static bool grow_texts(struct pk_names *names)
{
	uint32_t capacity = names->capacity ? 2 * names->capacity : 32;
	char **texts;

	if (names->count < names->capacity)
		return true;
	texts = realloc(names->texts, capacity * sizeof(*texts));
	if (!texts)
		return false;
	names->texts = texts;
	names->capacity = capacity;
	return true;
}

uint32_t pk_names_add(struct pk_names *names, const char *text, size_t size)
{
	struct text *copy;
	uint32_t *slot;

	if (!grow_slots(names) || !grow_texts(names))
		return UINT32_MAX;
	slot = find(names, text, size);
	if (*slot)
		return *slot - 1;
	copy = malloc(sizeof(*copy) + size + 1);
	if (!copy)
		return UINT32_MAX;
	copy->size = size;
	memcpy(copy->data, text, size);
	copy->data[size] = '\0';
	names->texts[names->count++] = copy->data;
	*slot = names->count;
	return names->count - 1;
}

void pk_names_free(struct pk_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(text_of(names, i));
	free(names->texts);
	free(names->slots);
	*names = (struct pk_names){0};
}
