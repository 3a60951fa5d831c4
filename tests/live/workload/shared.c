// SPDX-License-Identifier: BSD-2-Clause
/* A library. Compiled with -DLOADER, it is the library that loader.c is linked with. Compiled with
 * -DNAME=..., it is a library that loader.c loads. */
#include "burn.h"

static volatile int done;

#ifdef LOADER
void shared_work(int milliseconds);
int shared_nothing(void);

void shared_work(int milliseconds)
{
	burn(milliseconds);
	done++;
}

int shared_nothing(void)
{
	return done;
}
#else
void plugin_run(int milliseconds);

static NOINLINE void NAME(int milliseconds)
{
	burn(milliseconds);
	done++;
}

void plugin_run(int milliseconds)
{
	NAME(milliseconds);
	done++;
}
#endif
