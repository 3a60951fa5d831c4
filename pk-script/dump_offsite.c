// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"

/* SPEC 9.11, 9.14 */

void dump_image(struct dump *dump)
{
	const uint32_t size = pk_load_u32(dump->record->data + 36);

	if (size > PK_BUILD_ID_MAX || pk_load_u32(dump->record->data + 24) != dump->images + 1)
		dump_complain(dump, "an id out of turn, or too long a build-id");
	else
		dump->images++;
}

static void begin_entry(struct dump *dump, const char *name, uint64_t i)
{
	snprintf(dump->prefix, sizeof(dump->prefix), "%s[%llu].", name, (unsigned long long)i);
}

/* A text behind the numbers of an entry. */
static void dump_entry_text(struct dump *dump, const char *what, uint64_t length)
{
	char name[sizeof(dump->prefix) + 16];
	const uint8_t *text = dump_take_bytes(dump, length);

	snprintf(name, sizeof(name), "%s%s", dump->prefix, what);
	if (text)
		dump_text(name, text, length);
}

/* Behind the texts of an entry that has so many bytes of them. */
static void end_entry(struct dump *dump, uint64_t texts)
{
	uint64_t zeros = -texts % 8; /* the numbers are whole words */

	dump->prefix[0] = '\0';
	if (zeros && !dump->complained)
		dump_take_bytes(dump, zeros);
}

static void check_image(struct dump *dump)
{
	uint32_t image = pk_load_u32(dump->record->data + 24);

	if (!image || image > dump->images)
		dump_complain(dump, "of an image that is not defined");
}

void dump_symbols(struct dump *dump)
{
	uint32_t count = pk_load_u32(dump->record->data + 28);

	for (uint64_t i = 0; i < count && !dump->complained; i++) {
		const uint8_t *entry = dump->at;

		begin_entry(dump, "symbol", i);
		dump_fields(dump, "ddc4", "start size flags length");
		if (dump->complained)
			break;
		dump_entry_text(dump, "name", pk_load_u32(entry + 20));
		if (!dump->complained &&
		    (!pk_load_u64(entry + 8) || !pk_load_u32(entry + 20) ||
		     pk_load_u64(entry) + pk_load_u64(entry + 8) < pk_load_u64(entry)))
			dump_complain(dump, "a symbol of no size or name");
		end_entry(dump, pk_load_u32(entry + 20));
	}
	dump->prefix[0] = '\0';
	if (!dump->complained)
		check_image(dump);
}

void dump_source(struct dump *dump)
{
	uint32_t count = pk_load_u32(dump->record->data + 28);

	for (uint64_t i = 0; i < count && !dump->complained; i++) {
		const uint8_t *entry = dump->at;

		begin_entry(dump, "source", i);
		dump_fields(dump, "44c44....", "line column flags function_length file_length");
		if (dump->complained)
			break;
		dump_entry_text(dump, "function", pk_load_u32(entry + 12));
		if (!dump->complained)
			dump_entry_text(dump, "file", pk_load_u32(entry + 16));
		end_entry(dump, (uint64_t)pk_load_u32(entry + 12) + pk_load_u32(entry + 16));
	}
	dump->prefix[0] = '\0';
	if (!dump->complained)
		check_image(dump);
}

void dump_arguments(struct dump *dump)
{
	uint32_t count = pk_load_u32(dump->record->data + 32);

	for (uint64_t i = 0; i < count && !dump->complained; i++) {
		const uint8_t *entry = dump->at;

		begin_entry(dump, "argument", i);
		dump_fields(dump, "11a11111j",
			    "kind size flags base index scale shift length value");
		if (dump->complained)
			break;
		dump_entry_text(dump, "name", entry[7]);
		end_entry(dump, entry[7]);
	}
	dump->prefix[0] = '\0';
}
