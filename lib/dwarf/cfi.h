/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CFI_H
#define PK_CFI_H

/*
 * Call frame information (.eh_frame, .debug_frame; DWARF 5, 6.4, and the psABIs; .ARM.exidx of
 * 32-bit Arm; .sframe). pk_cfi_find() finds the rules for one code address of an object. The rules
 * say where the registers of the caller are. pk_cfi_step() applies the rules to the registers and
 * the stack of a function, and computes the registers of the caller.
 *
 * This module opens no files, and it needs neither maps nor streams. The sections are untrusted.
 * The work for one address is bounded, and memory is bounded by the size of the sections.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eh_frame.h"

/* ---- Machines ---- */

/* DWARF numbers 0 to 32. Rules for higher numbers are ignored, except for the number in
 * pk_cfi_machine.high. */
#define PK_CFI_REGISTERS 33

/* The registers of a machine. Numbers of registers are DWARF numbers. Only the members that start
 * with `perf` have the numbers of perf (PERF_REG_*). */
struct pk_cfi_machine {
	const char *name;
	uint16_t elf_machine; /* EM_* */
	uint8_t word;	      /* size of an address in bytes */
	bool swapped;	      /* true if the byte order of the machine is not that of the host */
	uint8_t stack, frame; /* The numbers of the stack pointer and the frame pointer. `frame` is
			       * PK_CFI_REGISTERS if there is no frame pointer. */
	uint8_t cfa_bias; /* the difference between the CFA and the caller's stack pointer in bytes
			   */
	/* The distance in bytes from the frame pointer to the place where the caller's frame
	 * pointer is saved. The return address is saved after it. The distance is PK_CFI_NO_RECORD
	 * if it depends on the compiler. Callers can then not be found by the frame pointer. But a
	 * frame pointer of 0 still marks the outermost function. */
	int8_t record;
	uint8_t high; /* a higher DWARF number that is stored as number 32, or 0 if there is none */
	/* The number of the link register, or 0 if there is no link register. The link register has
	 * the return address if the function has not saved it. This number is used for code without
	 * unwind information. */
	uint8_t link;
	uint8_t pc; /* the number of the pc, or PK_CFI_REGISTERS if DWARF has no number for it */
	uint8_t perf_pc;  /* the number that perf uses for the pc */
	uint64_t pc_mask; /* the bits of a return address that are the address; other bits can be a
			   * signature */
	uint8_t perf[64]; /* The index is the number that perf uses for a register. The value is its
			   * DWARF number, or PK_CFI_REGISTERS if it has none. */
	uint8_t perf_count; /* the number of items in `perf`; perf's registers with this number or a
			     * higher number have no DWARF number */
};

#define PK_CFI_NO_RECORD INT8_MAX

/* Finds a machine by its name from uname(2), such as "x86_64", "aarch64" or "i686", and by the ABI
 * of the task (PERF_SAMPLE_REGS_ABI_*). Returns NULL if the machine is unknown, or if unwinding is
 * not supported for it. */
const struct pk_cfi_machine *pk_cfi_machine_find(const char *name, uint64_t abi);
/* Finds a machine by its ELF number (EM_*). The result has the usual byte order of the machine.
 * Returns NULL if the machine is not supported. */
const struct pk_cfi_machine *pk_cfi_machine_by_elf(unsigned int elf);

/* ---- The registers and the stack of a function ---- */

/* The registers of a function, and which of them are known. */
struct pk_frame_state {
	uint64_t value[PK_CFI_REGISTERS];
	uint64_t known; /* bit n is set if value[n] is known */
	uint64_t pc;
};

/* Loads the registers of a sample. `mask` has one bit for each register in the sample. The number
 * of the bit is the number in perf. `values` has `count` numbers of 8 bytes, in the ascending order
 * of the bits. Returns false if the pc or the stack pointer is missing. */
bool pk_frame_load(const struct pk_cfi_machine *machine, uint64_t mask, const uint8_t *values,
		   uint64_t count, struct pk_frame_state *state);

/* The known part of a task's memory, for example the copy of the stack in a sample. It has `size`
 * bytes, which are at address `start` in the task. */
struct pk_memory {
	const uint8_t *data;
	uint64_t start, size;
	uint64_t fault; /* the first address of the last failed read, which was outside of this
			 * memory */
	uint64_t *work; /* The number of DWARF operations that all expressions together may still
			 * execute. If it is NULL, there is only a limit for each expression. */
};

/* The results of the functions in this file. */
enum pk_cfi_status {
	PK_CFI_OK,
	PK_CFI_END,    /* The function has no caller, because it is the outermost function. */
	PK_CFI_NONE,   /* There is no information about the address. */
	PK_CFI_BAD,    /* The information is invalid or exceeds a limit. */
	PK_CFI_MEMORY, /* The memory at memory->fault is needed, but unknown. */
	PK_CFI_UNKNOWN /* A register is needed, but unknown. */
};

/* ---- Rules ---- */

/* How the caller's value of a register, or the CFA, is computed. */
enum pk_cfi_rule_kind {
	PK_CFI_SAME,
	PK_CFI_UNDEFINED,
	PK_CFI_OFFSET,	   /* The caller's value is in memory at CFA + n. If this is the rule of the
			    * CFA, the CFA is in memory at register `reg` + n. */
	PK_CFI_VAL_OFFSET, /* The caller's value is CFA + n. If this is the rule of the CFA, the CFA
			    * is register `reg` + n. */
	PK_CFI_REGISTER,   /* The caller's value is in register n. */
	PK_CFI_AT_REGISTER, /* The caller's value is in memory at a register plus a number. n is the
			     * pk_cfi_sum() of the register and the number. */
	PK_CFI_EXPRESSION,  /* The caller's value is in memory at an address, which an expression
			       computes. The length of the expression (ULEB128) is at offset n in the
			       section. The bytes of the expression follow. */
	PK_CFI_VAL_EXPRESSION /* The caller's value is the result of an expression. n has the same
			       * meaning as for PK_CFI_EXPRESSION. */
};

struct pk_cfi_rule {
	uint8_t reg, kind;
	int32_t n;
};

/* Stores a register and a number in one number. The number must fit (pk_cfi_fits). */
static inline int32_t pk_cfi_sum(uint8_t reg, int32_t n)
{
	return n * 256 + reg;
}

static inline bool pk_cfi_fits(int32_t n)
{
	return n >= INT32_MIN / 256 && n < INT32_MAX / 256;
}

static inline uint8_t pk_cfi_sum_register(int32_t sum)
{
	return sum & 0xff;
}

static inline int32_t pk_cfi_sum_number(int32_t sum)
{
	return (sum - (sum & 0xff)) / 256;
}

#define PK_CFI_RULES 20 /* the most rules of one row; compilers write fewer rules */

/* The rules for one code address, which are a row of the table in DWARF. They define the canonical
 * frame address (CFA), and where the registers of the caller are. */
struct pk_cfi_row {
	struct pk_cfi_rule cfa;
	uint8_t ra; /* the register whose rule defines the return address */
	/* The number of rules. If the stack pointer has no rule, its value in the caller is CFA -
	 * cfa_bias. Each other register without a rule has the same value in the caller. */
	uint8_t count;
	bool signal_frame;   /* true if the caller was interrupted; its pc is then not a return
			      * address */
	bool in_debug_frame; /* true if expressions are in .debug_frame, false if they are in
			      * .eh_frame */
	bool plain;	/* true if the CFA is a register + n, and every rule is PK_CFI_OFFSET */
	uint64_t ruled; /* bit n is set if register n has a rule */
	struct pk_cfi_rule rules[PK_CFI_RULES];
};

/* ---- The call frame information of an object ---- */

struct pk_cfi;

/* The code of a function: addresses in the object file. */
struct pk_cfi_code {
	uint64_t start, size;
};

/* The sections of an object that can have call frame information. */
struct pk_cfi_sections {
	struct pk_cfi_section eh_frame, debug_frame;
	struct pk_cfi_section header;	    /* the section .eh_frame_hdr */
	struct pk_cfi_section exidx, extab; /* the sections .ARM.exidx and .ARM.extab */
	/* The section .sframe. It is used for addresses that are not in .eh_frame, if there is no
	 * .debug_frame. */
	struct pk_cfi_section sframe;
	/* The code of a function that changes to another stack before it calls a function, and does
	 * not change the frame pointer (go_stack_switch.h). The size is 0 if there is no such
	 * function. */
	struct pk_cfi_code stack_switch;
};

/* Reads the sections. Their bytes are in the byte order of the machine, and must stay valid until
 * pk_cfi_free() is called. If .eh_frame_hdr has a search table in the usual format, lookups in
 * .eh_frame use this table. Otherwise, and for .debug_frame, pk_cfi_new() builds a table of the
 * FDEs. Returns NULL if memory is exhausted. */
struct pk_cfi *pk_cfi_new(const struct pk_cfi_machine *machine,
			  const struct pk_cfi_sections *sections);
void pk_cfi_free(struct pk_cfi *cfi);
/* Returns the number of FDEs in .eh_frame and .debug_frame, plus the number of functions in .sframe
 * and .ARM.exidx. If .eh_frame_hdr is used, the entries of its table are counted and not the FDEs
 * of .eh_frame. */
size_t pk_cfi_count(const struct pk_cfi *cfi);

/* Finds the row for a code address, which is an address in the object file. Returns PK_CFI_OK,
 * PK_CFI_NONE or PK_CFI_BAD. If no FDE contains the address, but an FDE starts at the next address,
 * uses this FDE: the address is then a return address minus one, and no call stored it. A coroutine
 * returns to such an address. This does not apply to files with .ARM.exidx. */
enum pk_cfi_status pk_cfi_find(const struct pk_cfi *cfi, uint64_t address, struct pk_cfi_row *row);
/* Like pk_cfi_find(), but executes at most *work call frame instructions. Subtracts the number of
 * executed instructions from *work. If *work becomes 0, returns PK_CFI_BAD. */
enum pk_cfi_status pk_cfi_find_within(const struct pk_cfi *cfi, uint64_t address, uint64_t *work,
				      struct pk_cfi_row *row);

/* Returns the row for the code of pk_cfi_sections.stack_switch. It finds the caller by the frame
 * pointer. Returns NULL if the address is not in this code. */
const struct pk_cfi_row *pk_cfi_switch_row(const struct pk_cfi *cfi, uint64_t address);

/* This callback gets the row for the addresses from `start` up to, but not including, `end`. `row`
 * is NULL if the information about these addresses is invalid. */
typedef void (*pk_cfi_row_fn)(void *arg, uint64_t start, uint64_t end,
			      const struct pk_cfi_row *row);

/* Calls `each` for the rows of FDE number n (less than pk_cfi_count()), in ascending order.
 * Together, the rows cover all addresses of the FDE. The numbers start with the FDEs of .eh_frame.
 * The FDEs of .debug_frame follow, and then the functions of .sframe. `work` has the same meaning
 * as in pk_cfi_find_within(). Returns false if the FDE is not valid. */
bool pk_cfi_walk_nth(const struct pk_cfi *cfi, size_t n, uint64_t *work, pk_cfi_row_fn each,
		     void *arg);

/* Says whether the functions of an object save and set the frame pointer. The kernel follows the
 * chain of frame pointers. */
enum pk_frame_pointers {
	PK_FRAME_POINTERS_UNKNOWN, /* no function has information that shows this */
	PK_FRAME_POINTERS_KEPT,
	PK_FRAME_POINTERS_OMITTED
};

/* Checks only some functions. This is enough, because compilers keep frame pointers either in
 * almost all functions of a file or only in few functions. */
enum pk_frame_pointers pk_cfi_frame_pointers(const struct pk_cfi *cfi);

/* Replaces the registers of a function by the registers of its caller. `row` is the row for the pc
 * of the function. If the return address cannot be computed, this function fails. If another
 * register cannot be computed, it becomes unknown. If a register was saved below the stack pointer,
 * it keeps its value, because the dump has no memory there. Returns PK_CFI_OK if there is a caller,
 * PK_CFI_END if there is none, or the reason why the caller is unknown. *state changes only if the
 * result is PK_CFI_OK. */
enum pk_cfi_status pk_cfi_step(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
			       struct pk_memory *memory, struct pk_frame_state *state);

/* Like pk_cfi_step(), but uses the frame pointer and no row. The result is a guess, because code
 * can use the register for other values. Returns PK_CFI_END if the frame pointer is 0, and
 * PK_CFI_MEMORY if the memory at its target is missing. Returns PK_CFI_UNKNOWN if the register is
 * unknown or is not a frame pointer, or if the machine has none. All registers of the caller become
 * unknown, except the stack pointer, the frame pointer and the pc. */
enum pk_cfi_status pk_frame_pointer_step(const struct pk_cfi_machine *machine,
					 struct pk_memory *memory, struct pk_frame_state *state);

/* Like pk_cfi_step(), for the first instruction of a function on x86. There, the return address is
 * at the stack pointer, and all other registers still have the caller's values. Returns
 * PK_CFI_UNKNOWN on other machines. */
enum pk_cfi_status pk_return_word_step(const struct pk_cfi_machine *machine,
				       struct pk_memory *memory, struct pk_frame_state *state);

#endif
