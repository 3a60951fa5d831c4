/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PROGRESS_H
#define PK_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* A line on stderr with the progress of reading a file: only on a terminal, not with -q, and only
 * after one second. */
struct pk_progress {
	bool shown, wanted;
	const char *name;
	uint64_t size;	      /* of the file */
	uint64_t start, next; /* ns: the start, and when to read the clock again */
	uint32_t countdown;
};

void pk_progress_start(struct pk_progress *progress, const char *name, int fd);
/* Removes the line. */
void pk_progress_end(struct pk_progress *progress);
void pk_progress_show(struct pk_progress *progress, uint64_t offset);

/* Call this for every record. */
static inline void pk_progress_tick(struct pk_progress *progress, uint64_t offset)
{
	if (__builtin_expect(progress->wanted, 0) && !progress->countdown--)
		pk_progress_show(progress, offset);
}

#endif
