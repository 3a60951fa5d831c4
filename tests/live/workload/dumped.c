// SPDX-License-Identifier: BSD-2-Clause
/* A JIT compiler that writes a jitdump. It writes a function, then another function at the same
 * address, and then moves the first function to another address. run_jitted() calls each of these
 * for 50 ms. Prints its PID. Exits with 77 if it has no code for this processor. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "burn.h"
#include "machine_code.h"

enum { DISTANCE = 256 };

static int dump;
static volatile int runs;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void put(const void *bytes, size_t size)
{
	if (write(dump, bytes, size) != (ssize_t)size)
		_exit(1);
}

static void put_header(void)
{
	const struct {
		uint32_t magic, version, size, machine, pad, pid;
		uint64_t time, flags;
	} header = {0x4a695444, 1, 40, 0, 0, (uint32_t)getpid(), now(), 0};

	put(&header, sizeof(header));
}

static void put_line(uint64_t address, uint32_t line)
{
	static const char file[8] = "/src/j\0";
	const struct {
		uint32_t id, size;
		uint64_t time, address, count, line_address;
		uint32_t line, discriminator;
	} record = {2, 48 + sizeof(file), now(), address, 1, address, line, 0};

	put(&record, sizeof(record));
	put(file, sizeof(file));
}

static void put_load(uint64_t address, uint64_t index, const char name[8])
{
	const struct {
		uint32_t id, size;
		uint64_t time;
		uint32_t pid, tid;
		uint64_t vma, address, code_size, index;
	} record = {
		0,	 64 + sizeof(code), now(), (uint32_t)getpid(), (uint32_t)getpid(), address,
		address, sizeof(code),	    index};

	put(&record, sizeof(record));
	put(name, 8);
	put(code, sizeof(code));
}

static void put_move(uint64_t from, uint64_t to, uint64_t index)
{
	const struct {
		uint32_t id, size;
		uint64_t time;
		uint32_t pid, tid;
		uint64_t vma, from, to, code_size, index;
	} record = {1,
		    (uint32_t)sizeof(record),
		    now(),
		    (uint32_t)getpid(),
		    (uint32_t)getpid(),
		    to,
		    from,
		    to,
		    sizeof(code),
		    index};

	put(&record, sizeof(record));
}

static NOINLINE void run_jitted(void (*function)(void))
{
	const long long end = cpu_time() + 50000000;

	do {
		function();
		runs++;
	} while (cpu_time() < end);
}

int main(void)
{
	uint8_t *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];

	if (sizeof(code) == 1)
		return 77;
	snprintf(path, sizeof(path), "jit-%d.dump", (int)getpid());
	dump = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (memory == MAP_FAILED || dump < 0)
		return 1;
	put_header();
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) == MAP_FAILED)
		return 1;
	memcpy(memory, code, sizeof(code));
	memcpy(memory + DISTANCE, code, sizeof(code));
	__builtin___clear_cache((char *)memory, (char *)memory + 2 * DISTANCE);
	put_line((uintptr_t)memory, 11);
	put_load((uintptr_t)memory, 1, "first()");
	run_jitted((void (*)(void))memory);
	put_load((uintptr_t)memory, 2, "second\0");
	run_jitted((void (*)(void))memory);
	put_move((uintptr_t)memory, (uintptr_t)memory + DISTANCE, 1);
	run_jitted((void (*)(void))(memory + DISTANCE));
	printf("%d\n", (int)getpid());
	return 0;
}
