/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_GROUPS_H
#define PK_GROUPS_H

/* Samples grouped by the values of some fields. Groups are numbered from 1 on; the numbers are
 * valid until pk_groups_forget(), which must be called before pk_context.epoch changes. */

#include "buffer.h"
#include "field.h"

#define PK_GROUP_COLUMNS 16

/* Joins numbers to groups. The value of a group is the smallest number of its bucket. Texts are
 * unchanged, see `texts`. Zeroed, each number is its own bucket. */
struct pk_bucket {
	uint64_t step; /* multiples of this number; 0: none */
	bool log2;     /* powers of two; negative numbers mirror positive ones */
};

static inline bool pk_bucket_is_set(const struct pk_bucket *bucket)
{
	return bucket->step || bucket->log2;
}

struct pk_groups {
	struct pk_context *context;
	struct pk_column columns[PK_GROUP_COLUMNS]; /* the caller sets their references */
	struct pk_bucket buckets[PK_GROUP_COLUMNS];
	unsigned int columns_count;
	/* Private to the groups: */
	uint64_t *keys; /* columns_count + 1 numbers for each group */
	size_t keys_capacity;
	uint32_t count, last;
	struct pk_table numbers; /* the group's number, by the hash of its key */
	uint32_t texts;		 /* bits of columns with buckets that had a text */
	/* If all values depend on the event and the stack, these are the groups of each event and
	 * stack, plus `forgotten`. Values up to `forgotten` are unknown groups. */
	struct pk_groups_of_event {
		uint32_t *by_stack;
		size_t count;
	} * of_events; /* by index of the event */
	size_t of_events_count;
	size_t of_stacks_count; /* of all events */
	uint32_t forgotten;	/* the number of groups that were removed */
	enum { PK_GROUPS_UNKNOWN, PK_GROUPS_OF_STACK, PK_GROUPS_OF_SAMPLE } depend;
};

/* Parses the bucket of "FIELD:log2", "FIELD:100ms" or "FIELD:4096": the text after the colon. */
bool pk_bucket_parse(struct pk_bucket *bucket, const char *text);
/* The smallest number of the bucket of a number. Both are in two's complement. */
uint64_t pk_bucket_of(const struct pk_bucket *bucket, bool is_signed, uint64_t number);

/* The group of a sample, or 0 if memory is exhausted. */
uint32_t pk_groups_of(struct pk_groups *groups, struct pk_view *view);
/* The key of a group: for each column that of the value, then the kinds of the values, for
 * pk_key_kind(). Valid until the next group is added. */
const uint64_t *pk_groups_key(const struct pk_groups *groups, uint32_t group);
/* Bits of each kind in the last number of a key. */
#define PK_KEY_KIND_BITS 4
/* The kind of a column's value in a key of so many columns. */
static inline enum pk_value_kind pk_key_kind(const uint64_t *key, unsigned int columns,
					     unsigned int column)
{
	return key[columns] >> (PK_KEY_KIND_BITS * column) & 0xf;
}
void pk_key_set_kind(uint64_t *key, unsigned int columns, unsigned int column,
		     enum pk_value_kind kind);
/* Appends the value of a group's column as text. Returns false if the samples of the group do not
 * have the field. */
bool pk_groups_text(const struct pk_groups *groups, uint32_t group, unsigned int column,
		    struct buffer *out);
/* Call at the end of a session, for the columns' `found`. */
PK_MUST_CHECK enum pk_status pk_groups_end_session(struct pk_groups *groups);
/* Removes all groups. */
void pk_groups_forget(struct pk_groups *groups);
/* Also frees the references of the columns. */
void pk_groups_free(struct pk_groups *groups);

#endif
