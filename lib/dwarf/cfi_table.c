// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cfi_table.h"
#include "vector.h"

static bool read_cie(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t offset,
		     struct pk_eh_cie *cie)
{
	if (!pk_eh_read_cie(&table->frame, offset, cie))
		return false;
	cie->ra = cfi_register(cfi->machine, cie->ra);
	return cie->ra < PK_CFI_REGISTERS;
}

bool pk_cfi_read_fde(const struct pk_cfi *cfi, const struct cfi_table *table, uint64_t offset,
		     struct pk_eh_fde *fde)
{
	const struct pk_eh_frame *frame = &table->frame;
	struct pk_eh_entry entry;
	uint64_t next;

	return pk_eh_read_entry(frame, offset, &entry, &next) && !entry.is_cie &&
	       read_cie(cfi, table, pk_eh_cie_offset(frame, &entry), &fde->cie) &&
	       pk_eh_read_range(frame, &entry, fde);
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

static enum pk_status add_fde(struct cfi_table *table, size_t *room, const struct pk_eh_fde *fde,
			      uint64_t offset)
{
	PK_TRY(pk_reserve(&table->entries, room, table->count, 1, sizeof(*table->entries)));
	table->entries[table->count++] = (struct cfi_entry){fde->start, fde->end, offset};
	return PK_OK;
}

/* This function is not called for .eh_frame if .eh_frame_hdr is used. For a C library, it takes
 * less than a millisecond. */
enum pk_status pk_cfi_read_entries(const struct pk_cfi *cfi, struct cfi_table *table)
{
	uint64_t cie = UINT64_MAX, next;
	struct pk_eh_fde fde;
	size_t room = 0;
	bool known = false;

	for (uint64_t at = 0; at < table->frame.section.size; at = next) {
		struct pk_eh_entry entry;

		if (!pk_eh_read_entry(&table->frame, at, &entry, &next) || entry.is_cie)
			continue;
		if (cie != pk_eh_cie_offset(&table->frame, &entry)) {
			cie = pk_eh_cie_offset(&table->frame, &entry);
			known = read_cie(cfi, table, cie, &fde.cie);
		}
		if (known && pk_eh_read_range(&table->frame, &entry, &fde))
			PK_TRY(add_fde(table, &room, &fde, at));
	}
	if (!is_sorted(table))
		qsort(table->entries, table->count, sizeof(*table->entries), by_start);
	return PK_OK;
}

bool pk_cfi_search_header(const struct pk_cfi *cfi, uint64_t address, uint64_t *offset)
{
	const struct pk_cfi_section *section = &cfi->tables[0].frame.section;
	const size_t n = pk_eh_table_search(&cfi->header, address);

	if (!n)
		return false;
	*offset = pk_eh_table_number(&cfi->header, 2 * n - 1) - section->address;
	return *offset < section->size;
}

bool pk_cfi_read_nth(const struct pk_cfi *cfi, size_t n, struct pk_eh_fde *fde,
		     const struct cfi_table **in)
{
	const struct cfi_table *table = cfi->tables;

	*in = table;
	if (n < cfi->header.count)
		return pk_cfi_read_fde(cfi, table,
				       pk_eh_table_number(&cfi->header, 2 * n + 1) -
					       table->frame.section.address,
				       fde);
	n -= cfi->header.count;
	if (n >= table->count)
		n -= table++->count;
	*in = table;
	return n < table->count && pk_cfi_read_fde(cfi, table, table->entries[n].offset, fde);
}

size_t pk_cfi_fdes(const struct pk_cfi *cfi)
{
	return cfi->header.count + cfi->tables[0].count + cfi->tables[1].count;
}

bool pk_cfi_range(const struct pk_cfi *cfi, size_t n, uint64_t *start, uint64_t *end)
{
	const size_t fdes = pk_cfi_fdes(cfi);
	const struct cfi_table *table;
	struct pk_eh_fde fde;

	if (n >= fdes)
		return pk_sframe_range(&cfi->sframe, n - fdes, start, end);
	if (!pk_cfi_read_nth(cfi, n, &fde, &table))
		return false;
	*start = fde.start;
	*end = fde.end;
	return true;
}
