/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INCOMPLETE_BETA_H
#define PK_INCOMPLETE_BETA_H

/* Returns the regularized incomplete beta function I_x(a, b), for a and b up to 1e5. `rest` is 1 -
 * x, which the caller knows with more digits. */
double pk_incomplete_beta(double a, double b, double x, double rest);

#endif
