/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions of any machine, one by one. disasm_library.c alone knows the library behind it.
 *
 *     struct disasm *d = disasm_new(&(struct disasm_options){ .machine = EM_X86_64, .is_64 = true
 * }, &reason);
 *
 *     while (disasm_next(d, DISASM_TEXT, bytes + at, size - at, start + at, &insn))
 *             at += insn.size;
 *
 * The bytes are hostile: any of them give instructions of at least one byte that end within them.
 */
#ifndef PK_INSN_H
#define PK_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers are numbered as DWARF does for the machine. */
#define INSN_NO_REG 0xffff
#define INSN_REG_PC 0xfffe /* the address behind the instruction; arm64: of the instruction */

enum insn_kind {
	INSN_OTHER,
	INSN_JUMP,
	INSN_BRANCH, /* a jump under a condition */
	INSN_CALL,
	INSN_RETURN,
	INSN_UNDECODED, /* no instruction, or none that is known: its bytes are what there is to
			   show */
};

/* What an instruction does to registers and memory, as far as it matters to who follows values. */
enum insn_action {
	INSN_DO_OTHER, /* something else with what it writes */
	INSN_DO_MOVE,  /* [0] = [1]: as long as the operand, the rest of a register is 0 or kept */
	INSN_DO_MOVE_ZERO,  /* [0] = [1], longer: zeros in front */
	INSN_DO_MOVE_SIGN,  /* [0] = [1], longer: signs in front */
	INSN_DO_MOVE_IF,    /* [0] = [1], or not */
	INSN_DO_ADDRESS,    /* [0] = the address that memory operand [1] names */
	INSN_DO_ADD,	    /* [0] += [1]; of three: [0] = [1] + [2] */
	INSN_DO_SUBTRACT,   /* likewise */
	INSN_DO_AND,	    /* likewise */
	INSN_DO_SHIFT_LEFT, /* likewise */
	INSN_DO_MULTIPLY,   /* likewise */
	INSN_DO_CLEAR,	    /* [0] = 0, whatever else is named */
	INSN_DO_PUSH,	    /* stack -= size; there = [0] */
	INSN_DO_POP,	    /* [0] = what is there; stack += size */
	INSN_DO_LEAVE,	    /* stack = frame; pop frame */
	INSN_DO_EXCHANGE,   /* [0] <-> [1] */
	INSN_DO_LOAD_PAIR,  /* [0] = memory [2], [1] = what is behind it */
	INSN_DO_STORE_PAIR, /* memory [2] = [0], behind it [1] */
};

enum insn_operand_kind { INSN_REGISTER, INSN_IMMEDIATE, INSN_MEMORY };

struct insn_operand {
	uint8_t kind;
	uint8_t size; /* bytes; 0: not known. Of a pair in memory: of one of both */
	bool read, written;
	char segment;	      /* 'f', 'g': relative to that segment; 0: to none */
	uint8_t scale;	      /* of the index, or of REGISTER: it counts that many times */
	uint8_t update;	      /* of memory: 1: base += displacement before, 2: after the access */
	uint16_t reg;	      /* of REGISTER, whatever part of it */
	uint16_t base, index; /* of MEMORY; INSN_NO_REG: none */
	int64_t value;	      /* of IMMEDIATE; of MEMORY the displacement */
};

#define INSN_OPERANDS 6

struct insn {
	uint64_t address;
	const uint8_t *bytes; /* the caller's */
	uint8_t size;	      /* at least 1 */
	uint8_t kind;	      /* enum insn_kind */
	bool has_target;      /* of jumps, branches, calls: target is where to */
	bool has_reference;   /* reference is the address that an operand without registers (but
				 the pc) names: a constant's, a global variable's */
	uint64_t target, reference;

	/* With DISASM_TEXT; valid until the next call, never NULL. */
	const char *mnemonic, *operands;

	/* With DISASM_OPERANDS. The destination first, whatever syntax. */
	uint8_t action; /* enum insn_action */
	uint8_t operand_count;
	struct insn_operand operand[INSN_OPERANDS];
	uint64_t changes; /* bit n: register n is not what it was, named or not (not by calls) */
};

/* What the machine's calls do. Masks are of register numbers. */
struct insn_machine {
	uint8_t word;		/* bytes of an address */
	uint8_t stack, frame;	/* registers */
	uint16_t result;	/* the register that a call returns a word in */
	uint64_t call_clobbers; /* registers that a call may change */
	bool call_pushes;	/* it puts its return address on the stack */
};

struct disasm;

struct disasm_options {
	unsigned machine; /* EM_ */
	bool is_64, big_endian;
	bool intel; /* x86: Intel's syntax, not AT&T's */
	/* Called when the disassembler cannot allocate memory; it does not return, since the
	 * disassembler would use what it did not get. NULL: abort(3). */
	void (*no_memory)(void);
};

/* NULL: *reason says why ("no disassembler for riscv"). */
struct disasm *disasm_new(const struct disasm_options *options, const char **reason);
void disasm_free(struct disasm *d);

/* What comes next; arm alone has THUMB. By the mapping symbols $a and $x, $t, $d. */
enum disasm_mode { DISASM_CODE, DISASM_THUMB, DISASM_DATA };
void disasm_mode(struct disasm *d, enum disasm_mode mode);

enum { DISASM_TEXT = 1 << 0, DISASM_OPERANDS = 1 << 1 };

/* The instruction that begins with the bytes. what: of DISASM_; 0: only size, kind, target and
 * reference, which is the fastest. False: size is 0. */
bool disasm_next(struct disasm *d, unsigned what, const uint8_t *bytes, size_t size,
		 uint64_t address, struct insn *insn);

/* NULL: not known for this machine. */
const struct insn_machine *disasm_machine(const struct disasm *d);

#endif
