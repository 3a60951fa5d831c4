// SPDX-License-Identifier: BSD-2-Clause
/* Runs a virtual machine of KVM with known exits: 100 writes to a port, 50 writes to memory that
 * does not exist, code that runs for the given number of seconds, and a halt. The code of the
 * virtual machine is 16-bit code. It starts at 0x1000, and the code that runs for seconds is at
 * 0x1100. */
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

#define MEMORY 0x1000

static const unsigned char start[] = {
	0xb9, 100,  0,	  /* mov $100, %cx */
	0xe6, 0x10,	  /* out %al, $0x10 */
	0xe2, 0xfc,	  /* loop to the out */
	0xb9, 50,   0,	  /* mov $50, %cx */
	0xa2, 0,    0x80, /* mov %al, 0x8000 */
	0xe2, 0xfb,	  /* loop to the mov */
	0xe9, 0xee, 0,	  /* jmp 0x1100 */
};

/* This code runs until the host returns a value other than 0 when the code reads the port. */
static const unsigned char run[] = {
	0xb9, 0,    0, /* mov $0, %cx: 65,536 rounds */
	0xe2, 0xfe,    /* loop to itself */
	0xe4, 0x11,    /* in $0x11, %al */
	0x84, 0xc0,    /* test %al, %al */
	0x74, 0xf5,    /* jz to the start */
	0xf4,	       /* hlt */
};

static void check(int result, const char *what)
{
	if (result >= 0)
		return;
	perror(what);
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const double end = now() + (argc > 1 ? atof(argv[1]) : 0.5);
	const int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	unsigned long ports = 0, accesses = 0, reads = 0;
	struct kvm_regs regs = {.rip = 0x1000, .rflags = 2};
	struct kvm_sregs sregs;
	struct kvm_run *state;
	unsigned char *memory;
	int vm, cpu, size;

	check(kvm, "/dev/kvm");
	vm = ioctl(kvm, KVM_CREATE_VM, 0);
	check(vm, "KVM_CREATE_VM");
	memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	check(memory == MAP_FAILED ? -1 : 0, "mmap");
	memcpy(memory, start, sizeof(start));
	memcpy(memory + 0x100, run, sizeof(run));
	check(ioctl(vm, KVM_SET_USER_MEMORY_REGION,
		    &(struct kvm_userspace_memory_region){.guest_phys_addr = 0x1000,
							  .memory_size = MEMORY,
							  .userspace_addr = (unsigned long)memory}),
	      "KVM_SET_USER_MEMORY_REGION");
	cpu = ioctl(vm, KVM_CREATE_VCPU, 0);
	check(cpu, "KVM_CREATE_VCPU");
	size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	check(size, "KVM_GET_VCPU_MMAP_SIZE");
	state = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	check(state == MAP_FAILED ? -1 : 0, "mmap");
	check(ioctl(cpu, KVM_GET_SREGS, &sregs), "KVM_GET_SREGS");
	sregs.cs.base = sregs.cs.selector = 0;
	check(ioctl(cpu, KVM_SET_SREGS, &sregs), "KVM_SET_SREGS");
	check(ioctl(cpu, KVM_SET_REGS, &regs), "KVM_SET_REGS");
	for (;;) {
		check(ioctl(cpu, KVM_RUN, 0), "KVM_RUN");
		switch (state->exit_reason) {
		case KVM_EXIT_IO:
			if (state->io.direction == KVM_EXIT_IO_OUT) {
				ports++;
			} else {
				reads++;
				*((unsigned char *)state + state->io.data_offset) = now() >= end;
			}
			break;
		case KVM_EXIT_MMIO: accesses++; break;
		case KVM_EXIT_HLT:
			printf("%lu writes to the port, %lu to memory, %lu reads of the port\n",
			       ports, accesses, reads);
			return 0;
		default: fprintf(stderr, "exit %u\n", state->exit_reason); return 1;
		}
	}
}
