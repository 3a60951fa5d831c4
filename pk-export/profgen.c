// SPDX-License-Identifier: BSD-2-Clause
/* The unsymbolized profile of llvm-profgen: the number of ranges, a line for each range, the number
 * of branches, and a line for each branch. Addresses are relative to the segment with code. */
#include "pgo_groups.h"

struct profgen {
	struct pgo pgo;
	uint64_t crossing; /* sum of the counts of ranges with a jump, call or return inside */
};

/* ---- Lines ---- */

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
	struct pgo_group group = {0};
	uint64_t lines = 0;

	while (pgo_group_next(traces, order, &group))
		lines++;
	buffer_decimal(target->out, lines, 0);
	buffer_char(target->out, '\n');
	group = (struct pgo_group){0};
	while (pgo_group_next(traces, order, &group)) {
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

/* ---- The format ---- */

static void write_object(struct pgo *pgo, struct pgo_target *target)
{
	struct pgo_code *code = pgo_code_new(target->object);
	struct profgen *profgen = (struct profgen *)pgo;
	uint64_t base;

	/* llvm-profgen assumes pages of this size. */
	enum { PAGE = 4096 };

	if (!code || !pk_object_code_start(target->object, &base)) {
		pgo->base.failed |= !code;
		pgo_code_free(code);
		return;
	}
	pgo_groups_clean(target, code, &profgen->crossing);
	pgo_code_free(code);
	base -= base % PAGE;
	put_lines(target, PGO_BY_RANGE, base);
	pgo_traces_sort(&target->counts->traces, PGO_BY_BRANCH);
	put_lines(target, PGO_BY_BRANCH, base);
}

static void write_profile(void *format)
{
	struct profgen *profgen = format;

	pgo_write(&profgen->pgo, "profgen", write_object);
	pgo_groups_report(profgen->crossing);
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
	PGO_FUNCTIONS,
	.start = pgo_start,
	.write = write_profile,
};
