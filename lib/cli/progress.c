// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "progress.h"

#define LOOK_EVERY 20000 /* records */
#define SECOND	   UINT64_C(1000000000)

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

void pk_progress_start(struct pk_progress *progress, const char *name, int fd)
{
	struct stat st;

	*progress = (struct pk_progress){.name = name};
	if (!isatty(STDERR_FILENO) || pk_cli_verbose() < 0 || fstat(fd, &st) ||
	    !S_ISREG(st.st_mode) || st.st_size <= 0)
		return;
	progress->wanted = true;
	progress->size = (uint64_t)st.st_size;
	progress->start = now();
	progress->next = progress->start + SECOND;
	progress->countdown = LOOK_EVERY;
}

void pk_progress_show(struct pk_progress *progress, uint64_t offset)
{
	uint64_t time = now(), spent = time - progress->start;
	double rate, done;
	char line[256];

	progress->countdown = LOOK_EVERY;
	/* offset counts decompressed bytes. If it exceeds the size of the file, the file is
	 * compressed, and the progress is unknown. */
	if (time < progress->next || offset > progress->size)
		return;
	progress->next = time + SECOND / 5;
	progress->shown = true;
	rate = (double)offset / ((double)spent / (double)SECOND);
	done = (double)offset / (double)progress->size;
	snprintf(line, sizeof(line), "%s: %s: %.0f%%, %.0f of %.0f MB, %.0f MB/s, %.0f s left",
		 pk_cli_program(), progress->name, 100 * done, (double)offset / 1e6,
		 (double)progress->size / 1e6, rate / 1e6,
		 ((double)progress->size - (double)offset) / (rate + 1));
	pk_harmless(line);
	fprintf(stderr, "\r%s\033[K", line);
}

void pk_progress_end(struct pk_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = progress->wanted = false;
}
