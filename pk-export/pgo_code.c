// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "insn.h"
#include "lookups.h"
#include "object_code.h"
#include "pgo_code.h"

struct pgo_code {
	struct pk_machine_code *code;
	struct disasm *disasm; /* NULL if there is none */
	/* The bytes that were read last: from the offset `start` on. */
	uint8_t bytes[4096];
	uint32_t start;
	size_t size;
};

struct pgo_code *pgo_code_new(struct pk_object *object)
{
	struct disasm_options options = {.no_memory = pk_exit_no_memory};
	struct pgo_code *code = calloc(1, sizeof(*code));
	struct pk_machine machine;
	const char *reason;

	if (!code)
		return NULL;
	code->code = pk_machine_code_new(object);
	if (!code->code) {
		free(code);
		return NULL;
	}
	if (pk_machine_code_state(code->code) != PK_OBJECT_READY)
		return code;
	machine = pk_machine_code_machine(code->code);
	options.machine = machine.number;
	options.is_64 = machine.is_64;
	options.big_endian = machine.big_endian;
	code->disasm = pk_disasm_new(&options, &reason);
	return code;
}

void pgo_code_free(struct pgo_code *code)
{
	if (!code)
		return;
	pk_disasm_free(code->disasm);
	pk_machine_code_free(code->code);
	free(code);
}

/* Sets *bytes to the bytes at an offset, and returns their number. There are enough for an
 * instruction, unless the code ends there. */
static size_t bytes_at(struct pgo_code *code, uint32_t offset, const uint8_t **bytes)
{
	enum { LONGEST = 16 };

	if (offset < code->start || offset - code->start + LONGEST > code->size) {
		code->start = offset;
		code->size =
			pk_machine_code_read(code->code, offset, code->bytes, sizeof(code->bytes));
	}
	*bytes = code->bytes + (offset - code->start);
	return code->size - (offset - code->start);
}

bool pgo_code_is_straight(struct pgo_code *code, uint32_t from, uint32_t to)
{
	const uint8_t *bytes;
	struct insn insn;
	size_t size;

	if (!code->disasm)
		return true;
	for (uint64_t at = from; at < to; at += insn.size) {
		size = bytes_at(code, (uint32_t)at, &bytes);
		if (!pk_disasm_next(code->disasm, 0, bytes, size, at, &insn))
			return false;
		if (insn.kind == INSN_JUMP || insn.kind == INSN_CALL || insn.kind == INSN_RETURN)
			return false;
		if (at + insn.size > to)
			return false;
	}
	return true;
}

bool pgo_code_size(struct pgo_code *code, uint32_t offset, uint32_t *size)
{
	const uint8_t *bytes;
	struct insn insn;
	size_t left;

	*size = 0;
	if (!code->disasm)
		return false;
	left = bytes_at(code, offset, &bytes);
	if (!pk_disasm_next(code->disasm, 0, bytes, left, offset, &insn))
		return false;
	*size = insn.size;
	return insn.kind != INSN_UNDECODED;
}
