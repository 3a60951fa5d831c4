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
	pk_table_free(&machine->pids);
	pk_table_free(&machine->running);
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

static enum pk_status set_pid(struct spe_machine *machine, uint32_t tid, uint32_t pid)
{
	return pk_table_set_u64(&machine->pids, (uint64_t)tid + 1, (uint64_t)pid + 1);
}

static enum pk_status set_running(struct spe_machine *machine, uint32_t cpu, uint32_t tid)
{
	return cpu == UINT32_MAX
		       ? PK_OK
		       : pk_table_set_u64(&machine->running, (uint64_t)cpu + 1, (uint64_t)tid + 1);
}

/* Returns the CPU of a record that is not a sample, or UINT32_MAX. */
static uint32_t cpu_of(const struct pk_record *record, const struct pk_event *event)
{
	const uint16_t at = event ? event->layout.trailer.cpu : 0;

	return at && at <= record->size ? pk_load_u32(record->data + record->size - at)
					: UINT32_MAX;
}

/* Returns the thread of the trailer, or UINT32_MAX. */
static uint32_t tid_of(const struct pk_record *record, const struct pk_event *event)
{
	const uint16_t at = event ? event->layout.trailer.tid : 0;

	return at && at <= record->size ? pk_record_task(record, record->size - at)->tid
					: UINT32_MAX;
}

static enum pk_status note_switch(struct spe_machine *machine, const struct pk_record *record,
				  const struct pk_event *event)
{
	const struct perf_record_switch_cpu_wide *wide = (const void *)record->data;
	const bool out = record->misc & PERF_RECORD_MISC_SWITCH_OUT;
	uint32_t tid = tid_of(record, event);

	if (out && record->type == PERF_RECORD_SWITCH)
		return PK_OK;
	if (out)
		tid = wide->next_prev_tid;
	return tid == UINT32_MAX ? PK_OK : set_running(machine, cpu_of(record, event), tid);
}

enum pk_status spe_machine_record(struct spe_machine *machine, const struct pk_record *record,
				  const struct pk_event *event)
{
	const struct perf_record_comm *comm = (const void *)record->data;
	const struct perf_record_task *fork = (const void *)record->data;
	char text[64];

	switch (record->type) {
	case PERF_RECORD_COMM: return set_pid(machine, comm->tid, comm->pid);
	case PERF_RECORD_FORK: return set_pid(machine, fork->tid, fork->pid);
	case PERF_RECORD_ITRACE_START:
		PK_TRY(set_pid(machine, comm->tid, comm->pid));
		return set_running(machine, cpu_of(record, event), comm->tid);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: return note_switch(machine, record, event);
	case PERF_RECORD_HEADER_FEATURE:
		if (pk_feature_id(record) == PERF_FEATURE_CPUID &&
		    pk_feature_get_string(record, text, sizeof(text)))
			machine->described = strtoull(text, NULL, 16);
		return PK_OK;
	default: return PK_OK;
	}
}

enum pk_status spe_machine_task(struct spe_machine *machine, const struct spe_operation *operation,
				uint32_t *pid, uint32_t *tid)
{
	const struct spe_record *record = operation->record;
	uint64_t found = 0;

	*tid = operation->tid;
	if (record->has_context) {
		*tid = (uint32_t)record->context;
		PK_TRY(set_running(machine, operation->cpu, *tid));
	} else if (operation->cpu != UINT32_MAX) {
		found = pk_table_get_u64(&machine->running, (uint64_t)operation->cpu + 1);
		if (found)
			*tid = (uint32_t)(found - 1);
	}
	found = pk_table_get_u64(&machine->pids, (uint64_t)*tid + 1);
	*pid = found ? (uint32_t)(found - 1) : *tid ? UINT32_MAX : 0;
	return PK_OK;
}
