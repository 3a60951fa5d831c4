/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INTERPRETED_JOIN_H
#define PK_INTERPRETED_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the frames of an interpreter are put to their places in a user stack. */
struct pk_interpreted_join {
	/* Returns the address that stands for a word in the result. Returns 0 if the frame is left
	 * out. */
	uint64_t (*address)(void *arg, uint64_t word);
	void *arg;
	size_t limit;	  /* maximum number of addresses of the result */
	bool keep_native; /* keep the native frames that frames of the interpreter would replace */
	bool cut;	  /* the last groups are missing, because there was no room */
	bool is_short;	  /* the result: frames are missing at the end */
};

/* Joins native frames with the groups that follow them in `from` (interpreted_groups.h). `from`
 * has `count` entries. `to` is memory for join->limit addresses. Returns the number of addresses.
 */
size_t pk_interpreted_join(struct pk_interpreted_join *join, const uint64_t *from, size_t count,
			   uint64_t *to);

#endif
