// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkutil.h"
#include "sockets.h"

/* The bytes of a feature that were not read yet. */
struct rest {
	const uint8_t *data;
	size_t size;
	bool cut; /* the feature ends before a number or text */
};

static uint32_t read_u32(struct rest *rest)
{
	uint32_t value;

	if (rest->cut || rest->size < sizeof(value)) {
		rest->cut = true;
		return 0;
	}
	value = pk_load_u32(rest->data);
	rest->data += sizeof(value);
	rest->size -= sizeof(value);
	return value;
}

/* Skips a list of strings. */
static void skip_list(struct rest *rest)
{
	const uint32_t count = read_u32(rest);

	for (uint32_t i = 0; i < count && !rest->cut; i++) {
		const uint32_t size = read_u32(rest);

		rest->cut |= size > rest->size;
		if (rest->cut)
			break;
		rest->data += size;
		rest->size -= size;
	}
}

/* SPEC 6.2: The feature contains the lists of cores and of threads, and then a core and a socket
 * for each CPU. */
static enum pk_status read_topology(struct pk_sockets *sockets, struct rest *rest)
{
	const size_t count = sockets->cpus;
	uint32_t *list;

	skip_list(rest);
	skip_list(rest);
	if (rest->cut || !count || rest->size / (2 * sizeof(*list)) < count)
		return PK_OK;
	list = malloc(count * sizeof(*list));
	if (!list)
		return PK_NOMEM;
	for (size_t i = 0; i < count; i++) {
		(void)read_u32(rest);
		list[i] = read_u32(rest);
	}
	free(sockets->sockets);
	sockets->sockets = list;
	sockets->count = count;
	return PK_OK;
}

enum pk_status pk_sockets_feature(struct pk_sockets *sockets,
				  const struct pk_feature_content *feature)
{
	struct rest rest = {feature->data, feature->size, false};

	if (feature->id == PERF_FEATURE_NRCPUS)
		sockets->cpus = read_u32(&rest);
	return feature->id == PERF_FEATURE_CPU_TOPOLOGY ? read_topology(sockets, &rest) : PK_OK;
}

uint32_t pk_socket_of(const struct pk_sockets *sockets, uint32_t cpu)
{
	return cpu < sockets->count ? sockets->sockets[cpu] : UINT32_MAX;
}

void pk_sockets_forget(struct pk_sockets *sockets)
{
	free(sockets->sockets);
	*sockets = (struct pk_sockets){0};
}
