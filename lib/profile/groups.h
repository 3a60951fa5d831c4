/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_GROUPS_H
#define PK_GROUPS_H

/* Samples grouped by the values of some fields. Groups are numbered from 1 on; the numbers are
 * valid until pk_groups_forget(), which must be called before pk_context.epoch changes. */

#include "buffer.h"
#include "field.h"

#define PK_GROUP_COLUMNS 16

struct pk_groups {
	struct pk_context *context;
	struct pk_column columns[PK_GROUP_COLUMNS]; /* the caller sets their references */
	unsigned int columns_count;
	/* Private to the groups: */
	uint64_t *keys; /* columns_count + 1 numbers for each group */
	size_t keys_capacity;
	uint32_t count, last;
	struct pk_table numbers; /* the group's number, by the hash of its key */
};

/* The group of a sample. 0: out of memory. */
uint32_t pk_groups_of(struct pk_groups *groups, struct pk_view *view);
/* Appends the value of a group's column as text; false: the samples of the group do not have the
 * field. */
bool pk_groups_text(const struct pk_groups *groups, uint32_t group, unsigned int column,
		    struct buffer *out);
/* Removes all groups. */
void pk_groups_forget(struct pk_groups *groups);
/* Also frees the references of the columns. */
void pk_groups_free(struct pk_groups *groups);

#endif
