// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include "define.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "table.h"

/* An image for which an IMAGE record was written, and the definitions of this image that were
 * written. */
struct defined {
	uint32_t id;
	struct pk_table symbols; /* The symbols that were defined. The key is the start of a symbol.
				  * The value is a hash of its name and size. */
	struct pk_table sources; /* set of the addresses that have a SOURCE record */
};

struct define {
	struct pk_writer *writer;
	struct pk_failures *failures;
	struct pk_table images; /* struct defined; the key is define_image.key */
	uint32_t ids;		/* the last id that was used */
	uint64_t secret, size;
	struct pk_offsite symbols, source;
};

struct define *define_new(struct pk_failures *failures)
{
	struct define *define = pk_need(failures, calloc(1, sizeof(*define)));

	if (!define)
		return NULL;
	define->failures = failures;
	define->secret = pk_secret();
	return define;
}

static void clear(struct define *define)
{
	struct defined *defined;
	size_t cursor = 0;

	while ((defined = pk_table_next_value(&define->images, &cursor))) {
		pk_table_free(&defined->symbols);
		pk_table_free(&defined->sources);
		free(defined);
	}
	pk_table_free(&define->images);
	define->size = 0;
	pk_offsite_start(&define->symbols, 0);
}

void define_free(struct define *define)
{
	if (!define)
		return;
	clear(define);
	free(define);
}

void define_start_session(struct define *define, struct pk_writer *writer)
{
	clear(define);
	define->writer = writer;
	define->ids = 0;
}

void define_continue_ids(struct define *define, uint32_t id)
{
	define->ids = id;
}

void define_forget(struct define *define)
{
	pk_forget_write(define->writer);
	clear(define);
}

uint64_t define_size(const struct define *define)
{
	return define->size;
}

/* Writes the IMAGE record unless it was written before. Returns NULL if the path is too long or
 * memory is exhausted. */
static struct defined *define_the_image(struct define *define, const struct define_image *image)
{
	struct defined *defined = pk_table_get(&define->images, image->key);
	struct pk_image_info info = image->info;

	if (defined)
		return defined;
	info.id = define->ids + 1;
	if (pk_image_info_write(define->writer, &info) != PK_OK)
		return NULL;
	define->ids++;
	define->size += sizeof(struct pk_record_image) + 8 + strlen(info.path);
	defined = calloc(1, sizeof(*defined));
	if (!defined || pk_table_set(&define->images, image->key, defined) != PK_OK) {
		pk_failed(define->failures, NULL, ENOMEM);
		free(defined);
		return NULL;
	}
	defined->id = info.id;
	return defined;
}

/* Makes a pointer from a hash. The pointer is not NULL, and is never dereferenced. */
static void *mark(uint64_t hash)
{
	return (void *)(uintptr_t)(hash | 1);
}

static bool set(struct define *define, struct pk_table *table, uint64_t key, void *value)
{
	if (pk_table_set(table, key, value) == PK_OK)
		return true;
	pk_failed(define->failures, NULL, ENOMEM);
	return false;
}

bool define_symbol(struct define *define, const struct define_image *image,
		   const struct pk_symbol_info *symbol)
{
	struct defined *defined = define_the_image(define, image);
	void *name = mark(pk_hash(symbol->name, symbol->name_size, define->secret ^ symbol->size));

	if (!defined || pk_table_get(&defined->symbols, symbol->start) == name ||
	    !set(define, &defined->symbols, symbol->start, name))
		return false;
	if (define->symbols.image != defined->id) {
		define_flush(define);
		pk_offsite_start(&define->symbols, defined->id);
	}
	pk_symbol_info_add(&define->symbols, define->writer, symbol);
	define->size += sizeof(struct pk_symbol_entry) + symbol->name_size;
	return true;
}

void define_flush(struct define *define)
{
	pk_symbol_info_write(&define->symbols, define->writer);
}

void define_source(struct define *define, const struct define_image *image, uint64_t address,
		   const struct pk_source_info *sources, size_t count)
{
	struct defined *defined = define_the_image(define, image);

	if (!defined || pk_table_get(&defined->sources, address) ||
	    !set(define, &defined->sources, address, mark(0)))
		return;
	pk_offsite_start(&define->source, defined->id);
	for (size_t i = 0; i < count; i++) {
		define->size += sizeof(struct pk_source_entry) + sources[i].function_size +
				sources[i].file_size;
		if (!pk_source_info_add(&define->source, &sources[i]))
			return; /* a text is too long, or there are too many functions */
	}
	if (count)
		pk_source_info_write(&define->source, define->writer, address);
}
