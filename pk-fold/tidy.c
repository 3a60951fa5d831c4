// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "tidy.h"

void text_append(struct text *text, const char *data, size_t size)
{
	if (text->capacity - text->size < size) {
		size_t capacity = 2 * (text->size + size) + 256;
		char *grown = realloc(text->data, capacity);

		if (!grown) {
			text->failed = true;
			return;
		}
		text->data = grown;
		text->capacity = capacity;
	}
	if (size)
		memcpy(text->data + text->size, data, size);
	text->size += size;
}

static bool is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7f;
}

/* The control bytes of ISO 8859, U+0080 to U+009F, as UTF-8 has them. */
static bool is_wide_control(const char *text, size_t i, size_t size)
{
	return (unsigned char)text[i] == 0xc2 && i + 1 < size &&
	       (unsigned char)text[i + 1] >= 0x80 && (unsigned char)text[i + 1] < 0xa0;
}

/* ';' is what parts frames, and nothing that a terminal obeys may be printed. */
static void make_safe(char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] == ';')
			text[i] = ':';
		else if (is_control((unsigned char)text[i]))
			text[i] = '?';
		else if (is_wide_control(text, i, size))
			text[i] = text[i + 1] = '?';
	}
}

void tidy_comm(struct text *out, const char *comm, size_t size)
{
	out->size = 0;
	text_append(out, comm, size);
	if (out->failed)
		return;
	for (size_t i = 0; i < size; i++)
		if (out->data[i] == ' ')
			out->data[i] = '_';
	make_safe(out->data, size);
}

/* Go's methods, net/http.(*Client).Do, keep their parentheses. */
static bool is_go_method(const char *name, size_t size)
{
	const char *open = memmem(name, size, ".(", 2);

	return open && memmem(open + 2, size - (size_t)(open + 2 - name), ").", 2);
}

/* What is left without the parameters: up to the first '(' that does not begin "(anonymous
 * namespace)"; all, if that is nothing. */
static size_t cut_parameters(const char *name, size_t size)
{
	static const char anonymous[] = "(anonymous namespace)";
	const char *open = name;

	if (is_go_method(name, size))
		return size;
	while ((open = memchr(open, '(', size - (size_t)(open - name)))) {
		size_t left = size - (size_t)(open - name);

		if (left < sizeof(anonymous) - 1 || memcmp(open, anonymous, sizeof(anonymous) - 1))
			return open == name ? size : (size_t)(open - name);
		open++;
	}
	return size;
}

static size_t drop_quotes(char *name, size_t size)
{
	size_t kept = 0;

	for (size_t i = 0; i < size; i++)
		if (name[i] != '"' && name[i] != '\'')
			name[kept++] = name[i];
	return kept;
}

/* Appends one function's name and its NUL. */
static void append_function(struct text *out, const char *name, size_t size, bool java,
			    bool inlined)
{
	static const char mark[] = "_[i]";
	size_t start = out->size, length = cut_parameters(name, size);

	if (java && length && *name == 'L' && memchr(name, '/', length)) {
		name++;
		length--;
	}
	text_append(out, name, length);
	if (out->failed)
		return;
	make_safe(out->data + start, length);
	out->size = start + drop_quotes(out->data + start, length);
	if (inlined && !memmem(out->data + start, out->size - start, mark, sizeof(mark) - 1))
		text_append(out, mark, sizeof(mark) - 1);
	text_append(out, "", 1);
}

static void append_functions(struct text *out, const char *name, size_t size, bool java)
{
	const char *end = name + size, *arrow;
	bool inlined = false;

	/* "operator->" ends in no name */
	while (end - name > 2 && !memcmp(end - 2, "->", 2))
		end -= 2;
	while ((arrow = memmem(name, (size_t)(end - name), "->", 2)) && arrow + 2 < end) {
		append_function(out, name, (size_t)(arrow - name), java, inlined);
		inlined = true;
		name = arrow + 2;
	}
	append_function(out, name, (size_t)(end - name), java, inlined);
}

/* The file's name without its folders, nor the kernel's remark that it was deleted. */
static const char *base_name(const char *path, size_t *size)
{
	static const char deleted[] = " (deleted)";
	const char *slash;

	if (*size > sizeof(deleted) - 1 &&
	    !memcmp(path + *size - (sizeof(deleted) - 1), deleted, sizeof(deleted) - 1))
		*size -= sizeof(deleted) - 1;
	slash = memrchr(path, '/', *size);
	if (slash) {
		*size -= (size_t)(slash + 1 - path);
		path = slash + 1;
	}
	return path;
}

static void append_unresolved(struct text *out, const struct pk_dictionary *dictionary,
			      const struct pk_frame *frame, bool addresses)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(dictionary, frame->dso);
	const char *name = "unknown";
	size_t size = strlen(name), start = out->size;
	char address[24];

	if (dso && pk_dictionary_get_string(dictionary, dso->path, NULL)) {
		name = pk_dictionary_get_string(dictionary, dso->path, &size);
		name = base_name(name, &size);
	}
	text_append(out, "[", 1);
	text_append(out, name, size);
	text_append(out, "]", 1);
	if (out->failed)
		return;
	make_safe(out->data + start, out->size - start);
	if (addresses) {
		int length = snprintf(address, sizeof(address), "+0x%llx",
				      (unsigned long long)frame->address);

		text_append(out, address, (size_t)length);
	}
	text_append(out, "", 1);
}

void tidy_frame(struct text *out, const struct pk_dictionary *dictionary,
		const struct pk_frame *frame, bool java, bool addresses)
{
	size_t size;
	const char *name = pk_dictionary_get_string(dictionary, frame->function, &size);

	out->size = 0;
	if (name && size)
		append_functions(out, name, size, java);
	else
		append_unresolved(out, dictionary, frame, addresses);
}
