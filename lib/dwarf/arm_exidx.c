// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "arm_exidx.h"

enum {
	ENTRY = 8, /* size of an entry of the index table in bytes: the function, and its unwind
		    * information */
	CANTUNWIND = 1,
	/* The size of the longest entry of .ARM.extab in bytes. It has the address of a personality
	   routine, a word with the number of words that follow, and up to 255 words. */
	EXTAB_MAX = 4 * 257,
	SP = 13,
	LR = 14,
	PC = 15,
};

/* ---- The tables ---- */

/* Reads the word at an address of a section. Returns false if the word is not completely in the
 * section. */
static bool word_at(const struct pk_cfi_section *s, bool swapped, uint64_t address, uint32_t *word)
{
	const uint64_t at = address - s->address;

	if (address < s->address || at > s->size || s->size - at < sizeof(*word))
		return false;
	memcpy(word, s->data + at, sizeof(*word));
	if (swapped)
		*word = __builtin_bswap32(*word);
	return true;
}

/* Returns the address that a word refers to. The word has a signed number of 31 bits, which is
 * relative to the address of the word itself. */
static uint64_t prel31(uint64_t place, uint32_t word)
{
	return (uint32_t)(place + (word & 0x7fffffff) + ((word & 0x40000000) << 1));
}

static uint64_t entry_address(const struct pk_cfi_section *exidx, size_t index)
{
	return exidx->address + ENTRY * index;
}

/* Returns the start of the function of an entry. */
static uint64_t function_of(const struct pk_cfi_section *exidx, bool swapped, size_t index)
{
	const uint64_t place = entry_address(exidx, index);
	uint32_t word = 0;

	word_at(exidx, swapped, place, &word);
	return prel31(place, word);
}

size_t pk_arm_exidx_count(const struct pk_cfi *cfi)
{
	return cfi->exidx.size / ENTRY;
}

bool pk_arm_exidx_extab(const struct pk_cfi_section *exidx, bool swapped, uint64_t *start,
			uint64_t *end)
{
	*start = UINT64_MAX;
	*end = 0;
	for (size_t i = 0; i < exidx->size / ENTRY; i++) {
		const uint64_t place = entry_address(exidx, i) + 4;
		uint64_t address;
		uint32_t word;

		if (!word_at(exidx, swapped, place, &word) || word == CANTUNWIND || word >> 31)
			continue;
		address = prel31(place, word);
		if (address < *start)
			*start = address;
		if (address + EXTAB_MAX > *end)
			*end = address + EXTAB_MAX;
	}
	return *end;
}

/* Finds the last entry whose function starts at or before the address. The table is sorted by the
 * linker. */
static bool find_entry(const struct pk_cfi *cfi, uint64_t address, size_t *index)
{
	size_t low = 0, high = pk_arm_exidx_count(cfi);

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (function_of(&cfi->exidx, cfi->machine->swapped, middle) > address)
			high = middle;
		else
			low = middle + 1;
	}
	*index = low - 1;
	return low;
}

/* ---- Instructions ---- */

/* The unwind instructions of a function. They are the bytes of 32-bit words, from the highest byte
 * of each word to the lowest. */
struct code {
	const struct pk_cfi_section *section;
	bool swapped;
	uint64_t address; /* address of the next word */
	uint32_t word; /* the bytes of the current word that were not read yet, in its highest bytes
			*/
	unsigned int bytes, words; /* bytes: how many bytes of the current word were not read yet;
				    * words: how many words follow */
	bool bad;
};

static uint8_t next_byte(struct code *code)
{
	uint8_t byte;

	if (!code->bytes && code->words) {
		code->bad |= !word_at(code->section, code->swapped, code->address, &code->word);
		code->address += 4;
		code->bytes = 4;
		code->words--;
	}
	if (!code->bytes)
		return 0xb0; /* At the end there is an implicit "finish" instruction. */
	byte = (uint8_t)(code->word >> 24);
	code->word <<= 8;
	code->bytes--;
	return byte;
}

/* Reads the first word of an entry in the compact model. Its highest bit is 1, and bits 24 to 27
 * are the number of the personality routine. For routine 0, the lowest three bytes are
 * instructions. For other routines, bits 16 to 23 are the number of words that follow, and the
 * lowest two bytes are instructions. */
static void start_compact(struct code *code, uint32_t word, bool in_table)
{
	const unsigned int routine = word >> 24 & 0xf;

	code->bad |= word >> 28 != 8 || routine > 2 || (!in_table && routine);
	code->words = routine ? word >> 16 & 0xff : 0;
	code->bytes = routine ? 2 : 3;
	code->word = word << (routine ? 16 : 8);
}

/* Finds the unwind instructions of an entry of the index table. */
static enum pk_cfi_status start_code(const struct pk_cfi *cfi, size_t index, struct code *code)
{
	const uint64_t place = entry_address(&cfi->exidx, index) + 4;
	uint32_t word;

	*code = (struct code){.section = &cfi->extab, .swapped = cfi->machine->swapped};
	if (!word_at(&cfi->exidx, code->swapped, place, &word))
		return PK_CFI_BAD;
	if (word == CANTUNWIND)
		return PK_CFI_NONE;
	if (word >> 31) {
		start_compact(code, word, false);
		return code->bad ? PK_CFI_BAD : PK_CFI_OK;
	}
	code->address = prel31(place, word);
	if (!word_at(code->section, code->swapped, code->address, &word))
		return PK_CFI_BAD;
	code->address += 4;
	if (word >> 31) {
		start_compact(code, word, true);
		return code->bad ? PK_CFI_BAD : PK_CFI_OK;
	}
	/* This is the generic model. After the address of the personality routine, compilers write
	 * the number of words and the instructions. */
	if (!word_at(code->section, code->swapped, code->address, &word))
		return PK_CFI_BAD;
	code->address += 4;
	code->words = word >> 24;
	code->bytes = 3;
	code->word = word << 8;
	return PK_CFI_OK;
}

/* ---- Rows ---- */

/* The state while unwind instructions are executed. The virtual stack pointer is register `base` +
 * `offset`. Register n is saved at offset saved[n] from `base` if bit n of `known` is set. */
struct frame {
	unsigned int base;
	int64_t offset;
	int64_t saved[16];
	uint32_t known;
	bool bad, refused, done;
};

static void pop(struct frame *frame, uint32_t registers)
{
	const bool moves = registers >> SP & 1;

	for (unsigned int reg = 0; reg < 16; reg++) {
		if (!(registers >> reg & 1))
			continue;
		frame->saved[reg] = frame->offset;
		frame->offset += 4;
	}
	frame->known |= registers;
	/* If the stack pointer was loaded, its value is the loaded value. Only a "finish"
	 * instruction can follow. */
	frame->done |= moves;
}

/* Sets the virtual stack pointer to register `reg`. Fails if registers were already saved relative
 * to the previous base, because a row cannot describe them. */
static void set_base(struct frame *frame, unsigned int reg)
{
	frame->bad |= reg == SP || reg == PC || frame->known;
	frame->base = reg;
	frame->offset = 0;
}

static uint64_t read_uleb(struct code *code)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = next_byte(code);
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 28);
	code->bad |= byte >> 7;
	return value;
}

/* Executes an instruction from 0xb0 to 0xbf. */
static void run_b(struct frame *frame, struct code *code, uint8_t op)
{
	uint8_t operand;

	switch (op) {
	case 0xb0: frame->done = true; return;
	case 0xb1: /* loads r0 to r3 */
		operand = next_byte(code);
		frame->bad |= !operand || operand > 0xf;
		pop(frame, operand & 0xf);
		return;
	case 0xb2: frame->offset += 0x204 + (int64_t)(read_uleb(code) << 2); return;
	case 0xb3: /* loads VFP registers that FSTMFDX has saved */
		frame->offset += 8 * ((next_byte(code) & 0xf) + 1) + 4;
		return;
	case 0xb4:
		frame->offset += 4;
		return;	   /* skips the authentication code of the return address */
	case 0xb5: return; /* sets the modifier of the authentication code */
	case 0xb6:
	case 0xb7: frame->bad = true; return;
	default:
		frame->offset +=
			8 * ((op & 7) + 1) + 4; /* loads VFP registers that FSTMFDX has saved */
	}
}

/* Executes an instruction whose first byte is 0xc0 or more. These instructions load registers of
 * coprocessors, whose values are not needed. */
static void run_c(struct frame *frame, struct code *code, uint8_t op)
{
	uint8_t operand;

	switch (op) {
	case 0xc6: /* wR registers of Wireless MMX */
	case 0xc8: /* VFP registers D16 to D31 */
	case 0xc9: /* VFP registers D0 to D15 */
		frame->offset += 8 * ((next_byte(code) & 0xf) + 1);
		return;
	case 0xc7: /* wCGR registers of Wireless MMX */
		operand = next_byte(code);
		frame->bad |= !operand || operand > 0xf;
		frame->offset += 4 * __builtin_popcount(operand & 0xf);
		return;
	default:
		if (op < 0xc6 || (op >= 0xd0 && op < 0xd8))
			frame->offset += 8 * ((op & 7) + 1);
		else
			frame->bad = true;
	}
}

static void run_8(struct frame *frame, struct code *code, uint8_t op)
{
	const uint32_t mask = (uint32_t)(op & 0xf) << 8 | next_byte(code);

	frame->refused |= !mask;
	pop(frame, mask << 4);
}

static void run_one(struct frame *frame, struct code *code)
{
	const uint8_t op = next_byte(code);
	const unsigned int low = op & 0xf;

	switch (op >> 4) {
	case 0x0:
	case 0x1:
	case 0x2:
	case 0x3: frame->offset += ((op & 0x3f) << 2) + 4; break;
	case 0x4:
	case 0x5:
	case 0x6:
	case 0x7: frame->offset -= ((op & 0x3f) << 2) + 4; break;
	case 0x8: run_8(frame, code, op); break;
	case 0x9: set_base(frame, low); break;
	case 0xa: /* loads r4 to r4 + n; also lr if bit 3 is set */
		pop(frame, ((UINT32_C(2) << (low & 7)) - 1) << 4 | (low & 8 ? 1 << LR : 0));
		break;
	case 0xb: run_b(frame, code, op); break;
	default: run_c(frame, code, op);
	}
}

static struct pk_cfi_row row_of(const struct frame *frame)
{
	struct pk_cfi_row row = {
		.cfa = {(uint8_t)frame->base, PK_CFI_VAL_OFFSET, (int32_t)frame->offset},
		.ra = frame->known >> PC & 1 ? PC : LR,
		/* Only the code to which a signal handler returns restores the stack pointer and
		   the pc. */
		.signal_frame = (frame->known & (1 << SP | 1 << PC)) == (1 << SP | 1 << PC),
		.plain = true,
		.ruled = frame->known,
	};

	for (unsigned int reg = 0; reg < 16; reg++)
		if (frame->known >> reg & 1)
			row.rules[row.count++] =
				(struct pk_cfi_rule){(uint8_t)reg, PK_CFI_OFFSET,
						     (int32_t)(frame->saved[reg] - frame->offset)};
	return row;
}

enum pk_cfi_status pk_arm_exidx_find(const struct pk_cfi *cfi, uint64_t address, uint64_t *work,
				     struct pk_cfi_row *row)
{
	struct frame frame = {.base = SP};
	enum pk_cfi_status status;
	struct code code;
	size_t index;

	if (!find_entry(cfi, address, &index))
		return PK_CFI_NONE;
	status = start_code(cfi, index, &code);
	if (status)
		return status;
	/* At the first instruction of a function, no register is saved yet. */
	frame.done = address == function_of(&cfi->exidx, cfi->machine->swapped, index);
	while (!frame.done && !frame.bad && !frame.refused && !code.bad && *work) {
		run_one(&frame, &code);
		--*work;
	}
	if (frame.bad || code.bad || !*work || frame.offset != (int32_t)frame.offset)
		return PK_CFI_BAD;
	*row = row_of(&frame);
	return frame.refused ? PK_CFI_NONE : PK_CFI_OK;
}
