/* SPDX-License-Identifier: BSD-2-Clause */
/* bpf_spinner NAME loads a BPF program with this name, and runs it for some milliseconds after each
 * line from stdin. Prints a line after the program is loaded, and a line after each run. Exits with
 * 2 if programs cannot be loaded. */
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define INSN(operation, to, offset, value)                                                         \
	((struct bpf_insn){.code = (operation), .dst_reg = (to), .off = (offset), .imm = (value)})

static int load(const char *name)
{
	/* The program is: r0 = 0; do r0++; while (r0 < 10000); return 0. */
	const struct bpf_insn program[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 0, 0, 1),
		INSN(BPF_JMP | BPF_JLT | BPF_K, 0, -2, 10000),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0),
	};
	union bpf_attr attr = {.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
			       .insns = (unsigned long)program,
			       .insn_cnt = sizeof(program) / sizeof(*program),
			       .license = (unsigned long)"BSD"};

	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

int main(int argc, char **argv)
{
	char packet[64] = "", line[16];
	union bpf_attr attr = {0};
	int fd;

	if (argc != 2)
		return 1;
	fd = load(argv[1]);
	if (fd < 0) {
		perror("BPF_PROG_LOAD");
		return 2;
	}
	attr.test.prog_fd = (unsigned int)fd;
	attr.test.data_in = (unsigned long)packet;
	attr.test.data_size_in = sizeof(packet);
	attr.test.repeat = 20000;
	do {
		puts("ready");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 0;
	} while (syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr)) == 0);
	perror("BPF_PROG_TEST_RUN");
	return 1;
}
