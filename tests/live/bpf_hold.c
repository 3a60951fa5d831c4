/* SPDX-License-Identifier: BSD-2-Clause */
/* bpf_hold NAME loads a BPF program with this name, prints a line, and keeps the program loaded
 * until its input ends. Exits with 2 if the program cannot be loaded. */
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const struct bpf_insn program[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0},
		{.code = BPF_JMP | BPF_EXIT}};
	union bpf_attr attr = {.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
			       .insn_cnt = sizeof(program) / sizeof(program[0]),
			       .insns = (uint64_t)(uintptr_t)program,
			       .license = (uint64_t)(uintptr_t) "BSD"};
	char byte;

	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", argc > 1 ? argv[1] : "pk_hold");
	if (syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)) < 0) {
		perror("BPF_PROG_LOAD");
		return 2;
	}
	puts("loaded");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}
