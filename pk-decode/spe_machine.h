/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SPE_MACHINE_H
#define PK_SPE_MACHINE_H

/* What the records of a session tell about the machine of an SPE trace: the models of its CPUs, its
 * threads, and the thread that runs on each CPU. */

#include "pkstream.h"
#include "spe_queues.h"
#include "table.h"
#include "trace_tasks.h"

/* A CPU. */
struct spe_cpu {
	uint64_t midr;	   /* the main ID register; 0 if it is unknown */
	uint64_t reported; /* the events that the CPU can report; 0 if they are unknown */
};

/* All bytes 0 is a machine about which nothing is known. */
struct spe_machine {
	uint32_t pmu_type;     /* of the event that recorded the trace */
	struct pk_table cpus;  /* struct spe_cpu, by number of the CPU plus 1 */
	struct spe_cpu common; /* of CPUs that are not in `cpus`, and of traces without a CPU */
	bool uniform;	       /* all CPUs have the same model */
	uint64_t described;    /* MIDR from the feature CPUID */
	struct trace_tasks tasks;
};

/* Forgets everything, for a new session. */
void spe_machine_clear(struct spe_machine *machine);
void spe_machine_free(struct spe_machine *machine);
/* Evaluates AUXTRACE_INFO. */
PK_MUST_CHECK enum pk_status spe_machine_info(struct spe_machine *machine,
					      const struct pk_record *record);
/* Evaluates another record. `event` is its event, or NULL. */
PK_MUST_CHECK enum pk_status spe_machine_record(struct spe_machine *machine,
						const struct pk_record *record,
						const struct pk_event *event);
/* Returns what is known about a CPU. `cpu` is UINT32_MAX if it is unknown. */
struct spe_cpu spe_machine_cpu(const struct spe_machine *machine, uint32_t cpu);
/* Finds the thread of an operation. Unknown ids are UINT32_MAX. Call it for the operations in the
 * order of time, because the context in an operation is valid until the next context. */
PK_MUST_CHECK enum pk_status spe_machine_task(struct spe_machine *machine,
					      const struct spe_operation *operation, uint32_t *pid,
					      uint32_t *tid);

#endif
