// SPDX-License-Identifier: BSD-2-Clause
/* Prints branch stacks as addresses, as functions, and as the instructions between the branches. */
#include <string.h>

#include "branch_entry.h"
#include "code_reader.h"
#include "pkprivate.h"
#include "text.h"

/* ---- Branches ---- */

static struct pk_location location_of(const struct script *script, const struct shown *shown,
				      uint64_t ip)
{
	return pk_session_locate(pk_context_session(script->context), shown->thread, ip,
				 pk_address_mode(shown->record->misc, ip));
}

static void add_branch_address(struct script *script, const struct shown *shown, uint64_t ip,
			       bool offset)
{
	unsigned int parts = shown->view->parts & (PART_DSO | PART_DSOFF);
	struct shown_text text;

	buffer_text(&script->out, "0x");
	buffer_hex(&script->out, offset ? location_of(script, shown, ip).address : ip, 0);
	if (!parts)
		return;
	text = script_address(script, shown, ip, parts);
	frame_texts_add(script->texts, &text, 0, &script->out);
}

static void add_branch_flags(struct script *script, uint64_t flags)
{
	static const char *const speculation[4] = {"-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
						   "SPEC_CORRECT_PATH"};

	buffer_format(&script->out, "/%c/%c/%c/%u/%s/%s ",
		      flags & 1	  ? 'M'
		      : flags & 2 ? 'P'
				  : '-',
		      flags & 4 ? 'X' : '-', flags & 8 ? 'A' : '-', pk_branch_cycles(flags),
		      pk_branch_type(flags), speculation[flags >> 24 & 3]);
}

static void add_branches(struct script *script, const struct shown *shown, bool offsets)
{
	const struct pk_u64s *branches = &shown->sample.branches;

	for (uint64_t i = 0; i < branches->count; i++) {
		buffer_char(&script->out, ' ');
		add_branch_address(script, shown, pk_u64s_at(branches, 3 * i), offsets);
		buffer_char(&script->out, '/');
		add_branch_address(script, shown, pk_u64s_at(branches, 3 * i + 1), offsets);
		add_branch_flags(script, pk_branch_flags(branches, i));
	}
}

void text_brstack(struct script *script, const struct shown *shown)
{
	add_branches(script, shown, false);
}

void text_brstackoff(struct script *script, const struct shown *shown)
{
	add_branches(script, shown, true);
}

static void add_branch_symbol(struct script *script, const struct shown *shown, uint64_t ip)
{
	unsigned int parts =
		PART_SYM | PART_SYMOFF | (shown->view->parts & (PART_DSO | PART_DSOFF));
	struct shown_text text = script_address(script, shown, ip, parts);

	/* The text of a frame starts with a blank, which is left out here. */
	frame_texts_add(script->texts, &text, 1, &script->out);
}

void text_brstacksym(struct script *script, const struct shown *shown)
{
	const struct pk_u64s *branches = &shown->sample.branches;

	for (uint64_t i = 0; i < branches->count; i++) {
		add_branch_symbol(script, shown, pk_u64s_at(branches, 3 * i));
		buffer_char(&script->out, '/');
		add_branch_symbol(script, shown, pk_u64s_at(branches, 3 * i + 1));
		add_branch_flags(script, pk_branch_flags(branches, i));
	}
}

/* ---- Instructions ---- */

enum {
	INSN_MAX = 15,	      /* bytes of the longest instruction */
	BLOCK_MAX = 16 << 10, /* bytes of a block; a longer block cannot be the code between two
			       * branches */
	SCAN = 128, /* number of bytes to search for a branch that the sample does not have */
	CODE_MAX = 256 << 10, /* bytes for all blocks of a sample */
	TEXT_WIDTH = 30,      /* minimum width of an instruction that branches, in characters */
};

/* The state while the code of a sample is printed block by block. */
struct listing {
	struct script *script;
	const struct shown *shown;
	bool lengths, texts; /* `lengths` prints sizes of instructions; `texts` prints text in place
			      * of bytes */
	uint8_t bytes[BLOCK_MAX + INSN_MAX];
	struct disasm *disasm;
	uint64_t symbol;     /* the address of the function that was printed last */
	unsigned int cycles; /* number of cycles of the branches so far */
	size_t room;	     /* number of bytes that are left of CODE_MAX */
};

enum block { BLOCK_READ, BLOCK_NONE, BLOCK_CROSSES };

/* Reads the code from `start` to the instruction at `end`. Returns BLOCK_CROSSES if only one of the
 * two addresses is in the kernel. */
static enum block read_block(struct listing *l, uint64_t start, uint64_t end, size_t *size)
{
	const uint16_t misc = l->shown->record->misc;
	struct pk_location location;
	uint64_t want;

	if (!start || !end)
		return BLOCK_NONE;
	if (pk_address_mode(misc, start) != pk_address_mode(misc, end))
		return BLOCK_CROSSES;
	want = end - start + INSN_MAX;
	if (end < start || want > sizeof(l->bytes) || want > l->room)
		return BLOCK_NONE;
	location = location_of(l->script, l->shown, start);
	*size = pk_code_reader_read(l->script->code, &location, l->bytes, want, &l->disasm);
	l->room -= *size;
	return *size ? BLOCK_READ : BLOCK_NONE;
}

/* Decodes the instruction at an offset of the block. Returns false if it cannot be decoded. */
static bool decode(struct listing *l, uint64_t ip, size_t at, size_t size, struct insn *insn)
{
	return at < size &&
	       pk_disasm_next(l->disasm, l->texts ? DISASM_TEXT : 0, l->bytes + at, size - at, ip,
			      insn) &&
	       insn->kind != INSN_UNDECODED;
}

/* Prints the name of the function, unless the previous instruction was in the same function. */
static void print_function(struct listing *l, uint64_t ip)
{
	struct buffer *out = &l->script->out;
	const struct shown_text text = script_address(l->script, l->shown, ip, PART_SYM);
	const struct frame_text *frame = frame_texts_get(l->script->texts, text.number);
	const uint64_t offset = text.address - frame->symbol_start;

	if (frame->unresolved || ip - offset == l->symbol)
		return;
	l->symbol = ip - offset;
	buffer_char(out, '\t');
	frame_texts_add(l->script->texts, &text, 1, out);
	if (offset)
		buffer_format(out, "+%llu", (unsigned long long)offset);
	buffer_text(out, ":\n");
}

/* Prints the address and the instruction. Returns the width of the instruction. */
static size_t print_insn(struct listing *l, uint64_t ip, const struct insn *insn)
{
	struct buffer *out = &l->script->out;
	size_t start;

	buffer_char(out, '\t');
	buffer_format(out, "%016llx", (unsigned long long)ip);
	buffer_char(out, '\t');
	start = out->size;
	if (l->texts) {
		buffer_text(out, insn->mnemonic);
		buffer_char(out, ' ');
		buffer_text(out, insn->operands);
	} else {
		buffer_text(out, "insn: ");
		for (unsigned int i = 0; i < insn->size; i++)
			buffer_format(out, "%02x ", insn->bytes[i]);
	}
	return out->size - start;
}

static void print_plain(struct listing *l, uint64_t ip, const struct insn *insn)
{
	print_insn(l, ip, insn);
	if (l->lengths)
		buffer_format(&l->script->out, "\tilen: %u", insn->size);
	buffer_char(&l->script->out, '\n');
}

/* Prints the instruction that branched. count is the number of instructions of the block that ends
 * with it, or 0 if this number is unknown. */
static void print_branch(struct listing *l, uint64_t ip, const struct insn *insn, uint64_t flags,
			 unsigned int count)
{
	struct buffer *out = &l->script->out;
	const unsigned int cycles = pk_branch_cycles(flags);
	size_t width = print_insn(l, ip, insn);

	for (; width < TEXT_WIDTH; width++)
		buffer_char(out, ' ');
	buffer_char(out, '\t');
	if (l->lengths)
		buffer_format(out, "ilen: %u\t", insn->size);
	buffer_format(out, "#%s%s%s%s", flags & PK_BRANCH_PREDICTED ? " PRED" : "",
		      flags & PK_BRANCH_MISPREDICTED ? " MISPRED" : "",
		      flags & PK_BRANCH_IN_TX ? " INTX" : "",
		      flags & PK_BRANCH_ABORT ? " ABORT" : "");
	if (cycles) {
		l->cycles += cycles;
		buffer_format(out, " %u cycles [%u]", cycles, l->cycles);
		if (count)
			buffer_format(out, " %.2f IPC", (double)count / cycles);
	}
	buffer_char(out, '\n');
}

/* Prints one instruction. If `branch` is NULL, this is the instruction of the sample. Otherwise it
 * is the instruction that branched. */
static void print_one(struct listing *l, uint64_t ip, const struct pk_branch *branch)
{
	struct insn insn;
	size_t size;

	if (read_block(l, ip, ip, &size) != BLOCK_READ || !decode(l, ip, 0, size, &insn))
		return;
	if (branch) {
		print_function(l, ip);
		print_branch(l, ip, &insn, branch->flags, 0);
	} else {
		print_plain(l, ip, &insn);
	}
}

/* Prints the instructions from start to the instruction that branches. */
static void print_block(struct listing *l, uint64_t start, const struct pk_branch *branch,
			size_t size)
{
	unsigned int count = 0;
	struct insn insn;
	uint64_t ip = start;

	for (; decode(l, ip, ip - start, size, &insn); ip += insn.size) {
		print_function(l, ip);
		count++;
		if (ip == branch->from) {
			print_branch(l, ip, &insn, branch->flags, count);
			return;
		}
		print_plain(l, ip, &insn);
		if (ip > branch->from)
			break;
	}
	buffer_text(&l->script->out, "\tmismatch of LBR data and executable\n");
}

static void print_blocks(struct listing *l, const struct pk_u64s *branches)
{
	for (uint64_t i = branches->count - 1; i-- > 0;) {
		const uint64_t start = pk_branch_at(branches, i + 1).to;
		struct pk_branch branch = pk_branch_at(branches, i);
		enum block block;
		size_t size;

		block = read_block(l, start, branch.from, &size);
		/* A branch into or out of the kernel is missing, because the event records branches
		 * of only one of the two. */
		if (block == BLOCK_CROSSES && i > 0) {
			branch = pk_branch_at(branches, --i);
			block = read_block(l, start, branch.from, &size);
		}
		if (block == BLOCK_READ)
			print_block(l, start, &branch, size);
	}
}

/* Returns true if execution never continues at the next instruction. */
static bool always_branches(const struct insn *insn)
{
	return insn->kind == INSN_JUMP || insn->kind == INSN_CALL || insn->kind == INSN_RETURN;
}

/* Prints the instructions from the target of the newest branch to the instruction of the sample.
 * The branches may end earlier than the sample. Then a branch is missing between them. */
static void print_rest(struct listing *l, uint64_t start)
{
	const bool all = pk_has_all_branches(&l->shown->record->event->attr);
	const uint64_t ip = l->shown->sample.ip, end = ip < start ? start + SCAN : ip;
	struct insn insn;
	size_t size;

	print_function(l, start);
	if (read_block(l, start, end, &size) != BLOCK_READ) {
		print_one(l, ip, NULL);
		return;
	}
	for (uint64_t at = 0; at <= end - start && decode(l, start + at, at, size, &insn);
	     at += insn.size) {
		print_plain(l, start + at, &insn);
		if (all && always_branches(&insn) && start + at != ip) {
			buffer_text(&l->script->out, "\t... not reaching sample ...\n");
			return;
		}
	}
}

void text_brstackinsn(struct script *script, const struct shown *shown)
{
	const struct pk_u64s *branches = &shown->sample.branches;
	const uint64_t fields = shown->view->fields;
	struct pk_branch newest, oldest;
	struct listing listing = {.script = script,
				  .shown = shown,
				  .lengths = fields & FIELD(BRSTACKINSNLEN),
				  .texts = fields & FIELD(BRSTACKDISASM),
				  .symbol = UINT64_MAX,
				  .room = CODE_MAX};

	if (!branches->count || !script->code)
		return;
	newest = pk_branch_at(branches, 0);
	oldest = pk_branch_at(branches, branches->count - 1);
	buffer_char(&script->out, '\n');
	print_one(&listing, oldest.from, &oldest);
	print_blocks(&listing, branches);
	if (newest.from != shown->sample.ip && !(newest.flags & PK_BRANCH_ABORT))
		print_rest(&listing, newest.to);
}

/* ---- The instruction of the sample ---- */

static void add_bytes(struct buffer *out, const struct insn *insn)
{
	buffer_text(out, " insn:");
	for (unsigned int i = 0; i < insn->size; i++)
		buffer_format(out, " %02x", insn->bytes[i]);
}

/* Adds insnlen, insn and disasm, in this order. Leaves out fields that are not selected. */
void text_insn(struct script *script, const struct shown *shown)
{
	const uint64_t fields = shown->view->fields, ip = shown->sample.ip;
	const struct pk_location location = location_of(script, shown, ip);
	struct buffer *out = &script->out;
	struct insn insn = {.size = 0};
	uint8_t bytes[INSN_MAX];
	struct disasm *disasm = NULL;
	size_t size = 0;

	if (script->code)
		size = pk_code_reader_read(script->code, &location, bytes, sizeof(bytes), &disasm);
	if (size && (!pk_disasm_next(disasm, fields & FIELD(DISASM) ? DISASM_TEXT : 0, bytes, size,
				     ip, &insn) ||
		     insn.kind == INSN_UNDECODED))
		insn.size = 0;
	if (fields & FIELD(INSNLEN))
		buffer_format(out, " ilen: %u", insn.size);
	if (fields & FIELD(INSN) && insn.size)
		add_bytes(out, &insn);
	if (fields & FIELD(DISASM) && insn.size)
		buffer_format(out, "\t\t%s %s", insn.mnemonic, insn.operands);
}
