/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CFI_H
#define PK_CFI_H

/*
 * Call frame information (.eh_frame, .debug_frame; DWARF 5, 6.4, and the psABIs; .ARM.exidx of
 * 32-bit Arm; .sframe). pk_cfi_find() finds the rules for one code address of an object: they say
 * where the caller's registers are. pk_cfi_step() applies the rules to a function's registers and
 * stack, and computes the caller's registers.
 *
 * This module opens no files, and it knows neither maps nor streams. The sections are untrusted:
 * the work for one address is bounded, and memory is bounded by the size of the sections.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eh_frame.h"

/* ---- Machines ---- */

#define PK_CFI_REGISTERS                                                                           \
	33 /* DWARF numbers 0 to 32; rules for higher ones are ignored, except                     \
	    * for pk_cfi_machine.high */

/* The registers of a machine. Register numbers are DWARF's; the fields named perf have perf's
 * (PERF_REG_*). */
struct pk_cfi_machine {
	const char *name;
	uint16_t elf_machine; /* EM_* */
	uint8_t word;	      /* size of an address, in bytes */
	bool swapped;	      /* the machine's byte order is not the host's */
	uint8_t stack, frame; /* numbers of the stack pointer and the frame pointer; frame
			       * PK_CFI_REGISTERS: none */
	uint8_t cfa_bias;     /* the CFA minus the caller's stack pointer, in bytes */
	/* Bytes from the frame pointer to the saved frame pointer, which the return address
	 * follows. It is PK_CFI_NO_RECORD if compilers differ. Then only a frame pointer of 0 has a
	 * meaning. */
	int8_t record;
	uint8_t high;	  /* a higher DWARF number that is stored as 32; 0: none */
	uint8_t link;	  /* number of the register with the return address of a function that
			   * has not saved it. Used for code without information; 0: none */
	uint8_t pc;	  /* the pc's number; PK_CFI_REGISTERS: DWARF has no number for it */
	uint8_t perf_pc;  /* perf's number of the pc */
	uint64_t pc_mask; /* address bits of a return address; others can be a signature */
	uint8_t perf[64]; /* index: perf's number; value: DWARF's number, PK_CFI_REGISTERS: none */
	uint8_t perf_count; /* perf numbers from here on have no DWARF number */
};

#define PK_CFI_NO_RECORD INT8_MAX

/* Finds a machine by uname(2)'s name ("x86_64", "aarch64", "i686") and the ABI of the task
 * (PERF_SAMPLE_REGS_ABI_*). Returns NULL if it is unknown, or unwinding is not supported. */
const struct pk_cfi_machine *pk_cfi_machine_find(const char *name, uint64_t abi);
/* Finds a machine by EM_*. The result has the machine's usual byte order. Returns NULL if the
 * machine is not supported. */
const struct pk_cfi_machine *pk_cfi_machine_by_elf(unsigned int elf);

/* ---- A function's registers and stack ---- */

struct pk_frame_state {
	uint64_t value[PK_CFI_REGISTERS];
	uint64_t known; /* bit n: value[n] is known */
	uint64_t pc;
};

/* Loads the registers of a sample. mask has a bit for each register in the sample, by perf's
 * number. values has count numbers of 8 bytes, for the bits of mask in ascending order. Returns
 * false if the pc or the stack pointer is missing. */
bool pk_frame_load(const struct pk_cfi_machine *machine, uint64_t mask, const uint8_t *values,
		   uint64_t count, struct pk_frame_state *state);

/* The known part of a task's memory, for example a sample's copy of the stack: size bytes, which
 * are at address start in the task. */
struct pk_memory {
	const uint8_t *data;
	uint64_t start, size;
	uint64_t fault; /* start of the last read that was not inside */
	uint64_t *work; /* DWARF operations that all expressions together may still execute; NULL:
			 * only the limit for each expression applies */
};

enum pk_cfi_status {
	PK_CFI_OK,
	PK_CFI_END,    /* the function is the outermost: it has no caller */
	PK_CFI_NONE,   /* no information about the address */
	PK_CFI_BAD,    /* the information is invalid, or exceeds a limit */
	PK_CFI_MEMORY, /* the memory at memory->fault is needed and unknown */
	PK_CFI_UNKNOWN /* a register is needed and unknown */
};

/* ---- Rules ---- */

enum pk_cfi_rule_kind {
	PK_CFI_SAME,
	PK_CFI_UNDEFINED,
	PK_CFI_OFFSET, /* the caller's value is in memory at CFA + n; as the rule of the CFA: it is
			* in memory at register reg + n */
	PK_CFI_VAL_OFFSET,  /* the caller's value is CFA + n; as the rule of the CFA: register reg +
			     * n */
	PK_CFI_REGISTER,    /* the caller's value is in register n */
	PK_CFI_AT_REGISTER, /* the caller's value is in memory at a register plus a number; n is
			     * pk_cfi_sum() of them */
	PK_CFI_EXPRESSION,  /* the caller's value is in memory at the address that an expression
			     * yields; the expression's length (ULEB128) is at offset n of the
			     * section, its bytes follow */
	PK_CFI_VAL_EXPRESSION /* the caller's value is the result of that expression */
};

struct pk_cfi_rule {
	uint8_t reg, kind;
	int32_t n;
};

/* A register plus a number that fits, as one number. */
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

#define PK_CFI_RULES 20 /* limit for one row; more: PK_CFI_BAD. Compilers do not reach it */

/* The rules for one code address (a row of DWARF's table): the canonical frame address (CFA), and
 * where the caller's registers are. */
struct pk_cfi_row {
	struct pk_cfi_rule cfa;
	uint8_t ra;    /* the register whose rule yields the return address */
	uint8_t count; /* number of rules; registers without a rule are unchanged, except the stack
			* pointer: CFA - cfa_bias */
	bool signal_frame;   /* the caller was interrupted: its pc is not a return address */
	bool in_debug_frame; /* expressions are in .debug_frame, else in .eh_frame */
	bool plain;	     /* the CFA is a register + n, and every rule is PK_CFI_OFFSET */
	uint64_t ruled;	     /* bit n: register n has a rule */
	struct pk_cfi_rule rules[PK_CFI_RULES];
};

/* ---- An object's call frame information ---- */

struct pk_cfi;

struct pk_cfi_sections {
	struct pk_cfi_section eh_frame, debug_frame;
	struct pk_cfi_section header;	    /* .eh_frame_hdr */
	struct pk_cfi_section exidx, extab; /* .ARM.exidx, .ARM.extab */
	/* .sframe: used for addresses that .eh_frame has not, if there is no .debug_frame */
	struct pk_cfi_section sframe;
};

/* The bytes of the sections are in the machine's byte order, and must stay valid until
 * pk_cfi_free(). If the search table of .eh_frame_hdr has the usual format, lookups in .eh_frame
 * use it. Else, and for .debug_frame, pk_cfi_new() builds a table of the FDEs. NULL: out of memory.
 */
struct pk_cfi *pk_cfi_new(const struct pk_cfi_machine *machine,
			  const struct pk_cfi_sections *sections);
void pk_cfi_free(struct pk_cfi *cfi);
/* The number of FDEs in both sections, and of functions in .sframe and .ARM.exidx. If .eh_frame_hdr
 * is used, its entries are counted. */
size_t pk_cfi_count(const struct pk_cfi *cfi);

/* Finds the row of a code address, which is one of the object file. Returns OK, NONE or BAD. */
enum pk_cfi_status pk_cfi_find(const struct pk_cfi *cfi, uint64_t address, struct pk_cfi_row *row);
/* The same, but executes at most *work call frame instructions, and subtracts the executed ones
 * from *work. If *work becomes 0, the result is BAD. */
enum pk_cfi_status pk_cfi_find_within(const struct pk_cfi *cfi, uint64_t address, uint64_t *work,
				      struct pk_cfi_row *row);

/* Gets the row of the addresses from start up to end. The row is NULL if their information is
 * invalid. */
typedef void (*pk_cfi_row_fn)(void *arg, uint64_t start, uint64_t end,
			      const struct pk_cfi_row *row);

/* Calls each for the rows of an FDE, the n-th of pk_cfi_count(), in ascending order: together they
 * cover the addresses of the FDE. First come the FDEs of .eh_frame, then those of .debug_frame,
 * then the functions of .sframe. work is that of pk_cfi_find_within(). Returns false if the FDE is
 * not valid. */
bool pk_cfi_walk_nth(const struct pk_cfi *cfi, size_t n, uint64_t *work, pk_cfi_row_fn each,
		     void *arg);

/* Whether the functions of an object save and set the frame pointer, which the kernel follows. */
enum pk_frame_pointers {
	PK_FRAME_POINTERS_UNKNOWN, /* no function has information that shows it */
	PK_FRAME_POINTERS_KEPT,
	PK_FRAME_POINTERS_OMITTED
};

/* Looks at some of the functions: compilers keep frame pointers in almost all functions of a file,
 * or in few. */
enum pk_frame_pointers pk_cfi_frame_pointers(const struct pk_cfi *cfi);

/* Replaces the registers of a function by those of its caller. row is the row of the function's pc.
 * A register other than the return address that cannot be computed becomes unknown. A register that
 * was saved below the stack pointer keeps its value, because the dump has no memory there. Returns
 * OK, or END if the function has no caller, or the reason why the caller is unknown. *state changes
 * only with OK. */
enum pk_cfi_status pk_cfi_step(const struct pk_cfi *cfi, const struct pk_cfi_row *row,
			       struct pk_memory *memory, struct pk_frame_state *state);

/* The same with the frame pointer instead of a row. This is a guess, because code can use that
 * register for other values. Returns END if the frame pointer is 0, MEMORY if its memory is
 * missing, and UNKNOWN if it is unknown or no frame pointer, or the machine has none. All registers
 * of the caller except the stack pointer, the frame pointer and the pc become unknown. */
enum pk_cfi_status pk_frame_pointer_step(const struct pk_cfi_machine *machine,
					 struct pk_memory *memory, struct pk_frame_state *state);

/* The same at the first instruction of a function, for x86: the return address is at the stack
 * pointer, and all other registers are the caller's. UNKNOWN for other machines. */
enum pk_cfi_status pk_return_word_step(const struct pk_cfi_machine *machine,
				       struct pk_memory *memory, struct pk_frame_state *state);

#endif
