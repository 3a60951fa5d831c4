// SPDX-License-Identifier: BSD-2-Clause
#include "mapping_range.h"

#define PAGE 4096

void mapping_range_add(struct mapping_range *range, uint64_t address)
{
	if (!range->used || address < range->low)
		range->low = address;
	if (address > range->high)
		range->high = address;
	range->used = true;
}

static bool starts_at_zero(const struct pk_dso *dso)
{
	return dso->kind == PK_DSO_FILE || dso->kind == PK_DSO_MODULE || dso->kind == PK_DSO_VDSO;
}

uint64_t mapping_range_start(const struct mapping_range *range, const struct pk_dso *dso)
{
	return starts_at_zero(dso) ? 0 : range->low / PAGE * PAGE;
}

uint64_t mapping_range_limit(const struct mapping_range *range)
{
	uint64_t limit = PAGE;

	while (limit && limit <= range->high)
		limit <<= 1;
	return limit ? limit : UINT64_MAX;
}
