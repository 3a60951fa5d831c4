// SPDX-License-Identifier: BSD-2-Clause
/* A JIT compiler whose jitdump has unwinding information. Its code keeps no frame pointer, and
 * calls burn_here() for 100 ms. With the argument "rarely", a second function without unwinding
 * information calls burn_here() for 20 ms. The program needs x86-64. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "burn.h"

/* The code is push %rbp; mov $1, %ebp; sub $32, %rsp; call *%rdi; add $32, %rsp; pop %rbp; ret */
static const uint8_t code[] = {0x55, 0xbd, 0x01, 0x00, 0x00, 0x00, 0x48, 0x83, 0xec,
			       0x20, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x20, 0x5d, 0xc3};

/* An .eh_frame section that begins 24 bytes after the start of the code, and its .eh_frame_hdr. It
 * has a CIE, and an FDE with the rules for the code. */
static const uint8_t unwinding[] = {0x14,
				    0,
				    0,
				    0,
				    0,
				    0,
				    0,
				    0,
				    1,
				    'z',
				    'R',
				    0,
				    1,
				    0x78,
				    16,
				    1,
				    0x1b,
				    0x0c,
				    7,
				    8,
				    0x90,
				    1,
				    0,
				    0,
				    0x1c,
				    0,
				    0,
				    0,
				    0x1c,
				    0,
				    0,
				    0,
				    0xc8,
				    0xff,
				    0xff,
				    0xff,
				    sizeof(code),
				    0,
				    0,
				    0,
				    0,
				    0x41,
				    0x0e,
				    16,
				    0x86,
				    2,
				    0x49,
				    0x0e,
				    48,
				    0x46,
				    0x0e,
				    16,
				    0x41,
				    0x0e,
				    8,
				    0xc6,
				    1,
				    0x1b,
				    3,
				    0x3b,
				    0xc4,
				    0xff,
				    0xff,
				    0xff,
				    1,
				    0,
				    0,
				    0,
				    0xb0,
				    0xff,
				    0xff,
				    0xff,
				    0xe0,
				    0xff,
				    0xff,
				    0xff};

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
	} header = {0x4a695444, 1, 40, 62, 0, (uint32_t)getpid(), now(), 0};

	put(&header, sizeof(header));
}

static void put_unwinding(void)
{
	const struct {
		uint32_t id, size;
		uint64_t time, unwinding_size, header_size, mapped_size;
	} record = {4, 40 + sizeof(unwinding), now(), sizeof(unwinding), 20, 80};

	put(&record, sizeof(record));
	put(unwinding, sizeof(unwinding));
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

static NOINLINE void burn_here(void)
{
	burn(1);
	runs++;
}

static NOINLINE void run_jitted(void *function, int ms)
{
	const long long end = cpu_time() + ms * 1000000LL;

	do {
		((void (*)(void (*)(void)))(uintptr_t)function)(burn_here);
		runs++;
	} while (cpu_time() < end);
}

int main(int argc, char **argv)
{
	uint8_t *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];

	snprintf(path, sizeof(path), "jit-%d.dump", (int)getpid());
	dump = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (memory == MAP_FAILED || dump < 0)
		return 1;
	put_header();
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) == MAP_FAILED)
		return 1;
	memcpy(memory, code, sizeof(code));
	memcpy(memory + 64, code, sizeof(code));
	put_unwinding();
	put_load((uintptr_t)memory, 1, "unwound");
	put_load((uintptr_t)memory + 64, 2, "unknown");
	run_jitted(memory, 100);
	if (argc > 1 && !strcmp(argv[1], "rarely"))
		run_jitted(memory + 64, 20);
	return 0;
}
