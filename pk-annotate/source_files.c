// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "function_name.h"
#include "object_debug.h"
#include "source_files.h"
#include "texts.h"

/* ---- Files ---- */

enum {
	FILE_MAX = 16 << 20,
	FILES_MAX = 64 << 20, /* in bytes; a larger cache is cleared */
};

struct source_file {
	char *text; /* NULL if the file cannot be read or is too large */
	size_t size;
	uint32_t *lines; /* offset of each line */
	uint32_t count;
};

struct source_files {
	const struct pk_text_list *prefixes;
	struct pk_failures *failures;
	struct pk_texts names; /* names of files; the number of a name is the key in `files` */
	struct pk_table files;
	size_t kept;
};

struct source_files *source_files_new(const struct pk_text_list *prefixes,
				      struct pk_failures *failures)
{
	struct source_files *files = calloc(1, sizeof(*files));

	if (!files)
		return NULL;
	files->prefixes = prefixes;
	files->failures = failures;
	return files;
}

static void forget(struct source_files *files)
{
	struct source_file *file;
	size_t cursor = 0;

	while ((file = pk_table_next_value(&files->files, &cursor))) {
		free(file->text);
		free(file->lines);
	}
	pk_table_free_all(&files->files);
	pk_texts_clear(&files->names);
	files->kept = 0;
}

void source_files_free(struct source_files *files)
{
	if (!files)
		return;
	forget(files);
	pk_texts_free(&files->names);
	free(files);
}

/* Returns the file's name on this machine: the first matching prefix is replaced. The caller frees
 * the result. Returns NULL if memory is exhausted. */
static char *name_here(const struct source_files *files, const char *name)
{
	for (size_t i = 0; i < files->prefixes->count; i++) {
		const char *old = files->prefixes->items[i], *equal = strchr(old, '=');
		const size_t size = (size_t)(equal - old), rest = strlen(name);
		char *text;

		if (strncmp(name, old, size))
			continue;
		text = pk_need(files->failures, malloc(strlen(equal + 1) + rest - size + 1));
		if (text) {
			memcpy(text, equal + 1, strlen(equal + 1));
			memcpy(text + strlen(equal + 1), name + size, rest - size + 1);
		}
		return text;
	}
	return pk_need(files->failures, strdup(name));
}

static enum pk_status find_lines(struct source_file *file, struct pk_failures *failures)
{
	uint32_t count = 1;

	for (size_t i = 0; i < file->size; i++)
		count += file->text[i] == '\n';
	file->lines = pk_need(failures, malloc(count * sizeof(*file->lines)));
	if (!file->lines)
		return PK_NOMEM;
	file->lines[file->count++] = 0;
	for (size_t i = 0; i < file->size; i++)
		if (file->text[i] == '\n')
			file->lines[file->count++] = (uint32_t)i + 1;
	return PK_OK;
}

static void read_file(const struct source_files *files, struct source_file *file, const char *name)
{
	/* A relative name is not opened, because the result would depend on the current directory.
	 */
	char *path = *name == '/' ? name_here(files, name) : NULL;
	int fd, error = path ? pk_file_open(path, &fd) : ENOENT;

	if (!error) {
		file->text = pk_file_read(fd, FILE_MAX, &file->size);
		error = file->text || errno == EFBIG ? 0 : errno;
		close(fd);
	}
	if (error && pk_is_failure(error))
		pk_failed(files->failures, path, error);
	free(path);
	if (file->text && find_lines(file, files->failures) != PK_OK) {
		free(file->text);
		file->text = NULL;
	}
}

/* Returns NULL if memory is exhausted. */
static struct source_file *file_of(struct source_files *files, const char *name)
{
	struct source_file *file;
	uint32_t id;

	if (files->kept > FILES_MAX)
		forget(files);
	id = pk_texts_add(&files->names, name, strlen(name));
	file = id ? pk_table_get(&files->files, id) : NULL;
	if (file)
		return file;
	file = pk_need(files->failures,
		       id ? pk_table_get_or_add(&files->files, id, sizeof(*file)) : NULL);
	if (!file)
		return NULL;
	read_file(files, file, name);
	files->kept += 256 + file->size + file->count * sizeof(*file->lines);
	return file;
}

const char *source_line(struct source_files *files, const char *file, uint32_t line, size_t *size)
{
	const struct source_file *f = file_of(files, file);
	size_t end;

	if (!f || !f->text || !line || line > f->count)
		return NULL;
	end = line < f->count ? f->lines[line] - 1 : f->size;
	*size = end - f->lines[line - 1];
	return f->text + f->lines[line - 1];
}

/* ---- Lines of functions ---- */

/* If a line is at most this many lines after the previous shown line, the lines between them are
 * also shown. */
enum { LINES_BETWEEN = 6 };

struct source_view {
	const struct function *f;
	struct source_files *files;
	struct pk_failures *failures;
	/* The source position of the previous row: */
	struct pk_texts names; /* names get numbers, so that they can be compared */
	uint32_t function, depth, file, line;
};

struct source_view *source_view_new(const struct function *f, struct source_files *files,
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
	const char *text = source_line(view->files, source->file, line, &size);

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
	    source_line(view->files, source->file, line, &size))
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
