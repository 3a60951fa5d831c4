/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FIELD_MEASURE_H
#define PK_FIELD_MEASURE_H

/*
 * Aggregates of the values of a field in the rows of a table. A *measure* counts the values of one
 * field in each row. An *aggregate* is a number that is calculated from a measure, such as a sum,
 * an average or a percentile.
 */

#include <stdbool.h>

#include "field.h"
#include "ranks.h"
#include "table.h"
#include "texts.h"

/* ---- Quantiles ---- */

/*
 * Quantiles of numbers, for each row of a table. Numbers are counted in buckets. Each number with
 * up to 7 bits has a bucket of its own, and each larger power of two has 64 buckets. The middle of
 * a bucket differs from the numbers in the bucket by less than 0.8 percent. Memory is proportional
 * to the number of distinct pairs of row and bucket. A row has at most 7,552 buckets. If all
 * members are zero, there are no numbers.
 */

struct pk_quantiles {
	struct pk_table counts; /* the number of values, by row and bucket */
	/* pk_quantiles_sort() sets the following members. */
	struct pk_quantile_cell {
		uint64_t key;  /* the row and the bucket, joined to one number */
		uint64_t rank; /* number of values of the row in this bucket and all lower ones */
	} * cells;
	size_t cells_count;
};

PK_MUST_CHECK enum pk_status pk_quantiles_add(struct pk_quantiles *quantiles, uint32_t row,
					      struct pk_wide value);
/* Prepares pk_quantiles_get(). Call this function after the last number was added. */
PK_MUST_CHECK enum pk_status pk_quantiles_sort(struct pk_quantiles *quantiles);
/* Sets *value to the smallest number that is not less than `share` (0 to 1) of the numbers of the
 * row. The result is the middle of the bucket of this number. Returns false if the row has no
 * numbers. */
bool pk_quantiles_get(const struct pk_quantiles *quantiles, uint32_t row, double share,
		      struct pk_wide *value);
/* Sets *value to the number of the row that has this rank, in the same way. The smallest number has
 * rank 1. */
bool pk_quantiles_ranked(const struct pk_quantiles *quantiles, uint32_t row, uint64_t rank,
			 struct pk_wide *value);
/* Compares the numbers of two rows. Numbers in the same bucket are equal. */
struct pk_rank_comparison pk_quantiles_compare(const struct pk_quantiles *quantiles, uint32_t base,
					       uint32_t current);
void pk_quantiles_free(struct pk_quantiles *quantiles);

/* ---- Measures ---- */

/* The numbers that can be calculated from a measure. */
enum pk_aggregate_kind {
	PK_AGGREGATE_COUNT, /* number of samples that have the field */
	PK_AGGREGATE_SUM,
	PK_AGGREGATE_AVG,
	PK_AGGREGATE_MIN,
	PK_AGGREGATE_MAX,
	PK_AGGREGATE_STDDEV, /* sample standard deviation: the sum of squares is divided by count -
			      * 1 */
	PK_AGGREGATE_PEAK,   /* the largest value that the sum of the values has reached */
	PK_AGGREGATE_QUANTILE, /* a quantile (see pk_quantiles_get) */
	PK_AGGREGATE_DISTINCT, /* number of different values, which can be texts */
	PK_AGGREGATE_FIRST,    /* value of the first sample that has the field; it can be a text */
	PK_AGGREGATE_LAST,     /* value of the last sample that has the field; it can be a text */
	PK_AGGREGATE_NONZERO,  /* number of samples whose value is not 0 */
	PK_AGGREGATE_MAX_TIME, /* time of the first sample with the largest value, in ns */
	/* These compare the values of a row with those of a base (see ranks.h): the probability of
	 * a greater value in percent, and the probability of such a result without a change. */
	PK_AGGREGATE_GREATER,
	PK_AGGREGATE_GREATER_P,
};

/* An aggregate, such as p99. */
struct pk_aggregate {
	enum pk_aggregate_kind kind;
	double share; /* for PK_AGGREGATE_QUANTILE: 0 to 1 */
	int end; /* for PK_AGGREGATE_QUANTILE: -1 or 1 for the lower or upper end of its interval */
	bool of_base; /* the values are those of the base of a comparison */
};

static inline bool aggregate_compares(const struct pk_aggregate *aggregate)
{
	return aggregate->kind == PK_AGGREGATE_GREATER || aggregate->kind == PK_AGGREGATE_GREATER_P;
}

/* Parses the name of an aggregate, such as "sum" or "p99.9". Returns false if it is unknown. */
bool pk_aggregate_parse(struct pk_aggregate *aggregate, const char *text, size_t size);
/* Returns the name of the aggregate with this index, for lists. Returns NULL after the last name.
 */
const char *pk_aggregate_name(size_t index);

/* ---- Measures ---- */

/* Count, sum, extremes and deviation of the numbers of a row. */
struct pk_moments {
	uint64_t count;
	struct pk_wide sum, min, max;
	uint64_t nonzero;     /* number of values that are not 0 */
	uint64_t max_time;    /* time of the first sample with the value max; 0 if it has no time */
	struct pk_wide base;  /* The first value. Its difference from other values is exact even for
			       * large values. */
	double mean, squares; /* mean is the mean of the differences from base. squares is the sum
			       * of the squared differences from the mean. */
};

#define PK_MEASURE_RECENT 64 /* a power of two */

/* The values of one field, for each row of a table. */
struct pk_measure {
	/* The caller sets the following members. */
	struct pk_column column;
	bool quantiles_needed, distinct_needed, ends_needed, peaks_needed, deviation_needed;
	/* The kind of the numbers of the field, in the last event that has the field. */
	enum pk_value_kind kind;
	/* The following members are private. */
	struct pk_moments *moments; /* statistics of the values of each row, by number of the row */
	size_t moments_count;
	struct pk_wide *peaks; /* for each row, the largest sum that its values have reached
				* (PK_AGGREGATE_PEAK) */
	size_t peaks_count;
	struct pk_quantiles quantiles;
	struct pk_texts pairs; /* distinct pairs of a row and a value */
	/* Pairs that were added recently. Most samples have one of these pairs. */
	struct pk_measure_pair {
		uint64_t row_text, value; /* row_text is 0 if there is no pair */
	} recent[PK_MEASURE_RECENT];
	uint64_t *distinct; /* number of different values of each row, by number of the row */
	size_t distinct_count;
	struct pk_measure_ends {
		struct pk_measure_end {
			struct pk_wide value; /* the number, or for a text the number that the text
					       * has in `texts` */
			bool known, text;
		} first, last;
	} * ends; /* first and last value of each row, by number of the row */
	size_t ends_count;
	struct pk_texts texts; /* the values that are texts */
	/* For the key of a text in this epoch: the number of the text in `texts`. */
	struct pk_table names;
};

/* Adds the value of a sample to a row. */
PK_MUST_CHECK enum pk_status pk_measure_add(struct pk_measure *measure, uint32_t row,
					    struct pk_view *view);
/* Forgets the keys of texts, because they have another meaning in another epoch. Call this function
 * before pk_context.epoch changes. */
void pk_measure_forget_keys(struct pk_measure *measure);
/* Call this function after the last sample and before pk_measure_get(). */
PK_MUST_CHECK enum pk_status pk_measure_finish(struct pk_measure *measure);
/* Changes the numbers of the rows. See pk_renumber() for `to` and `count`. */
PK_MUST_CHECK enum pk_status pk_measure_renumber(struct pk_measure *measure, const uint32_t *to,
						 uint32_t count);
/* Removes all values. */
void pk_measure_clear(struct pk_measure *measure);
/* Frees the measure and the reference of its column. */
void pk_measure_free(struct pk_measure *measure);

/* The value of an aggregate. */
struct pk_amount {
	enum { PK_AMOUNT_NONE, PK_AMOUNT_INTEGER, PK_AMOUNT_REAL, PK_AMOUNT_TEXT } kind;
	struct pk_wide integer;
	double real;	  /* also set for PK_AMOUNT_INTEGER */
	const char *text; /* the text, or the words of a number of kind PK_VALUE_WORDS; otherwise
			   * NULL */
	size_t size;
};

/* Returns the value of an aggregate. It is of kind PK_AMOUNT_NONE if no sample of the row has the
 * field. */
struct pk_amount pk_measure_get(const struct pk_measure *measure, uint32_t row,
				const struct pk_aggregate *aggregate);
/* Returns the value of an aggregate that compares two rows. */
struct pk_amount pk_measure_compare(const struct pk_measure *measure, uint32_t base,
				    uint32_t current, const struct pk_aggregate *aggregate);

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

/* Compare two values. PK_AMOUNT_NONE is less than all numbers, and numbers are less than texts. */
int pk_text_compare(const char *a, size_t a_size, const char *b, size_t b_size);
int pk_amount_compare(const struct pk_amount *a, const struct pk_amount *b);

#endif
