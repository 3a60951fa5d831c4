// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "function_name.h"
#include "object_debug.h"
#include "source_view.h"
#include "texts.h"

/* If a line is at most this many lines after the previous shown line, the lines between them are
 * also shown. */
enum { LINES_BETWEEN = 6 };

struct source_view {
	const struct function *f;
	struct pk_source_texts *files;
	struct pk_failures *failures;
	/* The source position of the previous row: */
	struct pk_texts names; /* names get numbers, so that they can be compared */
	uint32_t function, depth, file, line;
};

struct source_view *source_view_new(const struct function *f, struct pk_source_texts *files,
				    struct pk_failures *failures)
{
	struct source_view *view = calloc(1, sizeof(*view));

	if (!view)
		return NULL;
	view->f = f;
	view->files = files;
	view->failures = failures;
	return view;
}

void source_view_free(struct source_view *view)
{
	if (!view)
		return;
	pk_texts_free(&view->names);
	free(view);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static uint32_t number(struct source_view *view, const char *text)
{
	const uint32_t id = text ? pk_texts_add(&view->names, text, strlen(text)) : 0;

	if (text && !id)
		pk_failed(view->failures, NULL, ENOMEM);
	return id;
}

static void put_place(const char *file, uint32_t line, struct buffer *out)
{
	buffer_harmless(out, base_name(file), strlen(base_name(file)));
	buffer_format(out, ":%u", line);
}

/* Writes NAME(). If the name already contains its parameters, writes no parentheses. */
static void put_name(const struct source_view *view, const char *name, struct buffer *out)
{
	size_t size;

	name = name ? name : view->f->is.name;
	size = strlen(name);
	buffer_harmless(out, name, size);
	buffer_text(out, pk_parameters(name, size).from < size ? "" : "()");
}

/* Writes, for example, "inner(), inlined into outer() at file.c:12:". */
static void put_function(const struct source_view *view, const struct pk_source *sources,
			 size_t count, const char *margin, struct buffer *out)
{
	buffer_text(out, margin);
	put_name(view, sources[0].function, out);
	for (size_t i = 1; i < count && sources[i - 1].inlined; i++) {
		buffer_text(out, i == 1 ? ", inlined into " : ", into ");
		put_name(view, sources[i].function, out);
		if (sources[i].file) {
			buffer_text(out, " at ");
			put_place(sources[i].file, sources[i].line, out);
		}
	}
	buffer_text(out, ":\n");
}

static void put_line(const struct source_view *view, const struct pk_source *source, uint32_t line,
		     const char *margin, struct buffer *out)
{
	size_t size = 0;
	const char *text = pk_source_texts_line(view->files, source->file, line, &size);

	buffer_text(out, margin);
	if (!text) {
		put_place(source->file, line, out);
	} else {
		buffer_format(out, "%-5u ", line);
		for (; size && *text == '\t'; text++, size--)
			buffer_text(out, "    ");
		buffer_harmless(out, text, size);
	}
	buffer_char(out, '\n');
}

/* Writes the lines after the previous shown line up to the line of the instruction. So lines
 * without instructions, such as declarations, comments and conditions, are shown together with the
 * next instruction. */
static void put_lines(struct source_view *view, const struct pk_source *source, bool same_file,
		      const char *margin, struct buffer *out)
{
	uint32_t line = source->line;
	size_t size;

	if (same_file && view->line && line > view->line && line - view->line <= LINES_BETWEEN &&
	    pk_source_texts_line(view->files, source->file, line, &size))
		line = view->line + 1;
	for (; line <= source->line; line++)
		put_line(view, source, line, margin, out);
}

void source_view_put(struct source_view *view, uint32_t row, const char *margin, struct buffer *out)
{
	const struct function *f = view->f;
	const struct pk_source *sources;
	const size_t found =
		!f->code.object->symbols
			? 0
			: pk_object_sources(f->code.object->symbols,
					    f->code.address + f->code.rows[row].at, &sources);
	/* The texts in `sources` are valid only until the next call. So the view stores their
	 * numbers. */
	const uint32_t depth = (uint32_t)found;
	uint32_t function, file;
	bool changed;

	if (!found)
		return;
	function = number(view, sources[0].function);
	file = number(view, sources[0].file);
	changed = function != view->function || depth != view->depth;
	if (changed)
		put_function(view, sources, found, margin, out);
	if (file && sources[0].line &&
	    (changed || file != view->file || sources[0].line != view->line))
		put_lines(view, &sources[0], !changed && file == view->file, margin, out);
	view->function = function;
	view->depth = depth;
	view->file = file;
	view->line = sources[0].line;
}
