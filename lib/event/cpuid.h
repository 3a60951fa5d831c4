/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CPUID_H
#define PK_CPUID_H

/* The identification of the processor, in the form of pmu-events' mapfile.csv. */

#include <stdbool.h>
#include <stddef.h>

#include "failures.h"

/* Writes $PERF_CPUID if it is set. Otherwise, writes on arm64 the register midr_el1 without
 * revision and variant, and elsewhere "AuthenticAMD-25-1-0": vendor, family (decimal), model and
 * stepping (hexadecimal). Returns false if it is unknown. */
bool pk_cpuid_text(char *text, size_t size, struct pk_failures *lookups);
/* The same in the format of the feature CPUID in recordings: on arm64 unchanged, else
 * "AuthenticAMD,25,1,0", all decimal. $PERF_CPUID is ignored. */
bool pk_cpuid_recorded(char *text, size_t size, struct pk_failures *lookups);
/* Whether an extended regular expression matches the whole cpuid, or the cpuid without its last
 * part, the stepping. */
bool pk_cpuid_matches(const char *pattern, const char *cpuid);
/* The folder for a processor, from a mapfile.csv with lines PATTERN,VERSION,FOLDER,TYPE. Returns
 * false if there is none. */
bool pk_cpuid_folder(const char *mapfile, const char *cpuid, char *folder, size_t size,
		     struct pk_failures *lookups);

#endif
