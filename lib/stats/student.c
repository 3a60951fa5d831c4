// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <math.h>

#include "incomplete_beta.h"
#include "student.h"

/* Above this number of degrees of freedom, the normal distribution is used. The relative error of
 * the probability is then below 1e-5 for all probabilities above 1e-10. */
#define FREEDOM_NORMAL 1e8

double pk_student_two_sided(double t, double freedom)
{
	const double square = t * t;

	if (isnan(t) || isnan(freedom) || freedom <= 0 || square == 0)
		return 1;
	if (isinf(square))
		return 0;
	if (freedom > FREEDOM_NORMAL)
		return erfc(fabs(t) / sqrt(2));
	return pk_incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square),
				  square / (freedom + square));
}

/* Returns the density of the distribution at t. */
static double density(double t, double freedom)
{
	const double half = freedom / 2;

	if (freedom > FREEDOM_NORMAL)
		return exp(-t * t / 2) / sqrt(2 * M_PI);
	return exp(lgamma(half + 0.5) - lgamma(half) - (half + 0.5) * log1p(t * t / freedom)) /
	       sqrt(freedom * M_PI);
}

/* This is Newton's method for the logarithm of the probability, as a function of the logarithm of
 * t. The function is concave, so that the method converges from every start. */
double pk_student_quantile(double p, double freedom)
{
	double t = 2;

	if (isnan(freedom) || freedom <= 0)
		return INFINITY;
	for (int i = 0; i < 100; i++) {
		const double probability = pk_student_two_sided(t, freedom);
		const double slope = 2 * density(t, freedom) * t / probability;
		double step;

		/* The probability is too small for a double far on the right. */
		if (!(probability > 0) || !(slope > 0)) {
			t /= 2;
			continue;
		}
		step = log(probability / p) / slope;
		t *= exp(fmin(step, 5));
		/* The error of the next step is of the order of the square of this one. */
		if (isinf(t) || fabs(step) < 1e-7)
			break;
	}
	return t;
}
