/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-record/heap_process.c */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_that.h"
#include "heap_process.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RING  ((uint64_t)4 * HEAP_PAGE)
#define STACK 4096

static uint64_t records, bytes;

/* All bytes of a record can be read. */
static void read_record(void *arg, pid_t pid, const struct heap_record *record,
			const uint64_t *registers, const void *stack)
{
	const uint8_t *p = stack;

	(void)arg;
	(void)pid;
	records++;
	bytes += record->size;
	if (record->kind != HEAP_ALLOCATED)
		return;
	check_that(record->stack_size <= STACK);
	check_that(sizeof(struct heap_allocated) + record->stack_size <= record->size);
	for (uint32_t i = 0; i < record->stack_size; i++)
		bytes ^= p[i];
	for (int i = 0; i < HEAP_REGISTER_COUNT; i++)
		bytes ^= registers[i];
}

/* Completes the records that look complete, unless the highest bit of `kind` is set. A random
 * position is nearly never right. */
static void set_positions(uint8_t *ring, uint64_t head)
{
	struct heap_record record;

	for (uint64_t at = 0; at + sizeof(record) <= head && at + sizeof(record) <= RING;
	     at += record.size) {
		memcpy(&record, ring + at, sizeof(record));
		if (!(record.kind >> 31))
			record.position = at + 1;
		memcpy(ring + at, &record, sizeof(record));
		if (!record.size || record.size % 8)
			break;
	}
}

/* The first word is the head of the ring, and the others are its content. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct heap_process *process;
	const struct heap_reader reader = {read_record, NULL};
	uint64_t head, before;
	uint8_t *ring;

	if (size < 8)
		return 0;
	if (!process)
		process = heap_process_new(getpid(), RING, STACK);
	if (!process)
		abort();
	memcpy(&head, data, sizeof(head));
	ring = (uint8_t *)process->ring + HEAP_PAGE;
	memset(ring, 0, RING);
	memcpy(ring, data + 8, size - 8 < RING ? size - 8 : RING);
	set_positions(ring, head);
	memset(process->ring, 0, sizeof(*process->ring));
	process->ring->head = head;
	process->tail = process->stuck = 0;
	process->broken = false;
	for (int i = 0; i < 3; i++) {
		before = process->tail;
		heap_process_read(process, &reader, i == 2, 1 + (uint64_t)i);
		check_that(process->tail >= before && process->tail <= before + RING);
	}
	check_that(process->broken || process->tail == head);
	return 0;
}
