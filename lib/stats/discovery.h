/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DISCOVERY_H
#define PK_DISCOVERY_H

/* The false discovery rate: the expected share of false findings among all findings. */

#include <stddef.h>

#include "status.h"

/* Replaces each probability by the smallest false discovery rate at which its test is a finding, by
 * the method of Benjamini and Hochberg. A test is a finding at the rate q if its result is at most
 * q. A probability that is not a number is not a test, and is not changed. */
PK_MUST_CHECK enum pk_status pk_discovery_adjust(double *probabilities, size_t count);

#endif
