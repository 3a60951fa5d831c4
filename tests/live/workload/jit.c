// SPDX-License-Identifier: BSD-2-Clause
/* A JIT compiler. It writes two functions of machine code to memory, calls them from run_jitted(),
 * and writes their names to /tmp/perf-PID.map. It then does the same in a memfd and in a file
 * "image", with other names. With the argument "late", it writes the names when it ends. With the
 * argument "never", it does not write them. Prints its PID. Exits with 77 if it has no code for
 * this processor. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "burn.h"
#include "machine_code.h"

enum { DISTANCE = 256 };

static volatile int runs;

static NOINLINE void run_jitted(void (*function)(void), int milliseconds)
{
	const long long end = cpu_time() + milliseconds * 1000000LL;

	do {
		function();
		runs++;
	} while (cpu_time() < end);
}

static NOINLINE void jit(int fd, FILE *map, const char *first, const char *second)
{
	const int share = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	uint8_t *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, share, fd, 0);

	if (memory == MAP_FAILED)
		return;
	memcpy(memory, code, sizeof(code));
	memcpy(memory + DISTANCE, code, sizeof(code));
	__builtin___clear_cache((char *)memory, (char *)memory + 2 * DISTANCE);
	fprintf(map, "%lx %x %s\n%lx %x %s\n", (unsigned long)memory, (unsigned int)sizeof(code),
		first, (unsigned long)memory + DISTANCE, (unsigned int)sizeof(code), second);
	fflush(map);
	run_jitted((void (*)(void))memory, 50);
	run_jitted((void (*)(void))(memory + DISTANCE), 50);
}

static int write_late(const char *path, const char *text, size_t size)
{
	FILE *file = fopen(path, "we");

	return !file || fwrite(text, 1, size, file) != size || fclose(file);
}

int main(int argc, char **argv)
{
	const int later = argc > 1, late = later && !strcmp(argv[1], "late");
	int fd = memfd_create("jit", 0);
	char path[64], *text = NULL;
	size_t size = 0;
	FILE *map;

	if (sizeof(code) == 1)
		return 77;
	printf("%d\n", (int)getpid());
	fflush(stdout);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = later ? open_memstream(&text, &size) : fopen(path, "we");
	if (!map || ftruncate(fd, 4096))
		return 1;
	jit(-1, map, "jitted one", "Jitted::two(int)");
	jit(fd, map, "in_memfd", "in_memfd_too");
	fd = open("image", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (ftruncate(fd, 4096))
		return 1;
	jit(fd, map, "in_file", "in_file_too");
	return fclose(map) || (late && write_late(path, text, size));
}
