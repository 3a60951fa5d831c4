// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "lookups.h"
#include "second.h"

/* Whether the word is one of those between bars. */
static bool is_among(const char *words, const char *word)
{
	const size_t size = strlen(word);

	while (strncmp(words, word, size) != 0 || (words[size] && words[size] != '|')) {
		words = strchr(words, '|');
		if (!words)
			return false;
		words++;
	}
	return size;
}

int pk_second_parse(const struct pk_option *option, void *at, const char *text)
{
	struct pk_messages messages = {0};
	struct pk_second *second = at;
	bool loaded = false;

	if (!is_among(option->value, text))
		return pk_option_wrong(option, text);
	if (!strcmp(text, "libdw"))
		loaded = (second->reader = pk_second_libdw(&messages));
	pk_print_messages(&messages);
	pk_messages_clear(&messages);
	return loaded ? PK_CONTINUE : PK_EXIT_FAILED;
}
