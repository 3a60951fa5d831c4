/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef OTLP_RESOURCES_H
#define OTLP_RESOURCES_H

/* The recorded machines, with their samples. Sessions of one machine are one resource. */

#include "samples.h"
#include "texts.h"

struct otlp_resources {
	struct otlp_resource {
		struct pk_machine_names machine;
		struct cells cells;
		uint64_t session; /* the first one, which the times are of */
		uint64_t first, last, wall_offset;
	} * items;
	size_t count, capacity;
	/* Private to the resources: */
	struct pk_texts names;
	uint64_t session; /* that of `current` */
	uint32_t current; /* number */
};

/* Adds a sample to the resource of its session. False: out of memory. */
bool otlp_resources_add(struct otlp_resources *resources, const struct export_samples *samples,
			const struct export_sample *sample);
/* Adds a message of type Resource. */
void otlp_resource_message(const struct otlp_resource *resource, struct buffer *out);
void otlp_resources_free(struct otlp_resources *resources);

#endif
