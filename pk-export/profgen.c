// SPDX-License-Identifier: BSD-2-Clause
/* The unsymbolized profile of llvm-profgen: the number of ranges, a line for each range, the number
 * of branches, and a line for each branch. Addresses are relative to the segment with code. */
#include "lookups.h"
#include "pgo_code.h"

struct profgen {
	struct pgo pgo;
	uint64_t crossing; /* sum of the counts of ranges with a jump, call or return inside */
};

/* ---- Code ---- */

/* Returns the offset if it is in a function, or PGO_NONE. llvm-profgen knows only the code of
 * functions. For example, entries of the procedure linkage table are other objects for it. If the
 * object has no symbols, all its code is code of functions. */
static uint32_t in_function(const struct pgo_target *target, uint32_t offset,
			    struct pk_symbol *function)
{
	if (offset == PGO_NONE || pk_object_state(target->object) != PK_OBJECT_READY)
		return offset;
	if ((offset < function->start || offset >= function->end) &&
	    !pk_object_lookup(target->object, offset, function))
		*function = (struct pk_symbol){0};
	return function->end && !(function->flags & PK_SYMBOL_PLT) ? offset : PGO_NONE;
}

/* Replaces offsets that are not in functions. */
static void leave_functions(const struct pgo_target *target)
{
	struct pgo_traces *traces = &target->counts->traces;
	struct pk_symbol functions[2] = {{0}};

	for (size_t i = 0; i < traces->count; i++) {
		struct pgo_trace *trace = &traces->items[i];

		trace->from = in_function(target, trace->from, &functions[0]);
		trace->to = in_function(target, trace->to, &functions[1]);
		trace->end = in_function(target, trace->end, &functions[1]);
	}
}

/* ---- Lines ---- */

/* A line of the profile: equal traces from `first` on. */
struct group {
	const struct pgo_trace *first, *next;
	uint64_t number; /* sum of their counts */
};

static bool is_equal(const struct pgo_trace *a, const struct pgo_trace *b, enum pgo_order order)
{
	return a->to == b->to && (order == PGO_BY_RANGE ? a->end == b->end : a->from == b->from);
}

/* Finds the next traces that have an equal range or branch. Returns false after the last. */
static bool next_group(const struct pgo_traces *traces, enum pgo_order order, struct group *group)
{
	const struct pgo_trace *const end = traces->items + traces->count;

	group->first = group->next ? group->next : traces->items;
	group->number = 0;
	for (group->next = group->first;
	     group->next < end && is_equal(group->first, group->next, order); group->next++)
		group->number += group->next->count;
	return group->first < end;
}

static bool is_line(const struct pgo_trace *trace, enum pgo_order order)
{
	return trace->to != PGO_NONE && (order == PGO_BY_BRANCH || trace->end != PGO_NONE);
}

static void put_address(const struct pgo_target *target, uint32_t offset, uint64_t base)
{
	const uint64_t outside = 1; /* the address of code in other objects */
	uint64_t address;

	if (!pgo_address(target, offset, &address) || offset == PGO_NONE)
		address = outside;
	buffer_hex(target->out, address - base, 0);
}

static void put_lines(struct pgo_target *target, enum pgo_order order, uint64_t base)
{
	const struct pgo_traces *traces = &target->counts->traces;
	struct group group = {0};
	uint64_t lines = 0;

	while (next_group(traces, order, &group))
		lines += is_line(group.first, order);
	buffer_decimal(target->out, lines, 0);
	buffer_char(target->out, '\n');
	group = (struct group){0};
	while (next_group(traces, order, &group)) {
		if (!is_line(group.first, order))
			continue;
		put_address(target, order == PGO_BY_RANGE ? group.first->to : group.first->from,
			    base);
		buffer_text(target->out, order == PGO_BY_RANGE ? "-" : "->");
		put_address(target, order == PGO_BY_RANGE ? group.first->end : group.first->to,
			    base);
		buffer_char(target->out, ':');
		buffer_decimal(target->out, group.number, 0);
		buffer_char(target->out, '\n');
		output_part(target->output);
	}
}

/* Removes the ends of ranges that cannot have run without a branch inside. Processors sometimes
 * record an entry twice, and then two entries do not follow each other. */
static void remove_crossing(struct profgen *profgen, struct pgo_target *target,
			    struct pgo_code *code)
{
	struct pgo_traces *traces = &target->counts->traces;
	struct group group = {0};

	while (next_group(traces, PGO_BY_RANGE, &group)) {
		if (!is_line(group.first, PGO_BY_RANGE) ||
		    pgo_code_is_straight(code, group.first->to, group.first->end))
			continue;
		profgen->crossing += group.number;
		for (size_t i = (size_t)(group.first - traces->items);
		     i < (size_t)(group.next - traces->items); i++)
			traces->items[i].end = PGO_NONE;
	}
}

/* ---- The format ---- */

static void write_object(struct pgo *pgo, struct pgo_target *target)
{
	struct pgo_code *code = pgo_code_new(target->object);
	struct profgen *profgen = (struct profgen *)pgo;
	uint64_t base;

	if (!code || !pk_object_code_start(target->object, &base)) {
		pgo->base.failed |= !code;
		pgo_code_free(code);
		return;
	}
	leave_functions(target);
	pgo_traces_sort(&target->counts->traces, PGO_BY_RANGE);
	remove_crossing(profgen, target, code);
	pgo_code_free(code);
	put_lines(target, PGO_BY_RANGE, base);
	pgo_traces_sort(&target->counts->traces, PGO_BY_BRANCH);
	put_lines(target, PGO_BY_BRANCH, base);
}

static void write_profile(void *format)
{
	struct profgen *profgen = format;
	char number[32];

	pgo_write(&profgen->pgo, "profgen", write_object);
	if (profgen->crossing)
		pk_warn("%s ranges have a jump, call or return inside, and are left out",
			pk_number(number, profgen->crossing));
}

#define AT(member) PK_AT(struct profgen, member)

static const struct pk_option rows[] = {
	PK_TITLE("The profile"),
	{.kind = PK_ROWS, .rows = pgo_rows, AT(pgo)},
	PK_OPTIONS_END,
};

const struct export_format export_profgen = {
	.name = "profgen",
	.description = "branch counts for llvm-profgen, which makes profiles for clang",
	.command =
		{.usage = "Usage: pk-export profgen [OPTION...] [FILE...]\n\n"
			  "Writes an unsymbolized profile for llvm-profgen. If the output is a "
			  "folder,\n"
			  "writes a file for each program and library.\n",
		 .options = rows,
		 .examples =
			 "  pk-record -b -- ./app | pk-export profgen --object app -o app.raw\n"},
	.size = sizeof(struct profgen),
	.output = OUTPUT_TEXT,
	.needs = PGO_NEEDS,
	.no_stacks = true,
	.stackless = true,
	.start = pgo_start,
	.sample = pgo_sample,
	.write = write_profile,
	.end = pgo_end,
};
