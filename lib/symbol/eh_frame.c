// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "eh_frame.h"

/* Encodings of addresses (LSB, "DWARF extensions"). */
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

#define AUGMENTATION_MAX 8 /* the most letters of an augmentation string */

static struct pk_cursor bytes_from(const struct pk_eh_frame *frame, uint64_t offset)
{
	const struct pk_cfi_section *s = &frame->section;

	return (struct pk_cursor){s->data + (offset < s->size ? offset : s->size),
				  s->data + s->size, frame->swapped, false};
}

bool pk_eh_read_entry(const struct pk_eh_frame *frame, uint64_t offset, struct pk_eh_entry *entry,
		      uint64_t *next)
{
	struct pk_cursor bytes = bytes_from(frame, offset);
	uint64_t length, cie_id;
	unsigned int size = 4;

	*next = UINT64_MAX;
	if (frame->load)
		frame->load(frame->arg, offset, sizeof(uint32_t) + sizeof(uint64_t));
	length = pk_cursor_u32(&bytes);
	if (length == UINT32_MAX) {
		length = pk_cursor_u64(&bytes);
		size = 8;
	}
	if (!length && !bytes.bad) {
		/* This entry is a terminator. If a linker has joined several files, more entries
		 * can follow. */
		*next = offset + 4;
		return false;
	}
	if (frame->is_start && length > (uint64_t)(bytes.end - bytes.p))
		length = (uint64_t)(bytes.end - bytes.p);
	entry->bytes = pk_cursor_block(&bytes, length);
	if (bytes.bad)
		return false;
	*next = (uint64_t)(bytes.p - frame->section.data);
	if (frame->load)
		frame->load(frame->arg, offset, *next - offset);
	entry->id_offset = (uint64_t)(entry->bytes.p - frame->section.data);
	/* In .eh_frame, the id always has 4 bytes, even if the length has 8. */
	if (!frame->is_debug_frame)
		size = 4;
	entry->id = pk_cursor_uint(&entry->bytes, size);
	cie_id = !frame->is_debug_frame ? 0 : size == 4 ? UINT32_MAX : UINT64_MAX;
	entry->is_cie = entry->id == cie_id;
	return !entry->bytes.bad;
}

uint64_t pk_eh_read_address(struct pk_cursor *bytes, const struct pk_cfi_section *section,
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
	default:
		bytes->bad =
			true; /* linkers do not use the other encodings for addresses of code */
	}
	return size == 4 ? (uint32_t)value : value;
}

/* Reads the augmentation data. Each letter after 'z' describes the next bytes of the data. After an
 * unknown letter, the function stops, because the size of its bytes is unknown. */
static void read_augmentation(const struct pk_eh_frame *frame, const char *letters,
			      struct pk_cursor *bytes, struct pk_eh_cie *cie)
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
				pk_eh_read_address(&data, &frame->section, encoding & 0x0f,
						   frame->word);
			break;
		case 'B': /* return addresses are signed with the B key */
		case 'G': /* memory is tagged (MTE), no data */ break;
		default: return;
		}
	}
}

bool pk_eh_read_cie(const struct pk_eh_frame *frame, uint64_t offset, struct pk_eh_cie *cie)
{
	char letters[AUGMENTATION_MAX + 1] = "";
	struct pk_cursor *bytes;
	struct pk_eh_entry entry;
	uint64_t next;
	uint8_t version;

	if (!pk_eh_read_entry(frame, offset, &entry, &next) || !entry.is_cie)
		return false;
	bytes = &entry.bytes;
	*cie = (struct pk_eh_cie){.address_size = frame->word};
	version = pk_cursor_u8(bytes);
	for (size_t i = 0; (letters[i] = (char)pk_cursor_u8(bytes)); i++)
		if (i == AUGMENTATION_MAX - 1)
			return false;
	if (version != 1 && version != 3 && version != 4)
		return false;
	if (version == 4) {
		cie->address_size = pk_cursor_u8(bytes);
		if (pk_cursor_u8(bytes)) /* size of segment selectors, must be 0 */
			return false;
	}
	if (cie->address_size != 4 && cie->address_size != 8)
		return false;
	if (!strcmp(letters, "eh")) /* gcc 2 wrote this, with one more word */
		pk_cursor_uint(bytes, frame->word);
	cie->code_align = pk_cursor_uleb(bytes);
	cie->data_align = pk_cursor_sleb(bytes);
	cie->ra = version == 1 ? pk_cursor_u8(bytes) : pk_cursor_uleb(bytes);
	if (*letters == 'z')
		read_augmentation(frame, letters + 1, bytes, cie);
	else if (*letters && strcmp(letters, "eh"))
		return false;
	cie->code = *bytes;
	return !bytes->bad;
}

/* In .eh_frame, the id is the distance from the CIE to the field with the id. In .debug_frame, the
 * id is the offset of the CIE in the section. */
uint64_t pk_eh_cie_offset(const struct pk_eh_frame *frame, const struct pk_eh_entry *entry)
{
	return frame->is_debug_frame ? entry->id : entry->id_offset - entry->id;
}

bool pk_eh_read_range(const struct pk_eh_frame *frame, struct pk_eh_entry *entry,
		      struct pk_eh_fde *fde)
{
	struct pk_cursor *bytes = &entry->bytes;
	const struct pk_eh_cie *cie = &fde->cie;
	uint64_t size;

	fde->start = pk_eh_read_address(bytes, &frame->section, cie->encoding, cie->address_size);
	size = pk_eh_read_address(bytes, &frame->section, cie->encoding & 0x0f, cie->address_size);
	fde->end = fde->start + size;
	if (cie->augmented)
		pk_cursor_block(bytes, pk_cursor_uleb(bytes));
	fde->code = *bytes;
	return !bytes->bad && fde->end > fde->start;
}

/* ---- The search table ---- */

/* The start of .eh_frame_hdr (LSB): the version as a u8, and three encodings as u8. After it, the
 * section has the address of .eh_frame, the number of functions, and a table sorted by function.
 * For each function, the table has the address of the function and the address of its FDE, relative
 * to the header. All linkers write 4-byte numbers in the encodings of usual[]. */
static const uint8_t usual[] = {1, 0x1b, 0x03, 0x3b};

enum { COUNT_AT = 8, TABLE_AT = 12 };

static uint32_t number_at(const struct pk_eh_table *table, size_t offset)
{
	const uint8_t *at = table->section.data + offset;

	return pk_cursor_u32(&(struct pk_cursor){at, at + sizeof(uint32_t), table->swapped, false});
}

struct pk_eh_table pk_eh_table(const struct pk_cfi_section *header, uint8_t word, bool swapped)
{
	struct pk_eh_table table = {.section = *header, .word = word, .swapped = swapped};

	if (!header->data || header->size < TABLE_AT || memcmp(header->data, usual, sizeof(usual)))
		return table;
	table.count = number_at(&table, COUNT_AT);
	if (table.count > (header->size - TABLE_AT) / 8)
		table.count = 0;
	return table;
}

uint64_t pk_eh_table_number(const struct pk_eh_table *table, size_t n)
{
	const uint64_t address =
		table->section.address + (uint64_t)(int32_t)number_at(table, TABLE_AT + 4 * n);

	return table->word == 4 ? (uint32_t)address : address;
}

size_t pk_eh_table_search(const struct pk_eh_table *table, uint64_t address)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (pk_eh_table_number(table, 2 * middle) > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* ---- Sizes of functions ---- */

enum { ENTRY_BYTES = 64 }; /* in bytes, enough for the start of a CIE or an FDE */

void pk_eh_sizes_open(struct pk_eh_sizes *sizes, const struct pk_elf *elf)
{
	const struct pk_elf_section *header = pk_elf_section(elf, ".eh_frame_hdr");

	*sizes = (struct pk_eh_sizes){.elf = elf, .section = pk_elf_section(elf, ".eh_frame")};
	if (!sizes->section || !header || header->size < TABLE_AT)
		return;
	sizes->header = pk_elf_bytes(elf, header->offset, header->size);
	sizes->table =
		pk_eh_table(&(struct pk_cfi_section){sizes->header, header->size, header->addr},
			    pk_elf_is_64(elf) ? 8 : 4, pk_elf_swapped(elf));
}

void pk_eh_sizes_close(struct pk_eh_sizes *sizes)
{
	free(sizes->header);
}

/* Reads the start of the entry at an offset of the section. Returns false if the offset is outside,
 * or if the read fails. */
static bool read_start(const struct pk_eh_sizes *sizes, uint64_t offset, uint8_t bytes[ENTRY_BYTES],
		       struct pk_eh_frame *frame)
{
	const struct pk_elf_section *section = sizes->section;
	uint64_t size;

	if (offset >= section->size)
		return false;
	size = section->size - offset < ENTRY_BYTES ? section->size - offset : ENTRY_BYTES;
	*frame = (struct pk_eh_frame){.section = {bytes, size, section->addr + offset},
				      .word = sizes->table.word,
				      .swapped = sizes->table.swapped,
				      .is_start = true};
	return pk_elf_read(sizes->elf, section->offset + offset, bytes, size);
}

uint64_t pk_eh_size(const struct pk_eh_sizes *sizes, uint64_t start)
{
	const size_t n = pk_eh_table_search(&sizes->table, start);
	uint8_t bytes[ENTRY_BYTES], of_cie[ENTRY_BYTES];
	struct pk_eh_frame frame, other;
	struct pk_eh_entry entry;
	struct pk_eh_fde fde;
	uint64_t offset, next;

	if (!n || pk_eh_table_number(&sizes->table, 2 * n - 2) != start)
		return 0;
	offset = pk_eh_table_number(&sizes->table, 2 * n - 1) - sizes->section->addr;
	if (!read_start(sizes, offset, bytes, &frame) ||
	    !pk_eh_read_entry(&frame, 0, &entry, &next) || entry.is_cie)
		return 0;
	offset += pk_eh_cie_offset(&frame, &entry);
	if (!read_start(sizes, offset, of_cie, &other) || !pk_eh_read_cie(&other, 0, &fde.cie) ||
	    !pk_eh_read_range(&frame, &entry, &fde))
		return 0;
	return fde.end - fde.start;
}
