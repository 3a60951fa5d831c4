// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "locate.h"
#include "pt_code.h"

#define PAGE_SIZE  UINT64_C(4096)
#define PAGES	   1024
#define KERNEL_BIT UINT64_C(63)

/* The code in a page of an address space. A map can start or end within the page. */
struct page {
	uint64_t serial, generated; /* of the maps, and of the maps of JIT code */
	uint64_t start, end;	    /* the addresses of the bytes; equal if there is no code */
	uint64_t number;	    /* plus 1; 0 if nothing is cached here */
	uint8_t bytes[PAGE_SIZE];
};

struct pt_code {
	struct pk_session *session;
	struct code_reader *reader;
	struct page pages[PAGES];
};

struct pt_code *pt_code_new(struct pk_session *session, struct code_reader *reader)
{
	struct pt_code *code = calloc(1, sizeof(*code));

	if (!code)
		return NULL;
	code->session = session;
	code->reader = reader;
	return code;
}

void pt_code_free(struct pt_code *code)
{
	free(code);
}

static struct pk_location locate(const struct pt_code *code, const struct pk_thread *thread,
				 uint64_t ip)
{
	return pk_session_locate(code->session, thread, ip,
				 ip >> KERNEL_BIT ? PERF_RECORD_MISC_KERNEL
						  : PERF_RECORD_MISC_USER);
}

static void fill(struct pt_code *code, struct page *page, const struct pk_thread *thread,
		 uint64_t ip)
{
	struct pk_location location = locate(code, thread, ip);
	const uint64_t start = ip & ~(PAGE_SIZE - 1);
	uint64_t distance;

	page->number = ip / PAGE_SIZE + 1;
	page->start = page->end = ip;
	if (!location.image)
		return;
	page->start = location.map_start > start ? location.map_start : start;
	distance = ip - page->start;
	location.ip -= distance;
	location.address -= distance;
	location.offset -= distance;
	page->end = start + PAGE_SIZE;
	if (location.map_end > page->start && location.map_end < page->end)
		page->end = location.map_end;
	page->end = page->start + pk_code_reader_read(code->reader, &location, page->bytes,
						      page->end - page->start, NULL);
}

static struct pt_space space_of(const struct pt_code *code, const struct pk_thread *thread)
{
	struct pt_space space = {.kernel = pk_space_serial(pk_session_kernel(code->session))};

	if (!thread)
		return space;
	space.maps = pk_space_serial(thread->process->space);
	if (thread->process->code)
		space.generated = pk_space_serial(thread->process->code);
	return space;
}

struct pt_space pt_code_space(const struct pt_code *code, uint32_t pid, uint32_t tid)
{
	return space_of(code, pk_session_thread(code->session, pid, tid));
}

bool pt_code_range(const struct pt_code *code, uint32_t pid, uint32_t tid, uint64_t ip,
		   uint64_t *start, uint64_t *end)
{
	const struct pk_thread *thread = pk_session_thread(code->session, pid, tid);
	struct pk_location location;
	uint64_t before;

	if (!thread)
		return false;
	location = locate(code, thread, ip);
	if (!location.image || ip < location.map_start || ip >= location.map_end)
		return false;
	/* Equal ranges of the file, wherever it is mapped. */
	before = location.offset % PT_RANGE_MAX;
	*start = ip - location.map_start > before ? ip - before : location.map_start;
	*end = location.map_end - ip > PT_RANGE_MAX - before ? ip - before + PT_RANGE_MAX
							     : location.map_end;
	return true;
}

/* Returns the page that contains the address, from the cache or from the file. */
static const struct page *page_of(struct pt_code *code, const struct pk_thread *thread, uint64_t ip)
{
	struct page *page = &code->pages[ip / PAGE_SIZE % PAGES];
	const struct pt_space space = space_of(code, thread);
	const uint64_t serial = ip >> KERNEL_BIT ? space.kernel : space.maps;
	const uint64_t generated = ip >> KERNEL_BIT ? 0 : space.generated;

	if (page->number != ip / PAGE_SIZE + 1 || page->serial != serial ||
	    page->generated != generated || ip < page->start || ip >= page->end) {
		page->serial = serial;
		page->generated = generated;
		fill(code, page, thread, ip);
	}
	return page;
}

size_t pt_code_read(struct pt_code *code, uint32_t pid, uint32_t tid, uint64_t ip, uint8_t *to,
		    size_t size)
{
	const struct pk_thread *thread = pk_session_thread(code->session, pid, tid);
	size_t got = 0;

	while (thread && got < size) {
		const struct page *page = page_of(code, thread, ip + got);
		size_t part = page->end - (ip + got);

		if (ip + got < page->start || ip + got >= page->end)
			break;
		if (part > size - got)
			part = size - got;
		memcpy(to + got, page->bytes + (ip + got - page->start), part);
		got += part;
	}
	return got;
}
