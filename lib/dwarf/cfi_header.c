// SPDX-License-Identifier: BSD-2-Clause
#include "cfi_internal.h"

/*
 * .eh_frame_hdr (LSB): u8 version, three u8 encodings, where .eh_frame is, how many functions there
 * are, and for each where it begins and where its FDE is, relative to the header, in the order of
 * the first. All linkers write numbers of 4 bytes.
 */
static const uint8_t usual[] = {1, 0x1b, 0x03, 0x3b};

#define TABLE_AT 12

void cfi_use_header(struct pk_cfi *cfi, const struct pk_cfi_section *header)
{
	uint64_t count;

	if (!header->data || header->size < TABLE_AT || memcmp(header->data, usual, sizeof(usual)))
		return;
	count = cfi_load(header->data + 8, 4, cfi->machine->swapped);
	if (count > (header->size - TABLE_AT) / 8)
		return;
	cfi->header = *header;
	cfi->header_count = (uint32_t)count;
}

/* The n-th number of the table, an address. */
static uint64_t number_at(const struct pk_cfi *cfi, size_t n)
{
	const uint8_t *at = cfi->header.data + TABLE_AT + 4 * n;
	const uint64_t number = cfi_load(at, 4, cfi->machine->swapped);
	const uint64_t address = cfi->header.address + (uint64_t)(int32_t)number;

	return cfi->machine->word == 4 ? (uint32_t)address : address;
}

bool cfi_search_header(const struct pk_cfi *cfi, uint64_t address, uint64_t *offset)
{
	size_t low = 0, high = cfi->header_count;

	/* The first one that begins behind it. */
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
