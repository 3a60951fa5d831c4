// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "overdispersion.h"

/* The fewest quantities from which something in common is estimated. */
#define QUANTITIES_LEAST 5

/* The functions add terms until the argument is large, and then use the asymptotic series (DLMF
 * 5.11.2 and 5.15.8). */
double pk_digamma(double x)
{
	double sum = 0, square;

	for (; x < 10; x++)
		sum -= 1 / x;
	square = 1 / (x * x);
	return sum + log(x) - 0.5 / x -
	       square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square / 240)));
}

double pk_trigamma(double x)
{
	double sum = 0, square;

	for (; x < 10; x++)
		sum += 1 / (x * x);
	square = 1 / (x * x);
	return sum + 1 / x + square / 2 +
	       square / x * (1.0 / 6 - square * (1.0 / 30 - square * (1.0 / 42 - square / 30)));
}

/* Returns the x for which pk_trigamma() is `value`. */
static double trigamma_inverse(double value)
{
	double low = 1e-8, high = 1e8;

	while (high / low > 1 + 1e-12) {
		const double middle = sqrt(low * high);

		if (pk_trigamma(middle) > value)
			low = middle;
		else
			high = middle;
	}
	return sqrt(low * high);
}

struct pk_overdispersion pk_overdispersion_fit(const double *ratios, const double *freedoms,
					       size_t count)
{
	double mean = 0, squares = 0, expected = 0, variance, half;
	size_t n = 0;

	/* The logarithm of a ratio with d degrees of freedom has the mean digamma(d/2) - log(d/2),
	 * and the variance trigamma(d/2). */
	for (size_t i = 0; i < count; i++) {
		const double d = freedoms[i] / 2;
		double value, step;

		if (!(d > 0) || !(ratios[i] > 0))
			continue;
		value = log(ratios[i]) - pk_digamma(d) + log(d);
		step = value - mean;
		mean += step / (double)++n;
		squares += step * (value - mean);
		expected += pk_trigamma(d);
	}
	if (n < QUANTITIES_LEAST)
		return (struct pk_overdispersion){.ratio = 1};
	variance = squares / (double)(n - 1) - expected / (double)n;
	if (!(variance > 0))
		return (struct pk_overdispersion){exp(mean), INFINITY};
	half = trigamma_inverse(variance);
	return (struct pk_overdispersion){exp(mean + pk_digamma(half) - log(half)), 2 * half};
}

double pk_overdispersion_moderate(const struct pk_overdispersion *common, double ratio,
				  double freedom, double *total)
{
	*total = common->freedom + freedom;
	if (isinf(common->freedom))
		return common->ratio;
	if (!(*total > 0))
		return 1;
	return (common->freedom * common->ratio + freedom * ratio) / *total;
}
