/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_TYPE_TALLY_H
#define PK_ANNOTATE_TYPE_TALLY_H

/* Counts the samples of memory accesses by type and by member, for several events side by side. The
 * memory is proportional to the number of distinct members. */

#include "code_hits.h"

struct type_tally;

/* A member of a type, or a whole type. */
struct type_place {
	const char *type; /* Name of the type. Types with the same name and size are counted as one
			   * type, even if they are in different objects. */
	uint64_t type_size;
	const char *member; /* path of the member in the type, for example "a.b[0].c"; "" stands for
			     * the whole type */
	uint64_t offset, size;
	bool read, written;
};

/* The samples of a type or a member in one column. */
struct type_counts {
	struct hit_count all;
	uint64_t read, written; /* number of samples whose instruction reads the member, and number
				   of those whose instruction writes it */
};

/* A member of a type, and its samples. */
struct type_member {
	const char *name;
	uint64_t offset, size;
	struct type_counts *counts; /* one item for each column */
};

/* A type, and its samples. */
struct type_share {
	const char *name;
	uint64_t size;
	struct type_counts *counts;  /* one item for each column */
	struct type_member *members; /* sorted by offset */
	size_t members_count;
};

#define TYPE_REASONS 24
/* A reason why types are unknown, and the samples whose types are unknown for this reason. */
struct type_reason {
	const char *text;
	struct hit_count *counts; /* one item for each column */
};

/* Returns NULL if memory is exhausted. */
struct type_tally *type_tally_new(unsigned int columns);
void type_tally_free(struct type_tally *t);

/* Adds samples of one column to a type or member. */
PK_MUST_CHECK enum pk_status type_tally_add(struct type_tally *t, unsigned int column,
					    const struct hit_count *count,
					    const struct type_place *place);
/* Adds samples whose type is unknown. The caller must keep reason valid. Only the first
 * TYPE_REASONS different reasons are stored. With further reasons, only the samples are counted. */
PK_MUST_CHECK enum pk_status type_tally_unknown(struct type_tally *t, unsigned int column,
						const struct hit_count *count, const char *reason);
/* Adds samples of instructions that access no memory. */
void type_tally_no_access(struct type_tally *t, unsigned int column, const struct hit_count *count);

/* Collects the types, and sorts them by the samples or weights of the first column. Call this once,
 * after all samples were added. */
PK_MUST_CHECK enum pk_status type_tally_settle(struct type_tally *t, bool by_samples);

/* These functions return the results. The types and the reasons are available only after
 * type_tally_settle(). */
const struct type_share *type_tally_types(const struct type_tally *t, size_t *count);
/* Returns the reasons of type_tally_unknown(), sorted by the samples in the first column, the most
 * frequent first. */
const struct type_reason *type_tally_reasons(const struct type_tally *t, size_t *count);
struct hit_count type_tally_typed(const struct type_tally *t, unsigned int column);
struct hit_count type_tally_untyped(const struct type_tally *t, unsigned int column);
struct hit_count type_tally_without(const struct type_tally *t, unsigned int column);

#endif
