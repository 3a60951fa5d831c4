/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SCRIPT_HEADER_H
#define PK_SCRIPT_HEADER_H

/* --header: what is known about a recording before its first sample, in the format of perf
 * script. */

#include "script.h"

/* For a new session. False: out of memory. */
bool header_start(struct script *script);
void header_record(struct script *script, const struct pk_record *record);
/* Prints the header, unless it has been printed: call it before other output. */
void header_end(struct script *script);
void header_free(struct header *header);

#endif
