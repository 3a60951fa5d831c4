/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records all instructions of a function by single steps, and prints a recording with the Intel PT
 * trace that a processor would have written, for tests/assemble. Writes the branches that were
 * taken to a file, one per line: source and target in hexadecimal, 0 where the trace starts or
 * stops.
 *
 *     pt_stepper BRANCHES COMPRESS GAP FILE
 *
 * COMPRESS is 1 if returns to the instruction after their call are compressed. If GAP is not 0, the
 * trace loses packets after each GAP branches, until 100 further branches.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The function ---- */

static volatile unsigned int sink;

static unsigned int fibonacci(unsigned int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned int twice(unsigned int n)
{
	return 2 * n;
}

static unsigned int thrice(unsigned int n)
{
	return 3 * n;
}

static int compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* Recursion, indirect calls, callbacks, a table of jumps, calls of libraries and of the kernel. */
static void work(void)
{
	unsigned int (*const functions[])(unsigned int) = {fibonacci, twice, thrice};
	int numbers[50];
	char text[64];

	for (unsigned int round = 0;; round++) {
		for (int i = 0; i < 50; i++)
			numbers[i] = (int)(round * 7919u + (unsigned int)i * 104729u) % 1000;
		qsort(numbers, 50, sizeof(numbers[0]), compare);
		snprintf(text, sizeof(text), "%u %s %.3f", round, "text", round / 7.0);
		switch (round % 7) {
		case 0: sink += (unsigned int)strlen(text); break;
		case 1: sink ^= 5; break;
		case 2: sink *= 3; break;
		case 3: sink += fibonacci(9); break;
		case 4: sink -= 1; break;
		case 5: sink += (unsigned int)getppid(); break;
		default: sink = ~sink; break;
		}
		sink += functions[round % 3](round % 11);
	}
}

/* ---- Packets ---- */

enum { TIP = 0x0d, START = 0x11, STOP = 0x01, UPDATE = 0x1d };

static FILE *trace;
static char *trace_text;
static size_t trace_size;
static unsigned int tnt, tnt_count;
static bool lost; /* no packets are written */
static uint64_t stack[64];
static unsigned int depth;

static void bytes(uint64_t value, unsigned int width)
{
	for (; width--; value >>= 8)
		fprintf(trace, "%02x", (unsigned int)(value & 0xff));
}

static void flush(void)
{
	if (tnt_count)
		bytes((1u << tnt_count | tnt) << 1, 1);
	tnt = tnt_count = 0;
}

static void taken(bool is)
{
	if (lost)
		return;
	tnt = tnt << 1 | is;
	if (++tnt_count == 6)
		flush();
}

static void address(unsigned int packet, uint64_t ip)
{
	if (lost)
		return;
	flush();
	bytes(packet | (ip ? 3u << 5 : 0), 1);
	if (ip)
		bytes(ip, 6);
}

static void synchronize(uint64_t time, uint64_t ip)
{
	flush();
	for (int i = 0; i < 8; i++)
		bytes(0x8202, 2);
	bytes(0x19, 1);
	bytes(time, 7);
	bytes(0x0199, 2); /* 64-bit mode */
	if (ip)
		address(UPDATE, ip);
	bytes(0x2302, 2);
	depth = 0;
}

/* ---- Instructions ---- */

enum class { OTHER, CONDITIONAL, DIRECT_CALL, DIRECT_JUMP, CALL, JUMP, RETURN, SYSCALL };

/* Returns the class of an instruction, and the number of bytes of those whose number is needed. The
 * code is that of this program: both processes have it at the same addresses. */
static enum class classify(uint64_t ip, unsigned int *size) {
	const uint8_t *code = (const uint8_t *)(uintptr_t)ip, *at = code;

	while (*at == 0xf2 || *at == 0xf3 || *at == 0x3e || *at == 0x2e || *at == 0x66) at++;
	if ((*at & 0xf0) == 0x40) at++;
	*size = (unsigned int)(at - code);
	if ((*at & 0xf0) == 0x70 || (*at & 0xfc) == 0xe0) return *size += 2, CONDITIONAL;
	if (*at == 0x0f && (at[1] & 0xf0) == 0x80) return *size += 6, CONDITIONAL;
	if (*at == 0xe8) return *size += 5, DIRECT_CALL;
	if (*at == 0xe9 || *at == 0xeb) return DIRECT_JUMP;
	if (*at == 0xc3 || *at == 0xc2) return RETURN;
	if (*at == 0x0f && at[1] == 0x05) return SYSCALL;
	if (*at == 0xff && (at[1] >> 3 & 7) == 4) return JUMP;
	if (*at != 0xff || (at[1] >> 3 & 7) != 2) return OTHER;
		/* An indirect call: ModRM, perhaps SIB, and a displacement. */
			*size += 2;
	if (at[1] >> 6 != 3 && (at[1] & 7) == 4) *size +=
	1 + (at[1] >> 6 == 0 && (at[2] & 7) == 5 ? 4 : 0);
	if (at[1] >> 6 == 0 && (at[1] & 7) == 5) *size += 4;
	*size += at[1] >> 6 == 1   ? 1
		 : at[1] >> 6 == 2 ? 4
				   : 0;
	return CALL;
}

/* ---- Recording ---- */

static uint64_t branches, next_gap, gap_end, gap_length;
static bool compress;
static FILE *truth;

static void branch(uint64_t from, uint64_t to)
{
	branches++;
	if (!lost)
		fprintf(truth, "%lx %lx\n", (unsigned long)from, (unsigned long)to);
}

static void push(uint64_t address_after)
{
	if (depth == 64)
		memmove(stack, stack + 1, --depth * sizeof(stack[0]));
	stack[depth++] = address_after;
}

/* Writes the packets of an instruction whose successor is `to`. */
static void step(uint64_t from, uint64_t to)
{
	unsigned int size;
	const enum class class = classify(from, &size);

	/* Packets get lost from a branch on that has a packet. */
	if (gap_length && !lost && branches >= next_gap &&
	    (class == CONDITIONAL || class == JUMP)) {
		flush();
		lost = true;
		gap_end = branches + 100;
	}
	if (class == CALL || class == DIRECT_CALL)
		push(from + size);
	switch (class) {
	case OTHER: return;
	case CONDITIONAL: taken(to != from + size); break;
	case RETURN:
		if (compress && depth && stack[depth - 1] == to)
			taken(true);
		else
			address(TIP, to);
		depth -= depth > 0;
		break;
	case CALL:
	case JUMP: address(TIP, to); break;
	case SYSCALL:
		address(STOP, 0);
		branch(from, 0);
		address(START, to);
		branch(0, to);
		return;
	default: break;
	}
	if (class != CONDITIONAL || to != from + size)
		branch(from, to);
	if (lost && branches >= gap_end) {
		lost = false;
		tnt = tnt_count = depth = 0;
		bytes(0xf302, 2);
		address(UPDATE, to);
		next_gap = branches + gap_length;
	}
}

static uint64_t ip_of(pid_t child)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, child, NULL, &registers))
		exit(1);
	return registers.rip;
}

static uint64_t next_ip(pid_t child)
{
	int status;

	if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) || waitpid(child, &status, 0) != child ||
	    !WIFSTOPPED(status))
		exit(1);
	return ip_of(child);
}

static void record(pid_t child, uint64_t count)
{
	uint64_t ip = ip_of(child), synchronized = 0, time = 1000;

	synchronize(time, 0);
	address(START, ip);
	branch(0, ip);
	while (branches < count || lost) {
		const uint64_t to = next_ip(child);

		/* An instruction with the prefix REP has a step for each repetition. */
		if (to != ip)
			step(ip, to);
		ip = to;
		time++;
		if (!lost && branches > synchronized + 1000) {
			synchronized = branches;
			synchronize(time, ip);
		}
	}
	address(UPDATE, ip);
	address(STOP, 0);
	branch(ip, 0);
	flush();
}

static void print_maps(pid_t child)
{
	char path[64], line[4096], file[4096], rights[8];
	unsigned long start, end, offset;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)child);
	maps = fopen(path, "r");
	if (!maps)
		exit(1);
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4095s", &start, &end, rights, &offset,
			   file) == 5 &&
		    rights[2] == 'x')
			printf("MMAP misc=(user) pid=100 tid=100 addr=%#lx len=%#lx pgoff=%#lx "
			       "filename=\"%s\"\n",
			       start, end - start, offset, file);
	fclose(maps);
}

int main(int argc, char **argv)
{
	pid_t child;
	int status;

	if (argc != 5)
		return 2;
	compress = atoi(argv[2]);
	gap_length = next_gap = strtoull(argv[3], NULL, 10);
	truth = fopen(argv[4], "w");
	trace = open_memstream(&trace_text, &trace_size);
	child = fork();
	if (child < 0 || !truth || !trace)
		return 1;
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		work();
	}
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return 1;
	printf("BEGIN\n"
	       "HEADER_ATTR attr_type=8 config=0x400 sample_period=1 id=1\n"
	       "  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)\n"
	       "HEADER_ATTR attr_type=1 config=9 sample_period=1 id=2\n"
	       "  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)\n"
	       "HEADER_FEATURE feature=(NRCPUS) available=1 online=1\n"
	       "TIME_CONV shift=0 mult=1 zero=0\n"
	       "AUXTRACE_INFO aux_type=1 priv[0]=8 priv[1]=0 priv[2]=1 priv[3]=0 priv[4]=1 "
	       "priv[5]=0x400\n"
	       "  priv[6]=0x800 priv[7]=0 priv[8]=0 priv[9]=0 priv[10]=0x200 priv[11]=0x3c000\n"
	       "  priv[12]=0 priv[13]=0 priv[14]=2 priv[15]=0 priv[16]=0\n"
	       "COMM pid=100 tid=100 comm=\"prog\"\n");
	print_maps(child);
	record(child, strtoull(argv[1], NULL, 10));
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	if (fclose(trace) || fclose(truth))
		return 1;
	printf("AUXTRACE reference=1000 payload_size=%zu payload=%s idx=0 cpu=-1 tid=100\n",
	       trace_size / 2, trace_text);
	free(trace_text);
	return 0;
}
