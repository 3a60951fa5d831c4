// SPDX-License-Identifier: BSD-2-Clause
/* Tests the reading of records from ring buffers of the kernel, as pk-record does. */
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

/* Makes a ring buffer whose records start at the offset `at`. */
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

/* Writes a record of 24 bytes, a name (if it is not NULL), a trailer, and `rubbish` additional
 * bytes. */
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

/* The records start at all offsets. Therefore the end of the ring buffer splits the record at each
 * byte. */
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

/* If a name has no NUL, or the trailer does not fit, the record is not changed. */
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

/* The newest record comes first, because the kernel writes towards lower addresses. */
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

/* ---- A large ring ---- */

#define LARGE_SIZE ((size_t)1 << 20)
#define OWN_PID	   77
#define PID_OFFSET 24

struct large {
	struct perf_ring_page page;
	struct ring ring;
	struct built expected;
	struct sink sink;
	uint64_t released; /* number of bytes whose space was released before the last write */
};

static ssize_t write_large(void *arg, const void *data, size_t size)
{
	struct large *large = arg;

	large->released = large->page.data_tail - large->ring.tail;
	return sink_write(&large->sink, data, size);
}

static void put_large(struct large *large, const uint8_t *record, size_t size, bool expected)
{
	for (size_t i = 0; i < size; i++)
		large->ring.data[large->page.data_head++ % LARGE_SIZE] = record[i];
	if (expected)
		put_bytes(&large->expected, record, size);
}

/* Fills the ring buffer with samples of up to max_size bytes. If `own` is not 0, every sample whose
 * number is a multiple of `own` belongs to the recorder itself. Returns the number of all other
 * samples. */
static uint64_t fill_large(struct large *large, size_t max_size, unsigned int own)
{
	uint64_t seed = max_size, others = 0;

	for (unsigned int n = 1; large->page.data_head - large->ring.tail < LARGE_SIZE - max_size;
	     n++) {
		const size_t size = 40 + random_below(&seed, (max_size - 40) / 8) * 8;
		const bool other = !own || n % own;
		const struct perf_header header = {.type = PERF_RECORD_SAMPLE,
						   .size = (uint16_t)size};
		uint8_t record[8192];

		memset(record, (int)n, size);
		memcpy(record, &header, sizeof(header));
		pk_store_u32(record + PID_OFFSET, other ? n | 0x1000 : OWN_PID);
		put_large(large, record, size, other);
		others += other;
	}
	return others;
}

static void check_large(size_t max_size, unsigned int own)
{
	struct ring_counts counts = {.excluded = OWN_PID, .pid_offset = PID_OFFSET};
	struct large *large = calloc(1, sizeof(*large));
	struct pk_writer_options options = {.write = write_large, .arg = large, .fd = -1};
	struct pk_writer *writer;
	uint64_t others;

	ck_assert_ptr_nonnull(large);
	ck_assert_int_eq(pk_writer_new(&options, &writer), PK_OK);
	large->page.data_head = large->page.data_tail = 3 * LARGE_SIZE - LARGE_SIZE / 4;
	large->ring = (struct ring){.page = &large->page,
				    .data = malloc(LARGE_SIZE),
				    .size = LARGE_SIZE,
				    .tail = large->page.data_tail,
				    .fd = -1};
	ck_assert_ptr_nonnull(large->ring.data);
	others = fill_large(large, max_size, own);
	ck_assert(ring_drain(&large->ring, writer, &counts));
	ck_assert_uint_gt(large->released, LARGE_SIZE / 2);
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	ck_assert_uint_eq(counts.samples, others);
	ck_assert_uint_eq(pk_writer_samples(writer), others);
	ck_assert_uint_eq(large->page.data_tail, large->page.data_head);
	ck_assert_uint_eq(large->sink.built.size, large->expected.size);
	ck_assert_mem_eq(large->sink.built.data, large->expected.data, large->expected.size);
	pk_writer_free(writer);
	built_clear(&large->sink.built);
	built_clear(&large->expected);
	free(large->ring.data);
	free(large);
}

/* Space is released before all records are read, so that the kernel can write again. Samples of the
 * recorder itself are dropped. */
START_TEST(large_rings_are_released_in_parts)
{
	check_large(64, 7);
	check_large(200, 0);
	check_large(200, 1000);
	check_large(8192, 0);
}
END_TEST

RUN_TESTS("ring", records_that_are_too_large_are_cut, records_that_are_malformed_stay,
	  records_of_a_snapshot_are_cut, large_rings_are_released_in_parts)
