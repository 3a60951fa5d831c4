// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "stat.h"

double count_scaled(const struct count *count)
{
	if (!count->running || count->running == count->enabled)
		return (double)count->value;
	return (double)count->value * (double)count->enabled / (double)count->running;
}

struct count count_since(const struct count *now, const struct count *before)
{
	return (struct count){now->value - before->value, now->enabled - before->enabled,
			      now->running - before->running};
}

void count_add(struct count *sum, const struct count *count)
{
	sum->value += count->value;
	sum->enabled += count->enabled;
	sum->running += count->running;
}

/* Welford's way: exact, however large the mean is. */
void moments_add(struct moments *moments, double value)
{
	double delta = value - moments->mean;

	moments->n++;
	moments->mean += delta / (double)moments->n;
	moments->squares += delta * (value - moments->mean);
}

double moments_deviation(const struct moments *moments)
{
	if (moments->n < 2)
		return 0;
	return sqrt(moments->squares / (double)(moments->n - 1) / (double)moments->n);
}
