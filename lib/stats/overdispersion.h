/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OVERDISPERSION_H
#define PK_OVERDISPERSION_H

/* How much more repeated measurements vary than a known variance, such as that of sampling. Few
 * repetitions say little about one quantity. Many quantities together say how large such ratios
 * usually are. Both are combined, as in the moderated t-test of Smyth (2004). */

#include <stddef.h>

/* What many quantities have in common. */
struct pk_overdispersion {
	double ratio;	/* the usual ratio of the observed variance to the known one */
	double freedom; /* the degrees of freedom that this ratio is worth; 0 means that nothing is
			 * known, infinity that all quantities have the same ratio */
};

/* Estimates what `count` quantities have in common. Quantity i has ratios[i], measured with
 * freedoms[i] degrees of freedom. Quantities without degrees of freedom, or with a ratio that is
 * not positive, are ignored. */
struct pk_overdispersion pk_overdispersion_fit(const double *ratios, const double *freedoms,
					       size_t count);
/* Returns the ratio of a quantity, combined with what all quantities have in common. Sets *total to
 * its degrees of freedom. */
double pk_overdispersion_moderate(const struct pk_overdispersion *common, double ratio,
				  double freedom, double *total);
/* Returns the first and the second derivative of the logarithm of the gamma function, for x > 0. */
double pk_digamma(double x);
double pk_trigamma(double x);

#endif
