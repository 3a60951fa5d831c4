/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CRASH_AS_H
#define PK_CRASH_AS_H

/* Crashes in the ways of a library. */

#include <stdlib.h>
#include <string.h>

static unsigned int recurse(volatile char *caller)
{
	volatile char here[4096];

	here[0] = caller ? caller[0] : 1;
	return here[0] ? recurse(here) + (unsigned int)here[0] : 0;
}

/* Crashes in the way that the environment variable CRASH names. */
static void crash(void)
{
	const char *how = getenv("CRASH");
	volatile int zero = 0;
	volatile int *volatile nothing = NULL;

	if (!how || !strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "write"))
		*nothing = 1;
	if (!strcmp(how, "divide"))
		exit(100 / zero);
	if (!strcmp(how, "stack"))
		exit((int)recurse(NULL));
	if (!strcmp(how, "instruction"))
		__builtin_trap();
	while (!strcmp(how, "hang"))
		zero = !zero;
}

#endif
