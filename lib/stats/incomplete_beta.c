// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <math.h>

#include "incomplete_beta.h"

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), by the method of Lentz.
 * It converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), value;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	value = d;
	for (int i = 1; i < 1000; i++) {
		const double m = i, even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		value *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		value *= d * c;
		if (fabs(d * c - 1) < 1e-15)
			break;
	}
	return value;
}

double pk_incomplete_beta(double a, double b, double x, double rest)
{
	const double log_front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest);

	if (x < (a + 1) / (a + b + 2))
		return exp(log_front) * beta_fraction(a, b, x) / a;
	return 1 - exp(log_front) * beta_fraction(b, a, rest) / b;
}
