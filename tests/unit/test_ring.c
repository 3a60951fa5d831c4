// SPDX-License-Identifier: BSD-2-Clause
/* Records that pk-record reads from the kernel's rings. */
#include <stdlib.h>
#include <string.h>

#include "perf_syscall.h"
#include "pkprivate.h"
#include "ring.h"
#include "stream_builder.h"

#define SIZE	4096
#define TRAILER 24

struct made {
	struct perf_ring_page page;
	uint8_t data[SIZE];
	struct ring ring;
};

/* A ring whose records start at offset at. */
static struct made *make_ring(uint64_t at)
{
	struct made *made = calloc(1, sizeof(*made));

	ck_assert_ptr_nonnull(made);
	memset(made->data, 0xee, SIZE);
	made->page.data_head = made->page.data_tail = at;
	made->ring = (struct ring){
		.page = &made->page, .data = made->data, .size = SIZE, .tail = at, .fd = -1};
	return made;
}

static void fill(struct made *made, const void *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		made->data[made->page.data_head++ % SIZE] = ((const uint8_t *)data)[i];
}

/* A record of 24 bytes, perhaps a name, its trailer, and additional bytes. */
static void put_record(struct made *made, uint32_t type, const char *name, size_t rubbish)
{
	const size_t text = name ? (strlen(name) + 8) / 8 * 8 : 0;
	const size_t size = 24 + text + TRAILER;
	struct perf_header header = {.type = type, .size = (uint16_t)(size + rubbish)};
	uint8_t record[256] = {0};

	memcpy(record, &header, sizeof(header));
	memset(record + sizeof(header), 0x11, 16);
	if (name)
		memcpy(record + 24, name, strlen(name));
	memset(record + 24 + text, 0x77, TRAILER);
	memset(record + size, 0x99, rubbish);
	fill(made, record, size + rubbish);
}

static void check_record(const uint8_t **p, uint32_t type, const char *name)
{
	const size_t text = name ? (strlen(name) + 8) / 8 * 8 : 0;
	const size_t size = 24 + text + TRAILER;

	ck_assert_uint_eq(pk_load_u32(*p), type);
	ck_assert_uint_eq(pk_load_u16(*p + 6), size);
	if (name)
		ck_assert_str_eq((const char *)*p + 24, name);
	for (size_t i = size - TRAILER; i < size; i++)
		ck_assert_uint_eq((*p)[i], 0x77);
	*p += size;
}

/* At all offsets, so that the end of the ring splits each of its parts. */
START_TEST(records_that_are_too_large_are_cut)
{
	struct ring_counts counts = {.trailer = TRAILER};

	for (uint64_t at = 5 * SIZE - 512; at <= 5 * SIZE; at += 8) {
		struct made *made = make_ring(at);
		struct sink sink = {0};
		struct pk_writer *writer = write_sink(&sink);
		const uint8_t *p;

		put_record(made, PERF_RECORD_COMM, "comm", 0);
		put_record(made, PERF_RECORD_KSYMBOL, "bpf_prog_0123456789abcdef_x", 24);
		put_record(made, PERF_RECORD_KSYMBOL, "sevench", 48);
		put_record(made, PERF_RECORD_KSYMBOL, "eightch.", 0);
		put_record(made, PERF_RECORD_BPF_EVENT, NULL, 72);
		put_record(made, PERF_RECORD_BPF_EVENT, NULL, 0);
		put_record(made, PERF_RECORD_COMM, "last", 0);
		ck_assert(ring_drain(&made->ring, writer, &counts));
		ck_assert_uint_eq(made->page.data_tail, made->page.data_head);
		ck_assert_uint_eq(pk_writer_records(writer), 7);
		ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
		p = sink.built.data;
		check_record(&p, PERF_RECORD_COMM, "comm");
		check_record(&p, PERF_RECORD_KSYMBOL, "bpf_prog_0123456789abcdef_x");
		check_record(&p, PERF_RECORD_KSYMBOL, "sevench");
		check_record(&p, PERF_RECORD_KSYMBOL, "eightch.");
		check_record(&p, PERF_RECORD_BPF_EVENT, NULL);
		check_record(&p, PERF_RECORD_BPF_EVENT, NULL);
		check_record(&p, PERF_RECORD_COMM, "last");
		ck_assert_ptr_eq(p, sink.built.data + sink.built.size);
		pk_writer_free(writer);
		built_clear(&sink.built);
		free(made);
	}
}
END_TEST

/* A name without NUL, and a trailer that does not fit: unchanged. */
START_TEST(records_that_are_malformed_stay)
{
	struct ring_counts counts = {.trailer = TRAILER};
	struct made *made = make_ring(SIZE - 32);
	struct sink sink = {0};
	struct pk_writer *writer = write_sink(&sink);
	struct perf_header header = {.type = PERF_RECORD_KSYMBOL, .size = 64};
	uint8_t record[64];

	memset(record, 'x', sizeof(record));
	memcpy(record, &header, sizeof(header));
	fill(made, record, sizeof(record));
	header = (struct perf_header){.type = PERF_RECORD_BPF_EVENT, .size = 16};
	memcpy(record, &header, sizeof(header));
	fill(made, record, 16);
	ck_assert(ring_drain(&made->ring, writer, &counts));
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	ck_assert_uint_eq(sink.built.size, 80);
	ck_assert_uint_eq(pk_load_u16(sink.built.data + 6), 64);
	ck_assert_uint_eq(pk_load_u16(sink.built.data + 64 + 6), 16);
	pk_writer_free(writer);
	built_clear(&sink.built);
	free(made);
}
END_TEST

/* The newest comes first, because the kernel writes downwards. */
START_TEST(records_of_a_snapshot_are_cut)
{
	struct ring_counts counts = {.trailer = TRAILER};

	for (uint64_t at = SIZE - 256; at <= SIZE; at += 8) {
		struct made *made = make_ring(at);
		struct sink sink = {0};
		struct pk_writer *writer = write_sink(&sink);
		const uint8_t *p;

		put_record(made, PERF_RECORD_KSYMBOL, "newest", 24);
		put_record(made, PERF_RECORD_COMM, "comm", 0);
		put_record(made, PERF_RECORD_BPF_EVENT, NULL, 24);
		made->ring.tail = made->page.data_head;
		made->page.data_head = at;
		ring_snapshot(&made->ring, writer, &counts);
		ck_assert_uint_eq(pk_writer_records(writer), 3);
		ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
		p = sink.built.data;
		check_record(&p, PERF_RECORD_KSYMBOL, "newest");
		check_record(&p, PERF_RECORD_COMM, "comm");
		check_record(&p, PERF_RECORD_BPF_EVENT, NULL);
		ck_assert_ptr_eq(p, sink.built.data + sink.built.size);
		pk_writer_free(writer);
		built_clear(&sink.built);
		free(made);
	}
}
END_TEST

RUN_TESTS("ring", records_that_are_too_large_are_cut, records_that_are_malformed_stay,
	  records_of_a_snapshot_are_cut)
