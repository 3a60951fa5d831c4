/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_MAPPING_RANGE_H
#define EXPORT_MAPPING_RANGE_H

/* The addresses of an object in a profile, as a mapping: formats that know no offsets in files need
 * a range that contains all addresses of frames. All zero: no address yet. */

#include <stdbool.h>

#include "pkstream.h"

struct mapping_range {
	uint64_t low, high; /* the lowest and the highest address */
	bool used;
};

void mapping_range_add(struct mapping_range *range, uint64_t address);
/* Addresses in files, modules and the vdso are offsets: their mappings start at 0. */
uint64_t mapping_range_start(const struct mapping_range *range, const struct pk_dso *dso);
/* The end is rounded up to a power of two: so the mappings of several recordings of an object are
 * usually equal. */
uint64_t mapping_range_limit(const struct mapping_range *range);

#endif
