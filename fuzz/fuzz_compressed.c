/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/compress.c */
/* Tests COMPRESSED and COMPRESSED2 records. The lowest bit of the first byte selects the meaning of
 * the other bytes. They are either the compressed content of the records, or the content before
 * compression. In the second case, the same records must be read as without compression,
 * independent of the sizes of the records. */
#define _GNU_SOURCE
#include "record_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One event with the id 1. Its fields are IDENTIFIER, IP, TID and TIME, and sample_id_all is set.
 */
static const uint8_t attr[8 + 64 + 8] = {
	[0] = 64, [6] = 80, [12] = 64, [32] = 7, [34] = 1, [50] = 4, [72] = 1};

static void begin(struct output *output)
{
	static const uint64_t header[] = {PERF_MAGIC2, PERF_PIPE_HEADER_SIZE};

	output->size = 0;
	write_output(output, header, sizeof(header));
	write_output(output, attr, sizeof(attr));
}

/* Writes the data as a frame of zstd, with blocks that are not compressed. */
static void wrap(struct output *output, const uint8_t *data, size_t size)
{
	static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58};

	write_output(output, frame, sizeof(frame));
	for (size_t at = 0, now; at < size; at += now) {
		uint32_t block;

		now = size - at < 3000 ? size - at : 3000;
		block = (uint32_t)now << 3;
		write_output(output, &block, 3);
		write_output(output, data + at, now);
	}
}

static void put_record(struct output *output, bool second, const uint8_t *data, size_t size)
{
	struct {
		uint32_t type;
		uint16_t misc, size;
		uint64_t data_size;
	} head = {second ? PERF_RECORD_COMPRESSED2 : PERF_RECORD_COMPRESSED, 0, 0, size};
	size_t padded = second ? PK_ALIGN8(size) : size, head_size = second ? 16 : 8;

	head.size = (uint16_t)(head_size + padded);
	write_output(output, &head, head_size);
	write_output(output, data, size);
	write_output(output, "\0\0\0\0\0\0\0", padded - size);
}

/* Reads the bytes from records of various sizes and of both types. */
static struct outcome read_compressed(const uint8_t *data, size_t size, uint64_t random)
{
	struct output output = {0};
	struct outcome outcome;
	struct memory memory;

	begin(&output);
	for (size_t at = 0, now; at < size; at += now) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		now = 1 + (random >> 40) % 700;
		if (now > size - at)
			now = size - at;
		put_record(&output, random >> 63, data + at, now);
	}
	memory = (struct memory){.data = output.data, .size = output.size, .piece = SIZE_MAX};
	outcome = outcome_of(open_memory(&memory));
	free(output.data);
	return outcome;
}

static struct outcome read_plain(const uint8_t *data, size_t size)
{
	struct output output = {0};
	struct outcome outcome;
	struct memory memory;

	begin(&output);
	write_output(&output, data, size);
	memory = (struct memory){.data = output.data, .size = output.size, .piece = SIZE_MAX};
	outcome = outcome_of(open_memory(&memory));
	free(output.data);
	return outcome;
}

/* Returns true if the data have records that must not be compressed (SPEC 3.6.1), or that start
 * another stream (SPEC 2.2). */
static bool is_special(const uint8_t *data, size_t size)
{
	for (size_t at = 0; size - at >= 8;) {
		uint32_t type = pk_load_u32(data + at);
		uint16_t record = pk_load_u16(data + at + 6);

		if (type >= 0x10000000 || type == PERF_RECORD_HEADER_TRACING_DATA ||
		    type == PERF_RECORD_AUXTRACE || type == PERF_RECORD_COMPRESSED ||
		    type == PERF_RECORD_COMPRESSED2)
			return true;
		if (record < 8 || record > size - at)
			break;
		at += record;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct output wrapped = {0};
	struct outcome plain, compressed;

	if (size < 1)
		return 0;
	if (data[0] & 1) {
		(void)read_compressed(data + 1, size - 1, data[0]);
		return 0;
	}
	wrap(&wrapped, data + 1, size - 1);
	compressed = read_compressed(wrapped.data, wrapped.size, data[0]);
	free(wrapped.data);
	if (is_special(data + 1, size - 1))
		return 0;
	plain = read_plain(data + 1, size - 1);
	check_that(plain.records == compressed.records && plain.hash == compressed.hash);
	check_that(plain.status == compressed.status && plain.bad == compressed.bad);
	return 0;
}
