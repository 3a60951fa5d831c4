// SPDX-License-Identifier: BSD-2-Clause
#include "cli.h"
#include "lookups.h"
#include "pgo_groups.h"

static bool is_equal(const struct pgo_trace *a, const struct pgo_trace *b, enum pgo_order order)
{
	return a->to == b->to && (order == PGO_BY_RANGE ? a->end == b->end : a->from == b->from);
}

static bool is_complete(const struct pgo_trace *trace, enum pgo_order order)
{
	return trace->to != PGO_NONE && (order == PGO_BY_BRANCH || trace->end != PGO_NONE);
}

bool pgo_group_next(const struct pgo_traces *traces, enum pgo_order order, struct pgo_group *group)
{
	const struct pgo_trace *const end = traces->items + traces->count;
	const struct pgo_trace *trace = group->next ? group->next : traces->items;

	while (trace < end && !is_complete(trace, order))
		trace++;
	group->first = trace;
	group->number = 0;
	for (; trace < end && is_equal(group->first, trace, order); trace++)
		group->number += trace->count;
	group->next = trace;
	return group->first < end;
}

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

/* Removes the ends of ranges that cannot have run without a branch inside. Processors sometimes
 * record an entry twice, and then two entries do not follow each other. */
static uint64_t remove_crossing(struct pgo_traces *traces, struct pgo_code *code)
{
	struct pgo_group group = {0};
	uint64_t crossing = 0;

	while (pgo_group_next(traces, PGO_BY_RANGE, &group)) {
		if (pgo_code_is_straight(code, group.first->to, group.first->end))
			continue;
		crossing += group.number;
		for (size_t i = (size_t)(group.first - traces->items);
		     i < (size_t)(group.next - traces->items); i++)
			traces->items[i].end = PGO_NONE;
	}
	return crossing;
}

void pgo_groups_clean(const struct pgo_target *target, struct pgo_code *code, uint64_t *crossing)
{
	struct pgo_traces *traces = &target->counts->traces;

	leave_functions(target);
	pgo_traces_sort(traces, PGO_BY_RANGE);
	*crossing += remove_crossing(traces, code);
}

void pgo_groups_report(uint64_t crossing)
{
	char number[32];

	if (crossing)
		pk_warn("%s range%s a jump, call or return inside, and %s left out",
			pk_number(number, crossing), crossing == 1 ? " has" : "s have",
			crossing == 1 ? "is" : "are");
}
