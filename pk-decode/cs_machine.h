/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CS_MACHINE_H
#define PK_CS_MACHINE_H

/* The trace units of a recording with CoreSight traces. */

#include "cs_library.h"

struct cs_cpu {
	uint32_t cpu;
	struct cs_unit unit;
	uint32_t id;   /* the trace ID in frames; UINT32_MAX if it is unknown */
	uint32_t sink; /* units with the same trace ID have different sinks */
};

/* All bytes 0 has no units. */
struct cs_machine {
	uint32_t pmu_type;
	struct cs_cpu *cpus;
	size_t count, capacity;
};

/* Evaluates AUXTRACE_INFO. Returns PK_NOMEM. */
PK_MUST_CHECK enum pk_status cs_machine_info(struct cs_machine *machine,
					     const struct pk_record *record);
/* Evaluates AUX_OUTPUT_HW_ID: the trace ID of a CPU. */
void cs_machine_id(struct cs_machine *machine, const struct pk_record *record, uint32_t cpu);
/* Returns the unit of a CPU, or NULL. */
const struct cs_cpu *cs_machine_cpu(const struct cs_machine *machine, uint32_t cpu);
/* Returns the unit with a trace ID in the buffer of a CPU, or NULL. */
const struct cs_cpu *cs_machine_traced(const struct cs_machine *machine, uint32_t cpu, uint8_t id);
void cs_machine_clear(struct cs_machine *machine);

#endif
