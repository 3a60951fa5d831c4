// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "cli.h"
#include "dump.h"
#include "pkprivate.h"

/* ---- Printing ---- */

#define BYTES_MAX 64
#define TEXT_MAX  4096

/* The buffer to which fields are appended as members of a JSON object. If it is NULL, fields are
 * printed on stdout as lines. */
static struct buffer *json;

void dump_to_json(struct buffer *buffer)
{
	json = buffer;
}

/* Writes ,"NAME": as JSON, or "  NAME=" as text. */
static void start_field(const char *name)
{
	if (!json) {
		printf("  %s=", name);
		return;
	}
	buffer_char(json, ',');
	buffer_quoted(json, name, strlen(name));
	buffer_char(json, ':');
}

static void add_text(const char *name, const char *text)
{
	start_field(name);
	buffer_quoted(json, text, strlen(text));
}

static void add_number(const char *name, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_number(const char *name, const char *format, ...)
{
	char text[64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	start_field(name);
	if (json)
		buffer_text(json, text);
	else
		puts(text);
}

void dump_decimal(const char *name, uint64_t value)
{
	add_number(name, "%" PRIu64, value);
}

void dump_hex(const char *name, uint64_t value)
{
	add_number(name, json ? "\"0x%" PRIx64 "\"" : "0x%" PRIx64, value);
}

void dump_signed(const char *name, int64_t value)
{
	add_number(name, "%" PRId64, value);
}

void dump_real(const char *name, double value)
{
	if (json && !isfinite(value))
		add_number(name, "null");
	else
		add_number(name, "%.17g", value);
}

void dump_text(const char *name, const void *text, size_t size)
{
	char copy[TEXT_MAX + 1];
	size_t length = strnlen(text, size), shown = length < TEXT_MAX ? length : TEXT_MAX;

	if (json) {
		start_field(name);
		buffer_quoted(json, text, shown);
		return;
	}
	memcpy(copy, text, shown);
	copy[shown] = '\0';
	pk_harmless(copy);
	printf("  %s=\"%s\"%s\n", name, copy, shown < length ? "..." : "");
}

void dump_bytes(const char *name, const void *data, uint64_t size)
{
	const uint8_t *p = data;
	char text[2 * BYTES_MAX + 1] = "";

	for (uint64_t i = 0; json && i < size && i < BYTES_MAX; i++)
		snprintf(text + 2 * i, 3, "%02x", p[i]);
	if (json) {
		add_text(name, text);
		return;
	}
	printf("  %s=%" PRIu64 ":", name, size);
	for (uint64_t i = 0; i < size && i < BYTES_MAX; i++)
		printf("%02x", p[i]);
	puts(size > BYTES_MAX ? "..." : "");
}

void dump_name(const char *name, uint64_t value, const char *meaning)
{
	char longer[128];

	if (!json) {
		printf("  %s=%" PRIu64 " (%s)\n", name, value, meaning);
		return;
	}
	dump_decimal(name, value);
	snprintf(longer, sizeof(longer), "%s_name", name);
	add_text(longer, meaning);
}

void dump_named(const char *name, uint64_t value, const char *const *names, size_t count)
{
	if (value < count && names[value])
		dump_name(name, value, names[value]);
	else
		dump_decimal(name, value);
}

void dump_flags(const char *name, uint64_t value, const char *const *names, size_t count)
{
	bool any = false;

	if (json) {
		dump_hex(name, value);
		return;
	}
	printf("  %s=0x%" PRIx64, name, value);
	for (size_t bit = 0; bit < count; bit++) {
		if (!(value >> bit & 1) || !names[bit])
			continue;
		printf("%s%s", any ? " " : " (", names[bit]);
		any = true;
	}
	puts(any ? ")" : "");
}

const char *dump_type_name(uint32_t type)
{
	const struct pk_record_layout *layout = pk_record_layout(type, 0);

	return layout ? layout->name : "UNKNOWN";
}

void dump_complain(struct dump *dump, const char *what)
{
	if (dump->complained)
		return;
	dump->complained = true;
	dump->malformed++;
	if (json)
		add_text("malformed", what);
	else
		printf("  malformed: %s\n", what);
	pk_error("%s: offset %" PRIu64 ": %s: %s", dump->path, dump->record->offset,
		 dump_type_name(dump->record->type), what);
}

const uint8_t *dump_read_bytes(struct dump *dump, uint64_t size)
{
	const uint8_t *at = dump->at;

	if (size > dump_left(dump)) {
		dump_complain(dump, "too short for its fields");
		dump->at = dump->end;
		return NULL;
	}
	dump->at += size;
	return at;
}

uint64_t dump_read_number(struct dump *dump, unsigned int width)
{
	const uint8_t *at = dump_read_bytes(dump, width);

	if (!at)
		return 0;
	switch (width) {
	case 1: return *at;
	case 2: return pk_load_u16(at);
	case 4: return pk_load_u32(at);
	default: return pk_load_u64(at);
	}
}

static void dump_string(struct dump *dump, const char *name)
{
	size_t length = strnlen((const char *)dump->at, dump_left(dump));
	size_t field = (size_t)(dump->at - dump->record->data) + length + 1;

	dump_text(name, dump->at, length);
	if (length == dump_left(dump))
		dump_complain(dump, "string without its NUL");
	field = (field + 7) & ~(size_t)7; /* end of the text in the record */
	dump->at = field < (size_t)(dump->end - dump->record->data) ? dump->record->data + field
								    : dump->end;
}

static void dump_feature_string(struct dump *dump, const char *name)
{
	uint64_t size = dump_read_number(dump, 4);
	const uint8_t *text = dump_read_bytes(dump, size);

	if (text)
		dump_text(name, text, size);
}

/* Writes the prefix and the first word of names to `name`. Returns the position in names after that
 * word. */
static const char *next_name(const struct dump *dump, const char *names, char *name, size_t size)
{
	size_t length = strcspn(names, " ");

	snprintf(name, size, "%s%.*s", dump->prefix, (int)length, names);
	return names + length + (names[length] == ' ');
}

/* Reads a field of a layout and prints it as `name`. letter is the field's letter in the layout.
 * number is the previous number of the record. For a build-id, it is the size. Returns the value of
 * the field, or 0 if the field is not a number. */
static uint64_t one_field(struct dump *dump, char letter, const char *name, uint64_t number)
{
	const uint8_t *bytes;

	switch (letter) {
	case 's': dump_string(dump, name); return 0;
	case 't': dump_feature_string(dump, name); return 0;
	case 'x':
	case 'y':
		bytes = dump_read_bytes(dump, pk_letter_size(letter));
		if (bytes)
			dump_bytes(name, bytes,
				   letter == 'y' || number > PK_BUILD_ID_MAX
					   ? pk_letter_size(letter)
					   : number);
		return 0;
	case 'z':
		bytes = dump_read_bytes(dump, pk_letter_size(letter));
		if (bytes)
			dump_text(name, bytes, pk_letter_size(letter));
		return 0;
	default: break;
	}
	number = dump_read_number(dump, (unsigned int)pk_letter_size(letter));
	if (dump->complained)
		return 0;
	if (letter == 'i')
		dump_signed(name, (int32_t)number);
	else if (letter == 'j')
		dump_signed(name, (int64_t)number);
	else if (letter >= 'a')
		dump_hex(name, number);
	else
		dump_decimal(name, number);
	return number;
}

/* A group of fields that is repeated. It has the letters and the names of its fields. */
struct group {
	char letters[16], names[64];
	size_t least; /* smallest size of an item in bytes */
};

/* Parses the group that starts at letters. Returns the last letter of the group, and advances
 * *names. */
static const char *open_group(const struct dump *dump, const char *letters, const char **names,
			      char *name, size_t size, struct group *group)
{
	const char *close = strpbrk(letters, ")}");
	const char *first;

	*group = (struct group){.least = 0};
	*names = next_name(dump, *names, name, size);
	snprintf(group->letters, sizeof(group->letters), "%.*s", (int)(close - letters - 1),
		 letters + 1);
	first = *names;
	for (const char *p = group->letters; *p; p++) {
		const size_t least = pk_letter_size(*p);

		group->least += *p == 't' ? 4 : least;
		if (*p != '.')
			*names += strcspn(*names, " ") + (strchr(*names, ' ') != NULL);
	}
	snprintf(group->names, sizeof(group->names), "%.*s", (int)(*names - first), first);
	return close;
}

void dump_fields(struct dump *dump, const char *letters, const char *names)
{
	struct group group;
	uint64_t number = 0;
	char name[128];

	for (; *letters && *letters != '|' && !dump->complained; letters++) {
		switch (*letters) {
		case '.': dump_read_bytes(dump, 1); continue;
		case '-':
		case '*': return;
		case '?':
			if (!dump_left(dump))
				return;
			continue;
		case 'n':
		case 'm':
			number = dump_read_number(dump, (unsigned int)pk_letter_size(*letters));
			continue;
		case '(':
		case '{': {
			const bool counted = *letters == '(';

			letters = open_group(dump, letters, &names, name, sizeof(name), &group);
			dump_items(dump, counted ? number : dump_left(dump) / group.least,
				   group.least, name, group.letters, group.names);
			continue;
		}
		default: break;
		}
		names = next_name(dump, names, name, sizeof(name));
		number = one_field(dump, *letters, name, number);
	}
}

void dump_items(struct dump *dump, uint64_t nr, size_t least, const char *name, const char *letters,
		const char *names)
{
	const bool named = *names && *names != '.';
	char before[sizeof(dump->prefix)];

	if (nr > dump_left(dump) / least) {
		dump_complain(dump, "a count that does not fit into the record");
		return;
	}
	memcpy(before, dump->prefix, sizeof(before));
	for (uint64_t i = 0; i < nr && !dump->complained; i++) {
		snprintf(dump->prefix, sizeof(dump->prefix), "%.20s%s[%" PRIu64 "]%s", before, name,
			 i, named ? "." : "");
		dump_fields(dump, letters, named ? names : "");
	}
	memcpy(dump->prefix, before, sizeof(before));
}
