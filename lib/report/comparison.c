// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "comparison.h"

static double percent(const struct comparison_side *side)
{
	return side->total ? 100.0 * (double)side->weight / (double)side->total : 0;
}

static struct pk_wide times(uint64_t weight, int64_t factor)
{
	return pk_wide_multiply(pk_wide_of_u64(weight), pk_wide_of(factor));
}

static struct pk_wide weighted(const struct comparison *comparison, const struct column *column)
{
	return pk_wide_subtract(times(comparison->current.weight, column->new_weight),
				times(comparison->base.weight, column->base_weight));
}

/* 2: the value is known; 1: it needs a base; 0: it needs the new side. */
static int rank(const struct comparison *comparison, enum column_kind kind)
{
	switch (kind) {
	case COLUMN_BASELINE: return comparison->base.present ? 2 : 1;
	case COLUMN_BASE_PERIOD: return 2;
	case COLUMN_DELTA:
	case COLUMN_DELTA_ABS: return comparison->current.present ? 2 : 0;
	default: break;
	}
	if (!comparison->current.present)
		return 0;
	return comparison->base.present ? 2 : 1;
}

struct pk_amount pk_comparison_value(const struct comparison *comparison,
				     const struct column *column)
{
	const struct comparison_side *base = &comparison->base, *current = &comparison->current;

	if (rank(comparison, column->kind) < 2)
		return (struct pk_amount){0};
	switch (column->kind) {
	case COLUMN_BASELINE: return pk_amount_real(percent(base));
	case COLUMN_BASE_PERIOD: return pk_amount_of_u64(base->weight);
	case COLUMN_DELTA:
	case COLUMN_DELTA_ABS: return pk_amount_real(percent(current) - percent(base));
	case COLUMN_RATIO:
		if (!base->weight)
			return (struct pk_amount){0};
		return pk_amount_real((double)current->weight / (double)base->weight);
	case COLUMN_WDIFF: return pk_amount_of(weighted(comparison, column));
	default: return (struct pk_amount){0};
	}
}

int pk_comparison_compare(const struct comparison *a, const struct comparison *b,
			  const struct column *column)
{
	const int left_rank = rank(a, column->kind), right_rank = rank(b, column->kind);
	struct pk_amount left = pk_comparison_value(a, column),
			 right = pk_comparison_value(b, column);

	if (left_rank != right_rank)
		return left_rank < right_rank ? -1 : 1;
	if (column->kind == COLUMN_DELTA_ABS && left_rank == 2) {
		left.real = fabs(left.real);
		right.real = fabs(right.real);
	}
	return pk_amount_compare(&left, &right);
}
