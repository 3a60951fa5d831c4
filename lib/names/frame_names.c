// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "function_name.h"
#include "safe_text.h"
#include "frame_names.h"

/* Replaces ';', which separates frames, and control bytes, which must not be printed. */
static void make_safe(char *text, size_t size)
{
	bool plain = true;

	for (size_t i = 0; i < size; i++) {
		if (text[i] == ';')
			text[i] = ':';
		plain &= text[i] >= ' ' && text[i] < 0x7f;
	}
	if (!plain)
		pk_harmless_bytes(text, size);
}

void pk_comm_name(struct buffer *out, const char *comm, size_t size)
{
	out->size = 0;
	buffer_add(out, comm, size);
	if (out->failed)
		return;
	for (size_t i = 0; i < size; i++)
		if (out->data[i] == ' ')
			out->data[i] = '_';
	make_safe(out->data, size);
}

static size_t drop_quotes(char *name, size_t size)
{
	size_t kept = 0;

	for (size_t i = 0; i < size; i++)
		if (name[i] != '"' && name[i] != '\'')
			name[kept++] = name[i];
	return kept;
}

/* Returns the name of the file without its directories, and without the " (deleted)" that the
 * kernel appends. */
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

/* The values that determine the names of a frame. */
struct naming {
	const struct pk_dictionary *dictionary;
	const struct pk_frame *frame;
	const struct pk_frame_options *options;
	bool java;    /* the name of the thread starts with "java" */
	bool runtime; /* the function was named by a runtime, such as that of Java */
};

static void append_mark(struct buffer *out, size_t start, const char *mark)
{
	size_t size = strlen(mark);

	if (!out->failed && !memmem(out->data + start, out->size - start, mark, size))
		buffer_add(out, mark, size);
}

static void append_marks(struct buffer *out, size_t start, const struct naming *naming)
{
	const struct pk_frame_options *options = naming->options;
	uint32_t flags = naming->frame->flags;

	if (options->mark_kernel && flags & PK_FRAME_KERNEL)
		append_mark(out, start, "_[k]");
	if (options->mark_jit && flags & PK_FRAME_JIT)
		append_mark(out, start, "_[j]");
	if (options->mark_inlines && flags & PK_FRAME_INLINED)
		append_mark(out, start, "_[i]");
}

/* Appends the name of the object of the frame, if there is one. */
static void append_module(struct buffer *out, const struct naming *naming)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(naming->dictionary, naming->frame->dso);
	size_t size = 0, start = out->size;
	const char *name =
		dso ? pk_dictionary_get_string(naming->dictionary, dso->path, &size) : NULL;

	if (!name)
		return;
	name = base_name(name, &size);
	buffer_add(out, name, size);
	buffer_add(out, "`", 1);
	if (!out->failed)
		make_safe(out->data + start, out->size - start);
}

static void append_line(struct buffer *out, const struct naming *naming)
{
	size_t size = 0, start = out->size;
	const char *file = pk_dictionary_get_string(naming->dictionary, naming->frame->file, &size);
	char line[16];

	if (!file || !size)
		return;
	file = base_name(file, &size);
	buffer_add(out, ":", 1);
	buffer_add(out, file, size);
	buffer_add(out, line,
		   (size_t)snprintf(line, sizeof(line), ":%" PRIu32, naming->frame->line));
	if (!out->failed)
		make_safe(out->data + start, out->size - start);
}

/* Appends the name without its parameters, without quotation marks, and without the L that starts
 * names of Java classes. */
static void append_short(struct buffer *out, const struct naming *naming, const char *name,
			 size_t size)
{
	const struct pk_range parameters =
		naming->runtime ? pk_runtime_parameters(name, size) : pk_parameters(name, size);
	const size_t start = out->size;

	if (naming->java && parameters.from && *name == 'L' && memchr(name, '/', parameters.from))
		buffer_add(out, name + 1, parameters.from - 1);
	else
		buffer_add(out, name, parameters.from);
	buffer_add(out, name + parameters.to, size - parameters.to);
	if (!out->failed)
		out->size = start + drop_quotes(out->data + start, out->size - start);
}

/* Appends the name of one function, and a NUL. */
static void append_function(struct buffer *out, const struct naming *naming, const char *name,
			    size_t size, bool inlined, bool last)
{
	size_t start;

	if (naming->options->modules)
		append_module(out, naming);
	start = out->size;
	if (naming->options->full)
		buffer_add(out, name, size);
	else
		append_short(out, naming, name, size);
	if (out->failed)
		return;
	make_safe(out->data + start, out->size - start);
	if (naming->options->lines && last)
		append_line(out, naming);
	append_marks(out, start, naming);
	if (inlined)
		append_mark(out, start, "_[i]");
	buffer_add(out, "", 1);
}

static void append_functions(struct buffer *out, const struct naming *naming, const char *name,
			     size_t size)
{
	bool inlined = false;
	size_t first;

	if (!naming->runtime) {
		append_function(out, naming, name, size, false, true);
		return;
	}
	while ((first = pk_inlined_caller(name, size)) < size) {
		append_function(out, naming, name, first, inlined, false);
		inlined = true;
		name += first + 2;
		size -= first + 2;
	}
	append_function(out, naming, name, size, inlined, true);
}

static void append_unresolved(struct buffer *out, const struct naming *naming)
{
	const struct pk_frame *frame = naming->frame;
	const struct pk_dso *dso = pk_dictionary_get_dso(naming->dictionary, frame->dso);
	const char *name = "unknown";
	size_t size = strlen(name), start = out->size;
	char address[24];

	if (dso && pk_dictionary_get_string(naming->dictionary, dso->path, NULL)) {
		name = pk_dictionary_get_string(naming->dictionary, dso->path, &size);
		name = base_name(name, &size);
	}
	buffer_add(out, "[", 1);
	buffer_add(out, name, size);
	buffer_add(out, "]", 1);
	if (out->failed)
		return;
	make_safe(out->data + start, out->size - start);
	if (naming->options->addresses && !(frame->flags & PK_FRAME_FUNCTION)) {
		int length = snprintf(address, sizeof(address), "+0x%llx",
				      (unsigned long long)frame->address);

		buffer_add(out, address, (size_t)length);
	}
	append_marks(out, start, naming);
	buffer_add(out, "", 1);
}

void pk_frame_names(struct buffer *out, const struct pk_dictionary *dictionary,
		    const struct pk_frame *frame, bool java, const struct pk_frame_options *options)
{
	const struct naming naming = {dictionary, frame, options, java,
				      java || frame->flags & PK_FRAME_JIT};
	size_t size;
	const char *name = pk_dictionary_get_string(dictionary, frame->function, &size);

	out->size = 0;
	if (options->hide_inlines && frame->flags & PK_FRAME_INLINED)
		return;
	if (name && size)
		append_functions(out, &naming, name, size);
	else
		append_unresolved(out, &naming);
}
