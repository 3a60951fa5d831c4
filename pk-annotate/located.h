/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_LOCATED_H
#define PK_ANNOTATE_LOCATED_H

/* Places of samples by their own address and the session's maps: for those whose stack does not
 * begin there, as of processors that tell it more exactly than the interrupt that the callchain is
 * from, or where no callchain was taken. */

#include "objects.h"

struct located;

/* Where a sample was taken. */
struct leaf_sample {
	uint32_t stack; /* id */
	uint32_t pid, tid;
	bool has_ip;
	uint16_t mode; /* PERF_RECORD_MISC_CPUMODE_MASK */
	uint64_t ip;
};

/* Both stay the caller's. NULL: out of memory. */
struct located *located_new(struct heat *heat, struct objects *objects);
void located_free(struct located *located);
/* A session begins; it has the maps. */
void located_begin(struct located *located, struct pk_session *session);
/* *place: 0 if no function is known there. False: out of memory. */
bool located_place(struct located *located, const struct leaf_sample *sample, uint32_t *place);

#endif
