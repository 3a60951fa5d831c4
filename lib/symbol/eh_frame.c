// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "dwarf_cursor.h"
#include "eh_frame.h"

/* The header (LSB): u8 version, three u8 encodings, the address of .eh_frame, the number of
 * functions, and for each function its address and that of its FDE, relative to the header, sorted
 * by function. All linkers write numbers of 4 bytes, in these encodings. */
static const uint8_t usual[] = {1, 0x1b, 0x03, 0x3b};

enum {
	COUNT_AT = 8,
	TABLE_AT = 12,
	ENTRY_BYTES = 64, /* enough for the start of a CIE or an FDE */
	OMITTED = 0xff,	  /* DW_EH_PE_omit */
};

static uint32_t header_u32(const struct pk_eh_frame *f, size_t at)
{
	const uint8_t *bytes = f->header + at;
	struct pk_cursor c = {bytes, bytes + sizeof(uint32_t), pk_elf_swapped(f->elf), false};

	return pk_cursor_u32(&c);
}

void pk_eh_frame_open(struct pk_eh_frame *f, const struct pk_elf *elf)
{
	const struct pk_elf_section *header = pk_elf_section(elf, ".eh_frame_hdr");

	*f = (struct pk_eh_frame){.elf = elf, .section = pk_elf_section(elf, ".eh_frame")};
	if (!f->section || !header || header->size < TABLE_AT)
		return;
	f->header = pk_elf_bytes(elf, header->offset, header->size);
	if (!f->header || memcmp(f->header, usual, sizeof(usual)))
		return;
	f->address = header->addr;
	f->count = header_u32(f, COUNT_AT);
	if (f->count > (header->size - TABLE_AT) / 8)
		f->count = 0;
}

void pk_eh_frame_close(struct pk_eh_frame *f)
{
	free(f->header);
}

/* Number n of the search table as an address. Even n: the start of function n / 2; odd n: its
 * FDE. */
static uint64_t number_at(const struct pk_eh_frame *f, size_t n)
{
	const uint64_t address = f->address + (uint64_t)(int32_t)header_u32(f, TABLE_AT + 4 * n);

	return pk_elf_is_64(f->elf) ? address : (uint32_t)address;
}

/* False: no function starts there. *offset: of its FDE in the section. */
static bool search(const struct pk_eh_frame *f, uint64_t start, uint64_t *offset)
{
	size_t low = 0, high = f->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (number_at(f, 2 * middle) < start)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == f->count || number_at(f, 2 * low) != start)
		return false;
	*offset = number_at(f, 2 * low + 1) - f->section->addr;
	return true;
}

/* Reads the start of an entry, with 0 bytes after the section. False: no such entry, or one of more
 * than 4 GiB. */
static bool read_entry(const struct pk_eh_frame *f, uint64_t offset, uint8_t bytes[ENTRY_BYTES],
		       struct pk_cursor *c)
{
	const uint64_t size = f->section->size;
	uint32_t length;

	memset(bytes, 0, ENTRY_BYTES);
	*c = (struct pk_cursor){bytes, bytes + ENTRY_BYTES, pk_elf_swapped(f->elf), false};
	if (offset >= size ||
	    !pk_elf_read(f->elf, f->section->offset + offset, bytes,
			 size - offset < ENTRY_BYTES ? size - offset : ENTRY_BYTES))
		return false;
	length = pk_cursor_u32(c);
	return length && length != UINT32_MAX;
}

/* The size of an address in this encoding (DW_EH_PE_*); 0: it varies, or an unknown one. */
static unsigned address_size(const struct pk_eh_frame *f, uint8_t encoding)
{
	switch (encoding & 0x07) {
	case 0: return pk_elf_is_64(f->elf) ? 8 : 4;
	case 2: return 2;
	case 3: return 4;
	case 4: return 8;
	default: return 0;
	}
}

/* The size of addresses in the FDEs of the CIE at an offset: that of the encoding after the letter
 * R in its augmentation. 0: unknown. */
static unsigned fde_address_size(const struct pk_eh_frame *f, uint64_t offset)
{
	uint8_t bytes[ENTRY_BYTES], version, encoding;
	const char *letters;
	struct pk_cursor c;

	if (!read_entry(f, offset, bytes, &c) || pk_cursor_u32(&c))
		return 0;
	version = pk_cursor_u8(&c);
	letters = pk_cursor_string(&c);
	if (!letters || (version != 1 && version != 3))
		return 0;
	if (!*letters)
		return address_size(f, 0);
	if (*letters != 'z')
		return 0;
	pk_cursor_uleb(&c); /* alignment of code, of data, the register, the size of what follows */
	pk_cursor_uleb(&c);
	if (version == 1)
		pk_cursor_u8(&c);
	else
		pk_cursor_uleb(&c);
	pk_cursor_uleb(&c);
	for (letters++; *letters && !c.bad; letters++) {
		if (*letters != 'R' && *letters != 'P' && *letters != 'L')
			continue;
		encoding = pk_cursor_u8(&c);
		if (*letters == 'R')
			return c.bad ? 0 : address_size(f, encoding);
		if (*letters == 'P' && encoding != OMITTED)
			pk_cursor_skip(&c, address_size(f, encoding));
	}
	return address_size(f, 0);
}

uint64_t pk_eh_frame_size(const struct pk_eh_frame *f, uint64_t start)
{
	uint8_t bytes[ENTRY_BYTES];
	uint64_t offset, back;
	struct pk_cursor c;
	unsigned size;

	if (!search(f, start, &offset) || !read_entry(f, offset, bytes, &c))
		return 0;
	back = pk_cursor_u32(&c);
	size = back ? fde_address_size(f, offset + sizeof(uint32_t) - back) : 0;
	if (!size)
		return 0;
	pk_cursor_skip(&c, size);
	return pk_cursor_uint(&c, size);
}
