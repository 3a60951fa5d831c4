/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_GROUPS_H
#define PK_GROUPS_H

/* Groups samples by the values of some fields. Groups have numbers, which start with 1. The numbers
 * are valid until pk_groups_forget(), which must be called before pk_context.epoch changes. */

#include "buffer.h"
#include "field.h"

#define PK_GROUP_COLUMNS 16

/* Joins numbers to one value. The value of a group is the smallest number of its bucket. Texts are
 * not changed (see pk_groups.texts). If all members are zero, each number has a bucket of its own.
 */
struct pk_bucket {
	uint64_t step; /* buckets start at multiples of this number; 0 if the buckets have no such
			* step */
	bool log2; /* Buckets start at powers of two. Negative numbers have the same buckets with a
		    * negative sign. */
};

static inline bool pk_bucket_is_set(const struct pk_bucket *bucket)
{
	return bucket->step || bucket->log2;
}

/* The groups of the samples so far, and the columns by which samples are grouped. */
struct pk_groups {
	struct pk_context *context;
	struct pk_column columns[PK_GROUP_COLUMNS]; /* the caller sets their member reference */
	struct pk_bucket buckets[PK_GROUP_COLUMNS];
	unsigned int columns_count;
	/* The following members are private. */
	uint64_t *keys; /* the keys of all groups; each key has columns_count + 1 numbers */
	size_t keys_capacity;
	uint32_t count, last;
	struct pk_table numbers; /* the number of a group, by the hash of its key */
	uint32_t texts; /* bit set of the columns that have a bucket, but had a text in a sample;
			 * texts are not put in buckets */
	/* Used if all values depend only on the event and the stack. An item is the group of an
	 * event and a stack, plus `forgotten`. If an item is not greater than `forgotten`, its
	 * group is not known. */
	struct pk_groups_of_event {
		uint32_t *by_stack;
		size_t count;
	} * of_events; /* one entry for each event, by index of the event */
	size_t of_events_count;
	size_t of_stacks_count; /* number of items in the arrays `by_stack` of all events */
	/* The number of groups that were removed. pk_groups_forget() increases it instead of
	 * clearing all items, because there can be many more stacks than groups. */
	uint32_t forgotten;
	enum { PK_GROUPS_UNKNOWN, PK_GROUPS_OF_STACK, PK_GROUPS_OF_SAMPLE } depend;
};

/* Parses the text after the colon in "FIELD:log2", "FIELD:100ms" or "FIELD:4096". */
bool pk_bucket_parse(struct pk_bucket *bucket, const char *text);
/* Returns the smallest number of the bucket that contains the number. Both numbers are in two's
 * complement. */
uint64_t pk_bucket_of(const struct pk_bucket *bucket, bool is_signed, uint64_t number);

/* Returns the group of a sample, or 0 if memory is exhausted. */
uint32_t pk_groups_of(struct pk_groups *groups, struct pk_view *view);
/* Returns the key of a group. It has the key of the value for each column, followed by one number
 * with the kinds of all values (see pk_key_kind). It is valid until the next group is added. */
const uint64_t *pk_groups_key(const struct pk_groups *groups, uint32_t group);
/* The number of bits of each kind in the last number of a key. */
#define PK_KEY_KIND_BITS 4
/* Returns the kind of the value of a column. columns is the number of columns of the key. */
static inline enum pk_value_kind pk_key_kind(const uint64_t *key, unsigned int columns,
					     unsigned int column)
{
	return key[columns] >> (PK_KEY_KIND_BITS * column) & 0xf;
}
void pk_key_set_kind(uint64_t *key, unsigned int columns, unsigned int column,
		     enum pk_value_kind kind);
/* Appends the value of a column of a group as text. Returns false if the samples of the group do
 * not have the field. */
bool pk_groups_text(const struct pk_groups *groups, uint32_t group, unsigned int column,
		    struct buffer *out);
/* Call this function at the end of a session, so that `found` of each column is complete. */
PK_MUST_CHECK enum pk_status pk_groups_end_session(struct pk_groups *groups);
/* Removes all groups. */
void pk_groups_forget(struct pk_groups *groups);
/* Frees the groups and the references of the columns. */
void pk_groups_free(struct pk_groups *groups);

#endif
