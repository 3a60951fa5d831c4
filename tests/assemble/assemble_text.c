/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assemble_text.h"

static unsigned int line_number;

void text_fail(const struct text_record *record, const char *what, const char *which)
{
	fprintf(stderr, "assemble: line %u: %s: %s: %s\n", record->line,
		record->name ? record->name : "-", what, which);
	fflush(stdout);
	_exit(1); /* memory that is still allocated is not reported as a leak */
}

static void *checked(void *memory)
{
	if (!memory) {
		perror("assemble");
		exit(1);
	}
	return memory;
}

/* ---- Lines ---- */

/* Returns the character that the text after a backslash stands for. n, e and x with two hexadecimal
 * digits are as in C. Any other character stands for itself. */
static char unescape(char **at)
{
	char digits[3] = "";

	switch (*(*at)++) {
	case 'n': return '\n';
	case 'e': return '\033';
	case 'x':
		memcpy(digits, *at, strnlen(*at, 2));
		*at += strlen(digits);
		return (char)strtol(digits, NULL, 16);
	default: return (*at)[-1];
	}
}

/* Reads a text in quotes at *at, and replaces its escapes in place. Returns the text. */
static char *read_quoted(const struct text_record *record, char **at)
{
	char *start = ++*at, *to = start;

	while (**at && **at != '"') {
		char c = *(*at)++;

		*to++ = c == '\\' ? unescape(at) : c;
	}
	if (!**at)
		text_fail(record, "no quote ends it", start);
	++*at;
	*to = '\0';
	return start;
}

/* Returns the end of a value without quotes. The value ends at white space, except inside of
 * parentheses and braces. */
static char *value_end(char *at)
{
	int depth = 0;

	for (; *at && (depth || !isspace((unsigned char)*at)); at++)
		depth += (*at == '(' || *at == '{') - (*at == ')' || *at == '}');
	return at;
}

static void add_field(struct text_record *record, struct text_field field)
{
	if (record->count == record->capacity) {
		record->capacity = 2 * record->capacity + 16;
		record->fields =
			checked(reallocarray(record->fields, record->capacity, sizeof(field)));
	}
	field.name = checked(strdup(field.name));
	field.value = checked(strdup(field.value));
	record->fields[record->count++] = field;
}

/* Reads the fields NAME=VALUE up to the end of the line or '#'. Ignores names of values in
 * parentheses, which a dump prints. The arrow "-> TO" of a branch becomes a field `to`. */
static void read_fields(struct text_record *record, char *at)
{
	while (at += strspn(at, " \t\n"), *at && *at != '#') {
		struct text_field field = {.name = at};
		char *end;

		if (*at == '(') {
			at = value_end(at);
			continue;
		}
		if (!strncmp(at, "-> ", 3)) {
			char *to = at + 3;

			at = value_end(to);
			if (*at)
				*at++ = '\0';
			add_field(record, (struct text_field){.name = (char[]){"to"}, .value = to});
			continue;
		}
		at += strcspn(at, "= \t\n");
		if (*at != '=')
			text_fail(record, "no value", field.name);
		*at++ = '\0';
		field.quoted = *at == '"';
		if (field.quoted) {
			field.value = read_quoted(record, &at);
			add_field(record, field);
			continue;
		}
		field.value = at;
		end = value_end(at);
		at = *end ? end + 1 : end;
		*end = '\0';
		add_field(record, field);
	}
}

static void clear(struct text_record *record)
{
	for (size_t i = 0; i < record->count; i++) {
		free(record->fields[i].name);
		free(record->fields[i].value);
	}
	free(record->name);
	record->name = NULL;
	record->count = 0;
}

/* Reads the start of a record, [OFFSET] NAME, and the fields after it. Returns false if no record
 * starts on this line. */
static bool read_head(struct text_record *record, char *line)
{
	char *at = line + strspn(line, "0123456789"), *end;

	at += strspn(at, " \t");
	end = at + strcspn(at, " \t\n");
	if (end == at || *at == '#' || !strncmp(at, "FILE ", 5) || !strncmp(end, " warning:", 9))
		return false;
	record->name = checked(strndup(at, (size_t)(end - at)));
	record->line = line_number;
	read_fields(record, end);
	return true;
}

void text_read(FILE *file, struct text_record *record)
{
	static char *line;
	static size_t capacity;
	static bool kept; /* `line` has the start of the next record */

	clear(record);
	while (kept || getline(&line, &capacity, file) >= 0) {
		const bool indented = *line == ' ' || *line == '\t';

		line_number += !kept;
		line[strcspn(line, "\n")] = '\0';
		if (indented && record->name) {
			read_fields(record, line);
			continue;
		}
		if (record->name) {
			kept = true;
			return;
		}
		kept = false;
		if (!read_head(record, line) && indented && line[strspn(line, " \t\n")] &&
		    line[strspn(line, " \t")] != '#')
			text_fail(record, "no record before it", line);
	}
	kept = false;
}

/* ---- Fields ---- */

struct text_field *text_find(struct text_record *record, const char *name)
{
	for (size_t i = 0; i < record->count; i++) {
		struct text_field *field = &record->fields[i];

		if (!field->used && !strcmp(field->name, name)) {
			field->used = true;
			return field;
		}
	}
	return NULL;
}

bool text_has(const struct text_record *record, const char *name)
{
	const size_t length = strlen(name);

	for (size_t i = 0; i < record->count; i++) {
		const char *found = record->fields[i].name;

		if (!record->fields[i].used && !strncmp(found, name, length) &&
		    (!found[length] || found[length] == '.' || found[length] == '['))
			return true;
	}
	return false;
}

void text_check_used(const struct text_record *record)
{
	for (size_t i = 0; i < record->count; i++)
		if (!record->fields[i].used)
			text_fail(record, "no such field", record->fields[i].name);
}

static uint64_t named(const struct text_record *record, const struct text_field *field,
		      const char *const *names, size_t count)
{
	uint64_t bits = 0;
	char *list = field->value + 1;

	for (char *word; (word = strtok(list, " )")); list = NULL) {
		size_t i = 0;

		while (i < count && (!names[i] || strcmp(names[i], word)))
			i++;
		if (i == count)
			text_fail(record, field->name, word);
		bits |= UINT64_C(1) << i;
	}
	return bits;
}

uint64_t text_number(const struct text_record *record, const struct text_field *field,
		     const char *const *names, size_t names_count)
{
	char *end;
	uint64_t number;

	if (*field->value == '(')
		return named(record, field, names, names_count);
	number = strtoull(field->value, &end, 0);
	if (field->quoted || !*field->value || *end)
		text_fail(record, field->name, "not a number");
	return number;
}

/* ---- Bytes ---- */

static uint8_t *read_file(const struct text_record *record, const char *path, size_t *size)
{
	FILE *file = fopen(path, "re");
	uint8_t *bytes = NULL;
	size_t got;

	if (!file)
		text_fail(record, "cannot open", path);
	*size = 0;
	do {
		bytes = checked(realloc(bytes, *size + 65536));
		got = fread(bytes + *size, 1, 65536, file);
		*size += got;
	} while (got);
	fclose(file);
	return bytes;
}

static uint8_t *read_numbers(const struct text_record *record, char *list, bool big, size_t *size)
{
	uint8_t *bytes = checked(malloc(4 * strlen(list) + 8));

	*size = 0;
	for (char *word; (word = strtok(list, "{}, ")); list = NULL) {
		char *end;
		const unsigned long width = strtoul(word, &end, 10);
		const uint64_t value = *end == ':' ? strtoull(end + 1, &end, 0) : 0;

		if (*end || width < 1 || width > 8)
			text_fail(record, "not WIDTH:NUMBER", word);
		for (unsigned long i = 0; i < width; i++)
			bytes[(*size)++] = (uint8_t)(value >> 8 * (big ? width - 1 - i : i));
	}
	return bytes;
}

static uint8_t *read_hex(const struct text_record *record, const struct text_field *field,
			 const char *digits, size_t *size)
{
	const size_t length = strlen(digits);
	uint8_t *bytes = checked(malloc(length / 2 + 1));

	*size = length / 2;
	for (size_t i = 0; i < *size; i++) {
		const char pair[] = {digits[2 * i], digits[2 * i + 1], '\0'};
		char *end;

		bytes[i] = (uint8_t)strtoul(pair, &end, 16);
		if (*end || !isxdigit((unsigned char)pair[0]))
			text_fail(record, field->name, "not hexadecimal, or cut");
	}
	if (length % 2)
		text_fail(record, field->name, "half a byte");
	return bytes;
}

uint8_t *text_bytes(const struct text_record *record, const struct text_field *field, bool big,
		    size_t *size)
{
	const char *colon = strchr(field->value, ':');
	uint8_t *bytes;

	if (field->quoted) {
		*size = strlen(field->value);
		return checked(memcpy(checked(malloc(*size + 1)), field->value, *size));
	}
	if (*field->value == '@')
		return read_file(record, field->value + 1, size);
	if (*field->value == '{')
		return read_numbers(record, field->value, big, size);
	bytes = read_hex(record, field, colon ? colon + 1 : field->value, size);
	if (colon && strtoull(field->value, NULL, 10) != *size)
		text_fail(record, field->name, "cut, or of another size than it says");
	return bytes;
}
