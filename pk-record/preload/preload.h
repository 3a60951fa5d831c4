/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PRELOAD_PRELOAD_H
#define PK_PRELOAD_PRELOAD_H

/*
 * The parts of libpkheap.so. The code runs inside malloc() of any program, in any thread and in
 * signal handlers. Therefore it takes no locks, allocates no memory, keeps no open descriptors,
 * preserves errno and is no point where a thread can be cancelled.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../heap_ring.h"

#define heap_unlikely(condition) __builtin_expect(!!(condition), 0)

/* ---- Threads (threads.c) ---- */

/* The state of a thread. */
struct heap_thread {
	int64_t left;	 /* bytes until the next sample; negative: the next allocation is sampled */
	uint64_t random; /* state of the random numbers; 0 before the first sample */
	uint32_t taken;	 /* number of allocations that were looked at closely */
	bool inside;	 /* this thread takes a sample now, or calls another allocator */
	uint32_t tid;	 /* 0 if not yet known; see thread_id() */
	/* The memory from stack_checked to stack_end is known to be mapped. Both are 0 at first. */
	uintptr_t stack_checked, stack_end;
};

extern __thread struct heap_thread heap_thread __attribute__((tls_model("initial-exec")));

/* Counts an allocation. Returns true if it must be looked at closely. */
static inline bool heap_is_due(size_t size)
{
	heap_thread.left -= (int64_t)size;
	return heap_unlikely(heap_thread.left < 0);
}

/* Draws the number of bytes until the next sample of the thread. */
void thread_draw(struct heap_thread *thread, uint64_t mean);
/* Starts the random numbers of a thread, and draws. */
void thread_start(struct heap_thread *thread, uint64_t mean);
/* Returns the thread's id. It is kept, because the kernel needs longer for it than for the rest of
 * a record. */
uint32_t thread_id(struct heap_thread *thread);
/* Returns the time of CLOCK_MONOTONIC in ns. */
uint64_t heap_now(void);

/* ---- Samples (heap_sample.c) ---- */

/* The registers of the function that calls CAPTURE(), in the order of HEAP_REGISTER_MASK. */
struct heap_registers {
	uint64_t values[HEAP_REGISTER_COUNT];
};

#if defined(__x86_64__)
#define CAPTURE(registers)                                                                         \
	__asm__ volatile("movq %%rbx, 0(%0)\n\tmovq %%rbp, 8(%0)\n\tmovq %%rsp, 16(%0)\n\t"        \
			 "leaq 0(%%rip), %%rax\n\tmovq %%rax, 24(%0)\n\t"                          \
			 "movq %%r12, 32(%0)\n\tmovq %%r13, 40(%0)\n\t"                            \
			 "movq %%r14, 48(%0)\n\tmovq %%r15, 56(%0)"                                \
			 :                                                                         \
			 : "r"((registers)->values)                                                \
			 : "rax", "memory")
#elif defined(__aarch64__)
#define CAPTURE(registers)                                                                         \
	__asm__ volatile("stp x19, x20, [%0, #0]\n\tstp x21, x22, [%0, #16]\n\t"                   \
			 "stp x23, x24, [%0, #32]\n\tstp x25, x26, [%0, #48]\n\t"                  \
			 "stp x27, x28, [%0, #64]\n\tstp x29, x30, [%0, #80]\n\t"                  \
			 "mov x9, sp\n\tadr x10, .\n\tstp x9, x10, [%0, #96]"                      \
			 :                                                                         \
			 : "r"((registers)->values)                                                \
			 : "x9", "x10", "memory")
#else
#define CAPTURE(registers) ((void)(registers))
#endif

/* Takes a sample if the thread must take one now. Call it after an allocation of `size` bytes at
 * `p` if heap_is_due() has returned true. */
void heap_allocated(const struct heap_registers *registers, const void *p, size_t size);
/* Counts memory again that was not released although heap_forget() was called. */
void heap_remember(const void *p);
/* heap_forget() for an address that can be sampled memory. */
bool heap_forget_sampled(const void *p);
/* Records the release of memory for which heap_forget() has returned true, at the time `time`. */
void heap_freed(const void *p, uint64_t time);

/* ---- Sampled memory that is still allocated (live.c) ---- */

/* Counters of addresses by their hash. A counter of 0 shows that no address with this hash is in
 * the set. If each allocation is recorded, the set is not used, and no counter is 0. */
#define LIVE_BITS 12
extern _Atomic(uint8_t) live_counters[1u << LIVE_BITS];

static inline uint64_t live_hash(const void *p)
{
	return (uint64_t)(uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns true if the release of this memory must be recorded. Afterwards the memory counts as
 * released. Call it before the memory is released. */
static inline bool heap_forget(const void *p)
{
	return heap_unlikely(atomic_load_explicit(&live_counters[live_hash(p) >> (64 - LIVE_BITS)],
						  memory_order_relaxed)) &&
	       heap_forget_sampled(p);
}

/* Sets all counters, because each allocation is recorded. */
void live_set_all(void);
/* Adds an address. Returns false if there is no room for it. */
bool live_add(const void *p);
/* Removes an address. Returns true if it was there. */
bool live_remove(const void *p);

/* ---- The connection to pk-record (link.c) ---- */

/* The ring of this process. */
struct heap_link {
	struct heap_ring *ring; /* NULL if there is no ring */
	uint8_t *data;		/* the records; mapped twice in a row, so that none is split */
	uint64_t size, mean;
	uint32_t stack_size;
};

extern struct heap_link heap_link;

/* Connects to pk-record if no thread has done that yet. Returns true if the process has a ring. If
 * pk-record does not answer, the thread counts no more allocations. */
bool link_start(void);
/* Returns true if pk-record still accepts connections. */
bool link_is_alive(void);

#endif
