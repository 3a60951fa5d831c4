// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"

/* SPEC 9.11, 9.14 */

void dump_image(struct dump *dump)
{
	const struct pk_record_image *image = (const void *)dump->record->data;

	if (image->build_id_size > PK_BUILD_ID_MAX || image->id != dump->images + 1)
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

static void check_image(struct dump *dump, uint32_t image)
{
	if (!image || image > dump->images)
		dump_complain(dump, "of an image that is not defined");
}

void dump_symbols(struct dump *dump)
{
	const struct pk_record_symbols *symbols = (const void *)dump->record->data;

	for (uint64_t i = 0; i < symbols->count && !dump->complained; i++) {
		const struct pk_symbol_entry *entry = (const void *)dump->at;

		begin_entry(dump, "symbol", i);
		dump_fields(dump, "ddc4", "start size flags length");
		if (dump->complained)
			break;
		dump_entry_text(dump, "name", entry->length);
		if (!dump->complained &&
		    (!entry->size || !entry->length || entry->start + entry->size < entry->start))
			dump_complain(dump, "a symbol of no size or name");
		end_entry(dump, entry->length);
	}
	dump->prefix[0] = '\0';
	if (!dump->complained)
		check_image(dump, symbols->image);
}

void dump_source(struct dump *dump)
{
	const struct pk_record_source *source = (const void *)dump->record->data;

	for (uint64_t i = 0; i < source->count && !dump->complained; i++) {
		const struct pk_source_entry *entry = (const void *)dump->at;

		begin_entry(dump, "source", i);
		dump_fields(dump, "44c44....", "line column flags function_length file_length");
		if (dump->complained)
			break;
		dump_entry_text(dump, "function", entry->function_length);
		if (!dump->complained)
			dump_entry_text(dump, "file", entry->file_length);
		end_entry(dump, (uint64_t)entry->function_length + entry->file_length);
	}
	dump->prefix[0] = '\0';
	if (!dump->complained)
		check_image(dump, source->image);
}

void dump_arguments(struct dump *dump)
{
	const struct pk_record_arguments *arguments = (const void *)dump->record->data;

	for (uint64_t i = 0; i < arguments->count && !dump->complained; i++) {
		const struct pk_argument_entry *entry = (const void *)dump->at;

		begin_entry(dump, "argument", i);
		dump_fields(dump, "11a11111j",
			    "kind size flags base index scale shift length value");
		if (dump->complained)
			break;
		dump_entry_text(dump, "name", entry->length);
		end_entry(dump, entry->length);
	}
	dump->prefix[0] = '\0';
}
