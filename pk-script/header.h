/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SCRIPT_HEADER_H
#define PK_SCRIPT_HEADER_H

/* --header: prints the features, stages and events of a recording, in the format of perf script. */

#include "script.h"

/* Call it for a new session, before its records. False: out of memory. */
bool header_start(struct script *script);
/* Call it for each record, before the record itself is printed. */
void header_record(struct script *script, const struct pk_record *record);
/* Prints the header, unless it has been printed. Call it at the end of a session. */
void header_end(struct script *script);
void header_free(struct header *header);

#endif
