// SPDX-License-Identifier: BSD-2-Clause
/* Tests directories of perf record --threads. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stream_builder.h"

enum { HEADER = 104, ATTR = 64, STRIDE = ATTR + 16 };

static char folder[4096];
static int folder_fd;
static char said[4096];

static void make_folder(void)
{
	const char *above = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/pk-datadir-XXXXXX", above ? above : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(folder_fd, 0);
	said[0] = '\0';
}

static void remove_folder(void)
{
	char command[4200];

	close(folder_fd);
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

static void put_file(const char *name, const struct built *b)
{
	int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, b->data, b->size), (ssize_t)b->size);
	close(fd);
}

/* Writes the file `data`. It has one event with IP and TIME, the records of `data`, a
 * FINISHED_INIT, and the feature DIR_FORMAT with this version. */
static void put_data(bool swap, uint64_t version, const struct built *data)
{
	struct built b = {.swap = swap};
	const size_t ids = HEADER + STRIDE, start = ids + 8, size = data->size + 8,
		     table = start + size;

	PUT(&b, "88888888", PERF_MAGIC2, HEADER, STRIDE, HEADER, STRIDE, start, size, 0);
	PUT(&b, "88888", 0, version ? 1 << PERF_FEATURE_DIR_FORMAT | 1 << 3 : 1 << 3, 0, 0, 0);
	PUT(&b, "4488888448", PERF_TYPE_SOFTWARE, ATTR, PERF_COUNT_SW_CPU_CLOCK, 1000,
	    PERF_SAMPLE_IP | PERF_SAMPLE_TIME, 0, flags_of(&b, 0), 0, 0, 0);
	PUT(&b, "888", ids, 8, 7);
	put_bytes(&b, data->data, data->size);
	put_empty(&b, PERF_RECORD_FINISHED_INIT);
	PUT(&b, "88", table + 32, 8);
	if (version)
		PUT(&b, "88", table + 40, 8);
	else
		PUT(&b, "88", 0, 0);
	PUT(&b, "448", 4, 0, version);
	put_file("data", &b);
	built_clear(&b);
}

static void put_sample(struct built *b, uint64_t ip, uint64_t time)
{
	RECORD(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, "88", ip, time);
}

/* Writes the file `name` with `count` samples, whose times are first, first + step and so on. */
static void put_ring(bool swap, const char *name, uint64_t first, uint64_t step, unsigned int count)
{
	struct built b = {.swap = swap};

	for (unsigned int i = 0; i < count; i++)
		put_sample(&b, first, first + i * step);
	put_file(name, &b);
	built_clear(&b);
}

/* Records with many bytes after their fields, 10 MB in total. The times of these records are even
 * numbers. */
enum { LARGE_COUNT = 1250, LARGE_SIZE = 8000 };

static void put_large_ring(const char *name, uint64_t first)
{
	struct built b = {0};

	for (uint64_t i = 0; i < LARGE_COUNT; i++) {
		open_record(&b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		PUT(&b, "88", first, first + 2 * i);
		put_zeros(&b, LARGE_SIZE);
		close_record(&b);
	}
	put_file(name, &b);
	built_clear(&b);
}

static void note(void *arg, const struct pk_warning *warning)
{
	size_t length = strlen(said);

	(void)arg;
	snprintf(said + length, sizeof(said) - length, "%s\n", warning->text);
}

static struct pk_reader *read_folder(void)
{
	struct pk_reader_options options = {.fd = folder_fd, .warn = note};
	struct pk_reader *reader;

	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	return reader;
}

/* Reads the samples and checks that their times ascend. Returns the number of samples. */
static unsigned int count_samples(struct pk_reader *reader, enum pk_status expected)
{
	unsigned int samples = 0;
	struct pk_record record;
	enum pk_status status;
	uint64_t last = 0;

	while (!(status = pk_reader_next(reader, &record))) {
		if (record.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_uint_eq(pk_reader_event_of(reader, &record)->ids[0], 7);
		ck_assert_uint_le(last, pk_load_u64(record.data + 16));
		last = pk_load_u64(record.data + 16);
		samples++;
	}
	ck_assert_int_eq(status, expected);
	ck_assert_int_eq(pk_reader_next(reader, &record), expected);
	return samples;
}

static void expect_folder(unsigned int samples, enum pk_status status, const char *error)
{
	struct pk_reader *reader = read_folder();

	ck_assert_uint_eq(count_samples(reader, status), samples);
	ck_assert_str_eq(pk_reader_error(reader), error);
	pk_reader_free(reader);
}

static const struct built empty = {0};

/* The records of the files data.N are merged by time. Files with other names are not read. */
START_TEST(by_time)
{
	for (int swap = 0; swap < 2; swap++) {
		make_folder();
		put_data(swap, 1, &empty);
		put_ring(swap, "data.0", 1000, 3, 500);
		put_ring(swap, "data.1", 2000, 7, 300);
		put_ring(swap, "data.12", 500, 1, 10);
		put_ring(swap, "data.3", 1, 1, 0);
		put_ring(swap, "data.old", 1, 1, 10);
		put_ring(swap, "data.01", 1, 1, 10);
		put_ring(swap, "data.", 1, 1, 10);
		put_ring(swap, "data.9999999999", 1, 1, 10);
		put_ring(swap, "other", 1, 1, 10);
		expect_folder(810, PK_END, "");
		ck_assert_str_eq(said, "");
		remove_folder();
	}
}
END_TEST

/* There are more records than the ordered reader stores. Each record is delivered once, and all
 * records are in order. */
START_TEST(ordered)
{
	struct pk_reader *reader;
	struct pk_record record;
	struct pk_order *order;
	struct pk_order_stats stats;
	unsigned int samples = 0;
	uint64_t last = 0;

	make_folder();
	put_data(false, 1, &empty);
	put_large_ring("data.0", 1000);
	put_large_ring("data.1", 1001);
	reader = read_folder();
	ck_assert_int_eq(pk_order_new(reader, &order), PK_OK);
	while (pk_order_next(order, &record) == PK_OK) {
		if (record.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_uint_lt(last, record.time);
		last = record.time;
		samples++;
	}
	ck_assert_uint_eq(samples, 2 * LARGE_COUNT);
	pk_order_stats(order, &stats);
	ck_assert_uint_eq(stats.rounds, 2);
	ck_assert_uint_eq(stats.late, 0);
	pk_order_free(order);
	pk_reader_free(reader);
	remove_folder();
}
END_TEST

/* The records of `data` come first, even if `data` is incomplete. */
START_TEST(interrupted)
{
	struct built b = {0};
	char name[4200];
	int fd;

	make_folder();
	RECORD(&b, PERF_RECORD_SAMPLE, 0, "88", 1, 1);
	put_data(false, 0, &b);
	built_clear(&b);
	put_ring(false, "data.0", 1000, 3, 10);
	snprintf(name, sizeof(name), "%s/data", folder);
	fd = open(name, O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(pwrite(fd, &(uint64_t){0}, 8, 48), 8);
	ck_assert_int_eq(ftruncate(fd, HEADER + STRIDE + 8 + 24 + 8), 0);
	close(fd);
	expect_folder(11, PK_TRUNCATED,
		      "the stream is cut, the recording was interrupted before its header was "
		      "complete, at offset 224");
	remove_folder();
}
END_TEST

/* An error in one file data.N does not affect the other files. */
START_TEST(one_cut)
{
	struct built b = {0};
	struct pk_reader *reader;

	make_folder();
	put_data(false, 1, &empty);
	put_ring(false, "data.0", 1000, 3, 10);
	put_sample(&b, 1, 1001);
	b.size -= 4;
	put_file("data.1", &b);
	b.size = 0;
	put_sample(&b, 1, 1002);
	PUT(&b, "422", 9, 0, 4);
	put_file("data.2", &b);
	put_ring(false, "data.3", 1000, 3, 10);
	reader = read_folder();
	ck_assert_uint_eq(count_samples(reader, PK_TRUNCATED), 21);
	ck_assert_str_eq(pk_reader_error(reader),
			 "data.1: the input ends in the middle of a record at offset 0");
	ck_assert_str_eq(said, "data.2: a record without a size at offset 24\n");
	ck_assert_uint_eq(pk_reader_bad_records(reader), 1);
	pk_reader_free(reader);
	built_clear(&b);
	remove_folder();
}
END_TEST

/* Symbolic links to other folders, and names that are not those of regular files, are skipped. */
START_TEST(elsewhere)
{
	struct pk_reader *reader;

	make_folder();
	put_data(false, 1, &empty);
	put_ring(false, "hidden", 1, 1, 10);
	put_ring(false, "data.0", 1000, 3, 10);
	ck_assert_int_eq(symlinkat("hidden", folder_fd, "data.1"), 0);
	ck_assert_int_eq(mkdirat(folder_fd, "data.2", 0700), 0);
	ck_assert_int_eq(mkfifoat(folder_fd, "data.3", 0600), 0);
	reader = read_folder();
	ck_assert_uint_eq(count_samples(reader, PK_END), 10);
	ck_assert_str_eq(said, "data.1: not read: not a regular file\n"
			       "data.2: not read: not a regular file\n"
			       "data.3: not read: not a regular file\n");
	ck_assert_uint_eq(pk_reader_bad_records(reader), 3);
	pk_reader_free(reader);
	remove_folder();
}
END_TEST

START_TEST(no_data)
{
	struct pk_reader *reader;
	struct pk_record record;

	make_folder();
	for (int link = 0; link < 2; link++) {
		if (link)
			ck_assert_int_eq(symlinkat("/etc/passwd", folder_fd, "data"), 0);
		reader = read_folder();
		ck_assert_int_eq(pk_reader_next(reader, &record), PK_CORRUPT);
		ck_assert_int_eq(pk_reader_next(reader, &record), PK_CORRUPT);
		ck_assert_str_eq(pk_reader_error(reader),
				 "a directory without a recording's file data at offset 0");
		pk_reader_free(reader);
	}
	remove_folder();
}
END_TEST

START_TEST(version)
{
	make_folder();
	put_data(false, 2, &empty);
	put_ring(false, "data.0", 1, 1, 10);
	expect_folder(0, PK_UNSUPPORTED, "a directory of a later version than 1 at offset 0");
	remove_folder();
}
END_TEST

/* If only the file `data` is read, the reader reports that this file is not the whole recording. */
START_TEST(file_alone)
{
	struct pk_reader_options options = {.warn = note};
	struct pk_reader *reader;

	make_folder();
	put_data(false, 1, &empty);
	options.fd = openat(folder_fd, "data", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(pk_reader_new(&options, &reader), PK_OK);
	ck_assert_uint_eq(count_samples(reader, PK_END), 0);
	ck_assert_uint_eq(pk_reader_bad_records(reader), 1);
	ck_assert_ptr_nonnull(strstr(said, "part of a directory"));
	pk_reader_free(reader);
	close(options.fd);
	remove_folder();
}
END_TEST

/* An AUXTRACE with its payload is between the records of a file data.N. */
START_TEST(payload)
{
	struct pk_reader *reader;
	struct pk_record record;
	struct built b = {0};
	const uint8_t *data;
	uint64_t got = 0;
	size_t size;

	make_folder();
	put_data(false, 1, &empty);
	put_sample(&b, 1, 1000);
	RECORD(&b, PERF_RECORD_AUXTRACE, 0, "8884444", 100000, 0, 0, 0, 0, 0, 0);
	put_zeros(&b, 100000);
	put_sample(&b, 1, 3000);
	put_file("data.0", &b);
	put_ring(false, "data.1", 2000, 1, 1);
	reader = read_folder();
	while (pk_reader_next(reader, &record) == PK_OK && record.type != PERF_RECORD_AUXTRACE)
		;
	ck_assert_uint_eq(record.payload_size, 100000);
	do {
		ck_assert_int_eq(pk_reader_payload(reader, &data, &size), PK_OK);
		got += size;
	} while (size);
	ck_assert_uint_eq(got, 100000);
	ck_assert_uint_eq(count_samples(reader, PK_END), 2);
	pk_reader_free(reader);
	/* If the caller does not read the payload, the payload is skipped. */
	expect_folder(3, PK_END, "");
	/* If the payload is cut, the AUXTRACE is not delivered, and this file ends there. The other
	 * files are read. */
	b.size = 50000;
	put_file("data.0", &b);
	reader = read_folder();
	while (pk_reader_next(reader, &record) == PK_OK)
		ck_assert_uint_ne(record.type, PERF_RECORD_AUXTRACE);
	pk_reader_free(reader);
	expect_folder(2, PK_TRUNCATED,
		      "data.0: the input ends in the middle of a record at offset 72");
	built_clear(&b);
	remove_folder();
}
END_TEST

/* A file data.N is not a stream. A header of a stream in it is not the start of a session. */
START_TEST(stream_inside)
{
	struct built b = {0};

	make_folder();
	put_data(false, 1, &empty);
	put_sample(&b, 1, 1000);
	put_header(&b);
	put_file("data.0", &b);
	built_clear(&b);
	expect_folder(1, PK_CORRUPT,
		      "data.0: a stream begins within the records of a ring at offset 24");
	remove_folder();
}
END_TEST

RUN_TESTS("datadir", by_time, ordered, interrupted, one_cut, elsewhere, no_data, version,
	  file_alone, payload, stream_inside)
