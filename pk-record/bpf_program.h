/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_PROGRAM_H
#define PK_RECORD_BPF_PROGRAM_H

/* BPF programs of pk-record itself, written as arrays of instructions, and their maps. They need no
 * compiler, no libbpf and no BTF. Functions that return a descriptor return -1 with errno. */

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages.h"

/* ---- Calls of bpf(2) ---- */

/* Returns its result; -1 with errno. */
int bpf_call(enum bpf_cmd command, union bpf_attr *attr);
int bpf_make_map(enum bpf_map_type type, uint32_t key_size, uint32_t value_size, uint32_t entries,
		 uint32_t flags);
/* BPF_MAP_LOOKUP_ELEM, BPF_MAP_UPDATE_ELEM, or BPF_MAP_GET_NEXT_KEY, whose value is the next key.
 * Returns 0, or -1 with errno. */
int bpf_access_map(enum bpf_cmd command, int map, const void *key, const void *value);

/* Whether this process is in the initial pid namespace: BPF programs get the ids of threads there.
 * False after a message; option and instead as in bpf_explain(). */
bool bpf_outside_of_namespaces(struct pk_messages *messages, const char *option,
			       const char *instead);
/* Replaces the labels in the instructions, and loads the program. The name has at most 15 bytes.
 * print_log: if it fails, prints the log of the kernel's verifier with -v. */
int bpf_load(enum bpf_prog_type type, const char *name, struct bpf_insn *program, size_t count,
	     bool print_log);
/* Opens the tracepoint with this id, and attaches a program, which then runs for it on all CPUs;
 * cpu: one that is online. The descriptor keeps it attached. */
int bpf_attach(uint64_t tracepoint, int cpu, int program);
/* Attaches a program to a raw tracepoint. The descriptor keeps it attached. */
int bpf_attach_raw(const char *tracepoint, int program);
/* The number of CPUs that the kernel can have: per-CPU values are arrays of that size. 0: unknown.
 */
uint32_t bpf_possible_cpus(struct pk_failures *lookups);
/* Closes a descriptor, unless it is -1, and sets it to -1. */
void bpf_close(int *fd);
/* Adds the message for an errno of bpf(2). option: the option that needs it; instead: the events
 * that can be recorded without it. */
void bpf_explain(struct pk_messages *messages, const char *option, const char *instead, int error);

/* ---- Instructions ---- */

#define INSN(operation, to, from, offset, value)                                                   \
	((struct bpf_insn){.code = (operation),                                                    \
			   .dst_reg = (to),                                                        \
			   .src_reg = (from),                                                      \
			   .off = (int16_t)(offset),                                               \
			   .imm = (int32_t)(value)})

enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, STACK };

#define SET(to, value)			     INSN(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value)
#define COPY(to, from)			     INSN(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0)
#define COPY32(to, from)		     INSN(BPF_ALU | BPF_MOV | BPF_X, to, from, 0, 0)
#define ADD(to, value)			     INSN(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, value)
#define ADD_REG(to, from)		     INSN(BPF_ALU64 | BPF_ADD | BPF_X, to, from, 0, 0)
#define SUBTRACT_REG(to, from)		     INSN(BPF_ALU64 | BPF_SUB | BPF_X, to, from, 0, 0)
#define AND(to, value)			     INSN(BPF_ALU64 | BPF_AND | BPF_K, to, 0, 0, value)
#define OR_REG(to, from)		     INSN(BPF_ALU64 | BPF_OR | BPF_X, to, from, 0, 0)
#define SHIFT(to, value)		     INSN(BPF_ALU64 | BPF_LSH | BPF_K, to, 0, 0, value)
#define SHIFT_REG(to, from)		     INSN(BPF_ALU64 | BPF_LSH | BPF_X, to, from, 0, 0)
#define LOAD(size, to, from, offset)	     INSN(BPF_LDX | BPF_MEM | (size), to, from, offset, 0)
#define STORE(size, to, offset, from)	     INSN(BPF_STX | BPF_MEM | (size), to, from, offset, 0)
#define STORE_VALUE(size, to, offset, value) INSN(BPF_ST | BPF_MEM | (size), to, 0, offset, value)
#define ADD_SHARED(to, from)		     INSN(BPF_STX | BPF_XADD | BPF_DW, to, from, 0, 0)
#define SET64(to, value)                                                                           \
	INSN(BPF_LD | BPF_DW | BPF_IMM, to, 0, 0, (uint32_t)(value)),                              \
		INSN(0, 0, 0, 0, (uint64_t)(value) >> 32)
#define MAP(to, fd)                                                                                \
	INSN(BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)
#define CALL(helper) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##helper)
#define END	     INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* Jumps refer to labels, numbers below 128, which bpf_load() replaces by offsets. */
#define JUMP(label)		       INSN(BPF_JMP | BPF_JA, 0, 0, label, 0)
#define JUMP_IF(test, a, value, label) INSN(BPF_JMP | (test) | BPF_K, a, 0, label, value)
#define JUMP_IF_REG(test, a, b, label) INSN(BPF_JMP | (test) | BPF_X, a, b, label, 0)
#define LABEL(label)		       INSN(LABEL_CODE, 0, 0, label, 0)
#define LABEL_CODE		       0xff

/* Sets R0 to the address of the map's value for the key at this offset of the program's stack; 0:
 * no such key. */
#define LOOK_UP(fd, key) MAP(R1, fd), COPY(R2, STACK), ADD(R2, key), CALL(map_lookup_elem)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
