/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-decode/spe_queues.c pk-decode/spe_machine.c pk-decode/trace_spool.c */
/* seeds: streams */
/*
 * Decodes the traces of a stream as SPE traces, whatever their kind is. All operations must come
 * before the time that was given.
 */
#include "spe_machine.h"
#include "spe_queues.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct decoded {
	struct spe_queues *queues;
	struct spe_machine machine;
	struct trace_clock clock;
	uint64_t operations;
};

/* Reads the operations before this time. */
static void read_before(struct decoded *all, uint64_t before)
{
	struct spe_operation operation;
	uint32_t pid, tid;

	while (spe_queues_next(all->queues, &all->clock, before, &operation) == PK_OK) {
		check_that(operation.time < before);
		check_that(spe_machine_task(&all->machine, &operation, &pid, &tid) == PK_OK);
		spe_machine_cpu(&all->machine, operation.cpu);
		all->operations++;
	}
}

static void take(struct decoded *all, struct pk_reader *reader, const struct pk_record *record)
{
	const struct pk_event *event = NULL;

	switch (record->type) {
	case PK_RECORD_BEGIN:
		spe_queues_clear(all->queues);
		spe_machine_clear(&all->machine);
		all->clock.known = false;
		return;
	case PERF_RECORD_TIME_CONV: trace_clock_set(&all->clock, record); return;
	case PERF_RECORD_AUXTRACE_INFO:
		check_that(spe_machine_info(&all->machine, record) == PK_OK);
		return;
	case PERF_RECORD_AUXTRACE:
		check_that(spe_queues_add(all->queues, reader, record) == PK_OK);
		read_before(all, record->size ^ all->operations);
		return;
	default: break;
	}
	if (record->type < PERF_RECORD_USER_START && record->type != PERF_RECORD_SAMPLE)
		event = pk_reader_event_of(reader, record);
	check_that(spe_machine_record(&all->machine, record, event) == PK_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory memory = {.data = data, .size = size, .piece = 4096};
	struct pk_reader *reader = open_memory(&memory);
	struct decoded all = {.queues = spe_queues_new()};
	struct pk_record record;

	check_that(all.queues != NULL);
	while (pk_reader_next(reader, &record) == PK_OK)
		take(&all, reader, &record);
	read_before(&all, UINT64_MAX);
	spe_queues_end(all.queues);
	check_that(spe_queues_counts(all.queues)->operations >= all.operations);
	pk_reader_free(reader);
	spe_machine_free(&all.machine);
	spe_queues_free(all.queues);
	return 0;
}
