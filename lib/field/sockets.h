/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SOCKETS_H
#define PK_SOCKETS_H

#include "pkprivate.h"

/* The socket of each CPU, from the features NRCPUS and CPU_TOPOLOGY. All members are zero if the
 * sockets are unknown. */
struct pk_sockets {
	uint32_t cpus;	   /* the number of CPUs in the feature NRCPUS, which is also the number of
			    * items in `sockets` */
	uint32_t *sockets; /* the socket of each CPU; the index is the CPU; UINT32_MAX if the socket
			    * is unknown */
	size_t count;
};

/* Evaluates a feature. Ignores other features and malformed ones. Returns PK_NOMEM if memory is
 * exhausted. */
PK_MUST_CHECK enum pk_status pk_sockets_feature(struct pk_sockets *sockets,
						const struct pk_feature_content *feature);
/* Returns the socket of a CPU, or UINT32_MAX if it is unknown. */
uint32_t pk_socket_of(const struct pk_sockets *sockets, uint32_t cpu);
void pk_sockets_forget(struct pk_sockets *sockets);

#endif
