/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes instructions of any machine, one by one.
 *
 *     struct disasm *d = pk_disasm_new(&options, &reason);
 *
 *     while (pk_disasm_next(d, DISASM_TEXT, bytes + at, size - at, start + at, &insn))
 *             at += insn.size;
 *
 * The bytes are untrusted. For any bytes, each decoded instruction has at least one byte, and ends
 * within the given bytes.
 */
#ifndef PK_INSN_H
#define PK_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers have the DWARF numbers of the machine. */
#define INSN_NO_REG 0xffff
#define INSN_REG_PC 0xfffe /* the address of the next instruction (arm64: of this instruction) */

/* How an instruction continues. */
enum insn_kind {
	INSN_OTHER,
	INSN_JUMP,
	INSN_BRANCH, /* a conditional jump */
	INSN_CALL,
	INSN_RETURN,
	INSN_UNDECODED, /* not an instruction, or an unknown instruction, of which only the bytes
			 * can be shown */
};

/* The effect of an instruction on registers and memory, if the analysis of values needs it. In the
 * comments, [n] is operand n. A word has insn_machine.word bytes. */
enum insn_action {
	INSN_DO_OTHER, /* another effect; the value of the destination becomes unknown */
	INSN_DO_MOVE,  /* [0] = [1], of the operand's size; the other bits of a register become 0 or
			* do not change */
	INSN_DO_MOVE_ZERO,  /* [0] = [1], zero-extended */
	INSN_DO_MOVE_SIGN,  /* [0] = [1], sign-extended */
	INSN_DO_MOVE_IF,    /* [0] = [1] if a condition is true */
	INSN_DO_ADDRESS,    /* [0] = the address of the memory operand [1] */
	INSN_DO_ADD,	    /* [0] += [1]; with three operands: [0] = [1] + [2] */
	INSN_DO_SUBTRACT,   /* like ADD, but subtracts */
	INSN_DO_AND,	    /* like ADD, but computes the bitwise AND */
	INSN_DO_SHIFT_LEFT, /* like ADD, but shifts left */
	INSN_DO_MULTIPLY,   /* like ADD, but multiplies */
	INSN_DO_CLEAR,	    /* [0] = 0, for any values of the operands */
	INSN_DO_PUSH,	    /* stack pointer -= word; memory at stack pointer = [0] */
	INSN_DO_POP,	    /* [0] = memory at stack pointer; stack pointer += word */
	INSN_DO_LEAVE,	    /* stack pointer = frame pointer; then pops the frame pointer */
	INSN_DO_EXCHANGE,   /* exchanges [0] and [1] */
	INSN_DO_LOAD_PAIR,  /* [0] = the memory [2]; [1] = the memory after [2] */
	INSN_DO_STORE_PAIR, /* the memory [2] = [0]; the memory after [2] = [1] */
};

enum insn_operand_kind { INSN_REGISTER, INSN_IMMEDIATE, INSN_MEMORY };

/* An operand of an instruction. Its kind says which members are used. */
struct insn_operand {
	uint8_t kind;
	uint8_t size; /* In bytes, or 0 if it is unknown. For a pair in memory, it is the size of
		       * one item of the pair. */
	bool read, written;
	char segment;  /* 'f' or 'g' if the address is relative to this segment, otherwise 0 */
	uint8_t scale; /* for MEMORY: the factor of `index`; for REGISTER: a factor for the value of
			* the register */
	uint8_t update; /* For MEMORY: 1 if the displacement is added to the base before the access,
			 * 2 if after it, 0 if never. */
	uint16_t reg; /* for REGISTER: the number of the register, even if only a part of it is used
		       */
	uint16_t base, index; /* for MEMORY: numbers of registers, or INSN_NO_REG */
	int64_t value;	      /* for IMMEDIATE: the number; for MEMORY: the displacement */
};

#define INSN_OPERANDS 6

/* A decoded instruction. */
struct insn {
	uint64_t address;
	const uint8_t *bytes; /* points into the bytes that the caller passed */
	uint8_t size;	      /* in bytes, at least 1 */
	uint8_t kind;	      /* enum insn_kind */
	bool has_target;      /* true for a jump, branch or call whose `target` is set */
	/* True if one operand is at an address that depends on no register except the pc.
	 * `reference` is this address, at which there is a constant or a global variable. */
	bool has_reference;
	uint64_t target, reference;

	/* Set if DISASM_TEXT is given. The texts are valid until the next call, and never NULL. */
	const char *mnemonic, *operands;

	/* Set if DISASM_OPERANDS is given. In any syntax, the destination is the first operand. */
	uint8_t action; /* enum insn_action */
	uint8_t operand_count;
	struct insn_operand operand[INSN_OPERANDS];
	uint64_t changes; /* Bit n is set if the instruction changes register n. For calls, see
			   * call_clobbers. */
};

/* The calling convention of the machine. In a mask, bit n stands for register n. */
struct insn_machine {
	uint8_t word;		/* size of an address in bytes */
	uint8_t stack, frame;	/* the numbers of the stack pointer and the frame pointer */
	uint16_t result;	/* the register that has the result of a call */
	uint64_t call_clobbers; /* mask of the registers that a call can change */
	bool call_pushes;	/* true if a call pushes the return address */
};

struct disasm;

/* The machine and the syntax of a disassembler. */
struct disasm_options {
	unsigned machine; /* EM_* */
	bool is_64, big_endian;
	bool intel; /* on x86: true for the syntax of Intel, false for AT&T */
	/* Called if the disassembler cannot allocate memory. It must not return, because the
	 * disassembler would then use memory that does not exist. If it is NULL, abort(3) is
	 * called. */
	void (*no_memory)(void);
};

/* Creates a disassembler. If that fails, returns NULL and sets *reason to a text such as "no
 * disassembler for mips". */
struct disasm *pk_disasm_new(const struct disasm_options *options, const char **reason);
void pk_disasm_free(struct disasm *d);

/* Sets the kind of the bytes that follow, as the mapping symbols say: CODE after $a and $x, THUMB
 * after $t (arm only), DATA after $d. */
enum disasm_mode { DISASM_CODE, DISASM_THUMB, DISASM_DATA };
void pk_disasm_mode(struct disasm *d, enum disasm_mode mode);

enum { DISASM_TEXT = 1 << 0, DISASM_OPERANDS = 1 << 1 };

/* Decodes the instruction at the start of the bytes. `what` has DISASM_* flags. If it is 0, only
 * size, kind, target and reference are decoded, which is the fastest. Returns false if `size` is 0.
 */
bool pk_disasm_next(struct disasm *d, unsigned what, const uint8_t *bytes, size_t size,
		    uint64_t address, struct insn *insn);

/* Returns the calling convention, or NULL if it is unknown for this machine. */
const struct insn_machine *pk_disasm_machine(const struct disasm *d);

#endif
