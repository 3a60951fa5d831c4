/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SWAP_H
#define SWAP_H

/* Swaps the numbers in records whose byte order is not the host's (SPEC 2). */

#include "events.h"
#include "pkutil.h"

static inline void pk_swap_u16(uint8_t *p)
{
	pk_store_u16(p, __builtin_bswap16(pk_load_u16(p)));
}

static inline void pk_swap_u32(uint8_t *p)
{
	pk_store_u32(p, __builtin_bswap32(pk_load_u32(p)));
}

static inline void pk_swap_u64(uint8_t *p)
{
	pk_store_u64(p, __builtin_bswap64(pk_load_u64(p)));
}

/* Swaps n numbers of type u64 at p. */
static inline void pk_swap_u64s(uint8_t *p, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		pk_swap_u64(p + 8 * i);
}

/* Checks a kernel record in host byte order that is not a SAMPLE. Returns PK_CORRUPT if the record
 * is too short for its trailer, if no NUL ends its text, or if its list is longer than the record.
 */
enum pk_status pk_check_record(struct pk_events *events, const uint8_t *data, uint32_t type,
			       uint16_t misc, uint16_t size);
/* Swaps one record in place. The header of the record must already be in host byte order. Returns
 * PK_UNSUPPORTED if the type of the record, the definition or the feature is unknown. In this case,
 * only the subtype and id of a definition, or the id of a feature, are swapped. Returns PK_CORRUPT
 * if the record is malformed. */
enum pk_status pk_swap_record(struct pk_events *events, uint8_t *data, uint32_t type, uint16_t misc,
			      uint16_t size);
enum pk_status pk_swap_sample(struct pk_events *events, uint8_t *data, uint16_t size);
/* Swaps the content of a feature in place. Returns PK_UNSUPPORTED if the layout of the feature is
 * unknown. */
enum pk_status pk_swap_feature(struct pk_events *events, uint64_t id, uint8_t *content,
			       size_t size);

#endif
