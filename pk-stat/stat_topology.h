/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_TOPOLOGY_H
#define PK_STAT_TOPOLOGY_H

/* The cores, dies, sockets and nodes of CPUs. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum topology_level { TOPOLOGY_SOCKET, TOPOLOGY_DIE, TOPOLOGY_CORE, TOPOLOGY_NODE };

/* Ids; those of cores and dies are unique within their die or socket. */
struct cpu_place {
	int socket, die, core, node;
};

/* Of a CPU of the running machine. */
struct cpu_place topology_here(int cpu);
/* The number of sockets, dies or cores of the running machine. */
size_t topology_count(enum topology_level level);

/* ---- The machine of a stream ---- */

struct topology {
	struct cpu_place *places; /* by CPU */
	size_t count, capacity;
};

/* Reads the content of a CPU_TOPOLOGY or NUMA_TOPOLOGY feature, as far as it is valid. */
void topology_from_feature(struct topology *topology, uint32_t feature, const uint8_t *data,
			   size_t size);
/* Zeroes if it is unknown. */
struct cpu_place topology_place(const struct topology *topology, int cpu);
void topology_free(struct topology *topology);

#endif
