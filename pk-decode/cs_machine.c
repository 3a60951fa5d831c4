// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cs_machine.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "vector.h"

/* AUXTRACE_INFO has a version, the type of the PMU with the number of CPUs, and a flag. For each
 * CPU follow a magic number and the number of the CPU; since version 1, the number of registers;
 * and the registers. */
enum { HEADER_WORDS = 3, CPU_WORDS = 2 };
enum { ETMV3_CONTROL, ETMV3_TRACE_ID, ETMV3_CCER, ETMV3_IDR, ETMV3_COUNT };
enum {
	ETMV4_CONFIG,
	ETMV4_TRACE_ID,
	ETMV4_IDR0,
	ETMV4_IDR1,
	ETMV4_IDR2,
	ETMV4_IDR8,
	ETMV4_AUTHSTATUS,
	ETMV4_COUNT, /* in version 0 */
	ETMV4_TIME_SOURCE = ETMV4_COUNT,
	ETE_DEVARCH = ETMV4_COUNT,
	ETE_TIME_SOURCE,
	REGISTERS
};

#define MAGIC_ETMV3   UINT64_C(0x3030303030303030)
#define MAGIC_ETMV4   UINT64_C(0x4040404040404040)
#define MAGIC_ETE     UINT64_C(0x5050505050505050)
#define CPUS_MAX      8192
#define PTM_MASK      0xf00u
#define PTM	      0x300u
#define ID_UNUSED     (UINT32_C(1) << 31)
#define VIRTUAL_TIME  1
#define TRACE_ID_MASK 0x7fu

static struct cs_unit unit_of(uint64_t magic, const uint64_t words[REGISTERS])
{
	struct cs_unit unit = {0};

	if (magic == MAGIC_ETMV3) {
		unit.control = (uint32_t)words[ETMV3_CONTROL];
		unit.trace_id = (uint32_t)words[ETMV3_TRACE_ID];
		unit.ccer = (uint32_t)words[ETMV3_CCER];
		unit.idr = (uint32_t)words[ETMV3_IDR];
		unit.kind = (unit.idr & PTM_MASK) == PTM ? CS_PTM : CS_ETMV3;
		return unit;
	}
	unit.kind = magic == MAGIC_ETE ? CS_ETE : CS_ETMV4;
	unit.config = (uint32_t)words[ETMV4_CONFIG];
	unit.trace_id = (uint32_t)words[ETMV4_TRACE_ID];
	unit.idr0 = (uint32_t)words[ETMV4_IDR0];
	unit.idr1 = (uint32_t)words[ETMV4_IDR1];
	unit.idr2 = (uint32_t)words[ETMV4_IDR2];
	unit.idr8 = (uint32_t)words[ETMV4_IDR8];
	unit.devarch = magic == MAGIC_ETE ? (uint32_t)words[ETE_DEVARCH] : 0;
	unit.timed =
		words[magic == MAGIC_ETE ? ETE_TIME_SOURCE : ETMV4_TIME_SOURCE] == VIRTUAL_TIME;
	return unit;
}

static enum pk_status add_cpu(struct cs_machine *machine, uint64_t magic, uint64_t cpu,
			      const uint64_t words[REGISTERS])
{
	struct cs_cpu *added;

	if (machine->count == CPUS_MAX)
		return PK_OK;
	PK_TRY(pk_reserve(&machine->cpus, &machine->capacity, machine->count, 1, sizeof(*added)));
	added = &machine->cpus[machine->count++];
	*added = (struct cs_cpu){.cpu = (uint32_t)cpu, .unit = unit_of(magic, words)};
	added->id = added->unit.trace_id & ID_UNUSED ? UINT32_MAX
						     : added->unit.trace_id & TRACE_ID_MASK;
	return PK_OK;
}

enum pk_status cs_machine_info(struct cs_machine *machine, const struct pk_record *record)
{
	const struct perf_record_auxtrace_info *info = (const void *)record->data;
	const uint8_t *words = (const uint8_t *)info->priv;
	const size_t count = (record->size - sizeof(*info)) / 8;
	size_t at = HEADER_WORDS;

	machine->count = 0;
	if (count < HEADER_WORDS)
		return PK_OK;
	machine->pmu_type = (uint32_t)(pk_load_u64(words + 8) >> 32);
	while (count - at > CPU_WORDS) {
		const uint64_t magic = pk_load_u64(words + 8 * at);
		const uint64_t cpu = pk_load_u64(words + 8 * (at + 1));
		uint64_t size = magic == MAGIC_ETMV3 ? ETMV3_COUNT : ETMV4_COUNT;
		uint64_t registers[REGISTERS] = {0};

		at += CPU_WORDS;
		if (pk_load_u64(words))
			size = pk_load_u64(words + 8 * at++);
		if (size > count - at ||
		    (magic != MAGIC_ETMV3 && magic != MAGIC_ETMV4 && magic != MAGIC_ETE))
			return PK_OK;
		for (size_t i = 0; i < size && i < REGISTERS; i++)
			registers[i] = pk_load_u64(words + 8 * (at + i));
		PK_TRY(add_cpu(machine, magic, cpu, registers));
		at += size;
	}
	return PK_OK;
}

static struct cs_cpu *find_cpu(const struct cs_machine *machine, uint32_t cpu)
{
	for (size_t i = 0; i < machine->count; i++)
		if (machine->cpus[i].cpu == cpu)
			return &machine->cpus[i];
	return NULL;
}

void cs_machine_id(struct cs_machine *machine, const struct pk_record *record, uint32_t cpu)
{
	/* Bits 0 to 7 are the trace ID, bits 8 to 39 the sink. The highest bits are a version. */
	enum { SINK_SHIFT = 8, MAJOR_SHIFT = 60 };
	const struct perf_record_aux_output_hw_id *output = (const void *)record->data;
	const uint64_t id = output->hw_id;
	struct cs_cpu *found = find_cpu(machine, cpu);

	if (!found || id >> MAJOR_SHIFT)
		return;
	found->id = id & TRACE_ID_MASK;
	found->sink = (uint32_t)(id >> SINK_SHIFT);
	found->unit.trace_id = found->id;
}

const struct cs_cpu *cs_machine_cpu(const struct cs_machine *machine, uint32_t cpu)
{
	return find_cpu(machine, cpu);
}

const struct cs_cpu *cs_machine_traced(const struct cs_machine *machine, uint32_t cpu, uint8_t id)
{
	const struct cs_cpu *buffer = find_cpu(machine, cpu);

	if (buffer && buffer->id == id)
		return buffer;
	for (size_t i = 0; i < machine->count; i++)
		if (machine->cpus[i].id == id && (!buffer || machine->cpus[i].sink == buffer->sink))
			return &machine->cpus[i];
	return NULL;
}

void cs_machine_clear(struct cs_machine *machine)
{
	free(machine->cpus);
	*machine = (struct cs_machine){0};
}
