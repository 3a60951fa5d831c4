// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>

#include "cli.h"
#include "dump.h"

#define BYTES_MAX 64
#define TEXT_MAX  4096

void dump_decimal(const char *name, uint64_t value)
{
	printf("  %s=%" PRIu64 "\n", name, value);
}

void dump_hex(const char *name, uint64_t value)
{
	printf("  %s=0x%" PRIx64 "\n", name, value);
}

void dump_signed(const char *name, int64_t value)
{
	printf("  %s=%" PRId64 "\n", name, value);
}

void dump_text(const char *name, const void *text, size_t size)
{
	char copy[TEXT_MAX + 1];
	size_t length = strnlen(text, size), shown = length < TEXT_MAX ? length : TEXT_MAX;

	memcpy(copy, text, shown);
	copy[shown] = '\0';
	pk_harmless(copy);
	printf("  %s=\"%s\"%s\n", name, copy, shown < length ? "..." : "");
}

void dump_bytes(const char *name, const void *data, uint64_t size)
{
	const uint8_t *p = data;

	printf("  %s=%" PRIu64 ":", name, size);
	for (uint64_t i = 0; i < size && i < BYTES_MAX; i++)
		printf("%02x", p[i]);
	puts(size > BYTES_MAX ? "..." : "");
}

void dump_named(const char *name, uint64_t value, const char *const *names, size_t count)
{
	if (value < count && names[value])
		printf("  %s=%" PRIu64 " (%s)\n", name, value, names[value]);
	else
		dump_decimal(name, value);
}

void dump_flags(const char *name, uint64_t value, const char *const *names, size_t count)
{
	bool any = false;

	printf("  %s=0x%" PRIx64, name, value);
	for (size_t bit = 0; bit < count; bit++) {
		if (!(value >> bit & 1) || !names[bit])
			continue;
		printf("%s%s", any ? " " : " (", names[bit]);
		any = true;
	}
	puts(any ? ")" : "");
}

void dump_complain(struct dump *dump, const char *what)
{
	if (dump->complained)
		return;
	dump->complained = true;
	dump->malformed++;
	printf("  malformed: %s\n", what);
	pk_error("%s: offset %" PRIu64 ": %s: %s", dump->path, dump->record->offset,
		 dump_type_name(dump->record->type), what);
}

const uint8_t *dump_take_bytes(struct dump *dump, uint64_t size)
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

uint64_t dump_take(struct dump *dump, unsigned int width)
{
	const uint8_t *at = dump_take_bytes(dump, width);

	if (!at)
		return 0;
	switch (width) {
	case 1: return *at;
	case 2: return pk_load_u16(at);
	case 4: return pk_load_u32(at);
	default: return pk_load_u64(at);
	}
}

static void take_string(struct dump *dump, const char *name)
{
	size_t length = strnlen((const char *)dump->at, dump_left(dump));
	size_t field = (size_t)(dump->at - dump->record->data) + length + 1;

	dump_text(name, dump->at, length);
	if (length == dump_left(dump))
		dump_complain(dump, "string without its NUL");
	field = (field + 7) & ~(size_t)7; /* where it ends in the record */
	dump->at = field < (size_t)(dump->end - dump->record->data) ? dump->record->data + field
								    : dump->end;
}

static void take_feature_string(struct dump *dump, const char *name)
{
	uint64_t size = dump_take(dump, 4);
	const uint8_t *text = dump_take_bytes(dump, size);

	if (text)
		dump_text(name, text, size);
}

/* The prefix and the next of the names; returns what is behind it. */
static const char *next_name(const struct dump *dump, const char *names, char *name, size_t size)
{
	size_t length = strcspn(names, " ");

	snprintf(name, size, "%s%.*s", dump->prefix, (int)length, names);
	return names + length + (names[length] == ' ');
}

static unsigned int width_of(char letter)
{
	switch (letter) {
	case '1':
	case 'a': return 1;
	case '2':
	case 'b': return 2;
	case '4':
	case 'c':
	case 'i': return 4;
	default: return 8;
	}
}

static void one_field(struct dump *dump, char letter, const char *name)
{
	uint64_t value;

	if (letter == 's') {
		take_string(dump, name);
		return;
	}
	if (letter == 't') {
		take_feature_string(dump, name);
		return;
	}
	value = dump_take(dump, width_of(letter));
	if (dump->complained)
		return;
	if (letter == 'i')
		dump_signed(name, (int32_t)value);
	else if (letter == 'j')
		dump_signed(name, (int64_t)value);
	else if (letter >= 'a')
		dump_hex(name, value);
	else
		dump_decimal(name, value);
}

void dump_fields(struct dump *dump, const char *letters, const char *names)
{
	char name[128];

	for (; *letters && !dump->complained; letters++) {
		if (*letters == '.') {
			dump_take_bytes(dump, 1);
			continue;
		}
		names = next_name(dump, names, name, sizeof(name));
		one_field(dump, *letters, name);
	}
}

void dump_items(struct dump *dump, uint64_t nr, size_t least, const char *name, const char *letters,
		const char *names)
{
	char before[sizeof(dump->prefix)];

	if (nr > dump_left(dump) / least) {
		dump_complain(dump, "a count that the record has no room for");
		return;
	}
	memcpy(before, dump->prefix, sizeof(before));
	for (uint64_t i = 0; i < nr && !dump->complained; i++) {
		snprintf(dump->prefix, sizeof(dump->prefix), "%.20s%s[%" PRIu64 "]%s", before, name,
			 i, *names ? "." : "");
		dump_fields(dump, letters, names);
	}
	memcpy(dump->prefix, before, sizeof(before));
}
