// SPDX-License-Identifier: BSD-2-Clause
/*
 * own_stacks PREFIX copies its own registers and stack as a sample contains them, in functions that
 * are called in different ways. Prints a stream as text (tests/assemble/main.c). The files PREFIX0,
 * PREFIX1 and so on have the stack dumps.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <err.h>
#include <setjmp.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define DUMP	 49152

/* The number of each register in perf's list of registers, and its index in ucontext_t. */
static const struct {
	int perf, context;
} registers[] = {
	{0, REG_RAX},  {1, REG_RBX},  {2, REG_RCX},  {3, REG_RDX},  {4, REG_RSI},  {5, REG_RDI},
	{6, REG_RBP},  {7, REG_RSP},  {8, REG_RIP},  {16, REG_R8},  {17, REG_R9},  {18, REG_R10},
	{19, REG_R11}, {20, REG_R12}, {21, REG_R13}, {22, REG_R14}, {23, REG_R15},
};

static const char *prefix;
static char *stack_top;
static unsigned int samples;
static volatile int sink;

static void write_stack(uintptr_t from)
{
	const size_t all = (size_t)((uintptr_t)stack_top - from), size = all < DUMP ? all : DUMP;
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s%u", prefix, samples);
	file = fopen(path, "we");
	if (!file || fwrite((const void *)from, 1, size, file) != size || fclose(file))
		err(1, "%s", path);
	printf("  user_stack=@%s\n", path);
}

static NOINLINE void take_sample(void)
{
	ucontext_t context;

	getcontext(&context);
	printf("SAMPLE misc=(user) ip=%#llx pid=%d tid=%d time=%u\n",
	       (unsigned long long)context.uc_mcontext.gregs[REG_RIP], getpid(), getpid(),
	       samples + 1);
	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		printf("  user_regs[%d]=%#llx\n", registers[i].perf,
		       (unsigned long long)context.uc_mcontext.gregs[registers[i].context]);
	write_stack((uintptr_t)context.uc_mcontext.gregs[REG_RSP]);
	samples++;
}

/* ---- Different ways to call take_sample() ---- */

static NOINLINE void middle(int n)
{
	volatile char room[300];

	room[0] = (char)n;
	take_sample();
	sink += room[0];
}

static NOINLINE void dynamic_frame(int n)
{
	volatile char *room = alloca((size_t)n * 16);

	room[n] = 1;
	middle(n);
	sink += room[n];
}

static NOINLINE void descend(int depth)
{
	volatile int here = depth;

	if (depth)
		descend(depth - 1);
	else
		middle(1);
	sink += here;
}

static int compare(const void *a, const void *b)
{
	if (samples < 8)
		dynamic_frame(3);
	return *(const int *)a - *(const int *)b;
}

static void handle(int number)
{
	middle(number);
}

static NOINLINE __attribute__((noreturn)) void leave(jmp_buf there)
{
	middle(2);
	longjmp(there, 1);
}

static NOINLINE void ends_with_a_call(jmp_buf there)
{
	leave(there);
}

static void print_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long from, to, offset, inode;
	unsigned int major, minor;
	char line[4096], flags[8], path[4096];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s %lx %x:%x %lu %4095[^\n]", &from, &to, flags, &offset,
			   &major, &minor, &inode, path) != 8)
			continue;
		if (!strcmp(path, "[stack]"))
			stack_top = (char *)to;
		if (flags[2] == 'x')
			printf("MMAP2 misc=(user) pid=%d tid=%d addr=%#lx len=%#lx pgoff=%#lx "
			       "maj=%u min=%u ino=%lu prot=5 flags=2 filename=\"%s\"\n",
			       getpid(), getpid(), from, to - from, offset, major, minor, inode,
			       path);
	}
	if (!stack_top)
		errx(1, "no stack in /proc/self/maps");
	fclose(maps);
}

int main(int argc, char **argv)
{
	int numbers[] = {5, 3, 1, 4};
	jmp_buf there;

	prefix = argc == 2 ? argv[1] : "stack";
	printf("BEGIN\nHEADER_ATTR attr_type=1 attr_size=96 sample_period=1 id=1\n"
	       "  sample_type=(IP TID TIME CALLCHAIN REGS_USER STACK_USER IDENTIFIER)\n"
	       "  flags=(exclude_callchain_user)\n"
	       "  sample_regs_user=0xff01ff sample_stack_user=%d\n"
	       "HEADER_FEATURE feature=(ARCH) arch=\"x86_64\"\n"
	       "COMM pid=%d tid=%d comm=\"own_stacks\"\n",
	       DUMP, getpid(), getpid());
	print_maps();
	middle(1);
	dynamic_frame(20);
	descend(30);
	qsort(numbers, 4, sizeof(*numbers), compare);
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
	if (!setjmp(there))
		ends_with_a_call(there);
	return 0;
}
