// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "names.h"
#include "vector.h"

/* Texts are kept with their size before them, since an object's key has NULs in it. */
struct text {
	size_t size;
	char data[];
};

static struct text *text_of(const struct pk_names *names, uint32_t number)
{
	return (struct text *)(names->texts[number] - offsetof(struct text, data));
}

static uint64_t hash_of(const struct pk_names *names, const char *text, size_t size)
{
	return pk_hash(text, size, names->numbers.secret);
}

uint32_t pk_names_find(const struct pk_names *names, const char *text, size_t size)
{
	struct pk_probe probe = pk_table_probe(&names->numbers, hash_of(names, text, size));
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		const struct text *have = text_of(names, (uint32_t)number - 1);

		if (have->size == size && !memcmp(have->data, text, size))
			return (uint32_t)number - 1;
	}
	return UINT32_MAX;
}

uint32_t pk_names_add(struct pk_names *names, const char *text, size_t size)
{
	uint32_t number = pk_names_find(names, text, size);
	struct text *copy;

	if (number != UINT32_MAX)
		return number;
	if (!pk_reserve(&names->texts, &names->capacity, names->count, 1, sizeof(char *)) ||
	    !pk_table_reserve(&names->numbers, names->numbers.count + 1))
		return UINT32_MAX;
	copy = malloc(sizeof(*copy) + size + 1);
	if (!copy)
		return UINT32_MAX;
	copy->size = size;
	memcpy(copy->data, text, size);
	copy->data[size] = '\0';
	names->texts[names->count++] = copy->data;
	pk_table_add(&names->numbers, hash_of(names, text, size), names->count);
	return names->count - 1;
}

void pk_names_free(struct pk_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(text_of(names, i));
	free(names->texts);
	pk_table_free(&names->numbers);
	*names = (struct pk_names){0};
}
