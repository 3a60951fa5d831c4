/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_TOPOLOGY_H
#define PK_STAT_TOPOLOGY_H

/* Finds the cores, clusters, caches, dies, sockets and NUMA nodes of CPUs. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum topology_level { TOPOLOGY_SOCKET, TOPOLOGY_DIE, TOPOLOGY_CORE, TOPOLOGY_NODE };

/* The number of levels of caches that pk-stat knows. */
#define CACHE_LEVELS 4

/* The ids of the units of a machine that contain a CPU. The id of a core is unique only in its die.
 * The id of a die is unique only in its socket. */
struct cpu_place {
	int socket, die, core, node;
	int cluster;
	int caches[CACHE_LEVELS]; /* for each level, 1 + the lowest CPU that shares the cache; 0 if
				   * the CPU has no cache of this level */
};

/* Returns the highest level at which the CPU has a cache, or 0. */
int topology_last_cache(const struct cpu_place *place);

/* Returns the place of a CPU of the running machine, from sysfs. Unknown ids are 0. */
struct cpu_place topology_here(int cpu);
/* Returns the number of sockets, dies or cores of the running machine that have online CPUs. The
 * result is at most 1024. It is 1 if the number is unknown. */
size_t topology_count(enum topology_level level);

/* ---- The machine of a stream ---- */

/* The places of the CPUs of the machine on which a stream was recorded. */
struct topology {
	struct cpu_place *places; /* the index is the number of the CPU */
	size_t count, capacity;
};

/* Reads the content of an NRCPUS, CPU_TOPOLOGY, NUMA_TOPOLOGY or CACHE feature, as far as it is
 * valid. Streams do not contain clusters.
 * Ignores other features. NRCPUS must come before CPU_TOPOLOGY. */
void topology_from_feature(struct topology *topology, uint32_t feature, const uint8_t *data,
			   size_t size);
/* Returns the place of a CPU in the stream. All ids are 0 if the place is unknown. */
struct cpu_place topology_place(const struct topology *topology, int cpu);
void topology_free(struct topology *topology);

#endif
