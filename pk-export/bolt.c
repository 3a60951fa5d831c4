// SPDX-License-Identifier: BSD-2-Clause
/* The format of pre-aggregated profiles, which perf2bolt reads with --pa. A line is a letter,
 * addresses in hexadecimal digits, and counts. */
#include <string.h>

#include "pgo.h"

struct bolt {
	struct pgo pgo;
	bool traces, addresses;
};

/* ---- Lines ---- */

/* Adds " ADDRESS" for each offset. Returns false if an offset is in no segment. */
static bool add_addresses(struct pgo_target *target, char type, const uint32_t *offsets, int count)
{
	uint64_t address;

	for (int i = 0; i < count; i++)
		if (!pgo_address(target, offsets[i], &address))
			return false;
	buffer_char(target->out, type);
	for (int i = 0; i < count; i++) {
		if (!pgo_address(target, offsets[i], &address))
			return false;
		buffer_char(target->out, ' ');
		buffer_hex(target->out, address, 0);
	}
	return true;
}

static void put_line(struct pgo_target *target, char type, const uint32_t *offsets, int count,
		     uint64_t number)
{
	if (!add_addresses(target, type, offsets, count)) {
		target->unplaced += number;
		return;
	}
	buffer_char(target->out, ' ');
	buffer_decimal(target->out, number, 0);
	buffer_char(target->out, '\n');
	output_part(target->output);
}

/* Writes the number of times that a branch was taken, and of wrong predictions. */
static void put_branch(struct pgo_target *target, const struct pgo_trace *trace, uint64_t number,
		       uint64_t missed)
{
	if (!add_addresses(target, 'B', (const uint32_t[]){trace->from, trace->to}, 2)) {
		target->unplaced += number;
		return;
	}
	buffer_char(target->out, ' ');
	buffer_decimal(target->out, number, 0);
	buffer_char(target->out, ' ');
	buffer_decimal(target->out, missed, 0);
	buffer_char(target->out, '\n');
	output_part(target->output);
}

/* ---- Branches and ranges ---- */

static void put_branches(struct pgo_target *target)
{
	struct pgo_traces *traces = &target->counts->traces;
	const struct pgo_trace *trace = traces->items, *const end = trace + traces->count;

	pgo_traces_sort(traces, PGO_BY_BRANCH);
	while (trace < end) {
		const struct pgo_trace *const first = trace;
		uint64_t number = 0, missed = 0;

		for (; trace < end && trace->from == first->from && trace->to == first->to;
		     trace++) {
			number += trace->count;
			missed += trace->missed;
		}
		put_branch(target, first, number, missed);
	}
}

/* Returns whether the branch comes from the function that contains its target. perf2bolt needs
 * this. The code after a call can be reached by a return, or by a jump inside of the function. */
static bool is_inside(const struct pgo_target *target, const struct pgo_trace *trace,
		      struct pk_symbol *function)
{
	if (trace->from == PGO_NONE)
		return false;
	if (trace->to < function->start || trace->to >= function->end)
		if (!pk_object_lookup(target->object, trace->to, function))
			*function = (struct pk_symbol){0};
	return trace->from >= function->start && trace->from < function->end;
}

/* Writes the code between branches: F if the branch before it was in the same function, else f. */
static void put_ranges(struct pgo_target *target)
{
	struct pgo_traces *traces = &target->counts->traces;
	const struct pgo_trace *trace = traces->items, *const end = trace + traces->count;
	struct pk_symbol function = {0};

	pgo_traces_sort(traces, PGO_BY_RANGE);
	while (trace < end) {
		const struct pgo_trace *const first = trace;
		uint64_t numbers[2] = {0};

		for (; trace < end && trace->to == first->to && trace->end == first->end; trace++)
			numbers[is_inside(target, trace, &function)] += trace->count;
		if (first->end == PGO_NONE || first->to == PGO_NONE)
			continue;
		for (int i = 0; i < 2; i++)
			if (numbers[i])
				put_line(target, i ? 'F' : 'f',
					 (const uint32_t[]){first->to, first->end}, 2, numbers[i]);
	}
}

/* Writes a line for each branch with the code after it. */
static void put_traces(struct pgo_target *target)
{
	struct pgo_traces *traces = &target->counts->traces;

	pgo_traces_sort(traces, PGO_BY_BRANCH);
	for (size_t i = 0; i < traces->count; i++) {
		const struct pgo_trace *trace = &traces->items[i];

		if (trace->end == PGO_NONE)
			put_branch(target, trace, trace->count, trace->missed);
		else
			put_line(target, 'T',
				 (const uint32_t[]){trace->from, trace->to, trace->end}, 3,
				 trace->count);
	}
}

/* Writes the addresses of samples without branches, for each event. */
static void put_samples(const struct bolt *bolt, struct pgo_target *target)
{
	struct pgo_traces *addresses = &target->counts->addresses;
	uint32_t series = PGO_NONE;

	pgo_traces_sort(addresses, PGO_BY_RANGE);
	for (size_t i = 0; i < addresses->count; i++) {
		const struct pgo_trace *address = &addresses->items[i];

		if (address->to != series) {
			series = address->to;
			buffer_text(target->out, "E ");
			buffer_valid(target->out, bolt->pgo.base.samples.series[series].event,
				     strlen(bolt->pgo.base.samples.series[series].event), SIZE_MAX);
			buffer_char(target->out, '\n');
		}
		put_line(target, 'S', &address->from, 1, address->count);
	}
}

/* ---- The format ---- */

static void write_object(struct pgo *pgo, struct pgo_target *target)
{
	const struct bolt *bolt = (const struct bolt *)pgo;

	if (!target->counts->traces.count) {
		put_samples(bolt, target);
	} else if (bolt->traces) {
		put_traces(target);
	} else {
		put_branches(target);
		put_ranges(target);
	}
}

static int start(void *format)
{
	struct bolt *bolt = format;

	bolt->pgo.counts.join_interrupts = true;
	bolt->pgo.counts.only_addresses = bolt->addresses;
	return pgo_start(format);
}

static void write_profile(void *format)
{
	pgo_write(format, "bolt", write_object);
}

#define AT(member) PK_AT(struct bolt, member)

static const struct pk_option rows[] = {
	PK_TITLE("The profile"),
	{0, "traces", NULL, PK_FLAG,
	 "a line for each branch with the code after it, for LLVM 21 and later", AT(traces)},
	{0, "basic", NULL, PK_FLAG, "only the addresses of samples, for LLVM 21 and later",
	 AT(addresses)},
	{.kind = PK_ROWS, .rows = pgo_rows, AT(pgo)},
	PK_OPTIONS_END,
};

const struct export_format export_bolt = {
	.name = "bolt",
	.description = "branch counts for BOLT, which optimizes programs",
	.command = {.usage = "Usage: pk-export bolt [OPTION...] [FILE...]\n\n"
			     "Writes a pre-aggregated profile for perf2bolt. If the output is a\n"
			     "folder, writes a file for each program and library.\n",
		    .options = rows,
		    .examples = "  pk-record -b -- ./app | pk-export bolt --object app -o app.pa\n"
				"  perf2bolt -pa -p app.pa -o app.fdata ./app\n"},
	.size = sizeof(struct bolt),
	PGO_FUNCTIONS,
	.start = start,
	.write = write_profile,
};
