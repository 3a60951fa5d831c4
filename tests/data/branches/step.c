/* SPDX-License-Identifier: BSD-2-Clause */
/* step PROGRAM runs a static program of x86-64 instruction by instruction, and prints a stream for
 * tests/assemble: samples with the last 16 taken branches, as a processor records them. The number
 * of cycles of a branch is the number of instructions since the previous branch. Every eleventh
 * branch counts as mispredicted. This program made branches.txt. It was compiled by
 *
 *     gcc -Ilib/code -o step tests/data/branches/step.c lib/code/x86_code.c */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "x86_code.h"

#define BRANCHES 16
#define INTERVAL 43

enum { CONDITIONAL = 1, JUMP, INDIRECT, CALL, INDIRECT_CALL, RETURN };

static struct {
	unsigned long from, to, cycles;
	unsigned int type;
	bool mispredicted;
} ring[BRANCHES];
static unsigned long taken, samples;

static unsigned int type_of(const struct x86_code *code)
{
	if (code->map == X86_MAP_0F)
		return CONDITIONAL;
	switch (code->opcode) {
	case 0xe8: return CALL;
	case 0xc3: return RETURN;
	case 0xe9:
	case 0xeb: return JUMP;
	case 0xff: return (code->modrm >> 3 & 7) == 2 ? INDIRECT_CALL : INDIRECT;
	default: return CONDITIONAL;
	}
}

static void print_header(const char *program)
{
	puts("BEGIN\nHEADER_ATTR attr_type=0 config=0 sample_period=1 id=7 attr_size=80");
	puts("  sample_type=(IDENTIFIER IP TID TIME PERIOD BRANCH_STACK) flags=(sample_id_all)");
	puts("  branch_sample_type=0x10009"); /* user, any, type: bits of branch_sample_type */
	puts("EVENT_UPDATE subtype=2 id=7 name=\"cycles\"");
	puts("COMM pid=5 tid=5 comm=\"walk\"");
	printf("MMAP misc=(user) pid=5 tid=5 addr=0x401000 len=0x1000 pgoff=0x1000 "
	       "filename=\"%s\"\n",
	       strrchr(program, '/'));
}

static void print_sample(unsigned long ip)
{
	const unsigned long count = taken < BRANCHES ? taken : BRANCHES;

	printf("SAMPLE misc=(user) id=7 ip=0x%lx pid=5 tid=5 time=%lu period=1\n", ip,
	       1000 * ++samples);
	for (unsigned long i = 0; i < count; i++) {
		const unsigned long at = (taken - 1 - i) % BRANCHES;

		printf("  branch[%lu]=0x%lx -> 0x%lx %s=1 cycles=%lu type=%u\n", i, ring[at].from,
		       ring[at].to, ring[at].mispredicted ? "mispred" : "predicted",
		       ring[at].cycles, ring[at].type);
	}
}

int main(int argc, char **argv)
{
	unsigned long before = 0, since = 0, steps = 0;
	struct x86_code code = {0};
	int status;
	pid_t pid;

	if (argc != 2)
		errx(1, "usage: step PROGRAM");
	print_header(argv[1]);
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl(argv[1], argv[1], NULL);
		err(1, "%s", argv[1]);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		struct user_regs_struct regs;
		unsigned long bytes[2];

		ptrace(PTRACE_GETREGS, pid, 0, &regs);
		if (before && regs.rip != before + code.size) {
			ring[taken % BRANCHES].from = before;
			ring[taken % BRANCHES].to = regs.rip;
			ring[taken % BRANCHES].cycles = since;
			ring[taken % BRANCHES].type = type_of(&code);
			ring[taken % BRANCHES].mispredicted = taken % 11 == 10;
			taken++;
			since = 0;
		}
		since++;
		bytes[0] = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, regs.rip, 0);
		bytes[1] = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, regs.rip + 8, 0);
		pk_x86_decode((const uint8_t *)bytes, sizeof(bytes), true, &code);
		if (++steps % INTERVAL == 0)
			print_sample(regs.rip);
		before = regs.rip;
		ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
	}
	return 0;
}
