// SPDX-License-Identifier: BSD-2-Clause
/* IMAGE, SYMBOLS, SOURCE and FORGET records. They contain names, so that another machine can
 * analyze the recording (SPEC 9.11). */
#include "pkprivate.h"
#include "records.h"

/* ---- Reading ---- */

enum pk_status pk_image_info_decode(const struct pk_record *record, struct pk_image_info *info)
{
	const struct pk_record_image *image = (const void *)record->data;

	/* The path and its NUL are padded to a multiple of 8 bytes, so the record has at least 8
	 * bytes of path. */
	if (record->size < sizeof(*image) + 8 || image->build_id_size > PK_BUILD_ID_MAX ||
	    !memchr(image->path, '\0', record->size - sizeof(*image)))
		return PK_CORRUPT;
	*info = (struct pk_image_info){.id = image->id,
				       .kind = image->kind,
				       .pid = image->pid,
				       .build_id_size = image->build_id_size,
				       .path = image->path};
	memcpy(info->build_id, image->build_id, info->build_id_size);
	return PK_OK;
}

enum pk_status pk_offsite_entries(const struct pk_record *record, struct pk_offsite_list *list)
{
	const struct pk_record_symbols *symbols = (const void *)record->data;
	const struct pk_record_source *source = (const void *)record->data;
	const uint8_t *end = record->data + record->size;

	if (pk_definition_of(record) == PK_SYMBOLS && record->size >= sizeof(*symbols))
		*list = (struct pk_offsite_list){.image = symbols->image,
						 .left = symbols->count,
						 .at = symbols->entries,
						 .end = end};
	else if (pk_definition_of(record) == PK_SOURCE && record->size >= sizeof(*source))
		*list = (struct pk_offsite_list){.image = source->image,
						 .left = source->count,
						 .address = source->address,
						 .at = source->entries,
						 .end = end};
	else
		return PK_CORRUPT;
	return PK_OK;
}

/* Returns PK_OK if the list has another entry and at least size bytes are left. Returns PK_END if
 * there are no more entries, and PK_CORRUPT if less than size bytes are left. */
static enum pk_status has_entry(const struct pk_offsite_list *list, uint64_t size)
{
	if (!list->left)
		return PK_END;
	return (uint64_t)(list->end - list->at) < size ? PK_CORRUPT : PK_OK;
}

/* Skips an entry. size is the size of the entry in bytes, including its texts. */
static enum pk_status pass_entry(struct pk_offsite_list *list, uint64_t size)
{
	size = PK_ALIGN8(size);
	if (size > (uint64_t)(list->end - list->at))
		return PK_CORRUPT;
	list->at += size;
	list->left--;
	return PK_OK;
}

enum pk_status pk_symbol_info_next(struct pk_offsite_list *list, struct pk_symbol_info *info)
{
	const struct pk_symbol_entry *entry = (const void *)list->at;
	enum pk_status status = has_entry(list, sizeof(*entry));

	if (!status)
		status = pass_entry(list, sizeof(*entry) + (uint64_t)entry->length);
	if (status)
		return status;
	*info = (struct pk_symbol_info){.start = entry->start,
					.size = entry->size,
					.flags = entry->flags,
					.name = entry->name,
					.name_size = entry->length};
	return PK_OK;
}

enum pk_status pk_source_info_next(struct pk_offsite_list *list, struct pk_source_info *info)
{
	const struct pk_source_entry *entry = (const void *)list->at;
	enum pk_status status = has_entry(list, sizeof(*entry));

	if (!status)
		status = pass_entry(list, sizeof(*entry) + (uint64_t)entry->function_length +
						  entry->file_length);
	if (status)
		return status;
	*info = (struct pk_source_info){.line = entry->line,
					.column = entry->column,
					.flags = entry->flags,
					.function_size = entry->function_length,
					.file_size = entry->file_length,
					.function = entry->texts,
					.file = entry->texts + entry->function_length};
	return PK_OK;
}

/* ---- Writing ---- */

enum pk_status pk_image_info_write(struct pk_writer *writer, const struct pk_image_info *info)
{
	size_t length = strlen(info->path);
	struct pk_record_image *image;

	if (length > PK_OFFSITE_TEXT_MAX)
		return PK_UNSUPPORTED;
	image = pk_definition_append(writer, PK_IMAGE, sizeof(*image) + length + 1);
	if (!image)
		return pk_writer_status(writer);
	*image = (struct pk_record_image){.head = image->head,
					  .id = info->id,
					  .kind = info->kind,
					  .pid = info->pid,
					  .build_id_size = info->build_id_size};
	memcpy(image->build_id, info->build_id, info->build_id_size);
	memcpy(image->path, info->path, length + 1);
	return PK_OK;
}

void pk_offsite_start(struct pk_offsite *offsite, uint32_t image)
{
	offsite->image = image;
	offsite->count = 0;
	offsite->size = 0;
}

/* Returns space for an entry of size bytes. The entry is padded with zeros to a multiple of 8
 * bytes. Returns NULL if the record is full. */
static void *add_entry(struct pk_offsite *offsite, size_t size)
{
	uint8_t *entry;

	size = PK_ALIGN8(size);
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
	struct pk_symbol_entry *entry = add_entry(offsite, sizeof(*entry) + size);

	if (!entry) {
		pk_symbol_info_write(offsite, writer);
		entry = add_entry(offsite, sizeof(*entry) + size);
	}
	*entry = (struct pk_symbol_entry){info->start, info->size, info->flags, (uint32_t)size};
	memcpy(entry->name, info->name, size);
	return pk_writer_status(writer);
}

enum pk_status pk_symbol_info_write(struct pk_offsite *offsite, struct pk_writer *writer)
{
	struct pk_record_symbols *symbols;

	if (!offsite->count)
		return PK_OK;
	symbols = pk_definition_append(writer, PK_SYMBOLS, sizeof(*symbols) + offsite->size);
	if (symbols) {
		symbols->image = offsite->image;
		symbols->count = offsite->count;
		memcpy(symbols->entries, offsite->data, offsite->size);
	}
	pk_offsite_start(offsite, offsite->image);
	return pk_writer_status(writer);
}

bool pk_source_info_add(struct pk_offsite *offsite, const struct pk_source_info *info)
{
	size_t function = info->function_size, file = info->file_size;
	struct pk_source_entry *entry;

	if (function > PK_OFFSITE_TEXT_MAX || file > PK_OFFSITE_TEXT_MAX)
		return false;
	entry = add_entry(offsite, sizeof(*entry) + function + file);
	if (!entry)
		return false;
	*entry = (struct pk_source_entry){.line = info->line,
					  .column = info->column,
					  .flags = info->flags,
					  .function_length = (uint32_t)function,
					  .file_length = (uint32_t)file};
	if (function)
		memcpy(entry->texts, info->function, function);
	if (file)
		memcpy(entry->texts + function, info->file, file);
	return true;
}

enum pk_status pk_source_info_write(struct pk_offsite *offsite, struct pk_writer *writer,
				    uint64_t address)
{
	struct pk_record_source *source =
		pk_definition_append(writer, PK_SOURCE, sizeof(*source) + offsite->size);

	if (source) {
		source->image = offsite->image;
		source->count = offsite->count;
		source->address = address;
		memcpy(source->entries, offsite->data, offsite->size);
	}
	pk_offsite_start(offsite, offsite->image);
	return pk_writer_status(writer);
}

enum pk_status pk_forget_write(struct pk_writer *writer)
{
	struct pk_record_forget *forget = pk_definition_append(writer, PK_FORGET, sizeof(*forget));

	if (forget)
		forget->zero = 0;
	return pk_writer_status(writer);
}
