/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_TIME_H
#define PK_RECORD_TIME_H

#include <stdint.h>
#include <time.h>

/* Returns the time of CLOCK_MONOTONIC in ns. */
static inline uint64_t record_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#endif
