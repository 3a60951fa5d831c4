/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PROFILE_RUN_H
#define PK_PROFILE_RUN_H

/* The sample loop of lib/profile in the run of a program. */

#include "profile.h"
#include "run.h"

/* For pk_run.session_end: ends the session of the profile, and prints its messages. Exhausted
 * memory is reported as a complaint of the run. */
void pk_run_end_profile(struct pk_run *run, struct pk_profile *profile);
/* Warns if samples lacked the weight (pk_profile.lacking). */
void pk_report_lacking(const struct pk_profile *profile);

#endif
