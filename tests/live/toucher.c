// SPDX-License-Identifier: BSD-2-Clause
/* toucher PAGES [MS] writes to PAGES new pages. With MS, it does so in ten steps during MS
 * milliseconds. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	size_t pages = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, page = (size_t)getpagesize();
	long ms = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	const struct timespec pause = {0, ms * 100000};
	char *data = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	if (data == MAP_FAILED)
		return 1;
	madvise(data, pages * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++) {
		data[i * page] = 1;
		if (ms && i % (pages / 10 + 1) == 0)
			nanosleep(&pause, NULL);
	}
	return 0;
}
