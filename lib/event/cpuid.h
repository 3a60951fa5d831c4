/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CPUID_H
#define PK_CPUID_H

/* What processor this is, as the mapfile.csv of pmu-events have it. */

#include <stdbool.h>
#include <stddef.h>

#include "failures.h"

/* $PERF_CPUID, else "AuthenticAMD-25-1-0" (vendor, family, model and stepping), or the midr_el1 of
 * arm64 without revision and variant. False if it cannot be told. */
bool cpuid_text(char *text, size_t size, struct pk_failures *lookups);
/* The same of this machine as recordings have it: "AuthenticAMD,25,1,0". */
bool cpuid_recorded(char *text, size_t size, struct pk_failures *lookups);
/* Is it one that an extended regular expression describes? Patterns may do without the stepping. */
bool cpuid_matches(const char *pattern, const char *cpuid);
/* The folder that a mapfile.csv ("PATTERN,VERSION,FOLDER,TYPE") has for a processor. False if it
 * has none. */
bool cpuid_folder(const char *mapfile, const char *cpuid, char *folder, size_t size,
		  struct pk_failures *lookups);

#endif
