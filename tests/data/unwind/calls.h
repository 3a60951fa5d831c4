/* SPDX-License-Identifier: BSD-2-Clause */
#define NOINLINE __attribute__((noinline, noclone))

extern volatile unsigned long sink;

#if defined(__arm__)
#define NR_GETPPID 64
#define NR_EXIT	   1
#elif defined(__riscv)
#define NR_GETPPID 173
#define NR_EXIT	   93
#else
#define NR_GETPPID 64
#define NR_EXIT	   1
#endif
#ifndef ROUNDS
#define ROUNDS 400
#endif

void burn(int n);
void with_callback(int n, void (*callback)(int));
void with_frame(int n);
void with_numbers(int n);
