/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STUDENT_H
#define PK_STUDENT_H

/* Student's t distribution. `freedom` is the number of degrees of freedom, which need not be an
 * integer. If it is infinite, the distribution is the normal distribution. */

/* Returns the probability that the magnitude of a t variable is at least |t|. Returns 1 if t is not
 * a number or if `freedom` is not positive. */
double pk_student_two_sided(double t, double freedom);
/* Returns the t for which pk_student_two_sided() is `p`, with 0 < p < 1. Returns infinity if
 * `freedom` is not positive. */
double pk_student_quantile(double p, double freedom);

#endif
