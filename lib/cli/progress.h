/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PROGRESS_H
#define PK_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* A line on stderr with the progress of reading a regular file: only on a terminal, not with -q,
 * and only after one second. */
struct pk_progress {
	bool shown, wanted; /* a line was printed; lines may be printed */
	const char *name;
	uint64_t size;	      /* of the file, bytes */
	uint64_t start, next; /* CLOCK_MONOTONIC, ns: when reading started, and the earliest time
			       * for the next line */
	uint32_t countdown;   /* records until the clock is read again */
};

void pk_progress_start(struct pk_progress *progress, const char *name, int fd);
/* Removes the line. */
void pk_progress_end(struct pk_progress *progress);
/* Prints the line if it is time for it. offset: the position in the input, bytes. */
void pk_progress_show(struct pk_progress *progress, uint64_t offset);

/* Call this for every record. */
static inline void pk_progress_tick(struct pk_progress *progress, uint64_t offset)
{
	if (__builtin_expect(progress->wanted, 0) && !progress->countdown--)
		pk_progress_show(progress, offset);
}

#endif
