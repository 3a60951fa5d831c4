// SPDX-License-Identifier: BSD-2-Clause
/* bigendian <IN >OUT: converts a recording from this machine's byte order to the other byte order.
 * In samples, it knows the callchain and the fields that are one number. Besides samples, it knows
 * the records about tasks and maps. Records of other types are dropped. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pkstream.h"

static const uint64_t known_fields = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				     PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
				     PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
				     PERF_SAMPLE_CALLCHAIN;

static void turn(uint8_t *at, size_t count, size_t width)
{
	for (; count; count--, at += width)
		for (size_t i = 0; i < width / 2; i++) {
			uint8_t byte = at[i];

			at[i] = at[width - 1 - i];
			at[width - 1 - i] = byte;
		}
}

/* Converts fields that are one u64 each. tid and cpu are two u32 each. */
static void turn_fields(uint8_t *data, size_t begin, size_t end, size_t tid, size_t cpu)
{
	for (size_t at = begin; at + 8 <= end; at += 8) {
		if (at == tid || at == cpu)
			turn(data + at, 2, 4);
		else
			turn(data + at, 1, 8);
	}
}

/* In the other byte order, the bits of flags are also numbered from the other end. */
static void turn_attr(uint8_t *attr)
{
	uint64_t flags = pk_load_u64(attr + 40), mirrored = 0;

	for (unsigned bit = 0; bit < 64; bit++)
		mirrored |= (flags >> bit & 1) << (63 - bit);
	pk_store_u64(attr + 40, mirrored);
	turn(attr, 2, 4);     /* type, size */
	turn(attr + 8, 5, 8); /* config to read_format, and the flags */
	turn(attr + 40, 1, 8);
	turn(attr + 48, 2, 4);	/* wakeup, bp_type */
	turn(attr + 56, 4, 8);	/* config1, config2, branch_sample_type, sample_regs_user */
	turn(attr + 88, 2, 4);	/* sample_stack_user, clockid */
	turn(attr + 96, 1, 8);	/* sample_regs_intr */
	turn(attr + 104, 1, 4); /* aux_watermark */
	turn(attr + 108, 1, 2); /* sample_max_stack */
}

static bool turn_header_attr(uint8_t *data, size_t size)
{
	size_t attr_size = pk_load_u32(data + 12);

	if (attr_size < 112 || attr_size > size - 8)
		errx(EXIT_FAILURE, "an attr of another size");
	turn(data + 8 + attr_size, (size - 8 - attr_size) / 8, 8);
	turn_attr(data + 8);
	return true;
}

/* Converts the fields before the trailer, and returns their size. Returns 0 if the record is
 * dropped. */
static size_t turn_head(uint8_t *data, uint32_t type)
{
	switch (type) {
	case PERF_RECORD_COMM:
		turn(data + 8, 2, 4);
		return 16 + (strlen((char *)data + 16) + 8) / 8 * 8;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		turn(data + 8, 4, 4);
		turn(data + 24, 1, 8);
		return 32;
	case PERF_RECORD_MMAP2:
		if (pk_load_u16(data + 4) & PERF_RECORD_MISC_MMAP_BUILD_ID)
			errx(EXIT_FAILURE, "build-ids in MMAP2");
		turn(data + 8, 2, 4);
		turn(data + 16, 3, 8);
		turn(data + 40, 2, 4);
		turn(data + 48, 2, 8);
		turn(data + 64, 2, 4);
		return 72 + (strlen((char *)data + 72) + 8) / 8 * 8;
	case PERF_RECORD_MMAP:
		turn(data + 8, 2, 4);
		turn(data + 16, 3, 8);
		return 40 + (strlen((char *)data + 40) + 8) / 8 * 8;
	case PERF_RECORD_LOST: turn(data + 8, 2, 8); return 24;
	default: return 0;
	}
}

/* Returns false if the record is dropped. */
static bool turn_body(const struct pk_event *event, uint8_t *data, uint32_t type, size_t size)
{
	const struct pk_layout *layout;
	size_t head, trailer;

	if (type == PERF_RECORD_FINISHED_ROUND)
		return true;
	if (type == PERF_RECORD_HEADER_ATTR)
		return turn_header_attr(data, size);
	if (!event)
		return false;
	layout = &event->layout;
	if (type == PERF_RECORD_SAMPLE) {
		if (event->attr.sample_type & ~known_fields)
			errx(EXIT_FAILURE, "samples with other fields");
		turn_fields(data, 8, size, layout->tid, layout->cpu);
		return true;
	}
	head = turn_head(data, type);
	if (!head || head + layout->trailer.size != size)
		return false;
	trailer = layout->trailer.tid ? size - layout->trailer.tid : 0;
	turn_fields(data, head, size, trailer,
		    layout->trailer.cpu ? size - layout->trailer.cpu : 0);
	return true;
}

int main(void)
{
	uint64_t header[2] = {PERF_MAGIC2, PERF_PIPE_HEADER_SIZE};
	uint8_t data[PERF_RECORD_SIZE_MAX];
	struct pk_reader *reader;
	struct pk_record record;
	enum pk_status status;

	if (pk_reader_new(&(struct pk_reader_options){.fd = STDIN_FILENO}, &reader) != PK_OK)
		errx(EXIT_FAILURE, "out of memory");
	turn((uint8_t *)header, 2, 8);
	if (fwrite(header, sizeof(header), 1, stdout) != 1)
		err(EXIT_FAILURE, "stdout");
	while (!(status = pk_reader_next(reader, &record))) {
		if (record.type == PK_RECORD_BEGIN || record.size > sizeof(data))
			continue;
		memcpy(data, record.data, record.size);
		if (!turn_body(pk_reader_event_of(reader, &record), data, record.type, record.size))
			continue;
		turn(data, 1, 4);
		turn(data + 4, 2, 2);
		if (fwrite(data, record.size, 1, stdout) != 1)
			err(EXIT_FAILURE, "stdout");
	}
	if (status != PK_END)
		errx(EXIT_FAILURE, "stdin: %s", pk_reader_error(reader));
	pk_reader_free(reader);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
