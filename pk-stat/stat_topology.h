/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_TOPOLOGY_H
#define PK_STAT_TOPOLOGY_H

/* What processors belong to. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum topology_level { TOPOLOGY_SOCKET, TOPOLOGY_DIE, TOPOLOGY_CORE, TOPOLOGY_NODE };

/* Ids; those of cores and dies are unique within what holds them. */
struct cpu_place {
	int socket, die, core, node;
};

/* Of a processor of the running machine. */
struct cpu_place topology_here(int cpu);
/* How many sockets, dies or cores the running machine has. */
size_t topology_count(enum topology_level level);

/* ---- Of the machine of a stream ---- */

struct topology {
	struct cpu_place *places; /* by CPU */
	size_t count, capacity;
};

/* Takes the content of a CPU_TOPOLOGY or NUMA_TOPOLOGY feature, as far as it makes sense. */
void topology_from_feature(struct topology *topology, uint32_t feature, const uint8_t *data,
			   size_t size);
/* Zeroes where nothing is known. */
struct cpu_place topology_place(const struct topology *topology, int cpu);
void topology_free(struct topology *topology);

#endif
