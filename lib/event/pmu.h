/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PMU_H
#define PK_PMU_H

/* Performance monitoring units (PMUs), as sysfs describes them in bus/event_source/devices/PMU:
 *   type
 *   format/TERM        "config:0-7,32-35"
 *   events/NAME        "event=0x3c,umask=1", with NAME.unit, NAME.scale, NAME.per-pkg and
 *                      NAME.snapshot
 *   cpus or cpumask    "0-3"
 * Failed reads are counted in lookups (see pk_is_failure). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

/* Returns the mount point of sysfs. This is `chosen` if it is not NULL, or $SYSFS_PATH as in perf,
 * or else /sys. */
const char *pk_pmu_sysfs(const char *chosen);

struct pmu_names {
	char **items;
	size_t count;
};

/* Returns the names of all PMUs, sorted. The list is empty if sysfs has no PMUs. */
struct pmu_names pk_pmu_list(const char *sysfs, struct pk_failures *lookups);
/* Returns the sorted names of the files in a directory of a PMU: "format", "events" or "caps".
 * Files such as NAME.unit, NAME.scale, NAME.per-pkg and NAME.snapshot are left out. */
struct pmu_names pk_pmu_files(const char *sysfs, const char *pmu, const char *folder,
			      struct pk_failures *lookups);
void pk_pmu_names_free(struct pmu_names *names);

/* Reads the type of a PMU, which is the number for attr.type. Returns false if it is unknown. */
bool pk_pmu_type(const char *sysfs, const char *pmu, uint32_t *type, struct pk_failures *lookups);
/* Returns true if the PMU counts events of the CPU cores. Such a PMU is called "cpu", or has a file
 * cpus. */
bool pk_pmu_is_core(const char *sysfs, const char *pmu, struct pk_failures *lookups);
/* Returns the PMUs of the CPU cores if the machine has several kinds of cores. Otherwise the list
 * is empty. */
struct pmu_names pk_pmu_hybrid(const char *sysfs, struct pk_failures *lookups);
/* Reads the first line of a file in the directory of a PMU, such as "format/event". Returns false
 * if the file cannot be read, or if a name could lead outside of the directory. */
bool pk_pmu_read(const char *sysfs, const char *pmu, const char *file, char *text, size_t size,
		 struct pk_failures *lookups);
/* Returns the CPUs on which the events of the PMU must be opened (the file cpus, or else cpumask).
 * The caller frees the array. NULL means any CPU. It is also returned if the list in the file is
 * malformed, which is counted in lookups. */
int *pk_pmu_cpus(const char *sysfs, const char *pmu, size_t *count, struct pk_failures *lookups);

/* The place of the value of a term in an attr: certain bits of one of the words config to config4.
 */
struct pmu_format {
	unsigned int word; /* 0 for config, 1 to 4 for config1 to config4 */
	uint64_t bits;
};

/* Parses a format such as "config1:0-7,32". Returns false if it is malformed. */
bool pk_pmu_format_parse(const char *text, struct pmu_format *format);
/* Returns the largest value that fits into the bits of the format. */
uint64_t pk_pmu_format_most(const struct pmu_format *format);
/* Distributes the bits of value to the bits of the format. The lowest bit of value becomes the
 * lowest bit of the format. */
uint64_t pk_pmu_format_place(const struct pmu_format *format, uint64_t value);

#endif
