/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes instructions of any machine, one by one. Only disasm_library.c uses the external library.
 *
 *     struct disasm *d = pk_disasm_new(&(struct disasm_options){ .machine = EM_X86_64, .is_64 =
 * true
 *     }, &reason);
 *
 *     while (pk_disasm_next(d, DISASM_TEXT, bytes + at, size - at, start + at, &insn))
 *             at += insn.size;
 *
 * The bytes are untrusted: any bytes yield instructions of at least one byte that end within them.
 */
#ifndef PK_INSN_H
#define PK_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers have the machine's DWARF numbers. */
#define INSN_NO_REG 0xffff
#define INSN_REG_PC 0xfffe /* the address after the instruction; arm64: of the instruction */

enum insn_kind {
	INSN_OTHER,
	INSN_JUMP,
	INSN_BRANCH, /* a conditional jump */
	INSN_CALL,
	INSN_RETURN,
	INSN_UNDECODED, /* not an instruction, or an unknown one: only its bytes can be shown */
};

/* The effect of an instruction on registers and memory, as far as the analysis of values needs it.
 * [n] is operand n. A word is insn_machine.word bytes. */
enum insn_action {
	INSN_DO_OTHER, /* another effect: the value of the destination becomes unknown */
	INSN_DO_MOVE,  /* [0] = [1]: of the operand's size; the rest of a register becomes 0 or is
			* kept */
	INSN_DO_MOVE_ZERO,  /* [0] = [1], zero-extended */
	INSN_DO_MOVE_SIGN,  /* [0] = [1], sign-extended */
	INSN_DO_MOVE_IF,    /* [0] = [1], conditionally */
	INSN_DO_ADDRESS,    /* [0] = the address of memory operand [1] */
	INSN_DO_ADD,	    /* [0] += [1]; of three: [0] = [1] + [2] */
	INSN_DO_SUBTRACT,   /* like ADD, with that operation */
	INSN_DO_AND,	    /* like ADD, with that operation */
	INSN_DO_SHIFT_LEFT, /* like ADD, with that operation */
	INSN_DO_MULTIPLY,   /* like ADD, with that operation */
	INSN_DO_CLEAR,	    /* [0] = 0, for any other operands */
	INSN_DO_PUSH,	    /* stack pointer -= word; memory at stack pointer = [0] */
	INSN_DO_POP,	    /* [0] = memory at stack pointer; stack pointer += word */
	INSN_DO_LEAVE,	    /* stack pointer = frame pointer; then pop frame pointer */
	INSN_DO_EXCHANGE,   /* [0] <-> [1] */
	INSN_DO_LOAD_PAIR,  /* [0] = memory [2], [1] = the memory after it */
	INSN_DO_STORE_PAIR, /* memory [2] = [0], the memory after it = [1] */
};

enum insn_operand_kind { INSN_REGISTER, INSN_IMMEDIATE, INSN_MEMORY };

struct insn_operand {
	uint8_t kind;
	uint8_t size; /* bytes; 0: unknown. For a pair in memory: of one of the two */
	bool read, written;
	char segment;	/* 'f', 'g': relative to that segment; 0: none */
	uint8_t scale;	/* of the index, or of REGISTER: a factor */
	uint8_t update; /* of MEMORY: base += displacement, 1: before the access, 2: after it; 0:
			 * no */
	uint16_t reg;	/* of REGISTER, for any part of it */
	uint16_t base, index; /* of MEMORY; INSN_NO_REG: none */
	int64_t value;	      /* of IMMEDIATE; the displacement of MEMORY */
};

#define INSN_OPERANDS 6

struct insn {
	uint64_t address;
	const uint8_t *bytes; /* the caller's */
	uint8_t size;	      /* at least 1 */
	uint8_t kind;	      /* enum insn_kind */
	bool has_target;      /* jumps, branches, calls: target is set */
	bool has_reference;   /* reference is the address of an operand without registers (except
			       * the pc): of a constant or a global variable */
	uint64_t target, reference;

	/* These are set with DISASM_TEXT. They are valid until the next call, never NULL. */
	const char *mnemonic, *operands;

	/* With DISASM_OPERANDS. The destination comes first in any syntax. */
	uint8_t action; /* enum insn_action */
	uint8_t operand_count;
	struct insn_operand operand[INSN_OPERANDS];
	uint64_t changes; /* bit n: the instruction changes register n; for calls, see
			   * call_clobbers */
};

/* The calling convention of the machine. Masks are of register numbers. */
struct insn_machine {
	uint8_t word;		/* bytes of an address */
	uint8_t stack, frame;	/* numbers of the stack pointer and the frame pointer */
	uint16_t result;	/* the register with a call's result */
	uint64_t call_clobbers; /* registers that a call can change */
	bool call_pushes;	/* calls push the return address */
};

struct disasm;

struct disasm_options {
	unsigned machine; /* EM_ */
	bool is_64, big_endian;
	bool intel; /* x86: Intel's syntax, not AT&T's */
	/* Called when the disassembler cannot allocate memory. It must not return, because the
	 * disassembler would use the missing memory. NULL stands for abort(3). */
	void (*no_memory)(void);
};

/* Creates a disassembler. Returns NULL if that fails, and sets *reason to the reason ("no
 * disassembler for mips"). */
struct disasm *pk_disasm_new(const struct disasm_options *options, const char **reason);
void pk_disasm_free(struct disasm *d);

/* Sets the kind of the following bytes, by the mapping symbols: CODE after $a and $x, THUMB after
 * $t (arm only), DATA after $d. */
enum disasm_mode { DISASM_CODE, DISASM_THUMB, DISASM_DATA };
void pk_disasm_mode(struct disasm *d, enum disasm_mode mode);

enum { DISASM_TEXT = 1 << 0, DISASM_OPERANDS = 1 << 1 };

/* Decodes the instruction at the start of the bytes. `what` consists of DISASM_ flags. With 0, only
 * size, kind, target and reference are decoded, which is the fastest. Returns false if size is
 * 0. */
bool pk_disasm_next(struct disasm *d, unsigned what, const uint8_t *bytes, size_t size,
		    uint64_t address, struct insn *insn);

/* The calling convention. Returns NULL if it is unknown for this machine. */
const struct insn_machine *pk_disasm_machine(const struct disasm *d);

#endif
