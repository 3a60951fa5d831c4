// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "lookups.h"
#include "second.h"

static const struct {
	const char *name;
	enum pk_status (*load)(struct pk_second *second, struct pk_messages *messages);
} libraries[] = {
	{"libdw", pk_second_libdw},
	{"libunwind", pk_second_libunwind},
	{"libtraceevent", pk_second_libtraceevent},
};

/* Returns true if the word is one of the words, which are separated by '|'. */
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
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (!strcmp(text, libraries[i].name))
			loaded = libraries[i].load(second, &messages) == PK_OK;
	pk_print_messages(&messages);
	pk_messages_clear(&messages);
	return loaded ? PK_CONTINUE : PK_EXIT_FAILED;
}
