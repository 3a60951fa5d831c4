/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CHECK_THAT_H
#define CHECK_THAT_H

#include <stdlib.h>

/* What a fuzz target asserts, whatever NDEBUG says. */
static inline void check_that(int holds)
{
	if (!holds)
		abort();
}

#endif
