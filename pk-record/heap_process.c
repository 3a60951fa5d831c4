// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "heap_process.h"

/* A thread can end while it writes a record. After this time in ns, its record is skipped. */
#define STUCK_MAX UINT64_C(1000000000)

/* ---- Memory ---- */

static uint8_t *records_of(const struct heap_process *process)
{
	return (uint8_t *)process->ring + HEAP_PAGE;
}

/* Creates the memory file. Nobody can change its size, because a shorter file would end this
 * program. */
static bool create_memory(struct heap_process *process)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

	process->memory = memfd_create("pk-heap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	return process->memory >= 0 &&
	       !ftruncate(process->memory, (off_t)(HEAP_PAGE + process->size)) &&
	       !fcntl(process->memory, F_ADD_SEALS, seals);
}

struct heap_process *heap_process_new(pid_t pid, uint64_t size, uint32_t stack_max)
{
	struct heap_process *process = calloc(1, sizeof(*process));
	int error;

	if (!process)
		return NULL;
	*process = (struct heap_process){
		.pid = pid, .pidfd = -1, .memory = -1, .size = size, .stack_max = stack_max};
	process->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process->pidfd >= 0 && create_memory(process))
		process->ring = heap_ring_map(process->memory, (size_t)size);
	if (process->ring)
		return process;
	error = errno;
	heap_process_free(process);
	errno = error;
	return NULL;
}

void heap_process_free(struct heap_process *process)
{
	if (!process)
		return;
	if (process->ring)
		munmap(process->ring, HEAP_PAGE + 2 * (size_t)process->size);
	if (process->memory >= 0)
		close(process->memory);
	if (process->pidfd >= 0)
		close(process->pidfd);
	pk_table_free(&process->threads);
	free(process);
}

/* ---- Records ---- */

/* Returns true if a record of this size can be at this place. */
static bool is_valid(const struct heap_process *process, const struct heap_record *record,
		     uint64_t rest)
{
	size_t least = sizeof(*record);

	if (record->kind == HEAP_ALLOCATED)
		least = sizeof(struct heap_allocated) + (size_t)record->stack_size;
	return record->size % 8 == 0 && record->size >= least && record->size <= rest &&
	       record->stack_size <= process->stack_max && record->stack_size % 8 == 0;
}

/* Returns true if the record at `tail` will not be completed. A thread that is stopped, as with
 * Ctrl-Z, still completes its record. */
static bool is_abandoned(struct heap_process *process, bool all, uint64_t now)
{
	const struct heap_record *record =
		(const void *)(records_of(process) + process->tail % process->size);
	char path[64];

	process->stuck = process->stuck ? process->stuck : now;
	if (all || now - process->stuck < STUCK_MAX)
		return all;
	snprintf(path, sizeof(path), "/proc/%d/task/%u", process->pid, record->tid);
	return access(path, F_OK) != 0;
}

/* Skips the record at `tail`, which is incomplete. If its size is not yet there, all records up to
 * `head` are skipped. */
static uint64_t skip(struct heap_process *process, uint64_t head)
{
	struct heap_record record;

	memcpy(&record, records_of(process) + process->tail % process->size, sizeof(record));
	atomic_fetch_add(heap_shared(&process->ring->lost), 1);
	if (record.size && is_valid(process, &record, head - process->tail))
		return process->tail + record.size;
	return head;
}

uint64_t heap_process_read(struct heap_process *process, const struct heap_reader *reader, bool all,
			   uint64_t now)
{
	const uint64_t head = atomic_load(heap_shared(&process->ring->head)), first = process->tail;

	process->broken |= head - process->tail > process->size || head % 8;
	while (!process->broken && process->tail != head) {
		uint8_t *at = records_of(process) + process->tail % process->size;
		const uint64_t position = atomic_load_explicit(heap_shared((uint64_t *)(void *)at),
							       memory_order_acquire);
		const struct heap_allocated *allocated = (const void *)at;
		uint64_t registers[HEAP_REGISTER_COUNT];
		struct heap_record record;

		if (position != process->tail + 1) {
			if (!is_abandoned(process, all, now))
				break;
			process->tail = skip(process, head);
			process->stuck = 0;
			continue;
		}
		process->stuck = 0;
		memcpy(&record, at, sizeof(record));
		if (!is_valid(process, &record, head - process->tail)) {
			process->broken = true;
			break;
		}
		if (record.kind == HEAP_ALLOCATED)
			memcpy(registers, allocated->registers, sizeof(registers));
		if (record.kind == HEAP_ALLOCATED || record.kind == HEAP_FREED)
			reader->record(reader->arg, process->pid, &record, registers,
				       allocated + 1);
		process->tail += record.size;
	}
	atomic_store_explicit(heap_shared(&process->ring->tail), process->tail,
			      memory_order_release);
	return process->tail - first;
}
