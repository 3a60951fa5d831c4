// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "data_lines.h"
#include "lookups.h"
#include "vector.h"

#define FILE_MAX ((size_t)1 << 20) /* 1 MiB, in bytes */

static const char blanks[] = " \t", no_memory[] = "out of memory";

/* ---- Words ---- */

static void put(char **out, char c)
{
	if (*out)
		*(*out)++ = c;
}

/* Skips a word, which can have quoted parts. If *out is not NULL, writes the word without the
 * quotes to *out, and moves *out after it. *out can be equal to p. Returns the position after the
 * word, or NULL if a quote is not closed. */
static char *read_word(char *p, char **out)
{
	char quote;

	while (*p && !strchr(blanks, *p)) {
		quote = *p == '\'' || *p == '"' ? *p : '\0';
		if (!quote) {
			put(out, *p++);
			continue;
		}
		for (p++; *p != quote; p++) {
			if (quote == '"' && *p == '\\' && (p[1] == '"' || p[1] == '\\'))
				p++;
			if (!*p)
				return NULL;
			put(out, *p);
		}
		p++;
	}
	return p;
}

/* Returns the end of the words: the start of a comment, or the end of the line. Returns NULL if a
 * quote is not closed. */
static char *words_end(char *text)
{
	char *nowhere = NULL, *p = text + strspn(text, blanks);

	while (p && *p && *p != '#') {
		p = read_word(p, &nowhere);
		p = p ? p + strspn(p, blanks) : NULL;
	}
	return p;
}

size_t pk_data_words_most(const char *text)
{
	return strlen(text) / 2 + 1;
}

int pk_data_words_split(char *text, char **words)
{
	char *p = text, *end;
	int count = 0;

	while (*p) {
		words[count++] = end = p;
		p = read_word(p, &end);
		p += strspn(p, blanks);
		*end = '\0';
	}
	return count;
}

/* ---- Lines ---- */

static bool is_name(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.",
			    text[i]))
			return false;
	return size;
}

static bool has_control_bytes(const char *line, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f)
			return true;
	return false;
}

static void trim(char *text, char *end)
{
	while (end > text && strchr(blanks, end[-1]))
		end--;
	*end = '\0';
}

struct data_line *pk_data_lines_find(const struct data_lines *lines, const char *group,
				     const char *name)
{
	for (size_t i = 0; i < lines->count; i++)
		if (!strcmp(lines->items[i].group, group) && !strcmp(lines->items[i].name, name))
			return &lines->items[i];
	return NULL;
}

static const char *store(struct data_lines *lines, const struct data_line *line)
{
	struct data_line *same = pk_data_lines_find(lines, line->group, line->name);

	if (!same && pk_vector_reserve(lines, 1) != PK_OK)
		return no_memory;
	*(same ? same : &lines->items[lines->count++]) = *line;
	return NULL;
}

/* Adds a line to the list. Returns NULL, or the text of an error. */
static const char *add_line(struct data_lines *lines, char *text)
{
	char *group = text + strspn(text, blanks), *name, *colon, *end;
	const size_t size = strcspn(group, " \t:");
	struct data_line line = {.about = ""};

	if (!*group || *group == '#')
		return NULL;
	name = group + size + strspn(group + size, blanks);
	colon = strchr(name, ':');
	if (!is_name(group, size) || !colon || !is_name(name, (size_t)(colon - name)))
		return "does not start with 'WORD NAME:'";
	line.text = colon + 1 + strspn(colon + 1, blanks);
	end = words_end(line.text);
	if (!end)
		return "a quote is open";
	if (*end == '#') {
		line.about = end + 1 + strspn(end + 1, blanks);
		trim(end + 1, end + strlen(end));
	}
	trim(line.text, end);
	group[size] = *colon = '\0';
	line.group = group;
	line.name = name;
	return store(lines, &line);
}

/* Returns the end of a line. If there is a backslash before the newline, the next line is joined to
 * this line. The backslash and the newline then become blanks. Sets *joined to the number of lines
 * that were joined. */
static char *line_end(char *line, char *text_end, unsigned int *joined)
{
	char *end;

	for (*joined = 1;; ++*joined) {
		end = memchr(line, '\n', (size_t)(text_end - line));
		if (!end)
			return text_end;
		if (end == line || end[-1] != '\\')
			return end;
		end[-1] = *end = ' ';
		line = end + 1;
	}
}

/* Returns 0, or an exit status after a message. */
static int parse_file(struct data_lines *lines, char *text, size_t size, const char *path)
{
	unsigned int number = 1, joined;
	const char *error;

	for (char *line = text, *end; line < text + size; line = end + 1, number += joined) {
		end = line_end(line, text + size, &joined);
		*end = '\0';
		error = has_control_bytes(line, (size_t)(end - line)) ? "a control byte"
								      : add_line(lines, line);
		if (!error)
			continue;
		if (error == no_memory)
			return pk_no_memory();
		pk_error("%s:%u: %s", path, number, error);
		return PK_EXIT_USAGE;
	}
	return PK_EXIT_OK;
}

/* ---- Files ---- */

/* Returns true if the user's own file can be trusted. Its lines name programs to run, so no other
 * user except root may be able to change it. */
static bool is_own(const char *path, const struct stat *st)
{
	if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
		pk_warn("%s: not a regular file: not used", path);
	else if (st->st_uid != geteuid() && st->st_uid)
		pk_warn("%s: it belongs to another user: not used", path);
	else if (st->st_mode & 02)
		pk_warn("%s: all users can change it (mode %03o): not used", path,
			st->st_mode & 0777);
	else
		return true;
	return false;
}

/* Returns NULL if it fails. errno is then set, or 0 if a message was printed. */
static FILE *open_lines(const char *path, bool own)
{
	/* Without O_NONBLOCK, open() would wait for a writer if the path is a FIFO. */
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	FILE *file = NULL;
	int error = 0;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st))
		error = errno;
	else if (!own || is_own(path, &st)) {
		file = fdopen(fd, "r");
		error = errno;
	}
	if (!file) {
		close(fd);
		errno = error;
	}
	return file;
}

/* Adds the lines of a file, and stores its text in *content. Returns 0, or -1 if there is no such
 * file. After a message, returns the exit status. */
static int read_file(struct data_lines *lines, const char *path, bool own, char **content)
{
	FILE *file = open_lines(path, own);
	size_t size;

	if (!file && (!errno || errno == ENOENT || errno == ENOTDIR))
		return -1;
	*content = malloc(FILE_MAX + 1);
	size = file && *content ? fread(*content, 1, FILE_MAX, file) : 0;
	if (!file || (*content && ferror(file))) {
		pk_error("%s: %s", path, strerror(errno));
		if (file)
			fclose(file);
		return PK_EXIT_FAILED;
	}
	fclose(file);
	if (!*content)
		return pk_no_memory();
	if (size == FILE_MAX) {
		pk_error("%s: too large", path);
		return PK_EXIT_USAGE;
	}
	return parse_file(lines, *content, size, path);
}

/* Writes the path of the running program. Without /proc, it is the path with which the kernel
 * started the program. Returns false if the path is too long or unknown. */
static bool program_path(char *path, size_t size)
{
	static const char self[] = "/proc/self/exe";
	const ssize_t length = readlink(self, path, size);
	const char *started = length < 0 ? (const char *)getauxval(AT_EXECFN) : NULL;

	if (started)
		return snprintf(path, size, "%s", started) < (int)size;
	if (length < 0)
		pk_lookup_failed(self);
	if (length < 0 || (size_t)length >= size)
		return false;
	path[length] = '\0';
	return true;
}

bool pk_program_folder(char *folder, size_t size)
{
	char *slash;

	if (!program_path(folder, size))
		return false;
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	return slash;
}

static const char *const places[] = {"../share/pk", "../../share/pk"};

bool pk_shared_path(const char *name, char *path, size_t size)
{
	char folder[PATH_MAX];
	bool found = false;

	if (!pk_program_folder(folder, sizeof(folder)))
		return false;
	for (size_t i = 0; !found && i < sizeof(places) / sizeof(places[0]); i++)
		found = snprintf(path, size, "%s/%s/%s", folder, places[i], name) < (int)size &&
			!access(path, F_OK);
	return found;
}

/* Reads the file that comes with the programs. It is in the folder of the installation or, if the
 * program runs from a build folder, in the folder of the sources. Returns the same values as
 * read_file(). */
static int read_shared(struct data_lines *lines, const char *name)
{
	char folder[PATH_MAX], path[PATH_MAX];
	int result = -1;

	if (!pk_program_folder(folder, sizeof(folder))) {
		lines->failed = true;
		return -1;
	}
	for (size_t i = 0; result < 0 && i < sizeof(places) / sizeof(places[0]); i++) {
		const int written =
			snprintf(path, sizeof(path), "%s/%s/%s", folder, places[i], name);

		if (written > 0 && (size_t)written < sizeof(path))
			result = read_file(lines, path, false, &lines->contents[0]);
	}
	return result;
}

/* Writes the path of the user's own file to `path`. Returns false if the path is unknown or too
 * long. */
static bool find_own(const char *name, char *path, size_t size)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int written;

	if (config && *config == '/')
		written = snprintf(path, size, "%s/pk/%s", config, name);
	else
		written = home && *home ? snprintf(path, size, "%s/.config/pk/%s", home, name) : -1;
	return written > 0 && (size_t)written < size;
}

int pk_data_lines_read(struct data_lines *lines, const char *name)
{
	char path[PATH_MAX];
	int result = read_shared(lines, name);

	if (result <= 0 && find_own(name, path, sizeof(path)))
		result = read_file(lines, path, true, &lines->contents[1]);
	return result < 0 ? PK_EXIT_OK : result;
}

void pk_data_lines_free(struct data_lines *lines)
{
	free(lines->items);
	for (size_t i = 0; i < 2; i++)
		free(lines->contents[i]);
	*lines = (struct data_lines){0};
}
