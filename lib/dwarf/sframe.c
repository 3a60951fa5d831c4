// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>

#include "sframe.h"

#define MAGIC 0xdee2

enum { HEADER_SIZE = 28, SORTED = 1, RELATIVE = 4 };
enum { FUNCTION_SIZE_2 = 20, FUNCTION_SIZE_3 = 16 };
enum { ARM64_BIG = 1, ARM64, X86_64, S390X };
enum {
	SAVED_BY_CALLER = 160
}; /* On s390x, the distance in bytes from the stack pointer to the CFA in a function without a
      frame. */

/* ---- The header ---- */

static struct pk_cursor bytes_from(const struct pk_sframe *s, uint64_t offset)
{
	const uint64_t size = s->section.size;

	return (struct pk_cursor){s->section.data + (offset < size ? offset : size),
				  s->section.data + size, s->machine->swapped, false};
}

/* Sets the numbers of registers for the machine. Returns false if the section is for another
 * machine. */
static bool set_machine(struct pk_sframe *s, uint8_t abi)
{
	const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != s->machine->swapped;

	s->frame = s->machine->frame;
	switch (s->machine->elf_machine) {
	case EM_X86_64: s->ra = s->machine->pc; return abi == X86_64;
	case EM_AARCH64: s->ra = s->machine->link; return abi == (big ? ARM64_BIG : ARM64);
	case EM_S390:
		s->frame = 11; /* the register that compilers use as frame pointer */
		s->ra = 14;
		return abi == S390X;
	default: return false;
	}
}

struct pk_sframe pk_sframe(const struct pk_cfi_section *section,
			   const struct pk_cfi_machine *machine)
{
	struct pk_sframe s = {.section = *section, .machine = machine};
	uint64_t header, size_of_rows;
	struct pk_cursor bytes;
	uint32_t count;
	uint8_t flags;

	if (!section->data)
		return s;
	bytes = bytes_from(&s, 0);
	if (pk_cursor_u16(&bytes) != MAGIC)
		return s;
	s.version = pk_cursor_u8(&bytes);
	flags = pk_cursor_u8(&bytes);
	s.relative = flags & RELATIVE;
	if ((s.version != 2 && s.version != 3) || !(flags & SORTED) ||
	    !set_machine(&s, pk_cursor_u8(&bytes)))
		return s;
	s.fixed_frame = (int8_t)pk_cursor_u8(&bytes);
	s.fixed_ra = (int8_t)pk_cursor_u8(&bytes);
	header = HEADER_SIZE + pk_cursor_u8(&bytes);
	count = pk_cursor_u32(&bytes);
	pk_cursor_skip(&bytes, sizeof(uint32_t));
	size_of_rows = pk_cursor_u32(&bytes);
	s.functions = header + pk_cursor_u32(&bytes);
	s.rows = header + pk_cursor_u32(&bytes);
	s.end = s.rows + size_of_rows;
	if (!bytes.bad && s.end <= section->size && s.functions <= section->size &&
	    count <= (section->size - s.functions) /
			     (s.version == 2 ? FUNCTION_SIZE_2 : FUNCTION_SIZE_3))
		s.count = count;
	return s;
}

/* ---- Functions ---- */

/* A function of the section. */
struct function {
	uint64_t start, size;
	struct pk_cursor rows;
	uint32_t count;	      /* the number of rows of the function */
	uint8_t address_size; /* the size in bytes of the address in each row of the function */
	uint8_t block;	      /* If the code consists of equal blocks, the size of a block in bytes.
			       * Otherwise 0. */
	bool flexible, signal_frame;
};

static struct pk_cursor nth(const struct pk_sframe *s, size_t n)
{
	return bytes_from(s,
			  s->functions + n * (s->version == 2 ? FUNCTION_SIZE_2 : FUNCTION_SIZE_3));
}

static uint64_t read_start(const struct pk_sframe *s, struct pk_cursor *bytes)
{
	const uint64_t at = s->relative ? (uint64_t)(bytes->p - s->section.data) : 0;

	return s->section.address + at + (uint64_t)pk_cursor_sint(bytes, s->version == 2 ? 4 : 8);
}

static bool read_function(const struct pk_sframe *s, size_t n, struct function *f)
{
	struct pk_cursor bytes = nth(s, n);
	uint8_t info, info2 = 0;
	uint64_t rows;

	f->start = read_start(s, &bytes);
	f->size = pk_cursor_u32(&bytes);
	rows = pk_cursor_u32(&bytes);
	f->rows = bytes_from(s, s->rows + rows);
	f->rows.end = s->section.data + s->end;
	if (rows > s->end - s->rows)
		return false;
	if (s->version == 3)
		bytes = f->rows;
	f->count = s->version == 2 ? pk_cursor_u32(&bytes) : pk_cursor_u16(&bytes);
	info = pk_cursor_u8(&bytes);
	if (s->version == 3)
		info2 = pk_cursor_u8(&bytes) & 0x1f;
	f->block = pk_cursor_u8(&bytes);
	if (s->version == 3)
		f->rows = bytes;
	f->address_size = (uint8_t)(1 << (info & 3));
	f->flexible = info2;
	f->signal_frame = s->version == 3 && info & 0x80;
	if (!(info & 0x10))
		f->block = 0;
	else if (!f->block)
		return false;
	return !bytes.bad && (info & 0xf) < 3 && info2 < 2 && f->size &&
	       f->size <= UINT64_MAX - f->start;
}

bool pk_sframe_range(const struct pk_sframe *s, size_t n, uint64_t *start, uint64_t *end)
{
	struct function f;

	if (n >= s->count || !read_function(s, n, &f))
		return false;
	*start = f.start;
	*end = f.start + f.size;
	return true;
}

/* ---- Rows ---- */

/* The words of a row that were not read yet. */
struct words {
	struct pk_cursor bytes;
	unsigned int left, size;
};

static int32_t next_word(struct words *words)
{
	if (!words->left) {
		words->bytes.bad = true;
		return 0;
	}
	words->left--;
	return (int32_t)pk_cursor_sint(&words->bytes, words->size);
}

/* Reads a control word, which is an unsigned number. */
static uint32_t next_control(struct words *words)
{
	const uint32_t word = (uint32_t)next_word(words);

	return words->size == 4 ? word : word & ((UINT32_C(1) << 8 * words->size) - 1);
}

static void add_rule(struct pk_cfi_row *row, uint8_t reg, enum pk_cfi_rule_kind kind, int32_t n)
{
	row->rules[row->count++] = (struct pk_cfi_rule){.reg = reg, .kind = (uint8_t)kind, .n = n};
	row->ruled |= UINT64_C(1) << reg;
	row->plain &= kind == PK_CFI_OFFSET;
}

static int32_t cfa_offset(const struct pk_sframe *s, struct words *words)
{
	const int64_t word = next_word(words);
	const int64_t offset =
		s->machine->elf_machine == EM_S390 ? 8 * word + SAVED_BY_CALLER : word;

	words->bytes.bad |= offset != (int32_t)offset;
	return (int32_t)offset;
}

/* Sets the rule of a register. The rule is fixed, or comes from the next word. If there is no word,
 * the register has no rule. */
static void read_place(const struct pk_sframe *s, struct words *words, uint8_t reg, int8_t fixed,
		       struct pk_cfi_row *row)
{
	int32_t word;

	if (fixed) {
		add_rule(row, reg, PK_CFI_OFFSET, fixed);
		return;
	}
	if (!words->left)
		return;
	word = next_word(words);
	if (s->machine->elf_machine != EM_S390 || (word && !(word & 1)))
		add_rule(row, reg, PK_CFI_OFFSET, word);
	else if ((uint32_t)word >> 1 >= PK_CFI_REGISTERS)
		words->bytes.bad = true;
	else if (word)
		add_rule(row, reg, PK_CFI_REGISTER, word >> 1);
}

/* Like read_place(), for flexible words. */
static void read_flexible(struct words *words, uint8_t reg, int8_t fixed, struct pk_cfi_row *row)
{
	const uint32_t control = words->left ? next_control(words) : 0, base = control >> 3;
	const bool of_register = control & 1, in_memory = control & 2;
	int32_t offset;

	if (!control) {
		if (fixed)
			add_rule(row, reg, PK_CFI_OFFSET, fixed);
		return;
	}
	offset = next_word(words);
	if (!of_register)
		add_rule(row, reg, in_memory ? PK_CFI_OFFSET : PK_CFI_VAL_OFFSET, offset);
	else if (base >= PK_CFI_REGISTERS || (in_memory ? !pk_cfi_fits(offset) : offset != 0))
		words->bytes.bad = true;
	else if (in_memory)
		add_rule(row, reg, PK_CFI_AT_REGISTER, pk_cfi_sum((uint8_t)base, offset));
	else
		add_rule(row, reg, PK_CFI_REGISTER, (int32_t)base);
}

/* Sets the CFA. It is defined by flexible words. */
static void read_flexible_cfa(const struct pk_sframe *s, struct words *words,
			      struct pk_cfi_row *row)
{
	const uint32_t control = next_control(words);

	if (!(control & 1) || control >> 3 >= PK_CFI_REGISTERS)
		words->bytes.bad = true;
	row->cfa = (struct pk_cfi_rule){
		.reg = (uint8_t)(control >> 3),
		.kind = control & 2 ? PK_CFI_OFFSET : PK_CFI_VAL_OFFSET,
		.n = cfa_offset(s, words),
	};
}

static enum pk_cfi_status make_row(const struct pk_sframe *s, const struct function *f,
				   uint8_t info, struct words words, struct pk_cfi_row *row)
{
	*row = (struct pk_cfi_row){.ra = s->ra, .signal_frame = f->signal_frame, .plain = true};
	if (!words.left) {
		row->cfa =
			(struct pk_cfi_rule){.reg = s->machine->stack, .kind = PK_CFI_VAL_OFFSET};
		add_rule(row, s->ra, PK_CFI_UNDEFINED, 0);
		return PK_CFI_OK;
	}
	if (f->flexible) {
		read_flexible_cfa(s, &words, row);
		read_flexible(&words, s->ra, s->fixed_ra, row);
		read_flexible(&words, s->frame, s->fixed_frame, row);
	} else {
		row->cfa = (struct pk_cfi_rule){
			.reg = info & 1 ? s->machine->stack : s->frame,
			.kind = PK_CFI_VAL_OFFSET,
			.n = cfa_offset(s, &words),
		};
		read_place(s, &words, s->ra, s->fixed_ra, row);
		read_place(s, &words, s->frame, s->fixed_frame, row);
	}
	row->plain &= row->cfa.kind == PK_CFI_VAL_OFFSET;
	/* If the pc has no rule, it is the pc of the function, and not the pc of the caller. */
	return words.bytes.bad || (s->ra == s->machine->pc && !(row->ruled >> s->ra & 1))
		       ? PK_CFI_BAD
		       : PK_CFI_OK;
}

/* Reads the start, the info byte and the words of the next row. */
static bool next_row(struct function *f, uint64_t *start, uint8_t *info, struct words *words)
{
	struct pk_cursor *bytes = &f->rows;

	*start = pk_cursor_uint(bytes, f->address_size);
	*info = pk_cursor_u8(bytes);
	words->left = *info >> 1 & 0xf;
	words->size = 1u << (*info >> 5 & 3);
	words->bytes = pk_cursor_block(bytes, words->left * words->size);
	return !bytes->bad && words->size < 8;
}

/* Finds the last row that starts at or before a place in the function. */
static enum pk_cfi_status find_row(const struct pk_sframe *s, struct function *f, uint64_t place,
				   uint64_t *work, struct pk_cfi_row *row)
{
	struct words words, last = {.left = 0};
	uint64_t start, last_start = 0;
	uint8_t info, last_info = 0;
	bool found = false;

	for (; f->count; f->count--) {
		if (!*work || !--*work || !next_row(f, &start, &info, &words) || start < last_start)
			return PK_CFI_BAD;
		if (start > place)
			break;
		found = true;
		last = words;
		last_info = info;
		last_start = start;
	}
	return found ? make_row(s, f, last_info, last, row) : PK_CFI_NONE;
}

enum pk_cfi_status pk_sframe_find(const struct pk_sframe *s, uint64_t address, uint64_t *work,
				  struct pk_cfi_row *row)
{
	size_t low = 0, high = s->count;
	struct function f;
	uint64_t place;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		struct pk_cursor bytes = nth(s, middle);

		if (read_start(s, &bytes) > address)
			high = middle;
		else
			low = middle + 1;
	}
	if (!low)
		return PK_CFI_NONE;
	if (!read_function(s, low - 1, &f))
		return PK_CFI_BAD;
	place = address - f.start;
	if (place >= f.size)
		return PK_CFI_NONE;
	return find_row(s, &f, f.block ? place % f.block : place, work, row);
}

/* Calls `each` for the rows of the code from `from` up to `to`. This code is the whole function or
 * one of its blocks. Returns false if a row is not valid, or if *work becomes 0. */
static bool walk_code(const struct pk_sframe *s, struct function f, uint64_t from, uint64_t to,
		      uint64_t *work, pk_cfi_row_fn each, void *arg)
{
	const struct pk_cfi_row *current = NULL;
	uint64_t at = from, start;
	struct pk_cfi_row row;
	struct words words;
	bool any = false;
	uint8_t info;

	for (; f.count; f.count--) {
		if (!*work || !--*work || !next_row(&f, &start, &info, &words) ||
		    start < at - from) {
			each(arg, at, to, NULL);
			return false;
		}
		if (start >= to - from)
			break;
		if (any && from + start > at)
			each(arg, at, from + start, current);
		at = from + start;
		any = true;
		current = make_row(s, &f, info, words, &row) ? NULL : &row;
	}
	if (any)
		each(arg, at, to, current);
	return true;
}

bool pk_sframe_walk(const struct pk_sframe *s, size_t n, uint64_t *work, pk_cfi_row_fn each,
		    void *arg)
{
	struct function f;
	uint64_t end, step;

	if (n >= s->count || !read_function(s, n, &f))
		return false;
	end = f.start + f.size;
	step = f.block ? f.block : f.size;
	for (uint64_t at = f.start; at < end; at += step)
		if (!walk_code(s, f, at, end - at < step ? end : at + step, work, each, arg))
			break;
	return true;
}
