/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-filter/alias_key.c */
/* Tests the key of an anonymized recording. A key that was read must stay the same after it is
 * written and read again. Each alias must have exactly one meaning. */
#include <stdlib.h>

#include "alias_key.h"
#include "check_that.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(struct alias_key *key)
{
	struct buffer first = {0}, second = {0};
	struct alias_key again = {0};
	size_t alias_size, length;

	alias_key_format(key, &first);
	check_that(!alias_key_parse(&again, first.data, first.size));
	alias_key_format(&again, &second);
	check_that(first.size == second.size && !memcmp(first.data, second.data, first.size));
	for (int kind = 0; kind < ALIAS_KINDS; kind++) {
		const struct pk_texts *aliases = &key->pairs[kind].aliases;

		for (uint32_t i = 1; i <= aliases->count; i++) {
			const char *alias = pk_texts_get(aliases, i, &alias_size);
			const char *one = alias_key_find(key, kind, alias, alias_size);
			const char *other = alias_key_find(&again, kind, alias, alias_size);

			check_that(one && other);
			length = strlen(one);
			check_that(length == strlen(other) && !memcmp(one, other, length));
		}
	}
	free(first.data);
	free(second.data);
	alias_key_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct alias_key key = {0};

	if (!alias_key_parse(&key, (const char *)data, size) && !key.failed)
		check_again(&key);
	alias_key_free(&key);
	return 0;
}
