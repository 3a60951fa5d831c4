/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef STREAM_BUILDER_H
#define STREAM_BUILDER_H

/* Builds streams in memory, in both byte orders. Has readers and writers of memory that can behave
 * like system calls: short transfers, interruptions, and errors. Each test program includes this
 * file once. */

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pkstream.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Building ---- */

struct built {
	uint8_t *data;
	size_t size, capacity;
	size_t record; /* offset of the start of the current record */
	bool swap;     /* numbers are written in the byte order that the host does not have */
};

static inline void built_clear(struct built *b)
{
	free(b->data);
	*b = (struct built){.swap = b->swap};
}

static inline void put_bytes(struct built *b, const void *data, size_t size)
{
	while (b->size + size > b->capacity) {
		b->capacity = 2 * b->capacity + 256;
		b->data = realloc(b->data, b->capacity);
		ck_assert_ptr_nonnull(b->data);
	}
	if (size)
		memcpy(b->data + b->size, data, size);
	b->size += size;
}

/* Writes a number of 1, 2, 4 or 8 bytes. */
static inline void put(struct built *b, unsigned int width, uint64_t value)
{
	if (b->swap)
		value = __builtin_bswap64(value) >> (64 - 8 * width);
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		put_bytes(b, (const uint8_t *)&value + 8 - width, width);
	else
		put_bytes(b, &value, width);
}

static inline void put_all(struct built *b, const char *widths, const uint64_t *values)
{
	for (; *widths; widths++, values++)
		put(b, (unsigned int)(*widths - '0'), *values);
}

/* Writes numbers with these widths. For example, PUT(b, "448", pid, tid, address). */
#define PUT(b, widths, ...) put_all(b, widths, (const uint64_t[]){__VA_ARGS__})

static inline void put_zeros(struct built *b, size_t size)
{
	static const uint8_t zeros[64];

	for (; size > sizeof(zeros); size -= sizeof(zeros))
		put_bytes(b, zeros, sizeof(zeros));
	put_bytes(b, zeros, size);
}

/* Writes a string, its NUL, and zeros until the size of the record is a multiple of 8. */
static inline void put_string(struct built *b, const char *text)
{
	put_bytes(b, text, strlen(text) + 1);
	put_zeros(b, -(b->size - b->record) % 8);
}

static inline void put_header(struct built *b)
{
	PUT(b, "88", PERF_MAGIC2, PERF_PIPE_HEADER_SIZE);
}

/* Starts a record; close_record() sets its size. */
static inline void open_record(struct built *b, uint32_t type, uint16_t misc)
{
	b->record = b->size;
	PUT(b, "422", type, misc, 0);
}

static inline void close_record(struct built *b)
{
	struct built size = {.swap = b->swap};

	ck_assert_uint_le(b->size - b->record, UINT16_MAX);
	put(&size, 2, b->size - b->record);
	memcpy(b->data + b->record + 6, size.data, 2);
	free(size.data);
}

/* Writes a record whose fields are numbers with these widths. */
#define RECORD(b, type, misc, widths, ...)                                                         \
	do {                                                                                       \
		open_record(b, type, misc);                                                        \
		PUT(b, widths, __VA_ARGS__);                                                       \
		close_record(b);                                                                   \
	} while (0)

static inline void put_empty(struct built *b, uint32_t type)
{
	open_record(b, type, 0);
	close_record(b);
}

/* Returns attr.flags as a writer with the stream's byte order writes them (SPEC 8.2). */
static inline uint64_t flags_of(const struct built *b, uint64_t flags)
{
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != b->swap;
	uint64_t result = 0, precise = (flags >> 15) & 3;

	if (!big)
		return flags;
	for (int bit = 0; bit < 64; bit++)
		if (bit != 15 && bit != 16 && flags & UINT64_C(1) << bit)
			result |= UINT64_C(1) << (63 - bit);
	return result | precise << 47;
}

/* Writes a HEADER_ATTR. Its attr has attr->size bytes (128 if it is 0), and its ids start from
 * first_id. */
static inline void put_attr(struct built *b, const struct perf_attr *attr, uint64_t first_id,
			    unsigned int ids)
{
	struct perf_attr copy = *attr;
	size_t start;

	if (!copy.size)
		copy.size = PERF_ATTR_SIZE_VER7;
	open_record(b, PERF_RECORD_HEADER_ATTR, 0);
	start = b->size;
	PUT(b, "4488888448888448422448", copy.type, copy.size, copy.config, copy.sample_period,
	    copy.sample_type, copy.read_format, flags_of(b, copy.flags), copy.wakeup_events,
	    copy.bp_type, copy.config1, copy.config2, copy.branch_sample_type,
	    copy.sample_regs_user, copy.sample_stack_user, (uint32_t)copy.clockid,
	    copy.sample_regs_intr, copy.aux_watermark, copy.sample_max_stack, copy.reserved_2,
	    copy.aux_sample_size, copy.aux_action, copy.sig_data);
	PUT(b, "88", copy.config3, copy.config4);
	if (copy.size > b->size - start)
		put_zeros(b, copy.size - (b->size - start));
	b->size = start + copy.size;
	for (unsigned int i = 0; i < ids; i++)
		put(b, 8, first_id + i);
	close_record(b);
}

/* Writes an EVENT_UPDATE NAME. */
static inline void put_name(struct built *b, uint64_t id, const char *name)
{
	open_record(b, PERF_RECORD_EVENT_UPDATE, 0);
	PUT(b, "88", PERF_EVENT_UPDATE_NAME, id);
	put_string(b, name);
	close_record(b);
}

/* Starts a definition of pk (SPEC 9). */
static inline void open_definition(struct built *b, unsigned int kind)
{
	open_record(b, PERF_RECORD_EVENT_UPDATE, 0);
	PUT(b, "88", PK_SUBTYPE_BASE | kind, 0);
}

#define DEFINITION(b, kind, widths, ...)                                                           \
	do {                                                                                       \
		open_definition(b, kind);                                                          \
		PUT(b, widths, __VA_ARGS__);                                                       \
		close_record(b);                                                                   \
	} while (0)

static inline void put_session(struct built *b, uint32_t trailers)
{
	DEFINITION(b, PK_SESSION, "211444", 1, 1, 8, trailers, 62, 0);
}

/* ---- Reading the built streams ---- */

#define WARNINGS_KEPT 16

/* The input of a reader, and the messages that the reader reported. */
struct source {
	const uint8_t *data;
	size_t size, at;
	size_t piece;	 /* limit for the bytes of one read; 0 if there is no limit */
	bool interrupts; /* every second read fails with EINTR */
	size_t fail_at;	 /* a read at this offset fails with EIO; 0 if no read fails */
	bool interrupted;
	unsigned int warnings;
	uint64_t warned_at[WARNINGS_KEPT]; /* offsets of the first warnings */
	char warning[200];		   /* text of the last warning */
};

static inline ssize_t source_read(void *arg, void *buf, size_t size)
{
	struct source *source = arg;

	source->interrupted = source->interrupts && !source->interrupted;
	if (source->interrupted) {
		errno = EINTR;
		return -1;
	}
	if (source->fail_at && source->at >= source->fail_at) {
		errno = EIO;
		return -1;
	}
	if (source->piece && size > source->piece)
		size = source->piece;
	if (size > source->size - source->at)
		size = source->size - source->at;
	if (source->fail_at && source->at + size > source->fail_at)
		size = source->fail_at - source->at;
	memcpy(buf, source->data + source->at, size);
	source->at += size;
	return (ssize_t)size;
}

static inline void source_warn(void *arg, const struct pk_warning *warning)
{
	struct source *source = arg;

	if (source->warnings < WARNINGS_KEPT)
		source->warned_at[source->warnings] = warning->offset;
	source->warnings++;
	ck_assert_uint_lt(strlen(warning->text), sizeof(source->warning));
	memcpy(source->warning, warning->text, strlen(warning->text) + 1);
}

static inline struct source source_of(const struct built *b)
{
	return (struct source){.data = b->data, .size = b->size};
}

static inline struct pk_reader *read_source(struct source *source)
{
	struct pk_reader_options options = {
		.read = source_read, .fd = -1, .warn = source_warn, .arg = source};
	struct pk_reader *reader;

	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	return reader;
}

/* Reads the next record, and checks that it has this type. Returns the record. */
static inline struct pk_record expect_record(struct pk_reader *reader, uint32_t type)
{
	struct pk_record record = {0};
	enum pk_status status = pk_reader_next(reader, &record);

	ck_assert_msg(status == PK_OK, "status %d: %s", status, pk_reader_error(reader));
	ck_assert_uint_eq(record.type, type);
	return record;
}

static inline void expect_end(struct pk_reader *reader, enum pk_status expected)
{
	struct pk_record record;

	ck_assert_int_eq(pk_reader_next(reader, &record), expected);
	ck_assert_int_eq(pk_reader_next(reader, &record), expected);
}

/* Returns the last record that was built, as a reader would return it. The record must have the
 * byte order of the host. */
static inline struct pk_record last_built(const struct built *b)
{
	const uint8_t *data = b->data + b->record;

	return (struct pk_record){.data = data,
				  .type = pk_load_u32(data),
				  .misc = pk_load_u16(data + 4),
				  .size = pk_load_u16(data + 6),
				  .time = PK_NO_TIME};
}

/* ---- Writing to memory ---- */

struct sink {
	struct built built;
	size_t piece;	 /* limit for the bytes of one write; 0 if there is no limit */
	bool interrupts; /* every second write fails with EINTR */
	size_t full;	 /* writes after this many bytes fail with ENOSPC; 0 if there is no limit */
	bool interrupted;
	unsigned int calls;
};

static inline ssize_t sink_write(void *arg, const void *buf, size_t size)
{
	struct sink *sink = arg;

	sink->calls++;
	sink->interrupted = sink->interrupts && !sink->interrupted;
	if (sink->interrupted) {
		errno = EINTR;
		return -1;
	}
	if (sink->piece && size > sink->piece)
		size = sink->piece;
	if (sink->full && sink->built.size + size > sink->full)
		size = sink->full - sink->built.size;
	if (!size) {
		errno = ENOSPC;
		return -1;
	}
	put_bytes(&sink->built, buf, size);
	return (ssize_t)size;
}

static inline struct pk_writer *write_sink(struct sink *sink)
{
	struct pk_writer_options options = {.write = sink_write, .arg = sink, .fd = -1};
	struct pk_writer *writer;

	ck_assert_int_eq(pk_writer_new(&options, &writer), PK_OK);
	return writer;
}

/* ---- Running the tests ---- */

/* Returns a pseudo-random number. Each run has the same sequence of numbers. */
static inline uint64_t random_below(uint64_t *seed, uint64_t limit)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (*seed >> 11) % limit;
}

static inline int run_tests(const char *name, const TTest *const *tests, size_t count)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner;
	int failed;

	for (size_t i = 0; i < count; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

#define RUN_TESTS(name, ...)                                                                       \
	int main(void)                                                                             \
	{                                                                                          \
		const TTest *const tests[] = {__VA_ARGS__};                                        \
                                                                                                   \
		return run_tests(name, tests, COUNT(tests));                                       \
	}

#endif
