/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CHECK_THAT_H
#define CHECK_THAT_H

#include <stdlib.h>

/* An assertion of a fuzz target. Unlike assert(), it does not depend on NDEBUG. */
static inline void check_that(int holds)
{
	if (!holds)
		abort();
}

#endif
