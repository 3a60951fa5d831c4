// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "aux_area.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "record_time.h"

#define KNOWN_SIZE_MAX ((size_t)64 << 10)
/* The space of the bytes is released after each run of this size, so that the trace unit can use it
 * while later bytes are written. */
#define RUN_SIZE ((size_t)256 << 10)

bool aux_area_map(struct aux_area *area, struct perf_ring_page *page, size_t ring_size, size_t size,
		  bool overwrite)
{
	const size_t offset = (size_t)sysconf(_SC_PAGESIZE) + ring_size;
	void *memory;

	page->aux_offset = offset;
	page->aux_size = size;
	memory = mmap(NULL, size, PROT_READ | (overwrite ? 0 : PROT_WRITE), MAP_SHARED, area->fd,
		      (off_t)offset);
	if (memory == MAP_FAILED)
		return false;
	area->page = page;
	area->data = memory;
	area->size = size;
	if (!overwrite)
		return true;
	/* All bytes of a new area are 0, and the position is 0. */
	area->known_size = size / 4 < KNOWN_SIZE_MAX ? size / 4 : KNOWN_SIZE_MAX;
	area->known = calloc(1, area->known_size);
	if (area->known)
		return true;
	aux_area_unmap(area);
	errno = ENOMEM;
	return false;
}

void aux_area_unmap(struct aux_area *area)
{
	if (area->data)
		munmap((void *)area->data, area->size);
	free(area->known);
	area->data = NULL;
	area->known = NULL;
}

size_t aux_area_fill(const struct aux_area *area)
{
	return area->data && !area->known
		       ? (size_t)(__atomic_load_n(&area->page->aux_head, __ATOMIC_ACQUIRE) -
				  area->tail)
		       : 0;
}

static void write_head(const struct aux_area *area, uint64_t offset, size_t size,
		       struct pk_writer *writer)
{
	const struct perf_record_auxtrace record = {
		.header = {PERF_RECORD_AUXTRACE, 0, sizeof(record)},
		.size = PK_ALIGN8(size),
		.offset = offset,
		.reference = record_now(),
		.idx = area->index,
		.tid = area->tid,
		.cpu = area->cpu,
	};

	pk_writer_record(writer, &record, sizeof(record));
}

static void write_padding(size_t size, struct pk_writer *writer)
{
	static const uint8_t zeros[8];

	pk_writer_bytes(writer, zeros, PK_ALIGN8(size) - size, 0, 0);
}

/* Writes a run of bytes from a position on. It ends at the end of the area, or after RUN_SIZE
 * bytes. Returns its size. */
static size_t write_run(const struct aux_area *area, uint64_t from, size_t size,
			struct pk_writer *writer)
{
	const size_t start = from & (area->size - 1);

	size = size < area->size - start ? size : area->size - start;
	size = size < RUN_SIZE ? size : RUN_SIZE;
	pk_writer_bytes(writer, area->data + start, size, 0, 0);
	return size;
}

size_t aux_area_drain(struct aux_area *area, struct pk_writer *writer)
{
	const size_t size = aux_area_fill(area);

	if (!size)
		return 0;
	write_head(area, area->tail, size, writer);
	for (size_t left = size, run; left; left -= run) {
		run = write_run(area, area->tail, left, writer);
		area->tail += run;
		__atomic_store_n(&area->page->aux_tail, area->tail, __ATOMIC_RELEASE);
	}
	write_padding(size, writer);
	return size;
}

/* ---- Overwritten areas ---- */

/* If fewer bytes are compared, they can be equal by chance. */
#define KNOWN_SIZE_LEAST 256

/* Returns true if the area still has the last `count` known bytes. */
static bool has_known(const struct aux_area *area, size_t count)
{
	const uint8_t *known = area->known + area->known_size - count;
	const size_t start = (area->tail - count) & (area->size - 1), left = area->size - start;
	const size_t first = count < left ? count : left;

	return !memcmp(known, area->data + start, first) &&
	       !memcmp(known + first, area->data, count - first);
}

/* Copies the bytes before the tail, to compare them in the next snapshot. */
static void remember(struct aux_area *area)
{
	const size_t start = (area->tail - area->known_size) & (area->size - 1);
	const size_t left = area->size - start;
	const size_t first = area->known_size < left ? area->known_size : left;

	memcpy(area->known, area->data + start, first);
	memcpy(area->known + first, area->data, area->known_size - first);
}

/* Returns the number of bytes that are new since the last snapshot. `head` is the position of the
 * trace unit in the area, from 0 to size - 1. Some PMUs report only this position, and not the
 * number of bytes since the start. If the area has wrapped since, all bytes are new. */
static size_t new_bytes(const struct aux_area *area, uint64_t head)
{
	const size_t since = (size_t)(head - area->tail) & (area->size - 1);
	const size_t old = area->size - since; /* if the area has not wrapped */
	const size_t count = old < area->known_size ? old : area->known_size;

	return count < KNOWN_SIZE_LEAST || !has_known(area, count) ? area->size : since;
}

size_t aux_area_snapshot(struct aux_area *area, size_t most, struct pk_writer *writer)
{
	uint64_t head, from;
	size_t size;

	if (!area->known)
		return 0;
	head = __atomic_load_n(&area->page->aux_head, __ATOMIC_ACQUIRE) & (area->size - 1);
	size = new_bytes(area, head);
	size = size < most ? size : most;
	area->tail = head;
	remember(area);
	if (!size)
		return 0;
	from = (head < size ? head + area->size : head) - size;
	write_head(area, from, size, writer);
	for (size_t left = size, run; left; left -= run, from += run)
		run = write_run(area, from, left, writer);
	write_padding(size, writer);
	return size;
}
