/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PMU_H
#define PK_PMU_H

/* Performance monitoring units as described by sysfs, in bus/event_source/devices/PMU: type,
 * format/TERM ("config:0-7,32-35"), events/NAME ("event=0x3c,umask=1") with NAME.unit, NAME.scale,
 * NAME.per-pkg and NAME.snapshot, cpus or cpumask ("0-3"). Failed reads are counted in lookups
 * (pk_is_failure). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

/* The mount point of sysfs: chosen if it is not NULL, else $SYSFS_PATH as in perf, else /sys. */
const char *pk_pmu_sysfs(const char *chosen);

struct pmu_names {
	char **items;
	size_t count;
};

/* The names of all PMUs, sorted. Empty if sysfs has none. */
struct pmu_names pk_pmu_list(const char *sysfs, struct pk_failures *lookups);
/* The names of the files in a folder of a PMU, "format", "events" or "caps", sorted. NAME.unit,
 * .scale, .per-pkg and .snapshot are left out. */
struct pmu_names pk_pmu_files(const char *sysfs, const char *pmu, const char *folder,
			      struct pk_failures *lookups);
void pk_pmu_names_free(struct pmu_names *names);

/* The number of a PMU, for attr.type. Returns false if it is unknown. */
bool pk_pmu_type(const char *sysfs, const char *pmu, uint32_t *type, struct pk_failures *lookups);
/* Whether it counts events of the CPU cores: "cpu", or a PMU with a file cpus. */
bool pk_pmu_is_core(const char *sysfs, const char *pmu, struct pk_failures *lookups);
/* The PMUs of the CPU cores if the machine has several kinds of cores. Otherwise there are none. */
struct pmu_names pk_pmu_hybrid(const char *sysfs, struct pk_failures *lookups);
/* Reads the first line of a file in the folder of a PMU, such as "format/event". Returns false if
 * it cannot be read, or the names are not plain. */
bool pk_pmu_read(const char *sysfs, const char *pmu, const char *file, char *text, size_t size,
		 struct pk_failures *lookups);
/* The CPUs on which its events must be opened (cpus, or else cpumask), to be freed. NULL means any,
 * also if the list is malformed, which is counted in lookups. */
int *pk_pmu_cpus(const char *sysfs, const char *pmu, size_t *count, struct pk_failures *lookups);

/* The place of a term's value in an attr: bits of one of its words. */
struct pmu_format {
	unsigned int word; /* 0: config, 1 to 4: config1 to config4 */
	uint64_t bits;
};

/* Parses a format such as "config1:0-7,32". Returns false if it is malformed. */
bool pk_pmu_format_parse(const char *text, struct pmu_format *format);
/* The largest value that fits into the bits of the format. */
uint64_t pk_pmu_format_most(const struct pmu_format *format);
/* Moves the bits of value, from the lowest on, to the bits of the format, from the lowest on. */
uint64_t pk_pmu_format_place(const struct pmu_format *format, uint64_t value);

#endif
