// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu.h"
#include "trace_pmu.h"
#include "traces.h"

uint32_t pk_trace_pmu_kind(const char *pmu)
{
	if (!pmu)
		return 0;
	if (!strcmp(pmu, "intel_pt"))
		return PK_TRACE_INTEL_PT;
	if (!strcmp(pmu, "cs_etm"))
		return PK_TRACE_CORESIGHT;
	return strncmp(pmu, "arm_spe_", 8) ? 0 : PK_TRACE_ARM_SPE;
}

/* The PMUs, and why a machine can lack them. */
static const struct {
	const char *name, *absence;
} pmus[] = {
	{"intel_pt", "Intel PT needs an Intel processor since Broadwell, and a virtual machine "
		     "usually hides it"},
	{"cs_etm", "CoreSight needs an Arm processor with trace units that the firmware "
		   "describes, and the drivers coresight-etm4x and coresight-tmc"},
	{"arm_spe", "Arm SPE needs an Arm processor that has it, the driver arm_spe_pmu, and "
		    "usually the kernel parameter kpti=off"},
};
#define PMUS_COUNT (sizeof(pmus) / sizeof(pmus[0]))

const char *pk_trace_pmu_name(size_t index)
{
	return index < PMUS_COUNT ? pmus[index].name : NULL;
}

const char *pk_trace_pmu_absence(const char *name)
{
	for (size_t i = 0; i < PMUS_COUNT; i++) {
		const size_t length = strlen(pmus[i].name);

		if (!strncmp(name, pmus[i].name, length) &&
		    strspn(name + length, "_0123456789") == strlen(name + length))
			return pmus[i].absence;
	}
	return NULL;
}

uint64_t pk_trace_pmu_number(const char *sysfs, const char *pmu, const char *file, int base,
			     uint64_t otherwise, struct pk_failures *lookups)
{
	char text[64], *end;
	uint64_t number;

	if (!pk_pmu_read(sysfs, pmu, file, text, sizeof(text), lookups))
		return otherwise;
	number = strtoull(text, &end, base);
	return end == text ? otherwise : number;
}

uint64_t pk_trace_pmu_bits(const char *sysfs, const char *pmu, const char *term,
			   struct pk_failures *lookups)
{
	struct pmu_format format;
	char file[64], text[256];

	snprintf(file, sizeof(file), "format/%s", term);
	return pk_pmu_read(sysfs, pmu, file, text, sizeof(text), lookups) &&
			       pk_pmu_format_parse(text, &format) && !format.word
		       ? format.bits
		       : 0;
}

bool pk_trace_pmu_register(const char *sysfs, const char *pmu, int cpu, const char *file,
			   uint64_t *value, struct pk_failures *lookups)
{
	char path[64], text[64], *end;

	snprintf(path, sizeof(path), "cpu%d/%s", cpu, file);
	if (!pk_pmu_read(sysfs, pmu, path, text, sizeof(text), lookups))
		return false;
	*value = strtoull(text, &end, 16);
	return end != text;
}

/* ---- Default terms ---- */

/* Bit n of `periods` is set if the trace unit supports the period n. Returns the largest supported
 * period that is not larger than 3. If there is none, returns the smallest one. */
static uint64_t choose_period(uint64_t periods)
{
	const uint64_t small = periods & 0xf;

	return (uint64_t)(small ? 63 - __builtin_clzll(small) : __builtin_ctzll(periods));
}

/* Times are in TSC packets. MTC packets are more frequent, and have a few bits of the time. A
 * decoder can start at each PSB packet. */
static size_t intel_pt_defaults(const char *sysfs, const char *pmu, struct trace_term *terms,
				struct pk_failures *lookups)
{
	const bool mtc = pk_trace_pmu_number(sysfs, pmu, "caps/mtc", 10, 1, lookups);
	const bool psb = pk_trace_pmu_number(sysfs, pmu, "caps/psb_cyc", 10, 1, lookups);
	const uint64_t mtc_periods =
		mtc ? pk_trace_pmu_number(sysfs, pmu, "caps/mtc_periods", 16, 0, lookups) : 0;
	const uint64_t psb_periods =
		psb ? pk_trace_pmu_number(sysfs, pmu, "caps/psb_periods", 16, 0, lookups) : 0;
	size_t count = 0;

	terms[count++] = (struct trace_term){"tsc", 1};
	if (mtc_periods) {
		terms[count++] = (struct trace_term){"mtc", 1};
		terms[count++] = (struct trace_term){"mtc_period", choose_period(mtc_periods)};
	}
	if (mtc_periods && psb_periods)
		terms[count++] = (struct trace_term){"psb_period", choose_period(psb_periods)};
	if (pk_trace_pmu_bits(sysfs, pmu, "pt", lookups) &&
	    pk_trace_pmu_bits(sysfs, pmu, "branch", lookups)) {
		terms[count++] = (struct trace_term){"pt", 1};
		terms[count++] = (struct trace_term){"branch", 1};
	}
	return count;
}

/* Bits of TRCIDR0 and TRCIDR2. */
#define TIME_SIZE(trcidr0)    ((trcidr0) >> 24 & 0x1f)
#define CONTEXT_SIZE(trcidr2) ((trcidr2) >> 5 & 0x1f)
#define VM_SIZE(trcidr2)      ((trcidr2) >> 10 & 0x1f)
#define VM_OPTIONS(trcidr2)   ((trcidr2) >> 29 & 3)
#define SIZE_32_BITS	      4
#define CONTEXT_OF_HYPERVISOR (UINT64_C(1) << 15) /* a bit of the term contextid */

/* Returns the first CPU that has a trace unit, or -1. */
static int first_cpu(const char *sysfs, const char *pmu, struct pk_failures *lookups)
{
	uint64_t value;

	for (int cpu = 0; cpu < 1024; cpu++)
		if (pk_trace_pmu_register(sysfs, pmu, cpu, "trcidr/trcidr0", &value, lookups))
			return cpu;
	return -1;
}

/* Times and ids of threads are in the trace if the trace units support them. */
static size_t coresight_defaults(const char *sysfs, const char *pmu, struct trace_term *terms,
				 struct pk_failures *lookups)
{
	const int cpu = first_cpu(sysfs, pmu, lookups);
	const uint64_t context = pk_trace_pmu_bits(sysfs, pmu, "contextid", lookups);
	uint64_t trcidr0 = 0, trcidr2 = 0;
	size_t count = 0;
	bool has_context;

	if (cpu < 0 ||
	    !pk_trace_pmu_register(sysfs, pmu, cpu, "trcidr/trcidr0", &trcidr0, lookups) ||
	    !pk_trace_pmu_register(sysfs, pmu, cpu, "trcidr/trcidr2", &trcidr2, lookups))
		return 0;
	has_context = context & CONTEXT_OF_HYPERVISOR
			      ? VM_OPTIONS(trcidr2) && VM_SIZE(trcidr2) >= SIZE_32_BITS
			      : CONTEXT_SIZE(trcidr2) == SIZE_32_BITS;
	if (context && has_context)
		terms[count++] = (struct trace_term){"contextid", 1};
	if (TIME_SIZE(trcidr0))
		terms[count++] = (struct trace_term){"timestamp", 1};
	return count;
}

size_t pk_trace_pmu_defaults(const char *sysfs, const char *pmu,
			     struct trace_term terms[TRACE_TERMS_MAX], struct pk_failures *lookups)
{
	switch (pk_trace_pmu_kind(pmu)) {
	case PK_TRACE_INTEL_PT: return intel_pt_defaults(sysfs, pmu, terms, lookups);
	case PK_TRACE_CORESIGHT: return coresight_defaults(sysfs, pmu, terms, lookups);
	case PK_TRACE_ARM_SPE: terms[0] = (struct trace_term){"ts_enable", 1}; return 1;
	default: return 0;
	}
}
