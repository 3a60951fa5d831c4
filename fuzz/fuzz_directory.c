/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/datadir.c */
/* Tests a directory of perf record --threads. Two bytes are the size of its file data, and two
 * bytes are the size of data.0. The rest is data.1. Merging the files must neither lose nor add
 * records. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"data", "data.0", "data.1"};

static char path[4096];

static void remove_folder(void)
{
	rmdir(path);
}

/* Opens a directory that is used for the whole run. */
static int open_folder(void)
{
	static int folder = -1;
	const char *above = getenv("TMPDIR");

	if (folder >= 0)
		return folder;
	snprintf(path, sizeof(path), "%s/pk-fuzz-XXXXXX", above ? above : "/tmp");
	check_that(mkdtemp(path) != NULL);
	atexit(remove_folder);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	check_that(folder >= 0);
	return folder;
}

static void put_file(int folder, const char *name, const uint8_t *data, size_t size)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	check_that(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static size_t take_size(const uint8_t **data, size_t *size)
{
	size_t taken = 0;

	if (*size >= 2) {
		taken = (size_t)((*data)[0] | (*data)[1] << 8);
		*data += 2;
		*size -= 2;
	}
	return taken < *size ? taken : *size;
}

/* Reads the records in order, and stops after some of them. The queued records must be freed. */
static void read_ordered(int folder, size_t records)
{
	struct pk_reader_options options = {.fd = folder};
	struct pk_reader *reader;
	struct pk_record record;
	struct pk_order *order;

	check_that(pk_reader_new(&options, &reader) == PK_OK);
	check_that(pk_order_new(reader, &order) == PK_OK);
	while (records-- && pk_order_next(order, &record) == PK_OK)
		;
	pk_order_free(order);
	pk_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_reader_options options = {.fd = open_folder()};
	struct pk_reader *reader;
	struct outcome outcome;

	for (int i = 0; i < 3; i++) {
		size_t part = i < 2 ? take_size(&data, &size) : size;

		put_file(options.fd, names[i], data, part);
		data += part;
		size -= part;
	}
	check_that(pk_reader_new(&options, &reader) == PK_OK);
	outcome = outcome_of(reader);
	read_ordered(options.fd, outcome.records / 2);
	for (int i = 0; i < 3; i++)
		unlinkat(options.fd, names[i], 0);
	return 0;
}
