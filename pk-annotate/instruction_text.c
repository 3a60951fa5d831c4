// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>

#include "annotate_report.h"

static void put_place(const struct function *f, uint64_t shown, struct buffer *out)
{
	const struct pk_code_object *code = f->code.object;
	struct pk_symbol symbol;
	uint64_t address;

	if (!code->symbols || !pk_machine_code_address(code->code, shown, &address) ||
	    !pk_object_lookup(code->symbols, address, &symbol))
		return;
	buffer_text(out, " <");
	buffer_harmless(out, symbol.name, strlen(symbol.name));
	if (address != symbol.start)
		buffer_format(out, "+0x%" PRIx64, address - symbol.start);
	buffer_char(out, '>');
}

static void put_bytes(const struct function *f, const struct pk_row *row, struct buffer *out)
{
	buffer_text(out, ".byte ");
	for (unsigned int i = 0; i < row->size; i++)
		buffer_format(out, "%s0x%02x", i ? "," : "", f->code.bytes[row->at + i]);
}

/* The operands without 0x if they are only the target of a jump, as objdump prints them. */
static const char *operands_of(const struct insn *insn)
{
	char target[24];

	snprintf(target, sizeof(target), "0x%" PRIx64, insn->target);
	return insn->operands + (insn->has_target && !strcmp(insn->operands, target) ? 2 : 0);
}

void report_instruction(const struct function *f, uint32_t r, struct buffer *out)
{
	const struct pk_row *row = &f->code.rows[r];
	struct insn insn;

	if (row->kind == INSN_UNDECODED || !pk_function_code_text(&f->code, row, &insn)) {
		put_bytes(f, row, out);
		return;
	}
	if (*insn.operands)
		buffer_format(out, "%-6s %s", insn.mnemonic, operands_of(&insn));
	else
		buffer_text(out, insn.mnemonic);
	if (insn.has_target)
		put_place(f, insn.target, out);
	if (insn.has_reference) {
		buffer_format(out, "        # %" PRIx64, insn.reference);
		put_place(f, insn.reference, out);
	}
}
