/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CPUID_H
#define PK_CPUID_H

/* The identification of the processor, in the form of pmu-events' mapfile.csv. */

#include <stdbool.h>
#include <stddef.h>

#include "failures.h"

/* $PERF_CPUID, else "AuthenticAMD-25-1-0" (vendor, family, model and stepping), or the midr_el1 of
 * arm64 without revision and variant. False: unknown. */
bool cpuid_text(char *text, size_t size, struct pk_failures *lookups);
/* The same in the format of recordings: "AuthenticAMD,25,1,0". */
bool cpuid_recorded(char *text, size_t size, struct pk_failures *lookups);
/* Whether an extended regular expression matches the processor. Patterns can omit the stepping. */
bool cpuid_matches(const char *pattern, const char *cpuid);
/* The folder for a processor in a mapfile.csv ("PATTERN,VERSION,FOLDER,TYPE"). False: none. */
bool cpuid_folder(const char *mapfile, const char *cpuid, char *folder, size_t size,
		  struct pk_failures *lookups);

#endif
