/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_HEAP_RING_H
#define PK_RECORD_HEAP_RING_H

/*
 * What pk-record --heap and libpkheap.so share. libpkheap.so runs in the recorded processes, and
 * pk-record reads what it writes.
 *
 * The environment variable HEAP_VARIABLE has the name of an abstract Unix socket of pk-record. At
 * its start, a process connects, sends a struct heap_request, and gets a struct heap_reply together
 * with the descriptor of a memory file: one page with a struct heap_ring, and `ring_size` bytes of
 * records. Before pk-record replies, it reads the maps of the process. The process then closes the
 * socket and the descriptor. All later communication is through the memory, so that a process keeps
 * running if pk-record ends, and pk-record reads all records of a process that has ended.
 *
 * All numbers have the byte order of the machine.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#define HEAP_VARIABLE "PK_HEAP"
#define HEAP_VERSION  1
#define HEAP_PAGE     65536 /* the largest page size of Linux */

enum heap_request_kind {
	HEAP_START = 1,	 /* the start of a program: asks for a ring */
	HEAP_FORKED = 2, /* the first sample of a forked process: asks for a ring. The process has
			  * the maps of its parent. */
	HEAP_END = 3, /* the process exits: its maps are read once more; there is no descriptor in
		       * the reply */
};

struct heap_request {
	uint32_t version, kind;
};

struct heap_reply {
	uint32_t version;
	uint32_t stack_size; /* the largest copy of a stack, in bytes; a multiple of 8 */
	uint64_t mean;	     /* bytes of allocations per sample, on average; 1: each allocation */
	uint64_t ring_size;  /* a power of two, in bytes, and a multiple of HEAP_PAGE */
};

/* The first page of the memory. The threads of a process reserve room by adding to `head`, and
 * pk-record frees room by adding to `tail`. Both numbers only grow. The position in the ring is the
 * remainder of a division by the size of the ring. */
struct heap_ring {
	_Alignas(64) uint64_t head;
	_Alignas(64) uint64_t tail;
	_Alignas(64) uint64_t lost; /* number of allocations that were not recorded */
	uint64_t lost_bytes;	    /* sum of their sizes */
	uint64_t lost_frees;	    /* number of releases that were not recorded */
};

/* Returns a number of the ring for atomic access. */
static inline _Atomic(uint64_t) *heap_shared(uint64_t *number)
{
	return (_Atomic(uint64_t) *)number;
}

/* Maps the memory file of a ring with `size` bytes of records. The records are mapped twice in a
 * row, so that none is split. Returns NULL with errno if that fails. */
static inline struct heap_ring *heap_ring_map(int memory, size_t size)
{
	const int access = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_FIXED;
	const size_t whole = HEAP_PAGE + 2 * size;
	uint8_t *all = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (all == MAP_FAILED)
		return NULL;
	if (mmap(all, HEAP_PAGE + size, access, flags, memory, 0) != MAP_FAILED &&
	    mmap(all + HEAP_PAGE + size, size, access, flags, memory, HEAP_PAGE) != MAP_FAILED)
		return (struct heap_ring *)all;
	munmap(all, whole);
	return NULL;
}

enum heap_record_kind {
	HEAP_ALLOCATED = 1,
	HEAP_FREED = 2, /* without registers and stack */
};

/* The registers that a caller can expect to keep their values, with the stack pointer and the
 * program counter. The numbers of the bits are those of perf (PERF_REG_X86_*, PERF_REG_ARM64_*). */
#if defined(__x86_64__)
#define HEAP_REGISTER_MASK  UINT64_C(0xf001c2) /* BX, BP, SP, IP, R12 to R15 */
#define HEAP_REGISTER_COUNT 8
#define HEAP_REGISTER_SP    2
#define HEAP_REGISTER_PC    3
#elif defined(__aarch64__)
#define HEAP_REGISTER_MASK  UINT64_C(0x1fff80000) /* X19 to X29, LR, SP, PC */
#define HEAP_REGISTER_COUNT 14
#define HEAP_REGISTER_SP    12
#define HEAP_REGISTER_PC    13
#else
#define HEAP_REGISTER_MASK  UINT64_C(0) /* not supported */
#define HEAP_REGISTER_COUNT 1
#define HEAP_REGISTER_SP    0
#define HEAP_REGISTER_PC    0
#endif

/* A record. For HEAP_ALLOCATED, `stack_size` bytes follow, which begin at the stack pointer, and
 * then padding up to `size`. */
struct heap_record {
	uint64_t position; /* 1 + the value of `head` before this record; it is written last, and
			    * tells that the record is complete */
	uint32_t size;	   /* size with the stack and padding, a multiple of 8 */
	uint32_t kind;
	uint32_t tid;
	uint32_t stack_size;
	uint64_t time;	  /* CLOCK_MONOTONIC, in ns */
	uint64_t address; /* of the allocated memory */
	uint64_t bytes;	  /* the requested size; 0 for HEAP_FREED */
};

struct heap_allocated {
	struct heap_record record;
	uint64_t registers[HEAP_REGISTER_COUNT]; /* in the order of the bits of the mask */
};

#endif
