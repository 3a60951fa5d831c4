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

static void fill(struct pt_code *code, struct page *page, const struct pk_thread *thread,
		 uint64_t ip)
{
	const uint16_t mode = ip >> KERNEL_BIT ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	struct pk_location location = pk_session_locate(code->session, thread, ip, mode);
	const uint64_t start = ip & ~(PAGE_SIZE - 1);
	struct disasm *disasm;
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
						      page->end - page->start, &disasm);
}

/* Returns the page that contains the address, from the cache or from the file. */
static const struct page *page_of(struct pt_code *code, const struct pk_thread *thread, uint64_t ip)
{
	struct page *page = &code->pages[ip / PAGE_SIZE % PAGES];
	uint64_t serial, generated = 0;

	if (ip >> KERNEL_BIT) {
		serial = pk_space_serial(pk_session_kernel(code->session));
	} else {
		serial = pk_space_serial(thread->process->space);
		generated = thread->process->code ? pk_space_serial(thread->process->code) : 0;
	}
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
