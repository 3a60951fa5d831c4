/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FIELD_MEASURE_H
#define PK_FIELD_MEASURE_H

/*
 * Aggregates: what the rows of a table say about the values of a field. A *measure* counts the
 * values of one field in each row. An *aggregate* is a number that is calculated from a measure:
 * sum, average, percentile and so on.
 */

#include <stdbool.h>

#include "field.h"
#include "table.h"
#include "texts.h"

/* ---- Quantiles ---- */

/*
 * Quantiles of numbers, for each row of a table. Numbers are counted in buckets: each number of up
 * to 7 bits has its own, and each larger power of two has 64. The middle of a bucket differs from
 * its numbers by less than 0.8 percent. Memory is proportional to the number of distinct pairs of
 * row and bucket; a row has at most 7,552 buckets. A struct of all zero bytes is empty and valid.
 */

struct pk_quantiles {
	struct pk_table counts; /* by row and bucket */
	/* Set by pk_quantiles_sort(): */
	struct pk_quantile_cell {
		uint64_t key;  /* row and bucket */
		uint64_t rank; /* number of values of the row up to this bucket */
	} * cells;
	size_t cells_count;
};

PK_MUST_CHECK enum pk_status pk_quantiles_add(struct pk_quantiles *quantiles, uint32_t row,
					      struct pk_wide value);
/* Call it after the last number, and before pk_quantiles_get(). */
PK_MUST_CHECK enum pk_status pk_quantiles_sort(struct pk_quantiles *quantiles);
/* The smallest number that is not less than `share` (0 to 1) of the numbers of the row, within the
 * error of a bucket. Returns false if the row has no numbers. */
bool pk_quantiles_get(const struct pk_quantiles *quantiles, uint32_t row, double share,
		      struct pk_wide *value);
void pk_quantiles_free(struct pk_quantiles *quantiles);

/* ---- Measures ---- */

enum pk_aggregate_kind {
	PK_AGGREGATE_COUNT, /* number of samples with the field */
	PK_AGGREGATE_SUM,
	PK_AGGREGATE_AVG,
	PK_AGGREGATE_MIN,
	PK_AGGREGATE_MAX,
	PK_AGGREGATE_STDDEV,   /* of a sample: the sum of squares is divided by count - 1 */
	PK_AGGREGATE_PEAK,     /* the largest sum of the values up to any sample */
	PK_AGGREGATE_QUANTILE, /* see field_measure.h */
	PK_AGGREGATE_DISTINCT, /* number of different values, also of a text */
	PK_AGGREGATE_FIRST,    /* value of the first sample that has the field, also a text */
	PK_AGGREGATE_LAST,     /* the same for the last sample */
	PK_AGGREGATE_NONZERO,  /* number of samples whose value is not 0 */
	PK_AGGREGATE_MAX_TIME, /* time of the first sample with the largest value, ns */
};

struct pk_aggregate {
	enum pk_aggregate_kind kind;
	double share; /* QUANTILE: 0 to 1 */
};

/* Parses "sum", "p99.9" and so on. Returns false if it is not the name of an aggregate. */
bool pk_aggregate_parse(struct pk_aggregate *aggregate, const char *text, size_t size);
/* The name of the aggregate with this index, for lists, or NULL after the last one. */
const char *pk_aggregate_name(size_t index);

/* ---- Measures ---- */

struct pk_moments {
	uint64_t count;
	struct pk_wide sum, min, max;
	uint64_t nonzero;     /* number of values that are not 0 */
	uint64_t max_time;    /* of the first sample with max; 0: it has none */
	struct pk_wide base;  /* the first value: differences from it lose no digits */
	double mean, squares; /* mean of the differences from base; the sum of the squares of the
			       * differences from the mean */
};

struct pk_measure {
	/* Set by the caller: */
	struct pk_column column;
	bool quantiles_needed, distinct_needed, ends_needed, peaks_needed;
	/* The kind of the field's numbers, of the last event that has it. */
	enum pk_value_kind kind;
	/* Private to the measure: */
	struct pk_moments *moments; /* by row */
	size_t moments_count;
	struct pk_wide *peaks; /* by row */
	size_t peaks_count;
	struct pk_quantiles quantiles;
	struct pk_texts pairs; /* distinct rows and values */
	uint64_t *distinct;    /* by row */
	size_t distinct_count;
	struct pk_measure_ends {
		struct pk_measure_end {
			struct pk_wide value; /* of a text: its number */
			bool known, text;
		} first, last;
	} * ends; /* by row */
	size_t ends_count;
	struct pk_texts texts; /* values that are texts */
	struct pk_table names; /* numbers of texts, by key, in this epoch */
};

/* Counts a sample in a row. */
PK_MUST_CHECK enum pk_status pk_measure_add(struct pk_measure *measure, uint32_t row,
					    struct pk_view *view);
/* Call it before pk_context.epoch changes. */
void pk_measure_forget_keys(struct pk_measure *measure);
/* Call it after the last sample before pk_measure_get(). */
PK_MUST_CHECK enum pk_status pk_measure_finish(struct pk_measure *measure);
/* Call it when the numbers of rows change, to: see pk_renumber(). */
PK_MUST_CHECK enum pk_status pk_measure_renumber(struct pk_measure *measure, const uint32_t *to,
						 uint32_t count);
/* Forgets all values. */
void pk_measure_clear(struct pk_measure *measure);
/* Also frees the reference of the column. */
void pk_measure_free(struct pk_measure *measure);

/* The value of an aggregate. */
struct pk_amount {
	enum { PK_AMOUNT_NONE, PK_AMOUNT_INTEGER, PK_AMOUNT_REAL, PK_AMOUNT_TEXT } kind;
	struct pk_wide integer;
	double real;	  /* also of an INTEGER */
	const char *text; /* also the words of a number of kind WORDS; else NULL */
	size_t size;
};

/* Returns NONE if no sample of the row has the field. */
struct pk_amount pk_measure_get(const struct pk_measure *measure, uint32_t row,
				const struct pk_aggregate *aggregate);

static inline struct pk_amount pk_amount_of(struct pk_wide integer)
{
	return (struct pk_amount){
		.kind = PK_AMOUNT_INTEGER, .integer = integer, .real = pk_wide_real(integer)};
}

static inline struct pk_amount pk_amount_of_u64(uint64_t integer)
{
	return pk_amount_of(pk_wide_of_u64(integer));
}

static inline struct pk_amount pk_amount_real(double real)
{
	return (struct pk_amount){.kind = PK_AMOUNT_REAL, .real = real};
}

/* NONE is less than numbers, and numbers are less than texts. */
int pk_text_compare(const char *a, size_t a_size, const char *b, size_t b_size);
int pk_amount_compare(const struct pk_amount *a, const struct pk_amount *b);

#endif
