// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "pkutil.h"
#include "spe_machine.h"

/* The numbers of AUXTRACE_INFO. The first version has only these two. */
enum {
	FIRST_PMU_TYPE,
	FIRST_PER_CPU_MMAPS,
	FIRST_COUNT,
};

/* Later versions have this head, and then the numbers of each CPU. */
enum {
	HEAD_VERSION,
	HEAD_COUNT, /* the number of numbers of the head */
	HEAD_PMU_TYPE,
	HEAD_CPUS,
	HEAD_LEAST,
};

/* The numbers of a CPU. Later versions of perf can add further numbers. */
enum {
	CPU_MAGIC,
	CPU_NUMBER,
	CPU_PARAMETERS, /* the number of the following numbers */
	CPU_HEAD,
	CPU_MIDR = CPU_HEAD,
	CPU_PMU_TYPE,
	CPU_INTERVAL,
	CPU_EVENTS,
};

void spe_machine_clear(struct spe_machine *machine)
{
	pk_table_free_all(&machine->cpus);
	trace_tasks_clear(&machine->tasks);
	*machine = (struct spe_machine){0};
}

void spe_machine_free(struct spe_machine *machine)
{
	spe_machine_clear(machine);
}

/* ---- Models ---- */

static enum pk_status add_cpu(struct spe_machine *machine, uint64_t number,
			      const struct spe_cpu *cpu)
{
	struct spe_cpu *item;

	if (number >= UINT32_MAX)
		return PK_OK;
	if (!machine->cpus.count)
		machine->common = *cpu;
	machine->uniform &= cpu->midr == machine->common.midr;
	item = pk_table_get_or_add(&machine->cpus, number + 1, sizeof(*item));
	if (!item)
		return PK_NOMEM;
	*item = *cpu;
	return PK_OK;
}

/* Reads the numbers of the CPUs. `count` is the number of numbers from `priv` on. */
static enum pk_status read_cpus(struct spe_machine *machine, const uint8_t *priv, size_t count)
{
	size_t at = 0;

	machine->uniform = true;
	while (count - at > CPU_HEAD) {
		const uint8_t *numbers = priv + 8 * at;
		const uint64_t parameters = pk_load_u64(numbers + 8 * CPU_PARAMETERS);
		struct spe_cpu cpu = {0};

		if (!parameters || parameters > count - at - CPU_HEAD)
			return PK_OK;
		cpu.midr = pk_load_u64(numbers + 8 * CPU_MIDR);
		if (parameters > CPU_EVENTS - CPU_HEAD)
			cpu.reported = pk_load_u64(numbers + 8 * CPU_EVENTS);
		PK_TRY(add_cpu(machine, pk_load_u64(numbers + 8 * CPU_NUMBER), &cpu));
		at += CPU_HEAD + parameters;
	}
	return PK_OK;
}

enum pk_status spe_machine_info(struct spe_machine *machine, const struct pk_record *record)
{
	const struct perf_record_auxtrace_info *info = (const void *)record->data;
	const uint8_t *priv = (const uint8_t *)info->priv;
	const size_t count = (record->size - sizeof(*info)) / 8;
	uint64_t head;

	if (count < HEAD_LEAST) {
		if (count > FIRST_PMU_TYPE)
			machine->pmu_type = (uint32_t)pk_load_u64(priv + 8 * FIRST_PMU_TYPE);
		machine->common.midr = machine->described;
		machine->uniform = true;
		return PK_OK;
	}
	machine->pmu_type = (uint32_t)pk_load_u64(priv + 8 * HEAD_PMU_TYPE);
	head = pk_load_u64(priv + 8 * HEAD_COUNT);
	return head >= HEAD_LEAST && head <= count
		       ? read_cpus(machine, priv + 8 * head, count - head)
		       : PK_OK;
}

struct spe_cpu spe_machine_cpu(const struct spe_machine *machine, uint32_t cpu)
{
	const struct spe_cpu *item =
		cpu == UINT32_MAX ? NULL : pk_table_get(&machine->cpus, (uint64_t)cpu + 1);

	if (item)
		return *item;
	return machine->uniform && (cpu == UINT32_MAX || !machine->cpus.count)
		       ? machine->common
		       : (struct spe_cpu){0};
}

/* ---- Tasks ---- */

enum pk_status spe_machine_record(struct spe_machine *machine, const struct pk_record *record,
				  const struct pk_event *event)
{
	char text[64];

	if (record->type == PERF_RECORD_HEADER_FEATURE &&
	    pk_feature_id(record) == PERF_FEATURE_CPUID &&
	    pk_feature_get_string(record, text, sizeof(text)))
		machine->described = strtoull(text, NULL, 16);
	return trace_tasks_record(&machine->tasks, record, event);
}

enum pk_status spe_machine_task(struct spe_machine *machine, const struct spe_operation *operation,
				uint32_t *pid, uint32_t *tid)
{
	const struct spe_record *record = operation->record;
	const uint32_t running = trace_tasks_running(&machine->tasks, operation->cpu);

	*tid = running == UINT32_MAX ? operation->tid : running;
	if (record->has_context) {
		*tid = (uint32_t)record->context;
		PK_TRY(trace_tasks_run(&machine->tasks, operation->cpu, *tid));
	}
	*pid = trace_tasks_pid(&machine->tasks, *tid);
	return PK_OK;
}
