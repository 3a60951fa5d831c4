/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPAN_PLACE_H
#define PK_SPAN_PLACE_H

/* Where and when a sample was taken: its time, task, cpu and stack. */

#include "field.h"

struct pk_span_place {
	uint64_t time, ip;
	uint32_t pid, tid, cpu;
	uint16_t misc; /* processor mode */
	uint32_t stack, chain_flags;
	struct pk_u64s callchain;
	struct pk_bytes raw;
};

/* Reads the place of a sample that has all fields of fixed size. symbolized: samples have trailers;
 * view: of the sample. False: it is malformed. */
bool pk_span_place_read(struct pk_span_place *place, const struct pk_record *record,
			bool symbolized, struct pk_view *view);

#endif
