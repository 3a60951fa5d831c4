/* SPDX-License-Identifier: BSD-2-Clause */
/* The library reads and writes each stream of format/vectors in several ways. */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pkstream.h"

struct memory {
	uint8_t data[1 << 21];
	size_t size, at;
	size_t piece; /* limit for the bytes of one read; 0 if there is no limit */
};

/* The result of reading a stream. */
struct outcome {
	enum pk_status status;
	uint64_t records, bad, hash;
};

static struct memory file, copy;
static glob_t good, bad;

static ssize_t read_memory(void *arg, void *buf, size_t size)
{
	struct memory *memory = arg;

	if (size > memory->piece)
		size = memory->piece;
	if (size > memory->size - memory->at)
		size = memory->size - memory->at;
	memcpy(buf, memory->data + memory->at, size);
	memory->at += size;
	return (ssize_t)size;
}

static ssize_t write_memory(void *arg, const void *buf, size_t size)
{
	struct memory *memory = arg;

	ck_assert_uint_le(size, sizeof(memory->data) - memory->size);
	memcpy(memory->data + memory->size, buf, size);
	memory->size += size;
	return (ssize_t)size;
}

static void load(const char *path)
{
	FILE *f = fopen(path, "rb");

	ck_assert_ptr_nonnull(f);
	file.size = fread(file.data, 1, sizeof(file.data), f);
	ck_assert_uint_lt(file.size, sizeof(file.data));
	fclose(f);
}

static struct pk_reader *open_memory(struct memory *memory, size_t piece)
{
	struct pk_reader_options options = {.read = read_memory, .fd = -1, .arg = memory};
	struct pk_reader *reader;

	memory->at = 0;
	memory->piece = piece;
	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	return reader;
}

static void add(uint64_t *hash, const void *data, size_t size)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < size; i++)
		*hash = (*hash ^ p[i]) * UINT64_C(0x100000001b3);
}

static void add_record(struct outcome *outcome, const struct pk_record *record)
{
	outcome->records++;
	add(&outcome->hash, &record->type, sizeof(record->type));
	add(&outcome->hash, record->data, record->size);
}

static void add_payload(struct outcome *outcome, struct pk_reader *reader)
{
	const uint8_t *data;
	size_t size;

	while (pk_reader_payload(reader, &data, &size) == PK_OK && size)
		add(&outcome->hash, data, size);
}

static struct outcome read_all(struct memory *memory, size_t piece)
{
	struct pk_reader *reader = open_memory(memory, piece);
	struct outcome outcome = {0};
	struct pk_record record;

	while (!(outcome.status = pk_reader_next(reader, &record))) {
		add_record(&outcome, &record);
		add_payload(&outcome, reader);
	}
	outcome.bad = pk_reader_bad_records(reader);
	ck_assert_int_eq(pk_reader_next(reader, &record), outcome.status);
	pk_reader_free(reader);
	return outcome;
}

static void expect_same(struct outcome expected, struct outcome found, const char *path)
{
	ck_assert_msg(expected.status == found.status, "%s: status %d, not %d", path, found.status,
		      expected.status);
	ck_assert_msg(expected.records == found.records, "%s: %lu records, not %lu", path,
		      (unsigned long)found.records, (unsigned long)expected.records);
	ck_assert_msg(expected.hash == found.hash, "%s: other records", path);
}

static void for_each(const glob_t *paths, void (*test)(const char *path))
{
	ck_assert_uint_gt(paths->gl_pathc, 50);
	for (size_t i = 0; i < paths->gl_pathc; i++) {
		load(paths->gl_pathv[i]);
		test(paths->gl_pathv[i]);
	}
}

/* Returns true if the stream has a damaged zstd frame. The output of a decompressor for such a
 * frame depends on the sizes of the reads. */
static bool is_damaged_zstd(const char *path)
{
	return strstr(path, "bad/zstd-");
}

static void in_pieces(const char *path)
{
	struct outcome whole = read_all(&file, sizeof(file.data));

	if (is_damaged_zstd(path)) {
		ck_assert_int_eq(read_all(&file, 1).status, whole.status);
		return;
	}
	expect_same(whole, read_all(&file, 1), path);
	expect_same(whole, read_all(&file, 7), path);
}

START_TEST(pieces)
{
	for_each(&good, in_pieces);
	for_each(&bad, in_pieces);
}
END_TEST

static void is_complete(const char *path)
{
	struct outcome outcome = read_all(&file, sizeof(file.data));

	ck_assert_msg(outcome.status == PK_END, "%s: status %d", path, outcome.status);
	ck_assert_msg(!outcome.bad, "%s: bad records", path);
}

START_TEST(complete)
{
	for_each(&good, is_complete);
}
END_TEST

/* Reads each prefix of a stream up to its end. If the whole stream can be read, a prefix has at
 * most as many records. This does not apply to files, which have features at their end. */
static void in_part(const char *path)
{
	struct outcome whole = read_all(&file, sizeof(file.data));
	size_t size = file.size, step = 1 + size / 100;

	if (whole.status == PK_UNSUPPORTED)
		return;
	for (file.size = 0; file.size < size; file.size += step) {
		struct outcome part = read_all(&file, sizeof(file.data));

		ck_assert_msg(part.records <= whole.records + whole.bad || is_damaged_zstd(path),
			      "%s: more records in %zu bytes", path, file.size);
	}
}

START_TEST(parts)
{
	for_each(&good, in_part);
	for_each(&bad, in_part);
}
END_TEST

/* The records are written in the byte order of the host. When they are read again, they must be the
 * same. */
static void written(const char *path)
{
	struct outcome before = read_all(&file, sizeof(file.data));
	struct pk_reader *reader = open_memory(&file, sizeof(file.data));
	struct pk_writer_options options = {.write = write_memory, .fd = -1, .arg = &copy};
	struct pk_writer *writer;
	struct pk_record record;

	copy.size = 0;
	ck_assert_int_eq(pk_writer_new(&options, &writer), PK_OK);
	while (pk_reader_next(reader, &record) == PK_OK) {
		if (record.type == PK_RECORD_BEGIN)
			ck_assert_int_eq(pk_writer_header(writer), PK_OK);
		else
			ck_assert_int_eq(pk_writer_copy(writer, reader, &record), PK_OK);
	}
	ck_assert_int_eq(pk_writer_flush(writer), PK_OK);
	pk_writer_free(writer);
	pk_reader_free(reader);
	expect_same(before, read_all(&copy, sizeof(copy.data)), path);
}

START_TEST(copies)
{
	for_each(&good, written);
}
END_TEST

/* The ordered reader must deliver each record once, except FINISHED_ROUND and samples of unknown
 * events. */
static void ordered(const char *path)
{
	struct pk_reader *reader = open_memory(&file, sizeof(file.data));
	struct outcome expected = {0}, found = {0};
	struct pk_record record;
	struct pk_order *order;

	while (!(expected.status = pk_reader_next(reader, &record)))
		expected.records +=
			record.type != PERF_RECORD_FINISHED_ROUND &&
			(record.type != PERF_RECORD_SAMPLE || pk_reader_event_of(reader, &record));
	pk_reader_free(reader);
	reader = open_memory(&file, sizeof(file.data));
	ck_assert_int_eq(pk_order_new(reader, &order), PK_OK);
	while (!(found.status = pk_order_next(order, &record)))
		found.records += record.type != PERF_RECORD_FINISHED_ROUND;
	pk_order_free(order);
	pk_reader_free(reader);
	expect_same(expected, found, path);
}

START_TEST(orders)
{
	for_each(&good, ordered);
	for_each(&bad, ordered);
}
END_TEST

static void expect_times(const char *path, const uint64_t *times, size_t count)
{
	struct pk_reader *reader;
	struct pk_record record;
	struct pk_order *order;
	size_t i = 0;

	load(path);
	reader = open_memory(&file, sizeof(file.data));
	ck_assert_int_eq(pk_order_new(reader, &order), PK_OK);
	while (pk_order_next(order, &record) == PK_OK) {
		if (record.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_uint_lt(i, count);
		ck_assert_uint_eq(record.time, times[i]);
		i++;
	}
	ck_assert_uint_eq(i, count);
	pk_order_free(order);
	pk_reader_free(reader);
}

START_TEST(times)
{
	static const uint64_t rounds[] = {1000, 2000, 2500, 3000, 4000, 4000,
					  5000, 5500, 6000, 7000, 8000, 9000};
	static const uint64_t none[] = {1000, 2000, 3000};

	expect_times("format/vectors/good/order-rounds.pk", rounds, 12);
	expect_times("format/vectors/good/order-none.pk", none, 3);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("vectors");
	TCase *c = tcase_create("vectors");
	SRunner *r;
	int failed;

	if (glob("format/vectors/good/*.pk", 0, NULL, &good) ||
	    glob("format/vectors/bad/*.pk", 0, NULL, &bad))
		return 1;
	tcase_add_test(c, complete);
	tcase_add_test(c, pieces);
	tcase_add_test(c, parts);
	tcase_add_test(c, copies);
	tcase_add_test(c, orders);
	tcase_add_test(c, times);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	globfree(&good);
	globfree(&bad);
	return failed != 0;
}
