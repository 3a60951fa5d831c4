/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-stat/stat_reader.c pk-stat/stat_records.c */
/* seeds: streams */
/* Prints recordings of counts in every format. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_that.h"
#include "stat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("stream", MFD_CLOEXEC);
	char path[32];
	char *inputs[] = {path, NULL};
	struct stat_options options = {
		.inputs = inputs,
		.print.by = size ? (enum stat_by)(data[size - 1] % (STAT_BY_UNSET + 1)) : STAT_ALL,
		.print.format = size ? (enum stat_format)(data[size / 2] % 3) : STAT_TEXT,
		.print.separator = ",",
		.print.metric_only = size & 1,
		.print.summary = size & 2,
		.run.repeat = 1,
		.out = fopen("/dev/null", "we"),
	};

	check_that(fd >= 0 && options.out);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	check_that(write(fd, data, size) == (ssize_t)size);
	stat_read(&options);
	fclose(options.out);
	close(fd);
	return 0;
}
