// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "flow_function.h"
#include "vector.h"

/* ---- Instructions and blocks ---- */

/* Functions with more instructions or blocks are not analysed. The largest functions of the kernel
 * and of compilers are much smaller. */
#define INSNS_MAX  (1u << 17)
#define BLOCKS_MAX (1u << 14)

static enum pk_status add_insn(struct flow *f, const struct insn *insn)
{
	PK_TRY(pk_reserve(&f->insns, &f->insn_room, f->insn_count, 1, sizeof(*f->insns)));
	f->insns[f->insn_count++] = *insn;
	return PK_OK;
}

static int by_address(const void *a, const void *b)
{
	const struct insn *one = a, *other = b;

	return (one->address > other->address) - (one->address < other->address);
}

static enum pk_status flow_decode(struct flow *f, const struct flow_piece *pieces, size_t count)
{
	struct insn insn;
	bool sorted = true;
	size_t i, at;

	for (i = 0; i < count; i++) {
		sorted &= !i || pieces[i].address > pieces[i - 1].address;
		for (at = 0;
		     pk_disasm_next(f->options.disasm, DISASM_OPERANDS, pieces[i].bytes + at,
				    pieces[i].size - at, pieces[i].address + at, &insn);
		     at += insn.size) {
			if (f->insn_count == INSNS_MAX) {
				f->too_large = true;
				return PK_OK;
			}
			PK_TRY(add_insn(f, &insn));
		}
	}
	if (!sorted)
		qsort(f->insns, f->insn_count, sizeof(*f->insns), by_address);
	return PK_OK;
}

/* Returns the index of the instruction at this address, or UINT32_MAX if no instruction starts
 * there. */
static uint32_t flow_insn_at(const struct flow *f, uint64_t address)
{
	size_t low = 0, high = f->insn_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (f->insns[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->insn_count && f->insns[low].address == address ? (uint32_t)low : UINT32_MAX;
}

static bool goes_elsewhere(const struct insn *insn)
{
	return insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH || insn->kind == INSN_RETURN;
}

/* Returns true if execution can continue with the next instruction in memory. */
static bool falls_through(const struct flow *f, const struct insn *insn)
{
	if (insn->kind == INSN_CALL)
		return !pk_flow_never_returns(f, insn);
	return insn->kind != INSN_JUMP && insn->kind != INSN_RETURN && insn->kind != INSN_UNDECODED;
}

/* Marks the starts of blocks: sets begins[i] if a block starts with instruction i. */
static void mark(const struct flow *f, bool *begins)
{
	begins[0] = true;
	for (size_t i = 0; i < f->insn_count; i++) {
		const struct insn *insn = &f->insns[i];
		uint32_t target;

		if (insn->has_target && insn->kind != INSN_CALL) {
			target = flow_insn_at(f, insn->target);
			if (target != UINT32_MAX)
				begins[target] = true;
		}
		if (i + 1 < f->insn_count && (goes_elsewhere(insn) || !falls_through(f, insn) ||
					      insn[1].address != insn->address + insn->size))
			begins[i + 1] = true;
	}
}

static uint32_t block_of(const struct flow *f, uint32_t insn)
{
	size_t low = 0, high = f->block_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (f->blocks[middle].end <= insn)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->block_count ? (uint32_t)low : UINT32_MAX;
}

static void connect(struct flow *f, struct flow_block *b)
{
	const struct insn *last = &f->insns[b->end - 1];
	const size_t index = (size_t)(b - f->blocks);
	uint32_t at;

	b->next = b->target = UINT32_MAX;
	if (falls_through(f, last) && index + 1 < f->block_count &&
	    f->insns[b->end].address == last->address + last->size)
		b->next = (uint32_t)index + 1;
	if (last->kind == INSN_JUMP || last->kind == INSN_BRANCH) {
		at = last->has_target ? flow_insn_at(f, last->target) : UINT32_MAX;
		if (at != UINT32_MAX)
			b->target = block_of(f, at);
		b->jumps_anywhere = !last->has_target;
	}
	if (b->next != UINT32_MAX)
		f->blocks[b->next].has_before = true;
	if (b->target != UINT32_MAX)
		f->blocks[b->target].has_before = true;
}

static enum pk_status flow_split(struct flow *f)
{
	bool *begins = calloc(f->insn_count + 1, sizeof(*begins));
	size_t count = 0, i;

	if (!begins)
		return PK_NOMEM;
	mark(f, begins);
	for (i = 0; i < f->insn_count; i++)
		count += begins[i];
	f->too_large |= count > BLOCKS_MAX;
	f->blocks = f->too_large ? NULL : calloc(count, sizeof(*f->blocks));
	if (f->blocks) {
		for (i = 0; i < f->insn_count; i++) {
			if (begins[i])
				f->blocks[f->block_count++].first = (uint32_t)i;
			f->blocks[f->block_count - 1].end = (uint32_t)i + 1;
		}
		for (i = 0; i < f->block_count; i++)
			connect(f, &f->blocks[i]);
	}
	free(begins);
	return f->blocks || f->too_large ? PK_OK : PK_NOMEM;
}

/* ---- The function ---- */

/* VISITS_MAX is the most visits of a block. After that, changes of the block's state are not passed
 * on to other blocks. ROUNDS_MAX is the most rounds over all blocks. */
#define VISITS_MAX 12
#define ROUNDS_MAX 256

const char *pk_flow_reason_text(enum flow_reason reason)
{
	switch (reason) {
	case FLOW_NO_INFORMATION: return "no debugging information of the function";
	case FLOW_NO_VARIABLE: return "no variable in the register";
	case FLOW_LOST_CALL: return "set or overwritten by a call";
	case FLOW_LOST_MERGE: return "of several types";
	case FLOW_LOST_ARITHMETIC: return "calculated";
	case FLOW_LOST_MEMORY: return "loaded from memory of unknown type";
	case FLOW_NO_POINTER: return "not a pointer";
	case FLOW_VOID_POINTER: return "void *, or a type that is not defined here";
	case FLOW_OUTSIDE: return "outside of the type pointed to";
	case FLOW_THREAD_LOCAL: return "thread-local";
	case FLOW_TOO_LARGE: return "in a function that is too large";
	case FLOW_REASON_COUNT: break;
	}
	return "";
}

/* ---- The fixed point ---- */

/* Call frame information computes the CFA from a register. Sets the value of this register, because
 * this information is reliable. */
static void apply_frame(const struct flow *f, uint64_t address, struct flow_state *s)
{
	unsigned reg;
	int64_t offset;

	if (f->options.cfa && f->options.cfa(f->options.arg, address, &reg, &offset) &&
	    reg < STATE_REGISTERS)
		s->regs[reg] =
			(struct flow_value){.kind = VALUE_CFA, .offset = offset_minus(0, offset)};
}

static void go_through(struct flow *f, const struct flow_block *b, struct flow_state *s)
{
	uint32_t next = b->first_variable, i;

	apply_frame(f, f->insns[b->first].address, s);
	for (i = b->first; i < b->end; i++) {
		pk_flow_variables_apply(f, b, &next, f->insns[i].address, s);
		pk_flow_step(f, &f->insns[i], s);
		if (i + 1 < b->end && (s->regs[f->machine->stack].kind != VALUE_CFA ||
				       s->regs[f->machine->stack].stride))
			apply_frame(f, f->insns[i + 1].address, s);
	}
}

static void start_unknown(struct flow_state *s)
{
	memset(s, 0, sizeof(*s));
	for (unsigned i = 0; i < STATE_REGISTERS; i++)
		s->regs[i] = pk_flow_value_unknown(FLOW_NO_VARIABLE);
	s->reached = true;
}

static enum pk_status enter(struct flow *f, uint32_t index, const struct flow_state *s)
{
	struct flow_block *b = &f->blocks[index];

	if (b->settled)
		return PK_OK;
	if (!b->in) {
		b->in = calloc(1, sizeof(*b->in));
		if (!b->in)
			return PK_NOMEM;
	}
	if (pk_flow_state_merge(f->types, b->in, s) && b->visits < VISITS_MAX)
		b->waiting = true;
	return PK_OK;
}

static enum pk_status leave_block(struct flow *f, const struct flow_block *b,
				  const struct flow_state *s)
{
	if (b->next != UINT32_MAX)
		PK_TRY(enter(f, b->next, s));
	if (b->target != UINT32_MAX)
		PK_TRY(enter(f, b->target, s));
	if (!b->jumps_anywhere || f->anywhere_changes == VISITS_MAX ||
	    !pk_flow_state_merge(f->types, &f->anywhere, s))
		return PK_OK;
	f->anywhere_changes++;
	for (uint32_t i = 1; i < f->block_count; i++)
		if (!f->blocks[i].has_before)
			PK_TRY(enter(f, i, &f->anywhere));
	return PK_OK;
}

/* Visits the waiting blocks until no state changes. The visits are in the order of addresses, which
 * is similar to the order of execution. */
static enum pk_status settle(struct flow *f)
{
	struct flow_state s;
	bool again = true;
	unsigned round;
	uint32_t i;

	for (round = 0; again && round < ROUNDS_MAX; round++) {
		again = false;
		for (i = 0; i < f->block_count; i++) {
			struct flow_block *b = &f->blocks[i];

			if (!b->waiting)
				continue;
			again = true;
			b->waiting = false;
			b->visits++;
			s = *b->in;
			go_through(f, b, &s);
			PK_TRY(leave_block(f, b, &s));
		}
	}
	return PK_OK;
}

/* Analyses the blocks that no known path reaches. All registers are unknown at their start. Blocks
 * without a known jump to them are analysed first. Most of them are padding after a call that does
 * not return. So their values are not passed to blocks that a known path has reached. */
static enum pk_status reach_the_rest(struct flow *f)
{
	struct flow_state s;
	uint32_t i;

	start_unknown(&s);
	for (i = 0; i < f->block_count; i++)
		f->blocks[i].settled = f->blocks[i].in != NULL;
	for (i = 0; i < f->block_count; i++)
		if (!f->blocks[i].in && !f->blocks[i].has_before)
			PK_TRY(enter(f, i, &s));
	PK_TRY(settle(f));
	for (i = 0; i < f->block_count; i++)
		if (!f->blocks[i].in) {
			PK_TRY(enter(f, i, &s));
			PK_TRY(settle(f));
		}
	return PK_OK;
}

static enum pk_status follow(struct flow *f, uint64_t entry)
{
	const struct flow_value frame = {.kind = VALUE_CFA,
					 .offset = f->machine->call_pushes ? -f->machine->word : 0};
	const uint32_t first = flow_insn_at(f, entry);
	struct flow_state s;
	uint32_t i;

	start_unknown(&s);
	s.regs[f->machine->stack] = frame;
	for (i = 0; i < f->block_count; i++)
		if (f->blocks[i].first == first)
			PK_TRY(enter(f, i, &s));
	PK_TRY(settle(f));
	return reach_the_rest(f);
}

static void record(struct flow *f)
{
	struct flow_state s;
	uint32_t i;

	f->recording = true;
	if (!f->blocks) {
		start_unknown(&s);
		for (i = 0; i < f->insn_count; i++)
			pk_flow_step(f, &f->insns[i], &s);
		return;
	}
	for (i = 0; i < f->block_count; i++) {
		s = *f->blocks[i].in;
		go_through(f, &f->blocks[i], &s);
	}
}

/* Repeats the analysis. It now uses the embeddings that were found. */
static enum pk_status follow_again(struct flow *f, uint64_t entry)
{
	for (size_t i = 0; i < f->block_count; i++) {
		struct flow_block *b = &f->blocks[i];

		free(b->in);
		b->in = NULL;
		b->waiting = b->settled = false;
		b->visits = 0;
	}
	memset(&f->anywhere, 0, sizeof(f->anywhere));
	f->anywhere_changes = 0;
	f->access_count = 0;
	f->recording = false;
	return follow(f, entry);
}

static void free_blocks(struct flow *f)
{
	for (size_t i = 0; i < f->block_count; i++)
		free(f->blocks[i].in);
	free(f->blocks);
	free(f->active);
	free(f->insns);
	pk_flow_variables_free(&f->variables);
	pk_flow_containers_free(f);
	f->blocks = NULL;
	f->active = NULL;
	f->insns = NULL;
	f->block_count = f->insn_count = 0;
	memset(&f->variables, 0, sizeof(f->variables));
}

struct flow *pk_flow_new(const struct flow_options *options, const struct flow_piece *pieces,
			 size_t count)
{
	struct flow *f = calloc(1, sizeof(*f));
	bool fine;

	if (!f)
		return NULL;
	f->options = *options;
	f->types = options->types;
	f->machine = pk_disasm_machine(options->disasm);
	if (!f->machine || !count)
		return f; /* Without the calling convention of the machine, nothing is analysed, and
			   * there are no accesses. */
	fine = flow_decode(f, pieces, count) == PK_OK;
	if (fine && f->types && f->insn_count && !f->too_large)
		fine = pk_flow_variables_read(f, pieces, count) == PK_OK &&
		       pk_flow_containers_read(f, pieces[0].address) == PK_OK &&
		       flow_split(f) == PK_OK &&
		       (f->too_large || (pk_flow_variables_spread(f) == PK_OK &&
					 follow(f, pieces[0].address) == PK_OK));
	if (fine)
		record(f);
	if (fine && f->blocks && !f->failed && pk_flow_containers_find(f, pieces[0].address)) {
		fine = follow_again(f, pieces[0].address) == PK_OK;
		if (fine)
			record(f);
	}
	free_blocks(f);
	if (fine && !f->failed)
		return f;
	pk_flow_free(f);
	return NULL;
}

void pk_flow_free(struct flow *f)
{
	if (!f)
		return;
	free_blocks(f);
	free(f->accesses);
	free(f);
}

size_t pk_flow_accesses(const struct flow *f, uint64_t address, const struct flow_access **accesses)
{
	size_t low = 0, high = f->access_count, end;

	if (!high)
		return 0;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (f->accesses[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < f->access_count && f->accesses[end].address == address; end++)
		;
	*accesses = f->accesses + low;
	return end - low;
}
