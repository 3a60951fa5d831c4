// SPDX-License-Identifier: BSD-2-Clause
/* IMAGE, SYMBOLS, SOURCE and FORGET: what another machine cannot look up by itself (SPEC 9.11). */
#include "dictionary_internal.h"

/* Bytes of an entry in front of its texts. */
#define SYMBOL_SIZE 24u
#define SOURCE_SIZE 24u

/* Where the entries of both begin, in the body. */
#define SYMBOLS_AT 8u
#define SOURCES_AT 16u

/* ---- Reading ---- */

enum pk_status pk_image_info_decode(const struct pk_record *record, struct pk_image_info *info)
{
	const uint8_t *body = record->data + 24;
	const char *path = (const char *)body + 40;

	if (record->size < 72 || pk_load_u32(body + 12) > PK_BUILD_ID_MAX ||
	    !memchr(path, '\0', record->size - 64u))
		return PK_CORRUPT;
	*info = (struct pk_image_info){.id = pk_load_u32(body),
				       .kind = pk_load_u32(body + 4),
				       .pid = pk_load_u32(body + 8),
				       .build_id_size = pk_load_u32(body + 12),
				       .path = path};
	memcpy(info->build_id, body + 16, info->build_id_size);
	return PK_OK;
}

enum pk_status pk_offsite_entries(const struct pk_record *record, struct pk_offsite_list *list)
{
	const bool symbols = pk_definition_of(record) == PK_SYMBOLS;
	const uint32_t head = symbols ? SYMBOLS_AT : SOURCES_AT;
	const uint8_t *body = record->data + 24;

	if (record->size < 24 + head)
		return PK_CORRUPT;
	*list = (struct pk_offsite_list){.image = pk_load_u32(body),
					 .left = pk_load_u32(body + 4),
					 .address = symbols ? 0 : pk_load_u64(body + 8),
					 .at = body + head,
					 .end = record->data + record->size};
	return PK_OK;
}

/* The next entry, whose head is so large, with these lengths of text in it. PK_END: none is left.
 */
static enum pk_status next_entry(struct pk_offsite_list *list, uint64_t head, uint64_t lengths_at,
				 unsigned int texts, const uint8_t **entry)
{
	uint64_t left = (uint64_t)(list->end - list->at), size = head;

	if (!list->left)
		return PK_END;
	if (left < head)
		return PK_CORRUPT;
	for (unsigned int i = 0; i < texts; i++)
		size += pk_load_u32(list->at + lengths_at + 4 * i);
	size = PK_ALIGN8(size);
	if (size > left)
		return PK_CORRUPT;
	*entry = list->at;
	list->at += size;
	list->left--;
	return PK_OK;
}

enum pk_status pk_symbol_info_next(struct pk_offsite_list *list, struct pk_symbol_info *info)
{
	const uint8_t *entry;
	enum pk_status status = next_entry(list, SYMBOL_SIZE, 20, 1, &entry);

	if (status)
		return status;
	*info = (struct pk_symbol_info){.start = pk_load_u64(entry),
					.size = pk_load_u64(entry + 8),
					.flags = pk_load_u32(entry + 16),
					.name = (const char *)entry + SYMBOL_SIZE,
					.name_size = pk_load_u32(entry + 20)};
	return PK_OK;
}

enum pk_status pk_source_info_next(struct pk_offsite_list *list, struct pk_source_info *info)
{
	const uint8_t *entry;
	enum pk_status status = next_entry(list, SOURCE_SIZE, 12, 2, &entry);

	if (status)
		return status;
	*info = (struct pk_source_info){.line = pk_load_u32(entry),
					.column = pk_load_u32(entry + 4),
					.flags = pk_load_u32(entry + 8),
					.function_size = pk_load_u32(entry + 12),
					.file_size = pk_load_u32(entry + 16),
					.function = (const char *)entry + SOURCE_SIZE};
	info->file = info->function + info->function_size;
	return PK_OK;
}

/* ---- Writing ---- */

enum pk_status pk_image_info_write(struct pk_writer *writer, const struct pk_image_info *info)
{
	size_t length = strlen(info->path);
	uint8_t *body;

	if (length > PK_OFFSITE_TEXT_MAX)
		return PK_UNSUPPORTED;
	body = pk_definition_begin(writer, PK_IMAGE, 40 + length + 1);
	if (!body)
		return pk_writer_status(writer);
	pk_store_u32(body, info->id);
	pk_store_u32(body + 4, info->kind);
	pk_store_u32(body + 8, info->pid);
	pk_store_u32(body + 12, info->build_id_size);
	memset(body + 16, 0, PK_BUILD_ID_MAX);
	memcpy(body + 16, info->build_id, info->build_id_size);
	pk_store_u32(body + 36, 0);
	memcpy(body + 40, info->path, length + 1);
	return PK_OK;
}

void pk_offsite_begin(struct pk_offsite *offsite, uint32_t image)
{
	offsite->image = image;
	offsite->count = 0;
	offsite->size = 0;
}

/* Room for an entry with so many bytes of text, whose end is zero; what does not fit is written
 * first. */
static uint8_t *add_entry(struct pk_offsite *offsite, size_t head, size_t text)
{
	size_t size = PK_ALIGN8(head + text);
	uint8_t *entry;

	if (size > sizeof(offsite->data) - offsite->size)
		return NULL;
	entry = offsite->data + offsite->size;
	pk_store_u64(entry + size - 8, 0);
	offsite->size += (uint32_t)size;
	offsite->count++;
	return entry;
}

enum pk_status pk_symbol_info_add(struct pk_offsite *offsite, struct pk_writer *writer,
				  const struct pk_symbol_info *info)
{
	size_t size = info->name_size < PK_OFFSITE_TEXT_MAX ? info->name_size : PK_OFFSITE_TEXT_MAX;
	uint8_t *entry = add_entry(offsite, SYMBOL_SIZE, size);

	if (!entry) {
		pk_symbol_info_write(offsite, writer);
		entry = add_entry(offsite, SYMBOL_SIZE, size);
	}
	pk_store_u64(entry, info->start);
	pk_store_u64(entry + 8, info->size);
	pk_store_u32(entry + 16, info->flags);
	pk_store_u32(entry + 20, (uint32_t)size);
	memcpy(entry + SYMBOL_SIZE, info->name, size);
	return pk_writer_status(writer);
}

enum pk_status pk_symbol_info_write(struct pk_offsite *offsite, struct pk_writer *writer)
{
	uint8_t *body;

	if (!offsite->count)
		return PK_OK;
	body = pk_definition_begin(writer, PK_SYMBOLS, SYMBOLS_AT + offsite->size);
	if (body) {
		pk_store_u32(body, offsite->image);
		pk_store_u32(body + 4, offsite->count);
		memcpy(body + SYMBOLS_AT, offsite->data, offsite->size);
	}
	pk_offsite_begin(offsite, offsite->image);
	return pk_writer_status(writer);
}

bool pk_source_info_add(struct pk_offsite *offsite, const struct pk_source_info *info)
{
	size_t function = info->function_size, file = info->file_size;
	uint8_t *entry;

	if (function > PK_OFFSITE_TEXT_MAX || file > PK_OFFSITE_TEXT_MAX)
		return false;
	entry = add_entry(offsite, SOURCE_SIZE, function + file);
	if (!entry)
		return false;
	pk_store_u32(entry, info->line);
	pk_store_u32(entry + 4, info->column);
	pk_store_u32(entry + 8, info->flags);
	pk_store_u32(entry + 12, (uint32_t)function);
	pk_store_u32(entry + 16, (uint32_t)file);
	pk_store_u32(entry + 20, 0);
	if (function)
		memcpy(entry + SOURCE_SIZE, info->function, function);
	if (file)
		memcpy(entry + SOURCE_SIZE + function, info->file, file);
	return true;
}

enum pk_status pk_source_info_write(struct pk_offsite *offsite, struct pk_writer *writer,
				    uint64_t address)
{
	uint8_t *body = pk_definition_begin(writer, PK_SOURCE, SOURCES_AT + offsite->size);

	if (body) {
		pk_store_u32(body, offsite->image);
		pk_store_u32(body + 4, offsite->count);
		pk_store_u64(body + 8, address);
		memcpy(body + SOURCES_AT, offsite->data, offsite->size);
	}
	pk_offsite_begin(offsite, offsite->image);
	return pk_writer_status(writer);
}

enum pk_status pk_forget_write(struct pk_writer *writer)
{
	uint8_t *body = pk_definition_begin(writer, PK_FORGET, 8);

	if (body)
		pk_store_u64(body, 0);
	return pk_writer_status(writer);
}
