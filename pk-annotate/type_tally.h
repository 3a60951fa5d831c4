/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_TYPE_TALLY_H
#define PK_ANNOTATE_TYPE_TALLY_H

/* The samples of memory accesses to each type and each of its members, for several events side by
 * side. Memory is proportional to the number of distinct members. */

#include "code_hits.h"

struct type_tally;

/* A member of a type, or the whole type. */
struct type_place {
	const char *type; /* its name; types with equal name and size count as one type, also in
			   * different objects */
	uint64_t type_size;
	const char *member; /* "a.b[0].c"; "": the whole type */
	uint64_t offset, size;
	bool read, written;
};

struct type_counts {
	struct hit_count all;
	uint64_t read, written; /* number of samples that read, that write */
};

struct type_member {
	const char *name;
	uint64_t offset, size;
	struct type_counts *counts; /* by column */
};

struct type_share {
	const char *name;
	uint64_t size;
	struct type_counts *counts;  /* by column */
	struct type_member *members; /* sorted by offset */
	size_t members_count;
};

#define TYPE_REASONS 24
struct type_reason {
	const char *text;
	struct hit_count *counts; /* by column */
};

/* NULL: out of memory. */
struct type_tally *type_tally_new(unsigned int columns);
void type_tally_free(struct type_tally *t);

/* Adds samples of a column. */
PK_MUST_CHECK enum pk_status type_tally_add(struct type_tally *t, unsigned int column,
					    const struct hit_count *count,
					    const struct type_place *place);
/* Adds samples whose type is unknown. reason must stay valid. Only the first TYPE_REASONS different
 * reasons are stored. Further ones are counted without their reason. */
PK_MUST_CHECK enum pk_status type_tally_unknown(struct type_tally *t, unsigned int column,
						const struct hit_count *count, const char *reason);
/* Adds samples of instructions that access no memory. */
void type_tally_no_access(struct type_tally *t, unsigned int column, const struct hit_count *count);

/* Collects the types, and sorts them by the samples or weights of the first column. Call it once,
 * after all samples were added. */
PK_MUST_CHECK enum pk_status type_tally_settle(struct type_tally *t, bool by_samples);

/* Results. The types and the order of the reasons are available only after type_tally_settle(). */
const struct type_share *type_tally_types(const struct type_tally *t, size_t *count);
/* The reasons of type_tally_unknown(), the most frequent in the first column first. */
const struct type_reason *type_tally_reasons(const struct type_tally *t, size_t *count);
struct hit_count type_tally_typed(const struct type_tally *t, unsigned int column);
struct hit_count type_tally_untyped(const struct type_tally *t, unsigned int column);
struct hit_count type_tally_without(const struct type_tally *t, unsigned int column);

#endif
