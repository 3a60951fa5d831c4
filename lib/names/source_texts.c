// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "source_texts.h"
#include "texts.h"

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

struct pk_source_texts {
	const struct pk_text_list *prefixes;
	struct pk_failures *failures;
	struct pk_texts names; /* names of files; the number of a name is the key in `files` */
	struct pk_table files;
	size_t kept;
};

struct pk_source_texts *pk_source_texts_new(const struct pk_text_list *prefixes,
					    struct pk_failures *failures)
{
	struct pk_source_texts *files = calloc(1, sizeof(*files));

	if (!files)
		return NULL;
	files->prefixes = prefixes;
	files->failures = failures;
	return files;
}

static void forget(struct pk_source_texts *files)
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

void pk_source_texts_free(struct pk_source_texts *files)
{
	if (!files)
		return;
	forget(files);
	pk_texts_free(&files->names);
	free(files);
}

/* Returns the file's name on this machine: the first matching prefix is replaced. The caller frees
 * the result. Returns NULL if memory is exhausted. */
static char *name_here(const struct pk_source_texts *files, const char *name)
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

static void read_file(const struct pk_source_texts *files, struct source_file *file,
		      const char *name)
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
static struct source_file *file_of(struct pk_source_texts *files, const char *name)
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

const char *pk_source_texts_line(struct pk_source_texts *files, const char *file, uint32_t line,
				 size_t *size)
{
	const struct source_file *f = file_of(files, file);
	size_t end;

	if (!f || !f->text || !line || line > f->count)
		return NULL;
	end = line < f->count ? f->lines[line] - 1 : f->size;
	*size = end - f->lines[line - 1];
	return f->text + f->lines[line - 1];
}
