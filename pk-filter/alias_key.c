// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alias_key.h"
#include "cli.h"
#include "file.h"
#include "pkutil.h"
#include "sandbox.h"
#include "vector.h"

/* ---- Keys ---- */

#define FIRST_LINE "pk-filter names 1"
#define LAST_LINE  "end"
#define FILE_MAX   ((size_t)1 << 30)

static const char *const kinds[ALIAS_KINDS] = {"name", "build-id", "number", "device", "reference"};

void alias_key_free(struct alias_key *key)
{
	for (int i = 0; i < ALIAS_KINDS; i++) {
		pk_texts_free(&key->pairs[i].aliases);
		free(key->pairs[i].originals);
	}
	pk_texts_free(&key->originals);
	*key = (struct alias_key){0};
}

void alias_key_add(struct alias_key *key, enum alias_kind kind, const char *alias,
		   size_t alias_size, const char *original, size_t size)
{
	struct pk_alias_pairs *pairs = &key->pairs[kind];
	const uint32_t number = pk_texts_add(&pairs->aliases, alias, alias_size);

	if (!number || pk_extend(&pairs->originals, &pairs->capacity, number) != PK_OK) {
		key->failed = true;
		return;
	}
	if (pairs->originals[number])
		return;
	pairs->originals[number] = pk_texts_add(&key->originals, original, size);
	key->failed |= !pairs->originals[number];
}

const char *alias_key_find(struct alias_key *key, enum alias_kind kind, const char *alias,
			   size_t size)
{
	struct pk_alias_pairs *pairs = &key->pairs[kind];
	const uint32_t number = pk_texts_find(&pairs->aliases, alias, size);

	if (!number || number >= pairs->capacity)
		return NULL;
	key->used = true;
	return pk_texts_get(&key->originals, pairs->originals[number], NULL);
}

const char *alias_key_copy(struct alias_key *key, const char *text, size_t size)
{
	const uint32_t number = pk_texts_add(&key->originals, text, size);

	key->failed |= !number;
	return number ? pk_texts_get(&key->originals, number, NULL) : "";
}

/* ---- Text ---- */

static void add_escaped(struct buffer *text, const char *field, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		const unsigned char byte = (unsigned char)field[i];

		if (byte < ' ' || byte == '\\' || byte == 0x7f)
			buffer_format(text, "\\%02x", byte);
		else
			buffer_char(text, field[i]);
	}
}

void alias_key_format(const struct alias_key *key, struct buffer *text)
{
	size_t size;

	buffer_text(text, FIRST_LINE "\n");
	buffer_format(text, "hash\t%016llx\t%016llx\n", (unsigned long long)key->hash.low,
		      (unsigned long long)key->hash.high);
	for (int kind = 0; kind < ALIAS_KINDS; kind++) {
		const struct pk_alias_pairs *pairs = &key->pairs[kind];

		for (uint32_t i = 1; i <= pairs->aliases.count; i++) {
			const char *alias = pk_texts_get(&pairs->aliases, i, &size);

			buffer_text(text, kinds[kind]);
			buffer_char(text, '\t');
			add_escaped(text, alias, size);
			buffer_char(text, '\t');
			alias = pk_texts_get(&key->originals, pairs->originals[i], &size);
			add_escaped(text, alias ? alias : "", alias ? size : 0);
			buffer_char(text, '\n');
		}
	}
	buffer_text(text, LAST_LINE "\n");
}

/* A field of a line. It ends at a tab or at the end of the line. */
struct part {
	const char *at, *end;
};

static struct part next_part(struct part *line)
{
	const char *tab = memchr(line->at, '\t', (size_t)(line->end - line->at));
	struct part part = {line->at, tab ? tab : line->end};

	line->at = tab ? tab + 1 : line->end;
	return part;
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Copies a field and replaces its escape sequences. Returns false if two hexadecimal digits do not
 * follow a backslash. */
static bool unescape(struct part part, struct buffer *text)
{
	text->size = 0;
	for (const char *p = part.at; p < part.end; p++) {
		if (*p != '\\') {
			buffer_char(text, *p);
			continue;
		}
		if (part.end - p < 3 || digit(p[1]) < 0 || digit(p[2]) < 0)
			return false;
		buffer_char(text, (char)(digit(p[1]) << 4 | digit(p[2])));
		p += 2;
	}
	return true;
}

static bool is_word(struct part part, const char *word)
{
	return (size_t)(part.end - part.at) == strlen(word) && !memcmp(part.at, word, strlen(word));
}

static bool parse_hex(struct part part, uint64_t *value)
{
	*value = 0;
	for (const char *p = part.at; p < part.end; p++) {
		if (digit(*p) < 0)
			return false;
		*value = *value << 4 | (unsigned int)digit(*p);
	}
	return part.end - part.at == 16;
}

/* Adds the data of a line "KIND ALIAS ORIGINAL", whose fields are separated by tabs. Returns false
 * if the line is invalid. */
static bool parse_line(struct alias_key *key, struct part line, struct buffer scratch[2])
{
	const struct part kind = next_part(&line), alias = next_part(&line), original = line;

	if (is_word(kind, "hash")) {
		key->has_hash = true;
		return parse_hex(alias, &key->hash.low) && parse_hex(original, &key->hash.high);
	}
	for (int i = 0; i < ALIAS_KINDS; i++) {
		if (!is_word(kind, kinds[i]))
			continue;
		if (alias.at == alias.end ||
		    memchr(original.at, '\t', (size_t)(original.end - original.at)) ||
		    !unescape(alias, &scratch[0]) || !unescape(original, &scratch[1]))
			return false;
		alias_key_add(key, i, scratch[0].data, scratch[0].size,
			      scratch[1].size ? scratch[1].data : "", scratch[1].size);
		return true;
	}
	return false;
}

size_t alias_key_parse(struct alias_key *key, const char *text, size_t size)
{
	const char *const end = text + size;
	struct buffer scratch[2] = {{0}};
	size_t number = 0;
	bool good = true, ended = false;

	while (good && text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const struct part line = {text, newline ? newline : end};

		number++;
		good = newline && !ended;
		if (good && number == 1)
			good = is_word(line, FIRST_LINE);
		else if (good && key->has_hash && is_word(line, LAST_LINE))
			ended = true;
		else if (good)
			good = parse_line(key, line, scratch);
		text = newline ? newline + 1 : end;
	}
	key->failed |= scratch[0].failed || scratch[1].failed;
	free(scratch[0].data);
	free(scratch[1].data);
	return ended && good ? 0 : number + good;
}

/* ---- Files ---- */

static int fail(const char *path, const char *why)
{
	pk_error("%s: %s", path, why);
	return PK_EXIT_FAILED;
}

/* Counts lines. A last line without a newline is counted, too. */
static size_t count_lines(const char *text, size_t size)
{
	size_t lines = size && text[size - 1] != '\n';

	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines;
}

int alias_key_read(struct alias_key *key, const char *path)
{
	size_t size, line, lines;
	char *text = NULL;
	int fd, error;

	error = pk_file_open(path, &fd);
	if (error)
		return fail(path, error == EINVAL ? "is not a regular file" : strerror(error));
	text = pk_file_read(fd, FILE_MAX, &size);
	error = errno;
	close(fd);
	if (!text)
		return fail(path, strerror(error));
	line = alias_key_parse(key, text, size);
	lines = count_lines(text, size);
	free(text);
	if (key->failed)
		return fail(path, strerror(ENOMEM));
	if (!line)
		return PK_EXIT_OK;
	pk_error("%s: line %zu is %s: not a %skey file of pk-filter --keep-key", path, line,
		 line > lines ? "missing" : "invalid", line > 1 && line > lines ? "whole " : "");
	return PK_EXIT_FAILED;
}

static bool is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

int alias_key_start(struct alias_key *key, const char *path)
{
	struct stat st = {0};
	const bool missing = stat(path, &st) != 0, filled = !missing && st.st_size;
	int result = pk_refuse_input(path), fd;

	if (result)
		return result;
	pk_sandbox_folder_of(path);
	/* For an existing link, pk_create() also checks the owner of the link. */
	if (missing || (S_ISREG(st.st_mode) && (!filled || is_link(path)))) {
		fd = pk_create(path, PK_CREATE_APPEND);
		if (fd < 0)
			return -fd;
		close(fd);
	}
	if (!missing && (filled || !S_ISREG(st.st_mode)))
		result = alias_key_read(key, path);
	pk_protect_input(path);
	return result;
}

void alias_key_discard(const char *path)
{
	char *target = realpath(path, NULL);
	struct stat st;

	if (target && !stat(target, &st) && S_ISREG(st.st_mode) && !st.st_size)
		unlink(target);
	free(target);
}

/* Writes a new file. When it is complete, it replaces the old file. */
static int save(const struct alias_key *key, const char *path)
{
	char new[PATH_MAX];
	struct buffer text = {0};
	const int n = snprintf(new, sizeof(new), "%s.%d", path, (int)getpid());
	bool good;
	int fd;

	if (n < 0 || (size_t)n >= sizeof(new))
		return fail(path, strerror(ENAMETOOLONG));
	fd = pk_create(new, PK_CREATE_APPEND);
	if (fd < 0)
		return PK_EXIT_FAILED;
	alias_key_format(key, &text);
	errno = ENOMEM;
	good = !text.failed && pk_write_all(fd, text.data, text.size) == PK_OK;
	free(text.data);
	if (close(fd))
		good = false;
	if (good && !rename(new, path))
		return PK_EXIT_OK;
	fail(path, strerror(errno));
	unlink(new);
	return PK_EXIT_FAILED;
}

int alias_key_save(const struct alias_key *key, const char *path)
{
	char *target;
	int result;

	if (key->failed)
		return fail(path, strerror(ENOMEM));
	target = realpath(path, NULL); /* rename() would replace a link */
	result = target ? save(key, target) : fail(path, strerror(errno));
	free(target);
	return result;
}

/* ---- Hash ---- */

struct state {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotate(uint64_t x, unsigned int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void round_of(struct state *s)
{
	s->v0 += s->v1;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v2 = rotate(s->v2, 32);
}

static void add_word(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	round_of(s);
	round_of(s);
	s->v0 ^= word;
}

uint64_t keyed_hash(const struct hash_key *key, const void *data, size_t size)
{
	const uint8_t *p = data;
	struct state s = {
		key->low ^ UINT64_C(0x736f6d6570736575),
		key->high ^ UINT64_C(0x646f72616e646f6d),
		key->low ^ UINT64_C(0x6c7967656e657261),
		key->high ^ UINT64_C(0x7465646279746573),
	};
	uint64_t word = 0;

	for (size_t i = 0; i < size; i++) {
		word |= (uint64_t)p[i] << 8 * (i % 8);
		if (i % 8 == 7) {
			add_word(&s, word);
			word = 0;
		}
	}
	add_word(&s, word | (uint64_t)size << 56);
	s.v2 ^= 0xff;
	for (int i = 0; i < 4; i++)
		round_of(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
