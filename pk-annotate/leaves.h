/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_LEAVES_H
#define PK_ANNOTATE_LEAVES_H

/* From a sample's stack to the place in the heat that its innermost frame is: worked out once for
 * each stack, and compared with the sample's own address. */

#include "located.h"

struct leaves;

/* Both stay the caller's. NULL: out of memory. */
struct leaves *leaves_new(struct heat *heat, struct objects *objects);
void leaves_free(struct leaves *leaves);

/* A session begins. */
void leaves_begin(struct leaves *leaves, struct pk_session *session);
/* Takes a definition in. PK_CORRUPT: it is out of turn, or of something undefined. */
enum pk_status leaves_definition(struct leaves *leaves, const struct pk_record *record);

enum leaf {
	LEAF_PLACED,
	LEAF_UNPLACED,	/* no function is known there, or no code was sampled */
	LEAF_UNDEFINED, /* no such stack */
	LEAF_NO_MEMORY,
};

/* *place: 0 if it is none. */
enum leaf leaves_place(struct leaves *leaves, const struct leaf_sample *sample, uint32_t *place);

#endif
