/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CFI_H
#define PK_CFI_H

/*
 * Call frame information (.eh_frame, .debug_frame; DWARF 5, 6.4, and the psABIs). For an address in
 * an object, it gives the rules for the registers of its caller; with a function's registers and
 * stack, the registers of the caller.
 *
 * Independent of files, maps and streams. The bytes are untrusted: the work for one address is
 * bounded, and memory is bounded by the size of the sections.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Machines ---- */

#define PK_CFI_REGISTERS 33 /* DWARF numbers 0 to 32; vector registers are not needed */

/* The registers of a kind of machine. Numbers are DWARF's unless the name contains perf. */
struct pk_cfi_machine {
	const char *name;
	uint16_t elf_machine; /* EM_* */
	uint8_t word;	      /* bytes of an address */
	bool swapped;	      /* its byte order is not the host's */
	uint8_t stack, frame; /* numbers of the stack pointer and the frame pointer */
	uint8_t cfa_bias;     /* the CFA minus the caller's stack pointer */
	uint8_t pc;	      /* the register of the pc; PK_CFI_REGISTERS: none */
	uint8_t perf_pc;      /* perf's number of the pc */
	uint64_t pc_mask;     /* the bits of a return address that are the address, not a
			       * signature */
	uint8_t perf[64];     /* perf's number -> DWARF's; PK_CFI_REGISTERS: none */
	uint8_t perf_count;   /* perf numbers from here on have no DWARF number */
};

/* Finds a machine by uname(2)'s name ("x86_64", "aarch64", "i686") and the ABI of the task
 * (PERF_SAMPLE_REGS_ABI_*). NULL: its stacks cannot be unwound. */
const struct pk_cfi_machine *pk_cfi_machine_find(const char *name, uint64_t abi);
/* Finds a machine by EM_*, in its usual byte order. */
const struct pk_cfi_machine *pk_cfi_machine_by_elf(unsigned int elf);

/* ---- A function's registers and stack ---- */

struct pk_frame_state {
	uint64_t value[PK_CFI_REGISTERS];
	uint64_t known; /* bit n: value[n] is known */
	uint64_t pc;
};

/* Loads the registers of a sample: those of mask, ascending, 8 bytes each. False: the pc or the
 * stack pointer is missing. */
bool pk_frame_load(const struct pk_cfi_machine *machine, uint64_t mask, const uint8_t *values,
		   uint64_t count, struct pk_frame_state *state);

/* The known part of a task's memory: bytes from start on. */
struct pk_memory {
	const uint8_t *data;
	uint64_t start, size;
	uint64_t fault; /* the last requested address that is not there */
	uint64_t *work; /* remaining operations for expressions, in total; NULL: unlimited */
};

enum pk_cfi_status {
	PK_CFI_OK,
	PK_CFI_END,    /* the function is the outermost */
	PK_CFI_NONE,   /* no information about the address */
	PK_CFI_BAD,    /* invalid information */
	PK_CFI_MEMORY, /* the memory at memory->fault is needed and unknown */
	PK_CFI_UNKNOWN /* a register is needed and unknown */
};

/* ---- Rules ---- */

enum pk_cfi_rule_kind {
	PK_CFI_SAME,
	PK_CFI_UNDEFINED,
	PK_CFI_OFFSET,	      /* saved at CFA + n */
	PK_CFI_VAL_OFFSET,    /* the value is CFA + n; for the CFA itself: register reg + n */
	PK_CFI_REGISTER,      /* the value is in register n */
	PK_CFI_EXPRESSION,    /* saved at the address that the expression yields; its length is at
			       * offset n of the section */
	PK_CFI_VAL_EXPRESSION /* the value is that of the expression */
};

struct pk_cfi_rule {
	uint8_t reg, kind;
	int32_t n;
};

#define PK_CFI_RULES 20 /* limit for one row: enough for compilers and C libraries */

/* The row of one address: the canonical frame address, and where the caller's registers are. */
struct pk_cfi_row {
	struct pk_cfi_rule cfa;
	uint8_t ra;	     /* the register whose rule yields the return address */
	uint8_t count;	     /* number of rules; registers without a rule are unchanged */
	bool signal_frame;   /* the caller was interrupted: its pc is not a return address */
	bool in_debug_frame; /* expressions are in that section */
	bool plain;	     /* the CFA is a register + n, and every rule is PK_CFI_OFFSET */
	uint64_t ruled;	     /* one bit for each register with a rule */
	struct pk_cfi_rule rules[PK_CFI_RULES];
};

/* ---- An object's call frame information ---- */

struct pk_cfi;

struct pk_cfi_section {
	const uint8_t *data; /* NULL: no such section */
	uint64_t size;
	uint64_t address; /* of the first byte, in the object */
};

/* The sections, in the machine's byte order, must stay valid until pk_cfi_free. header:
 * .eh_frame_hdr; its table of functions is used if it has the usual format, else a table is built.
 * NULL: out of memory. */
struct pk_cfi *pk_cfi_new(const struct pk_cfi_machine *machine,
			  const struct pk_cfi_section *eh_frame,
			  const struct pk_cfi_section *header,
			  const struct pk_cfi_section *debug_frame);
void pk_cfi_free(struct pk_cfi *cfi);
/* The number of functions with an FDE. */
size_t pk_cfi_count(const struct pk_cfi *cfi);

/* Finds the row of an address in the object: OK, NONE or BAD. */
enum pk_cfi_status pk_cfi_find(const struct pk_cfi *cfi, uint64_t address, struct pk_cfi_row *row);
/* The same with at most *work instructions; subtracts the executed ones. BAD with *work 0: more are
 * needed. */
enum pk_cfi_status pk_cfi_find_within(const struct pk_cfi *cfi, uint64_t address, uint64_t *work,
				      struct pk_cfi_row *row);

/* Replaces a function's registers by its caller's, with the row for its pc. If the result is not
 * OK, *state is unchanged, and there is no caller or it is unknown. A register that is not found
 * becomes unknown. */
enum pk_cfi_status pk_cfi_step(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
			       struct pk_memory *memory, struct pk_frame_state *state);

/* The same by the frame pointer, which is only a guess: OK, END, MEMORY; UNKNOWN: it is not a frame
 * pointer. */
enum pk_cfi_status pk_frame_pointer_step(const struct pk_cfi_machine *machine,
					 struct pk_memory *memory, struct pk_frame_state *state);

#endif
