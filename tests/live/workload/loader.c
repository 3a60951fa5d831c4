// SPDX-License-Identifier: BSD-2-Clause
/* loader FIRST SECOND calls functions of the library that it is linked with. It then loads the
 * libraries FIRST and SECOND one after the other, and calls a function in each of them. Prints the
 * addresses of these functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>

#include "burn.h"

void shared_work(int milliseconds);
int shared_nothing(void);

static volatile int sum;

/* Calls a function of the library through an entry of the procedure linkage table. The entry is so
 * short that it is rarely sampled. Therefore the page of the entry is removed first, and a page
 * fault in the entry is sampled. */
static NOINLINE __attribute__((aligned(4096))) void call_through_plt(void)
{
	for (int i = 0; i < 100; i++) {
#ifdef __x86_64__
		long entry;

		__asm__("leaq shared_nothing@PLT(%%rip), %0" : "=r"(entry));
		raw_syscall(SYS_madvise, entry & -4096L, 4096, MADV_DONTNEED);
#endif
		sum += shared_nothing();
	}
}

static NOINLINE void load_and_run(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*run)(int) = library ? (void (*)(int))dlsym(library, "plugin_run") : NULL;

	if (!run) {
		fprintf(stderr, "%s\n", dlerror());
		return;
	}
	printf("%p\n", (void *)run);
	run(50);
	sum++;
	dlclose(library);
}

int main(int argc, char **argv)
{
	shared_work(50);
	call_through_plt();
	for (int i = 1; i < argc; i++)
		load_and_run(argv[i]);
	return 0;
}
