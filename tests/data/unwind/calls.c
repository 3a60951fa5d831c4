/* SPDX-License-Identifier: BSD-2-Clause */
/* A program without libraries that makes known calls, to record stacks on other machines.
 * calls_other.c contains further functions, which are compiled with other unwind information. */
#include "calls.h"

static long call_kernel(long number)
{
#if defined(__arm__)
	register long r0 __asm__("r0") = 0;
	register long r7 __asm__("r7") = number;

	__asm__ volatile("svc 0" : "+r"(r0) : "r"(r7) : "memory");
	return r0;
#elif defined(__riscv)
	register long a0 __asm__("a0") = 0;
	register long a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
	return a0;
#elif defined(__powerpc64__)
	register long r0 __asm__("r0") = number;
	register long r3 __asm__("r3") = 0;

	__asm__ volatile("sc"
			 : "+r"(r0), "+r"(r3)
			 :
			 : "memory", "cr0", "ctr", "xer", "r4", "r5", "r6", "r7", "r8", "r9", "r10",
			   "r11", "r12");
	return r3;
#endif
}

/* The kernel executes only few lines for getppid(2). */
NOINLINE void kernel_calls(int n)
{
	for (int i = 0; i < n; i++)
		sink += (unsigned long)call_kernel(NR_GETPPID);
	sink++;
}

NOINLINE void deep(int depth, int n)
{
	if (depth)
		deep(depth - 1, n);
	else
		with_frame(n);
	sink++;
}

NOINLINE void path_one(int n)
{
	with_callback(n, burn);
	kernel_calls(20);
	sink++;
}

NOINLINE void path_two(int n)
{
	deep(6, n);
	with_numbers(n);
	sink++;
}

NOINLINE void run(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		path_one(i);
		path_two(i);
	}
	sink++;
	call_kernel(NR_EXIT);
}

/* The outermost function, at which all stacks end. */
#if defined(__arm__)
/* The unwind table refers to these functions. */
void __aeabi_unwind_cpp_pr0(void);
void __aeabi_unwind_cpp_pr1(void);
void __aeabi_unwind_cpp_pr0(void)
{
}
void __aeabi_unwind_cpp_pr1(void)
{
}
__asm__(".globl _start\n.type _start, %function\n_start:\n.fnstart\n.cantunwind\n"
	"mov fp, #0\nmov lr, #0\nbl run\n.fnend\n.size _start, . - _start");
#elif defined(__riscv)
__asm__(".globl _start\n.type _start, %function\n_start:\n.cfi_startproc\n.cfi_undefined ra\n"
	".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\n"
	"call run\n.cfi_endproc\n.size _start, . - _start");
#elif defined(__powerpc64__)
__asm__(".globl _start\n.type _start, %function\n_start:\n.cfi_startproc\n.cfi_undefined lr\n"
	"bl 1f\n1: mflr 12\naddis 2, 12, .TOC.-1b@ha\naddi 2, 2, .TOC.-1b@l\nstdu 1, -64(1)\n"
	"bl run\nnop\n.cfi_endproc\n.size _start, . - _start");
#endif
