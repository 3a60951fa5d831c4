// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cfi_table.h"
#include "vector.h"

/* Encodings of an address (LSB, "DWARF extensions"). */
#define DW_EH_PE_absptr	 0x00
#define DW_EH_PE_uleb128 0x01
#define DW_EH_PE_udata2	 0x02
#define DW_EH_PE_udata4	 0x03
#define DW_EH_PE_udata8	 0x04
#define DW_EH_PE_sleb128 0x09
#define DW_EH_PE_sdata2	 0x0a
#define DW_EH_PE_sdata4	 0x0b
#define DW_EH_PE_sdata8	 0x0c
#define DW_EH_PE_pcrel	 0x10
#define DW_EH_PE_omit	 0xff

#define AUGMENTATION_MAX 8 /* letters */

/* A CIE or an FDE. */
struct entry {
	struct pk_cursor bytes; /* the bytes after the id */
	uint64_t offset;	/* of the entry in the section */
	uint64_t id, id_offset;
	bool is_cie;
};

static struct pk_cursor bytes_from(const struct pk_cfi *cfi, const struct cfi_table *table,
				   uint64_t offset)
{
	const struct pk_cfi_section *s = &table->section;

	return (struct pk_cursor){s->data + (offset < s->size ? offset : s->size),
				  s->data + s->size, cfi->machine->swapped, false};
}

/* Reads the entry at an offset. False: no complete entry. *next: the offset of the next entry;
 * UINT64_MAX: none. */
static bool read_entry(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t offset,
		       struct entry *entry, uint64_t *next)
{
	struct pk_cursor bytes = bytes_from(cfi, table, offset);
	uint64_t length = pk_cursor_u32(&bytes), cie_id;
	unsigned int size = 4;

	*next = UINT64_MAX;
	if (length == UINT32_MAX) {
		length = pk_cursor_u64(&bytes);
		size = 8;
	}
	if (!length && !bytes.bad) {
		/* A terminator. If a linker has joined files, more entries can follow. */
		*next = offset + 4;
		return false;
	}
	entry->bytes = pk_cursor_block(&bytes, length);
	if (bytes.bad)
		return false;
	*next = (uint64_t)(bytes.p - table->section.data);
	entry->offset = offset;
	entry->id_offset = (uint64_t)(entry->bytes.p - table->section.data);
	/* In .eh_frame, the id always has 4 bytes. */
	if (!table->is_debug_frame)
		size = 4;
	entry->id = pk_cursor_uint(&entry->bytes, size);
	cie_id = !table->is_debug_frame ? 0 : size == 4 ? UINT32_MAX : UINT64_MAX;
	entry->is_cie = entry->id == cie_id;
	return !entry->bytes.bad;
}

uint64_t pk_cfi_read_address(struct pk_cursor *bytes, const struct pk_cfi_section *section,
			     uint8_t encoding, uint8_t size)
{
	const uint64_t place = section->address + (uint64_t)(bytes->p - section->data);
	uint64_t value;

	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr: value = pk_cursor_uint(bytes, size); break;
	case DW_EH_PE_uleb128: value = pk_cursor_uleb(bytes); break;
	case DW_EH_PE_udata2: value = pk_cursor_u16(bytes); break;
	case DW_EH_PE_udata4: value = pk_cursor_u32(bytes); break;
	case DW_EH_PE_udata8: value = pk_cursor_u64(bytes); break;
	case DW_EH_PE_sleb128: value = pk_cursor_sleb(bytes); break;
	case DW_EH_PE_sdata2: value = pk_cursor_sint(bytes, 2); break;
	case DW_EH_PE_sdata4: value = pk_cursor_sint(bytes, 4); break;
	case DW_EH_PE_sdata8: value = pk_cursor_sint(bytes, 8); break;
	default: bytes->bad = true; return 0;
	}
	switch (encoding & 0xf0) {
	case 0: break;
	case DW_EH_PE_pcrel: value += place; break;
	default: bytes->bad = true; /* linkers do not use these for addresses of code */
	}
	return size == 4 ? (uint32_t)value : value;
}

/* The letters after 'z' describe the following data; the rest after an unknown letter cannot be
 * read. */
static void read_augmentation(const struct pk_cfi *cfi, const struct cfi_table *table,
			      const char *letters, struct pk_cursor *bytes, struct cfi_cie *cie)
{
	struct pk_cursor data = pk_cursor_block(bytes, pk_cursor_uleb(bytes));
	uint8_t encoding;

	cie->augmented = true;
	for (; *letters && !data.bad; letters++) {
		switch (*letters) {
		case 'R': cie->encoding = pk_cursor_u8(&data); break;
		case 'S': cie->signal_frame = true; break;
		case 'L': pk_cursor_u8(&data); break;
		case 'P':
			encoding = pk_cursor_u8(&data);
			if (encoding != DW_EH_PE_omit)
				pk_cfi_read_address(&data, &table->section, encoding & 0x0f,
						    cfi->machine->word);
			break;
		case 'B': /* return addresses are signed with the B key */
		case 'G': /* memory is tagged */ break;
		default: return;
		}
	}
}

static bool read_cie(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t offset,
		     struct cfi_cie *cie)
{
	char letters[AUGMENTATION_MAX + 1] = "";
	struct pk_cursor *bytes;
	struct entry entry;
	uint64_t next, ra;
	uint8_t version;

	if (!read_entry(cfi, table, offset, &entry, &next) || !entry.is_cie)
		return false;
	bytes = &entry.bytes;
	*cie = (struct cfi_cie){.address_size = cfi->machine->word};
	version = pk_cursor_u8(bytes);
	for (size_t i = 0; (letters[i] = (char)pk_cursor_u8(bytes)); i++)
		if (i == AUGMENTATION_MAX - 1)
			return false;
	if (version != 1 && version != 3 && version != 4)
		return false;
	if (version == 4) {
		cie->address_size = pk_cursor_u8(bytes);
		if (pk_cursor_u8(bytes)) /* size of segment selectors */
			return false;
	}
	if (cie->address_size != 4 && cie->address_size != 8)
		return false;
	if (!strcmp(letters, "eh")) /* written by gcc 2 */
		pk_cursor_uint(bytes, cfi->machine->word);
	cie->code_align = pk_cursor_uleb(bytes);
	cie->data_align = pk_cursor_sleb(bytes);
	ra = cfi_register(cfi->machine, version == 1 ? pk_cursor_u8(bytes) : pk_cursor_uleb(bytes));
	if (ra >= PK_CFI_REGISTERS)
		return false;
	cie->ra = (uint8_t)ra;
	if (*letters == 'z')
		read_augmentation(cfi, table, letters + 1, bytes, cie);
	else if (*letters && strcmp(letters, "eh"))
		return false;
	cie->code = *bytes;
	return !bytes->bad;
}

/* The offset of an FDE's CIE in the section. In .eh_frame, the id is the distance from the CIE to
 * the id; in .debug_frame, the id is the offset. */
static uint64_t cie_offset(const struct cfi_table *table, const struct entry *entry)
{
	return table->is_debug_frame ? entry->id : entry->id_offset - entry->id;
}

static bool read_range(const struct cfi_table *table, struct entry *entry, struct cfi_fde *fde)
{
	struct pk_cursor *bytes = &entry->bytes;
	const struct cfi_cie *cie = &fde->cie;
	uint64_t size;

	fde->start = pk_cfi_read_address(bytes, &table->section, cie->encoding, cie->address_size);
	size = pk_cfi_read_address(bytes, &table->section, cie->encoding & 0x0f, cie->address_size);
	fde->end = fde->start + size;
	if (cie->augmented)
		pk_cursor_block(bytes, pk_cursor_uleb(bytes));
	fde->code = *bytes;
	return !bytes->bad && fde->end > fde->start;
}

bool pk_cfi_read_fde(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t offset,
		     struct cfi_fde *fde)
{
	struct entry entry;
	uint64_t next;

	return read_entry(cfi, table, offset, &entry, &next) && !entry.is_cie &&
	       read_cie(cfi, table, cie_offset(table, &entry), &fde->cie) &&
	       read_range(table, &entry, fde);
}

static int by_start(const void *a, const void *b)
{
	const struct cfi_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool is_sorted(const struct cfi_table *table)
{
	for (size_t i = 1; i < table->count; i++)
		if (table->entries[i].start < table->entries[i - 1].start)
			return false;
	return true;
}

static bool add(struct cfi_table *table, size_t *room, const struct cfi_fde *fde, uint64_t offset)
{
	if (!pk_reserve(&table->entries, room, table->count, 1, sizeof(*table->entries)))
		return false;
	table->entries[table->count++] = (struct cfi_entry){fde->start, fde->end, offset};
	return true;
}

/* Not needed for .eh_frame if .eh_frame_hdr is used. Takes less than a millisecond for a C
 * library. */
bool pk_cfi_read_entries(const struct pk_cfi *cfi, struct cfi_table *table)
{
	uint64_t cie = UINT64_MAX, next;
	struct cfi_fde fde;
	size_t room = 0;
	bool known = false;

	for (uint64_t at = 0; at < table->section.size; at = next) {
		struct entry entry;

		if (!read_entry(cfi, table, at, &entry, &next) || entry.is_cie)
			continue;
		if (cie != cie_offset(table, &entry)) {
			cie = cie_offset(table, &entry);
			known = read_cie(cfi, table, cie, &fde.cie);
		}
		if (known && read_range(table, &entry, &fde) && !add(table, &room, &fde, at))
			return false;
	}
	if (!is_sorted(table))
		qsort(table->entries, table->count, sizeof(*table->entries), by_start);
	return true;
}

/* ---- .eh_frame_hdr ---- */

/* .eh_frame_hdr (LSB): u8 version, three u8 encodings, the address of .eh_frame, the number of
 * functions, and for each function its address and that of its FDE, relative to the header, sorted
 * by function. All linkers write numbers of 4 bytes, in the encodings of usual[]. */
static const uint8_t usual[] = {1, 0x1b, 0x03, 0x3b};

#define TABLE_AT 12

static uint32_t header_u32(const struct pk_cfi *cfi, const uint8_t *at)
{
	return pk_cursor_u32(
		&(struct pk_cursor){at, at + sizeof(uint32_t), cfi->machine->swapped, false});
}

void pk_cfi_use_header(struct pk_cfi *cfi, const struct pk_cfi_section *header)
{
	uint64_t count;

	if (!header->data || header->size < TABLE_AT || memcmp(header->data, usual, sizeof(usual)))
		return;
	count = header_u32(cfi, header->data + 8);
	if (count > (header->size - TABLE_AT) / 8)
		return;
	cfi->header = *header;
	cfi->header_count = (uint32_t)count;
}

/* Number n of the search table as an address. Even n: the start of function n / 2; odd n: its
 * FDE. */
static uint64_t number_at(const struct pk_cfi *cfi, size_t n)
{
	const uint8_t *at = cfi->header.data + TABLE_AT + 4 * n;
	const uint64_t number = header_u32(cfi, at);
	const uint64_t address = cfi->header.address + (uint64_t)(int32_t)number;

	return cfi->machine->word == 4 ? (uint32_t)address : address;
}

bool pk_cfi_search_header(const struct pk_cfi *cfi, uint64_t address, uint64_t *offset)
{
	size_t low = 0, high = cfi->header_count;

	/* Finds the first function that starts after the address. */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (number_at(cfi, 2 * middle) > address)
			high = middle;
		else
			low = middle + 1;
	}
	if (!low)
		return false;
	*offset = number_at(cfi, 2 * low - 1) - cfi->tables[0].section.address;
	return *offset < cfi->tables[0].section.size;
}

bool pk_cfi_read_nth(const struct pk_cfi *cfi, size_t n, struct cfi_fde *fde)
{
	const struct cfi_table *table = cfi->tables;

	if (n < cfi->header_count)
		return pk_cfi_read_fde(cfi, table,
				       number_at(cfi, 2 * n + 1) - table->section.address, fde);
	n -= cfi->header_count;
	if (n >= table->count)
		n -= table++->count;
	return n < table->count && pk_cfi_read_fde(cfi, table, table->entries[n].offset, fde);
}
