// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "safe_text.h"
#include "shell_word.h"

/* An equals sign is plain in options only: NAME=VALUE could be an assignment. */
static bool is_plain(const char *word)
{
	static const char plain[] =
		"=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+@%:,./";

	return *word && !word[strspn(word, *word == '-' ? plain : plain + 1)];
}

/* The size of the first character, in bytes; sets *harmful. */
static size_t character(const char *p, size_t left, bool *harmful)
{
	size_t size = pk_utf8_size(p, left);

	size = size ? size : 1;
	*harmful = pk_is_harmful(p, size);
	return size;
}

static bool has_harmful(const char *word)
{
	const char *end = word + strlen(word);
	bool harmful = false;

	while (word < end && !harmful)
		word += character(word, (size_t)(end - word), &harmful);
	return harmful;
}

static void add_octal(struct buffer *text, unsigned char byte)
{
	buffer_char(text, '\\');
	buffer_char(text, (char)('0' + (byte >> 6)));
	buffer_char(text, (char)('0' + (byte >> 3 & 7)));
	buffer_char(text, (char)('0' + (byte & 7)));
}

static void add_escaped(struct buffer *text, const char *word)
{
	const char *end = word + strlen(word);
	size_t size;
	bool harmful;

	buffer_text(text, "$'");
	for (; word < end; word += size) {
		size = character(word, (size_t)(end - word), &harmful);
		if (harmful || *word == '\'' || *word == '\\')
			for (size_t i = 0; i < size; i++)
				add_octal(text, (unsigned char)word[i]);
		else
			buffer_add(text, word, size);
	}
	buffer_char(text, '\'');
}

static void add_quoted(struct buffer *text, const char *word)
{
	buffer_char(text, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buffer_text(text, "'\\''");
		else
			buffer_char(text, *word);
	buffer_char(text, '\'');
}

void shell_word(struct buffer *text, const char *word)
{
	if (has_harmful(word))
		add_escaped(text, word);
	else if (is_plain(word))
		buffer_text(text, word);
	else
		add_quoted(text, word);
}
