/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "flow_internal.h"

/* How often a block is gone through before what still changes is given up. */
#define VISITS_MAX 12
#define ROUNDS_MAX 256

const char *flow_reason_text(enum flow_reason reason)
{
	switch (reason) {
	case FLOW_NO_INFORMATION: return "no debugging information of the function";
	case FLOW_NO_VARIABLE: return "no variable in the register";
	case FLOW_LOST_CALL: return "left behind or returned by a call";
	case FLOW_LOST_MERGE: return "of several types";
	case FLOW_LOST_ARITHMETIC: return "calculated";
	case FLOW_LOST_MEMORY: return "loaded from memory of no known type";
	case FLOW_NO_POINTER: return "not a pointer";
	case FLOW_VOID_POINTER: return "void *, or a type that is not defined here";
	case FLOW_OUTSIDE: return "outside of the type pointed to";
	case FLOW_THREAD_LOCAL: return "thread-local";
	case FLOW_TOO_LARGE: return "in a function that is too large";
	case FLOW_REASON_COUNT: break;
	}
	return "";
}

/* ---- Calls ---- */

static const char *callee_name(const struct flow *f, const struct insn *insn)
{
	return insn->has_target && f->options.name ? f->options.name(f->options.arg, insn->target)
						   : NULL;
}

bool flow_never_returns(const struct flow *f, const struct insn *insn)
{
	static const char *const names[] = {
		"abort",      "exit",	 "_exit",	   "__assert_fail", "__stack_chk_fail",
		"__chk_fail", "longjmp", "siglongjmp",	   "__cxa_throw",   "_Unwind_Resume",
		"panic",      "do_exit", "__fortify_fail", "pthread_exit"};
	const char *name = callee_name(f, insn);
	size_t length = name ? strcspn(name, "@") : 0, i;

	for (i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == length && !strncmp(name, names[i], length))
			return true;
	return false;
}

static bool find_callee(const struct flow *f, const struct insn *insn, const struct state *s,
			struct pk_function *function)
{
	const struct insn_operand *o = insn->operand;
	struct value pointer;
	const char *name;
	char plain[256];
	size_t length;

	if (insn->has_target) {
		if (pk_types_function(f->types, insn->target, function) &&
		    function->start == insn->target)
			return true;
		name = callee_name(f, insn);
		length = name ? strcspn(name, "@") : 0;
		if (!length || length >= sizeof(plain))
			return false;
		memcpy(plain, name, length);
		plain[length] = '\0';
		return pk_types_function_named(f->types, plain, function);
	}
	if (!insn->operand_count)
		return false;
	pointer = value_unknown(FLOW_LOST_CALL);
	if (o->kind == INSN_MEMORY)
		pointer = flow_load(f, insn, o, s);
	else if (o->kind == INSN_REGISTER && o->reg < STATE_REGISTERS)
		pointer = s->regs[o->reg];
	return pointer.kind == VALUE_POINTER && !pointer.offset &&
	       pk_type_function(f->types, pointer.type, function);
}

struct value flow_result(const struct flow *f, const struct insn *insn, const struct state *s)
{
	struct pk_function function;
	struct value v;

	if (!find_callee(f, insn, s, &function) || function.result == PK_TYPE_NONE ||
	    function.result == PK_TYPE_VOID)
		return value_unknown(FLOW_LOST_CALL);
	v = value_of_type(f->types, function.result);
	return v.kind == VALUE_UNKNOWN ? value_unknown(FLOW_LOST_CALL) : v;
}

/* ---- The fixed point ---- */

/* What call frame information says of the frame is certain. */
static void apply_frame(const struct flow *f, uint64_t address, struct state *s)
{
	unsigned reg;
	int64_t offset;

	if (f->options.cfa && f->options.cfa(f->options.arg, address, &reg, &offset) &&
	    reg < STATE_REGISTERS)
		s->regs[reg] = (struct value){.kind = VALUE_CFA, .offset = offset_minus(0, offset)};
}

static void go_through(struct flow *f, const struct block *b, struct state *s)
{
	uint32_t next = b->first_variable, i;

	apply_frame(f, f->insns[b->first].address, s);
	for (i = b->first; i < b->end; i++) {
		variables_apply(f, b, &next, f->insns[i].address, s);
		flow_step(f, &f->insns[i], s);
		if (i + 1 < b->end && (s->regs[f->machine->stack].kind != VALUE_CFA ||
				       s->regs[f->machine->stack].stride))
			apply_frame(f, f->insns[i + 1].address, s);
	}
}

static void begin_unknown(struct state *s)
{
	memset(s, 0, sizeof(*s));
	for (unsigned i = 0; i < STATE_REGISTERS; i++)
		s->regs[i] = value_unknown(FLOW_NO_VARIABLE);
	s->reached = true;
}

static bool enter(struct flow *f, uint32_t index, const struct state *s)
{
	struct block *b = &f->blocks[index];

	if (b->settled)
		return true;
	if (!b->in) {
		b->in = calloc(1, sizeof(*b->in));
		if (!b->in)
			return false;
	}
	if (state_merge(f->types, b->in, s) && b->visits < VISITS_MAX)
		b->waiting = true;
	return true;
}

static bool leave_block(struct flow *f, const struct block *b, const struct state *s)
{
	if (b->next != UINT32_MAX && !enter(f, b->next, s))
		return false;
	if (b->target != UINT32_MAX && !enter(f, b->target, s))
		return false;
	if (!b->jumps_anywhere || f->anywhere_changes == VISITS_MAX ||
	    !state_merge(f->types, &f->anywhere, s))
		return true;
	f->anywhere_changes++;
	for (uint32_t i = 1; i < f->block_count; i++)
		if (!f->blocks[i].has_before && !enter(f, i, &f->anywhere))
			return false;
	return true;
}

/* In the order of addresses, again and again, which is about that of time. */
static bool settle(struct flow *f)
{
	struct state s;
	bool again = true;
	unsigned round;
	uint32_t i;

	for (round = 0; again && round < ROUNDS_MAX; round++) {
		again = false;
		for (i = 0; i < f->block_count; i++) {
			struct block *b = &f->blocks[i];

			if (!b->waiting)
				continue;
			again = true;
			b->waiting = false;
			b->visits++;
			s = *b->in;
			go_through(f, b, &s);
			if (!leave_block(f, b, &s))
				return false;
		}
	}
	return true;
}

/* Blocks that no way led to begin with what is known anyhow: first those that nothing jumps to.
 * Most are what fills up the space behind a call that does not return, so that what they say of the
 * blocks behind them is worth nothing. */
static bool reach_the_rest(struct flow *f)
{
	struct state s;
	uint32_t i;

	begin_unknown(&s);
	for (i = 0; i < f->block_count; i++)
		f->blocks[i].settled = f->blocks[i].in != NULL;
	for (i = 0; i < f->block_count; i++)
		if (!f->blocks[i].in && !f->blocks[i].has_before && !enter(f, i, &s))
			return false;
	if (!settle(f))
		return false;
	for (i = 0; i < f->block_count; i++)
		if (!f->blocks[i].in && (!enter(f, i, &s) || !settle(f)))
			return false;
	return true;
}

static bool follow(struct flow *f, uint64_t entry)
{
	const struct value frame = {.kind = VALUE_CFA,
				    .offset = f->machine->call_pushes ? -f->machine->word : 0};
	const uint32_t first = flow_insn_at(f, entry);
	struct state s;
	uint32_t i;

	begin_unknown(&s);
	s.regs[f->machine->stack] = frame;
	for (i = 0; i < f->block_count; i++)
		if (f->blocks[i].first == first && !enter(f, i, &s))
			return false;
	return settle(f) && reach_the_rest(f);
}

static void record(struct flow *f)
{
	struct state s;
	uint32_t i;

	f->recording = true;
	if (!f->blocks) {
		begin_unknown(&s);
		for (i = 0; i < f->insn_count; i++)
			flow_step(f, &f->insns[i], &s);
		return;
	}
	for (i = 0; i < f->block_count; i++) {
		s = *f->blocks[i].in;
		go_through(f, &f->blocks[i], &s);
	}
}

static void free_blocks(struct flow *f)
{
	for (size_t i = 0; i < f->block_count; i++)
		free(f->blocks[i].in);
	free(f->blocks);
	free(f->active);
	free(f->insns);
	variables_free(&f->variables);
	f->blocks = NULL;
	f->active = NULL;
	f->insns = NULL;
	f->block_count = f->insn_count = 0;
	memset(&f->variables, 0, sizeof(f->variables));
}

struct flow *flow_new(const struct flow_options *options, const struct flow_piece *pieces,
		      size_t count)
{
	struct flow *f = calloc(1, sizeof(*f));
	bool fine;

	if (!f)
		return NULL;
	f->options = *options;
	f->types = options->types;
	f->machine = disasm_machine(options->disasm);
	if (!f->machine || !count)
		return f; /* nothing is known of its accesses */
	fine = flow_decode(f, pieces, count);
	if (fine && f->types && f->insn_count && !f->too_large)
		fine = variables_read(f, pieces, count) && flow_split(f) &&
		       (f->too_large || (variables_spread(f) && follow(f, pieces[0].address)));
	if (fine)
		record(f);
	free_blocks(f);
	if (fine && !f->failed)
		return f;
	flow_free(f);
	return NULL;
}

void flow_free(struct flow *f)
{
	if (!f)
		return;
	free_blocks(f);
	free(f->accesses);
	free(f);
}

size_t flow_accesses(const struct flow *f, uint64_t address, const struct flow_access **accesses)
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
