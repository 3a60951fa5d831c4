/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSTEM_FEATURES_H
#define PK_SYSTEM_FEATURES_H

/* The features of a stream that describe the machine, as perf record writes them (SPEC 6.2). */

#include "failures.h"
#include "pkstream.h"

/*
 * Writes HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM, CPU_TOPOLOGY,
 * NUMA_TOPOLOGY, PMU_MAPPINGS, CACHE, MEM_TOPOLOGY, CPU_PMU_CAPS and PMU_CAPS. Leaves out features
 * that cannot be determined. `feature` is a buffer in which the function builds each feature.
 * `lookups` counts failures (see pk_is_failure).
 */
void pk_system_features_write(struct pk_feature *feature, struct pk_writer *writer,
			      struct pk_failures *lookups);

#endif
