/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CFI_H
#define PK_CFI_H

/*
 * Call frame information (.eh_frame, .debug_frame; DWARF 5, 6.4, and the psABIs): from an address
 * in an object to the rules by which the registers of its caller are found, and from a function's
 * registers and stack to its caller's.
 *
 * Knows nothing of files, maps or streams. The bytes are hostile: work for one address is bounded,
 * and memory by the size of the sections.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Machines ---- */

#define PK_CFI_REGISTERS 33 /* DWARF numbers 0 to 32; vector registers are of no interest */

/* How a kind of machine names its registers. All numbers are DWARF's unless it says perf. */
struct pk_cfi_machine {
	const char *name;
	uint16_t elf_machine; /* EM_* */
	uint8_t word;	      /* bytes of an address */
	bool swapped;	      /* its byte order is not the host's */
	uint8_t stack, frame; /* registers: stack pointer, frame pointer */
	uint8_t cfa_bias;     /* how far above the caller's stack pointer the CFA is */
	uint8_t pc;	      /* the register that holds the pc; PK_CFI_REGISTERS: none does */
	uint8_t perf_pc;      /* perf's number of the pc */
	uint64_t pc_mask;     /* what of a return address is address, not signature */
	uint8_t perf[64];     /* perf's number -> DWARF's; PK_CFI_REGISTERS: none */
};

/*
 * By uname(2)'s name of the machine ("x86_64", "aarch64", "i686") and the ABI of the task
 * (PERF_SAMPLE_REGS_ABI_*). NULL: one whose stacks cannot be unwound.
 */
const struct pk_cfi_machine *pk_cfi_machine_find(const char *name, uint64_t abi);
/* By EM_*, in its usual byte order. */
const struct pk_cfi_machine *pk_cfi_machine_by_elf(unsigned int elf);

/* ---- A function's registers and stack ---- */

struct pk_frame_state {
	uint64_t value[PK_CFI_REGISTERS];
	uint64_t known; /* bit n: value[n] is known */
	uint64_t pc;
};

/* Registers of a sample: those of mask, ascending, 8 bytes each. False: the pc or the stack pointer
 * is not among them. */
bool pk_frame_load(const struct pk_cfi_machine *machine, uint64_t mask, const uint8_t *values,
		   uint64_t count, struct pk_frame_state *state);

/* What is known of a task's memory: bytes from start on. */
struct pk_memory {
	const uint8_t *data;
	uint64_t start, size;
	uint64_t fault; /* the last address that was asked for and is not there */
	uint64_t *work; /* operations that expressions may still do, in all; NULL: no limit */
};

enum pk_cfi_status {
	PK_CFI_OK,
	PK_CFI_END,    /* the outermost function */
	PK_CFI_NONE,   /* nothing is said of the address */
	PK_CFI_BAD,    /* what is said makes no sense */
	PK_CFI_MEMORY, /* memory->fault would have to be known */
	PK_CFI_UNKNOWN /* a register would have to be known */
};

/* ---- Rules ---- */

enum pk_cfi_rule_kind {
	PK_CFI_SAME,
	PK_CFI_UNDEFINED,
	PK_CFI_OFFSET,	   /* at CFA + n */
	PK_CFI_VAL_OFFSET, /* CFA + n; of the CFA itself: register reg + n */
	PK_CFI_REGISTER,   /* in register n */
	PK_CFI_EXPRESSION, /* at what the expression gives, whose length is at n in the section */
	PK_CFI_VAL_EXPRESSION /* what the expression gives */
};

struct pk_cfi_rule {
	uint8_t reg, kind;
	int32_t n;
};

#define PK_CFI_RULES 20 /* of one row: all that compilers and C libraries need */

/* What holds at one address: the canonical frame address, and where the caller's registers are. */
struct pk_cfi_row {
	struct pk_cfi_rule cfa;
	uint8_t ra;	     /* the register whose rule gives the return address */
	uint8_t count;	     /* of rules; registers without one are what they were */
	bool signal_frame;   /* the caller was interrupted: its pc is where it was */
	bool in_debug_frame; /* expressions lie in that section */
	bool plain;	     /* the CFA is a register + n, and every rule is PK_CFI_OFFSET */
	uint64_t ruled;	     /* a bit for each register that has a rule */
	struct pk_cfi_rule rules[PK_CFI_RULES];
};

/* ---- An object's call frame information ---- */

struct pk_cfi;

struct pk_cfi_section {
	const uint8_t *data; /* NULL: there is none */
	uint64_t size;
	uint64_t address; /* of the first byte, in the object */
};

/*
 * The sections, in the machine's byte order, must stay until pk_cfi_free. header: .eh_frame_hdr,
 * whose table of functions spares making one, if it is of the usual kind. NULL: out of memory.
 */
struct pk_cfi *pk_cfi_new(const struct pk_cfi_machine *machine,
			  const struct pk_cfi_section *eh_frame,
			  const struct pk_cfi_section *header,
			  const struct pk_cfi_section *debug_frame);
void pk_cfi_free(struct pk_cfi *cfi);
/* How many functions are described. */
size_t pk_cfi_count(const struct pk_cfi *cfi);

/* What is said of an address in the object: OK, NONE or BAD. */
enum pk_cfi_status pk_cfi_find(const struct pk_cfi *cfi, uint64_t address, struct pk_cfi_row *row);
/* The same with at most *work instructions, from which those that were executed are taken off. BAD
 * with *work of 0: it takes more. */
enum pk_cfi_status pk_cfi_find_within(const struct pk_cfi *cfi, uint64_t address, uint64_t *work,
				      struct pk_cfi_row *row);

/*
 * Turns a function's registers into its caller's by the row that cfi has for its pc. Other than OK:
 * *state is as it was, there is no caller or none that is known. A register that is not found is
 * not known any more.
 */
enum pk_cfi_status pk_cfi_step(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
			       struct pk_memory *memory, struct pk_frame_state *state);

/* The same by the frame pointer, which is only a guess: OK, END, MEMORY, or UNKNOWN where it is
 * none. */
enum pk_cfi_status pk_frame_pointer_step(const struct pk_cfi_machine *machine,
					 struct pk_memory *memory, struct pk_frame_state *state);

#endif
