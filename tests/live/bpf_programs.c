/* SPDX-License-Identifier: BSD-2-Clause */
/* bpf_programs ID... prints those of the ids for which the kernel has a BPF program. Exits with 2
 * if this user may not ask the kernel. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		union bpf_attr attr = {.prog_id = (unsigned int)strtoul(argv[i], NULL, 10)};
		const long fd = syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attr, sizeof(attr));

		if (fd < 0 && errno != ENOENT) {
			perror("BPF_PROG_GET_FD_BY_ID");
			return 2;
		}
		if (fd < 0)
			continue;
		close((int)fd);
		puts(argv[i]);
	}
	return 0;
}
