/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_GROUPS_H
#define PK_FOLD_GROUPS_H

#include "fold.h"
#include "tree.h"

/*
 * The groups that --by makes of a session's samples, and what stands in front of the frames of
 * each. Group 0 is that of all samples where nothing but the thread's name, which their stacks
 * tell, keeps them apart.
 */
struct groups;

/* NULL: out of memory. */
struct groups *groups_new(const struct fold_options *options);
void groups_free(struct groups *groups);
/* For a new session or a new tree: groups are numbered anew. */
void groups_forget(struct groups *groups);
/* The group, not 0, of a sample that counts for event; UINT32_MAX: out of memory, or it is
 * malformed. */
uint32_t groups_of(struct groups *groups, struct tree *tree, const struct pk_session *session,
		   const struct pk_event *event, const struct pk_record *record);
/* Numbers in the tree of what stands in front of a group's frames, in order; 0 stands for the
 * thread's name. */
const uint32_t *groups_names(const struct groups *groups, uint32_t group, unsigned int *count);

#endif
