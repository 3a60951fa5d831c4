// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pkprivate.h"
#include "pkstream.h"
#include "pk_abi.h"
#include "pkutil.h"
#include "simpleperf.h"

/* The feature FILE has an entry for each file. An entry starts with its size as u32. Then it has
 * the path, a NUL, u32 type, u64 min_vaddr and u32 number of symbols. Each symbol has u64 address,
 * u32 size, the name and a NUL. The end of the entry depends on the type. ELF and KERNEL_MODULE
 * have a u64 there, the offset of min_vaddr in the file; old versions lack it. DEX has other
 * offsets there. The feature FILE2 has the same data as messages of protobuf, each after its size
 * as u32. */

enum type { KERNEL, KERNEL_MODULE, ELF, DEX };

/* The numbers of the fields in the messages of FILE2. */
enum {
	FILE_PATH = 1,
	FILE_TYPE,
	FILE_MIN_VADDR,
	FILE_SYMBOL,
	FILE_ELF = 6,
	SYMBOL_VADDR = 1,
	SYMBOL_SIZE,
	SYMBOL_NAME,
	ELF_OFFSET = 1,
};

enum { NAME_MAX_SIZE = 32 << 10 }; /* in bytes; longer names are skipped */

struct bytes {
	const uint8_t *at, *end;
	bool bad;
};

struct file {
	const uint8_t *path;
	size_t path_size;
	uint64_t type, min_vaddr, offset; /* offset is the place of min_vaddr in the file */
};

struct symbol {
	uint64_t address, size;
	const uint8_t *name;
	size_t name_size;
};

/* The records that are being written for one file: an IMAGE and its SYMBOLS. */
struct output {
	struct pk_simpleperf *to;
	struct file file;
	bool failed;	/* memory was exhausted */
	bool has_image; /* the IMAGE of this file was written */
};

static uint32_t number32(const struct pk_simpleperf *to, uint32_t value)
{
	return to->swapped ? __builtin_bswap32(value) : value;
}

static uint64_t number64(const struct pk_simpleperf *to, uint64_t value)
{
	return to->swapped ? __builtin_bswap64(value) : value;
}

static const uint8_t *next(struct bytes *b, uint64_t size)
{
	const uint8_t *at = b->at;

	if (size > (size_t)(b->end - b->at)) {
		b->bad = true;
		b->at = b->end;
		return NULL;
	}
	b->at += size;
	return at;
}

static uint32_t next_u32(const struct pk_simpleperf *to, struct bytes *b)
{
	const uint8_t *at = next(b, sizeof(uint32_t));

	return at ? number32(to, pk_load_u32(at)) : 0;
}

static uint64_t next_u64(const struct pk_simpleperf *to, struct bytes *b)
{
	const uint8_t *at = next(b, sizeof(uint64_t));

	return at ? number64(to, pk_load_u64(at)) : 0;
}

/* Reads a text that ends with a NUL. */
static const uint8_t *next_text(struct bytes *b, size_t *size)
{
	const uint8_t *nul = memchr(b->at, 0, (size_t)(b->end - b->at)), *text = b->at;

	*size = nul ? (size_t)(nul - text) : 0;
	next(b, nul ? *size + 1 : UINT64_MAX);
	return text;
}

/* ---- Records ---- */

static void *add_definition(struct output *o, enum pk_definition kind, size_t size)
{
	struct pk_definition_head *head;

	size = PK_ALIGN8(size);
	head = (void *)o->to->add(o->to->arg, size);
	o->failed |= !head;
	if (!head)
		return NULL;
	head->header.type = number32(o->to, PERF_RECORD_EVENT_UPDATE);
	head->header.size = (uint16_t)size;
	if (o->to->swapped)
		head->header.size = __builtin_bswap16(head->header.size);
	head->subtype = number64(o->to, PK_SUBTYPE_BASE | kind);
	return head;
}

/* Returns true if the symbols of the file can be used. The symbols of kernel modules cannot be
 * used: their addresses are addresses in the file, and the address of the module in memory is
 * unknown. */
static bool is_wanted(const struct file *file)
{
	return (file->type == KERNEL || file->type == ELF || file->type == DEX) &&
	       file->path_size && file->path_size < NAME_MAX_SIZE &&
	       !memchr(file->path, 0, file->path_size);
}

static void add_image(struct output *o)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const bool is_kernel = o->file.type == KERNEL;
	const size_t size = is_kernel ? strlen(kernel) : o->file.path_size;
	struct pk_record_image *image = add_definition(o, PK_IMAGE, sizeof(*image) + size + 1);

	if (!image)
		return;
	image->id = number32(o->to, ++o->to->images);
	image->kind = number32(o->to, is_kernel ? PK_DSO_KERNEL : PK_DSO_FILE);
	memcpy(image->path, is_kernel ? (const void *)kernel : o->file.path, size);
	o->has_image = true;
}

static void add_symbol(struct output *o, const struct symbol *symbol)
{
	const size_t at = sizeof(struct pk_record_symbols);
	struct pk_record_symbols *symbols;
	struct pk_symbol_entry *entry;
	uint64_t start = symbol->address;

	if (!symbol->size || !symbol->name_size || symbol->name_size > NAME_MAX_SIZE)
		return;
	if (!o->has_image)
		add_image(o);
	symbols = o->failed
			  ? NULL
			  : add_definition(o, PK_SYMBOLS, at + sizeof(*entry) + symbol->name_size);
	if (!symbols)
		return;
	if (o->file.type != KERNEL)
		start = start - o->file.min_vaddr + o->file.offset;
	symbols->image = number32(o->to, o->to->images);
	symbols->count = number32(o->to, 1);
	entry = (void *)symbols->entries;
	entry->start = number64(o->to, start);
	entry->size = number64(o->to, symbol->size);
	entry->length = number32(o->to, (uint32_t)symbol->name_size);
	memcpy(entry->name, symbol->name, symbol->name_size);
}

/* ---- FILE ---- */

static bool next_symbol(const struct pk_simpleperf *to, struct bytes *b, struct symbol *symbol)
{
	symbol->address = next_u64(to, b);
	symbol->size = next_u32(to, b);
	symbol->name = next_text(b, &symbol->name_size);
	return !b->bad;
}

static bool add_file(struct output *o, struct bytes b)
{
	struct symbol symbol;
	struct bytes symbols;
	uint32_t count;

	o->file.path = next_text(&b, &o->file.path_size);
	o->file.type = next_u32(o->to, &b);
	o->file.min_vaddr = next_u64(o->to, &b);
	count = next_u32(o->to, &b);
	symbols = b;
	for (uint32_t i = 0; i < count && next_symbol(o->to, &b, &symbol); i++)
		;
	if (b.bad)
		return false;
	if (o->file.type == ELF && b.at < b.end)
		o->file.offset = next_u64(o->to, &b);
	if (!is_wanted(&o->file))
		return true;
	for (uint32_t i = 0; i < count && !o->failed && next_symbol(o->to, &symbols, &symbol); i++)
		add_symbol(o, &symbol);
	return !b.bad;
}

/* ---- FILE2 ---- */

struct field {
	uint64_t number, value;
	struct bytes content; /* the bytes of a text or of a message */
};

static uint64_t next_varint(struct bytes *b)
{
	uint64_t value = 0;
	const uint8_t *byte;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		byte = next(b, 1);
		if (!byte)
			return 0;
		value |= (uint64_t)(*byte & 0x7f) << shift;
		if (!(*byte & 0x80))
			return value;
	}
	b->bad = true;
	return 0;
}

/* Returns false if there are no more fields, or if the field is damaged. */
static bool next_field(struct bytes *b, struct field *field)
{
	enum { VARINT, FIXED64, BLOCK, FIXED32 = 5 };
	uint64_t key, size;

	if (b->bad || b->at == b->end)
		return false;
	key = next_varint(b);
	*field = (struct field){.number = key >> 3, .content = {b->at, b->at, false}};
	switch (key & 7) {
	case VARINT: field->value = next_varint(b); break;
	case FIXED64: next(b, sizeof(uint64_t)); break;
	case FIXED32: next(b, sizeof(uint32_t)); break;
	case BLOCK:
		size = next_varint(b);
		field->content.at = next(b, size);
		field->content.end = b->at;
		break;
	default: b->bad = true;
	}
	return !b->bad;
}

static bool read_symbol(struct bytes b, struct symbol *symbol)
{
	struct field field;

	*symbol = (struct symbol){.size = 0};
	while (next_field(&b, &field)) {
		if (field.number == SYMBOL_VADDR)
			symbol->address = field.value;
		else if (field.number == SYMBOL_SIZE)
			symbol->size = (uint32_t)field.value;
		else if (field.number == SYMBOL_NAME) {
			symbol->name = field.content.at;
			symbol->name_size = (size_t)(field.content.end - field.content.at);
		}
	}
	return !b.bad;
}

static bool read_elf(struct bytes b, struct file *file)
{
	struct field field;

	while (next_field(&b, &field))
		if (field.number == ELF_OFFSET)
			file->offset = field.value;
	return !b.bad;
}

/* The fields of a message can have any order, so the symbols are read after all other fields. */
static bool add_message(struct output *o, struct bytes b)
{
	struct bytes symbols = b;
	struct symbol symbol;
	struct field field;
	bool fine = true;

	while (next_field(&b, &field)) {
		switch (field.number) {
		case FILE_PATH:
			o->file.path = field.content.at;
			o->file.path_size = (size_t)(field.content.end - field.content.at);
			break;
		case FILE_TYPE: o->file.type = field.value; break;
		case FILE_MIN_VADDR: o->file.min_vaddr = field.value; break;
		case FILE_ELF: fine &= read_elf(field.content, &o->file); break;
		default: break;
		}
	}
	if (b.bad || !fine || !is_wanted(&o->file))
		return !b.bad && fine;
	while (fine && !o->failed && next_field(&symbols, &field)) {
		if (field.number != FILE_SYMBOL)
			continue;
		fine = read_symbol(field.content, &symbol);
		if (fine)
			add_symbol(o, &symbol);
	}
	return fine;
}

bool pk_simpleperf_add(struct pk_simpleperf *to, unsigned int id, const uint8_t *data, size_t size)
{
	struct bytes b = {data, data + size, false};
	bool fine = true;

	while (fine && b.at < b.end) {
		struct output o = {.to = to};
		const uint32_t length = next_u32(to, &b);
		struct bytes one = {b.at, NULL, false};

		next(&b, length);
		one.end = b.at;
		if (b.bad)
			return false;
		fine = id == PK_SIMPLEPERF_FILE2 ? add_message(&o, one) : add_file(&o, one);
		if (o.failed)
			return true;
	}
	return fine;
}
