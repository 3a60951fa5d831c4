/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CPUID_H
#define PK_CPUID_H

/* The identification of the processor, in the form of pmu-events' mapfile.csv. */

#include <stdbool.h>
#include <stddef.h>

#include "failures.h"

/* Writes the identification of this processor. On arm64, this is the register midr_el1 without
 * revision and variant. On other machines, it is vendor, family (decimal), model and stepping
 * (hexadecimal), such as "AuthenticAMD-25-1-0". If $PK_CPUID or $PERF_CPUID is set, writes its
 * value instead. Returns false if the processor is unknown. */
bool pk_cpuid_text(char *text, size_t size, struct pk_failures *lookups);
/* Writes the identification in the format of the feature CPUID in recordings. On arm64, this is the
 * text of pk_cpuid_text(). On other machines, it is a text such as "AuthenticAMD,25,1,0", where all
 * numbers are decimal. $PK_CPUID is ignored. */
bool pk_cpuid_recorded(char *text, size_t size, struct pk_failures *lookups);
/* Returns true if an extended regular expression matches the whole cpuid, or the cpuid without its
 * last field (the stepping). */
bool pk_cpuid_matches(const char *pattern, const char *cpuid);
/* Finds the directory for a processor in a mapfile.csv, whose lines are
 * PATTERN,VERSION,FOLDER,TYPE. Returns false if no line matches. */
bool pk_cpuid_folder(const char *mapfile, const char *cpuid, char *folder, size_t size,
		     struct pk_failures *lookups);

#endif
