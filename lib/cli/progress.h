/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PROGRESS_H
#define PK_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* A line on stderr that says how far the reading of a file is: only on a terminal, not under -q,
 * and from the second second on. */
struct pk_progress {
	bool shown, wanted;
	const char *name;
	uint64_t size;	      /* of the file */
	uint64_t start, next; /* ns: when it began, when to look at the clock again */
	uint32_t countdown;
};

void pk_progress_start(struct pk_progress *progress, const char *name, int fd);
/* Takes the line away. */
void pk_progress_end(struct pk_progress *progress);
void pk_progress_show(struct pk_progress *progress, uint64_t offset);

/* To be called for every record. */
static inline void pk_progress_tick(struct pk_progress *progress, uint64_t offset)
{
	if (__builtin_expect(progress->wanted, 0) && !progress->countdown--)
		pk_progress_show(progress, offset);
}

#endif
