// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "gopclntab.h"
#include "pkstream.h"

/* The table is described in https://go.dev/s/go12symtab, and for later versions in debug/gosym. The
 * header consists of the magic number, two zeros, the quantum of instructions, the size of a
 * pointer, and then numbers of the size of a pointer. */
enum table_layout { GO_1_2, GO_1_16, GO_1_18, UNKNOWN };

/* The header of a Go table, with the places of its parts. Offsets are relative to the start of the
 * table. */
struct functions {
	const struct pk_go_table *go;
	enum table_layout layout;
	unsigned word;	     /* size of a pointer in bytes */
	unsigned entry;	     /* size in bytes of a number in the table of functions */
	uint64_t count;	     /* number of functions */
	uint64_t start;	     /* added to the addresses of functions */
	uint64_t table;	     /* offset of pairs: address, offset of the function's data */
	uint64_t data;	     /* added to the offset of each function's data */
	uint64_t names;	     /* offset of the names of functions */
	uint64_t names_size; /* in bytes; an upper limit */
	uint64_t numbers;    /* offset of the numbers of files, as u32; 0 if there are none */
	uint64_t files;	 /* offset of the names of files; in GO_1_2, of an array with the offsets of
			  * these names */
	uint64_t values; /* offset of the tables of values by address, such as lines */
};

/* Reads a number at an offset. The caller checks that it is inside the table. */
static uint64_t number_at(const struct pk_go_table *go, uint64_t at, unsigned size)
{
	if (size == 4) {
		const uint32_t value = pk_load_u32(go->bytes + at);

		return go->swapped ? __builtin_bswap32(value) : value;
	}
	return go->swapped ? __builtin_bswap64(pk_load_u64(go->bytes + at))
			   : pk_load_u64(go->bytes + at);
}

static bool is_inside(const struct pk_go_table *go, uint64_t at, uint64_t size)
{
	return at <= go->size && size <= go->size - at;
}

static enum table_layout layout_of(const struct pk_go_table *go)
{
	switch (number_at(go, 0, 4)) {
	case 0xfffffffb: return GO_1_2;
	case 0xfffffffa: return GO_1_16;
	case 0xfffffff0: /* since Go 1.18 */
	case 0xfffffff1: /* since Go 1.20 */ return GO_1_18;
	default: return UNKNOWN;
	}
}

/* Returns number i of the header. */
static uint64_t header(const struct functions *f, unsigned i)
{
	return number_at(f->go, 8 + (uint64_t)i * f->word, f->word);
}

static void read_positions(struct functions *f)
{
	f->count = header(f, 0);
	f->entry = f->word;
	switch (f->layout) {
	case GO_1_2: f->table = 8 + f->word; break;
	case GO_1_16:
		f->names = header(f, 2);
		f->names_size = header(f, 3) - f->names;
		f->numbers = header(f, 3);
		f->files = header(f, 4);
		f->values = header(f, 5);
		f->table = f->data = header(f, 6);
		break;
	case GO_1_18:
		f->start = header(f, 2) ? header(f, 2) : f->go->start;
		f->names = header(f, 3);
		f->names_size = header(f, 4) - f->names;
		f->numbers = header(f, 4);
		f->files = header(f, 5);
		f->values = header(f, 6);
		f->table = f->data = header(f, 7);
		f->entry = 4;
		break;
	case UNKNOWN: break;
	}
}

/* Returns false if the bytes are not a table, or if the table is damaged. */
static bool read_header(const struct pk_go_table *go, struct functions *f)
{
	enum { NUMBERS = 8 };

	if (go->size < 8 + NUMBERS * 8 || go->bytes[4] || go->bytes[5])
		return false;
	*f = (struct functions){.go = go, .layout = layout_of(go), .word = go->bytes[7]};
	if (f->layout == UNKNOWN || (f->word != 4 && f->word != 8))
		return false;
	read_positions(f);
	if (f->layout == GO_1_2)
		f->names_size = go->size;
	if (!is_inside(go, f->names, f->names_size) || !f->names_size || f->table > go->size ||
	    f->count >= (go->size - f->table) / (2 * f->entry))
		return false;
	if (f->layout ==
	    GO_1_2) /* in this layout, the offset of the files follows the table of functions */
		f->files = number_at(go, f->table + (2 * f->count + 1) * f->entry, 4);
	return true;
}

static uint64_t address_of(const struct functions *f, uint64_t i)
{
	return f->start + number_at(f->go, f->table + 2 * i * f->entry, f->entry);
}

/* Reads a number from the data of function i. The data starts with the address of the function.
 * Then number 1 is the offset of the function's name. Numbers 5 and 6 are the offsets of its files
 * and lines. From Go 1.16 on, number 8 is added to the number of a file. Returns false if the table
 * is damaged. */
static bool number_of(const struct functions *f, uint64_t i, unsigned number, uint32_t *value)
{
	const unsigned address_size = f->layout == GO_1_18 ? 4 : f->word;
	uint64_t at = number_at(f->go, f->table + (2 * i + 1) * f->entry, f->entry);

	if (at > f->go->size || f->data > f->go->size)
		return false;
	at += f->data + address_size + (uint64_t)(number - 1) * 4;
	if (!is_inside(f->go, at, 4))
		return false;
	*value = (uint32_t)number_at(f->go, at, 4);
	return true;
}

/* Sets *name to the offset of the function's name, relative to f->names. Returns false if the table
 * is damaged. */
static bool name_of(const struct functions *f, uint64_t i, uint32_t *name)
{
	return number_of(f, i, 1, name) && *name < f->names_size && f->go->bytes[f->names + *name];
}

enum pk_status pk_go_table_load(const struct pk_go_table *go, struct pk_symtable *t,
				bool (*to_offset)(const void *arg, uint64_t address,
						  uint64_t *offset),
				const void *arg)
{
	uint32_t names, name;
	struct functions f;
	uint64_t offset;
	char *room;

	if (!read_header(go, &f))
		return PK_OK;
	room = pk_symtable_names_room(t, f.names_size + 1, &names);
	if (!room)
		return PK_NOMEM;
	PK_TRY(pk_symtable_reserve(t, f.count));
	memcpy(room, go->bytes + f.names, f.names_size);
	room[f.names_size] = 0;
	for (uint64_t i = 0; i < f.count; i++) {
		const uint64_t start = address_of(&f, i), end = address_of(&f, i + 1);

		if (end < start)
			break;
		if (end == start || !name_of(&f, i, &name) || !to_offset(arg, start, &offset))
			continue;
		PK_TRY(pk_symtable_add(t, offset, end - start, names + name,
				       PK_ENTRY_GLOBAL | PK_ENTRY_PLAIN));
	}
	return PK_OK;
}

/* ---- Lines ---- */

/* Limits for the lookup of one address. A large function has about 10,000 steps. */
enum { STEPS_MAX = 1 << 18, PATH_SIZE_MAX = 4096 };

/* A value that changes along the code of a function. It is stored as pairs of varints. The first
 * varint of a pair is the change of the value (zigzag). The second varint is the number of
 * instruction quanta for which the new value is valid. A change of 0 ends the list, except in the
 * first pair. */
struct steps {
	const struct pk_go_table *go;
	uint64_t at;
	int64_t value;
	struct pk_range range; /* the addresses that have this value */
};

static bool read_varint(struct steps *s, uint32_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 32 && s->at < s->go->size; shift += 7) {
		const uint8_t byte = s->go->bytes[s->at++];

		*value |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* Reads the next pair. Returns false if the list ends or is damaged. */
static bool step(struct steps *s, bool first)
{
	const unsigned quantum = s->go->bytes[6];
	uint32_t change, count;

	if (!read_varint(s, &change) || (!change && !first) || !read_varint(s, &count) || !count)
		return false;
	s->value += change & 1 ? -(int64_t)(change >> 1) - 1 : (int64_t)(change >> 1);
	s->range.from = s->range.to;
	s->range.to += (uint64_t)count * quantum;
	return s->range.to > s->range.from;
}

/* Sets *value to the value at an address of the function that starts at `start`. Clips *same to the
 * addresses that have this value. Returns false if there is no value. */
static bool value_at(const struct functions *f, uint32_t table, uint64_t start, uint64_t address,
		     int64_t *value, struct pk_range *same)
{
	struct steps s = {f->go, f->values + table, -1, {start, start}};

	if (s.at < f->values)
		return false;
	for (unsigned i = 0; i < STEPS_MAX && step(&s, !i); i++)
		if (address < s.range.to) {
			*value = s.value;
			pk_range_clip(same, s.range.from, s.range.to);
			return true;
		}
	return false;
}

/* Finds the function that contains the address. It is the last function that starts at or before
 * the address. */
static bool find_function(const struct functions *f, uint64_t address, uint64_t *function)
{
	uint64_t low = 0, high = f->count;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (address_of(f, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*function = low - 1;
	return low && address < address_of(f, low);
}

/* Returns the text at an offset, or NULL if the table is damaged or the text is too long. */
static const char *text_at(const struct pk_go_table *go, uint64_t at)
{
	const uint64_t rest = at < go->size ? go->size - at : 0;
	const size_t size = rest < PATH_SIZE_MAX ? (size_t)rest : PATH_SIZE_MAX;
	const char *text = (const char *)go->bytes + (rest ? at : 0);

	return size && *text && memchr(text, 0, size) ? text : NULL;
}

/* Returns the name of a file of function i. Returns NULL if the table is damaged, or if the code
 * belongs to no file. */
static const char *file_name(const struct functions *f, uint64_t i, int64_t file)
{
	uint32_t first = 0;
	uint64_t at = f->files, name;

	if (f->layout != GO_1_2) {
		at = f->numbers;
		if (file < 0 || !number_of(f, i, 8, &first))
			return NULL;
	} else if (file <= 0) {
		return NULL;
	}
	at += ((uint64_t)first + (uint64_t)file) * 4;
	if (!is_inside(f->go, at, 4))
		return NULL;
	name = number_at(f->go, at, 4);
	return text_at(f->go, f->layout == GO_1_2 ? name : f->files + name);
}

bool pk_go_table_line(const struct pk_go_table *go, uint64_t address, struct pk_source *source,
		      struct pk_range *same)
{
	struct functions f;
	int64_t file, line;
	uint32_t table;
	uint64_t i;

	*source = (struct pk_source){0};
	*same = PK_RANGE_ALL;
	if (!read_header(go, &f) || !find_function(&f, address, &i))
		return false;
	source->start = address_of(&f, i);
	*same = (struct pk_range){source->start, address_of(&f, i + 1)};
	if (!number_of(&f, i, 5, &table) ||
	    !value_at(&f, table, source->start, address, &file, same) ||
	    !number_of(&f, i, 6, &table) ||
	    !value_at(&f, table, source->start, address, &line, same))
		return false;
	source->file = file_name(&f, i, file);
	source->line = line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0;
	return source->file;
}

/* ---- Files ---- */

static const struct pk_elf_section *section_of(const struct pk_elf *elf)
{
	const struct pk_elf_section *section = pk_elf_section(elf, ".gopclntab");

	return section ? section : pk_elf_section(elf, ".data.rel.ro.gopclntab");
}

bool pk_elf_has_go_table(const struct pk_elf *elf)
{
	return section_of(elf);
}

/* Returns the address of the first function. In a position-independent program, a relocation has
 * this address. */
static uint64_t relocated(const struct pk_elf *elf, uint64_t address)
{
	const struct pk_elf_section *section = pk_elf_section(elf, ".rela.dyn");
	const struct pk_elf_section *text = pk_elf_section(elf, ".text");
	struct pk_elf_relocation relocation;
	struct pk_elf_records records;

	if (!section)
		section = pk_elf_section(elf, ".rela");
	if (!section)
		return text ? text->addr : 0;
	records = pk_elf_relocations(elf, section);
	for (size_t i = 0; i < records.count; i++) {
		relocation = pk_elf_relocation(&records, i);
		if (relocation.offset == address)
			return (uint64_t)relocation.addend;
	}
	return text ? text->addr : 0;
}

static bool file_offset(const void *arg, uint64_t address, uint64_t *offset)
{
	return pk_elf_offset_of(arg, address, offset);
}

/* Returns the table of a file. `bytes` of the result is NULL if there is no table, or if it cannot
 * be read. The caller frees *bytes. */
static struct pk_go_table read_table(const struct pk_elf *elf, uint8_t **bytes)
{
	const struct pk_elf_section *section = section_of(elf);
	struct pk_go_table go = {.swapped = pk_elf_swapped(elf)};

	*bytes = section ? pk_elf_bytes(elf, section->offset, section->size) : NULL;
	if (!*bytes)
		return go;
	go.bytes = *bytes;
	go.size = section->size;
	go.start = relocated(elf, section->addr + 8 + 2 * (pk_elf_is_64(elf) ? 8 : 4));
	return go;
}

enum pk_status pk_elf_add_go_functions(const struct pk_elf *elf, struct pk_symtable *t)
{
	uint8_t *bytes;
	const struct pk_go_table go = read_table(elf, &bytes);
	enum pk_status status = PK_OK;

	if (bytes)
		status = pk_go_table_load(&go, t, file_offset, elf) ?: pk_symtable_settle(t);
	free(bytes);
	return status;
}

/* A copy of a Go table, for looking up lines. */
struct pk_go_lines {
	struct pk_go_table table;
	uint8_t *bytes;
};

struct pk_go_lines *pk_go_lines_new(const struct pk_elf *elf)
{
	struct pk_go_lines *lines;

	if (!section_of(elf))
		return NULL;
	lines = pk_need(pk_elf_failures(elf), malloc(sizeof(*lines)));
	if (!lines)
		return NULL;
	lines->table = read_table(elf, &lines->bytes);
	if (lines->bytes)
		return lines;
	free(lines);
	return NULL;
}

void pk_go_lines_free(struct pk_go_lines *lines)
{
	if (lines)
		free(lines->bytes);
	free(lines);
}

bool pk_go_lines_find(const struct pk_go_lines *lines, uint64_t address, struct pk_source *source,
		      struct pk_range *same)
{
	return pk_go_table_line(&lines->table, address, source, same);
}
