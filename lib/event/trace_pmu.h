/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TRACE_PMU_H
#define PK_TRACE_PMU_H

/* PMUs that write hardware traces: Intel PT, Arm CoreSight and Arm SPE. sysfs has more files of
 * them:
 *   caps/NAME              what the trace unit supports
 *   max_nonturbo_ratio     intel_pt
 *   sinks/NAME             cs_etm: the number of a buffer that the trace can go to
 *   cpuN/trcidr/trcidr0    cs_etm: registers of the trace unit of a CPU
 *   nr_addr_filters        how many ranges --filter can have */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

/* Returns the kind of the trace that the PMU writes (enum pk_trace_kind), or 0 for other PMUs. */
uint32_t pk_trace_pmu_kind(const char *pmu);
/* Returns the name of a PMU for traces. The index starts with 0. Returns NULL after the last one.
 * The PMUs of Arm SPE have a number after this name. */
const char *pk_trace_pmu_name(size_t index);
/* Says why a machine can lack the PMU with this name. Returns NULL if it is no PMU for traces. */
const char *pk_trace_pmu_absence(const char *name);
/* Returns the number in a file of the PMU, in this base. Returns `otherwise` if the file does not
 * exist. */
uint64_t pk_trace_pmu_number(const char *sysfs, const char *pmu, const char *file, int base,
			     uint64_t otherwise, struct pk_failures *lookups);
/* Returns the bits of config in which the PMU expects the value of a term. Returns 0 if the PMU has
 * no such term, or expects it in another word. */
uint64_t pk_trace_pmu_bits(const char *sysfs, const char *pmu, const char *term,
			   struct pk_failures *lookups);
/* Returns a number in the folder of a CPU, in hexadecimal digits. Returns false if the file does
 * not exist. */
bool pk_trace_pmu_register(const char *sysfs, const char *pmu, int cpu, const char *file,
			   uint64_t *value, struct pk_failures *lookups);

/* The default terms of an event. */
struct trace_term {
	const char *name;
	uint64_t value;
};

#define TRACE_TERMS_MAX 8

/* Sets `terms` to the terms that an event of the PMU has unless the user gives others. They are
 * those of perf record. Returns their number, which is at most TRACE_TERMS_MAX. */
size_t pk_trace_pmu_defaults(const char *sysfs, const char *pmu,
			     struct trace_term terms[TRACE_TERMS_MAX], struct pk_failures *lookups);

#endif
