/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LABELS_H
#define PK_LABELS_H

/* The labels of a session (SPEC 9.16). A struct of all zero bytes is empty and valid. */

#include "pkstream.h"
#include "texts.h"

#define PK_LABELS_MAX 256 /* of one session; further ones are malformed */

struct pk_labels {
	struct pk_texts names, values;
	uint32_t values_of[PK_LABELS_MAX]; /* number of the value, by number of the name - 1 */
};

/* Adds the label of a LABEL record. The first value of a name is valid. PK_CORRUPT: the record is
 * malformed, or one label too many. */
enum pk_status pk_labels_record(struct pk_labels *labels, const struct pk_record *record);
/* The number of the label's value in labels->values; 0: no such label. */
uint32_t pk_labels_find(const struct pk_labels *labels, const char *name);
void pk_labels_free(struct pk_labels *labels);

#endif
