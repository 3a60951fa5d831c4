/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SCRIPT_HEADER_H
#define PK_SCRIPT_HEADER_H

/* --header: what is known of a recording before its first sample, in the lines of perf script. */

#include "script.h"

/* For a new session. False: out of memory. */
bool header_start(struct script *script);
void header_record(struct script *script, const struct pk_record *record);
/* Prints it, unless that has been done: something else comes now. */
void header_end(struct script *script);
void header_free(struct header *header);

#endif
