/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: libpkstream/datafile.c */
/* seeds: streams */
/* Reads the bytes as a perf.data file, once from a seekable descriptor and once from a pipe, which
 * is spooled. Both ways must yield the same records. The records must not have many more bytes than
 * the input. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "record_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct outcome read_descriptor(int fd)
{
	struct memory unused = {0};
	struct pk_reader_options options = {.fd = fd, .warn = note_warning, .arg = &unused};
	struct pk_reader *reader;

	check_that(pk_reader_new(&options, &reader) == PK_OK);
	return outcome_of(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory memory = {.data = data, .size = size, .piece = SIZE_MAX};
	struct outcome seen, spooled;
	int fd = memfd_create("file", MFD_CLOEXEC);

	check_that(fd >= 0 && write(fd, data, size) == (ssize_t)size && !lseek(fd, 0, SEEK_SET));
	seen = read_descriptor(fd);
	close(fd);
	spooled = outcome_of(open_memory(&memory));
	/* With a zstd frame in the data, the results can differ. Only one of the two ways reads
	 * into the frame and continues after it. */
	if (!memmem(data, size, "\x28\xb5\x2f\xfd", 4) && !memmem(data, size, "\x2a\x4d\x18", 3)) {
		check_same_outcome(&seen, &spooled);
		/* Each entry of the table of events, or of features, becomes a record. So the
		 * records can have more bytes than the input. */
		check_that(seen.bytes <= 100 * size + 65536);
	}
	return 0;
}
