// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "pkutil.h"
#include "pt_events.h"
#include "trace_events.h"

static const char *const names[PT_EVENTS] = {
	[PT_EVENT_BRANCHES] = "branches",
	[PT_EVENT_CALLS] = "calls",
	[PT_EVENT_INSTRUCTIONS] = "instructions",
};

/* The types in the flags of a branch. */
enum {
	TYPE_SHIFT = 20,
	TYPE_UNKNOWN = 0,
	TYPE_COND = 1,
	TYPE_UNCOND = 2,
	TYPE_CALL = 4,
	TYPE_RET = 6,
	TYPE_SYSCALL = 7,
	TYPE_SYSRET = 8,
	TYPE_IRQ = 12,
};

static const uint8_t types[] = {
	[PT_BRANCH_JUMP] = TYPE_UNCOND,	    [PT_BRANCH_CONDITIONAL] = TYPE_COND,
	[PT_BRANCH_CALL] = TYPE_CALL,	    [PT_BRANCH_RETURN] = TYPE_RET,
	[PT_BRANCH_SYSCALL] = TYPE_SYSCALL, [PT_BRANCH_SYSRET] = TYPE_SYSRET,
	[PT_BRANCH_INTERRUPT] = TYPE_IRQ,   [PT_BRANCH_START] = TYPE_UNKNOWN,
	[PT_BRANCH_STOP] = TYPE_UNKNOWN,
};

const char *pt_event_name(enum pt_event_number event)
{
	return names[event];
}

static struct perf_attr attr_of(const struct pt_events *made, enum pt_event_number event)
{
	struct perf_attr attr = made->attr;

	if (event == PT_EVENT_INSTRUCTIONS) {
		attr.config = PERF_COUNT_HW_INSTRUCTIONS;
		attr.sample_period = made->every;
		return attr;
	}
	attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	attr.sample_period = 1;
	attr.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	if (event == PT_EVENT_CALLS) {
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
		/* The callchains do not come from frame pointers, as those of pk-unwind. */
		attr.flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	}
	return attr;
}

enum pk_status pt_events_write(struct pt_events *made, const struct pk_events *events,
			       uint32_t pmu_type, struct pk_writer *writer)
{
	const struct pk_event *recorded = trace_recorded_event(events, pmu_type);

	made->attr = trace_attr(events, recorded, PERF_SAMPLE_CPU);
	trace_choose_ids(events, recorded, made->ids, PT_EVENTS);
	for (int i = 0; i < PT_EVENTS; i++) {
		const struct perf_attr attr = attr_of(made, (enum pt_event_number)i);

		if (made->wanted[i])
			trace_write_event(writer, &attr, made->ids[i], names[i]);
	}
	return pk_writer_status(writer);
}

/* ---- Samples ---- */

#define CHAIN_MAX 4

static bool is_kernel(uint64_t address)
{
	return address >> 63;
}

static bool is_return(const struct pt_branch *branch)
{
	return branch->kind == PT_BRANCH_RETURN || branch->kind == PT_BRANCH_SYSRET ||
	       branch->kind == PT_BRANCH_START;
}

/* Makes the callchain of a call or a return: the address in the called function, and the
 * instruction to which this function returns. Returns the number of entries. */
static uint64_t make_chain(const struct pt_branch *branch, uint64_t chain[CHAIN_MAX])
{
	const uint64_t function = is_return(branch) ? branch->from : branch->to;
	const uint64_t caller = is_return(branch) ? branch->to : branch->after;
	uint64_t count = 0;

	chain[count++] = is_kernel(function) ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
	chain[count++] = function;
	if (!caller)
		return count;
	if (is_kernel(function) != is_kernel(caller))
		chain[count++] = is_kernel(caller) ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
	chain[count++] = caller;
	return count;
}

static enum pk_status write_sample(struct pt_events *made, enum pt_event_number event,
				   const struct pt_place *place, const struct pt_branch *branch,
				   struct pk_writer *writer)
{
	const bool has_branch = event != PT_EVENT_INSTRUCTIONS;
	const bool timed = made->attr.sample_type & PERF_SAMPLE_TIME;
	/* The sample of a call is in the called function. */
	const bool swaps = event == PT_EVENT_CALLS && !is_return(branch);
	const uint64_t ip = swaps ? branch->to : branch->from;
	const uint64_t addr = swaps ? branch->from : branch->to;
	const uint16_t misc =
		is_kernel(ip ? ip : addr) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	uint64_t chain[CHAIN_MAX];
	const uint64_t chained = event == PT_EVENT_CALLS ? make_chain(branch, chain) : 0;
	/* The header, IDENTIFIER, IP, TID, CPU, PERIOD and what depends on the event. */
	const size_t words = 6 + timed + (has_branch ? 5 : 0) + (chained ? 1 + chained : 0);
	uint8_t *at = pk_writer_append(writer, PERF_RECORD_SAMPLE, misc,
				       8 * words + (place->trailer ? PK_STACK_TRAILER_SIZE : 0));

	made->samples[event]++;
	if (!at)
		return pk_writer_status(writer);
	at = pk_put_u64(at + sizeof(struct perf_header), made->ids[event]);
	at = pk_put_u64(at, ip);
	at = pk_put_two_u32(at, place->pid, place->tid);
	if (timed)
		at = pk_put_u64(at, place->time);
	if (has_branch)
		at = pk_put_u64(at, addr);
	at = pk_put_two_u32(at, place->cpu, 0);
	at = pk_put_u64(at, has_branch ? 1 : made->every);
	if (chained)
		at = pk_put_u64(at, chained);
	for (uint64_t i = 0; i < chained; i++)
		at = pk_put_u64(at, chain[i]);
	if (has_branch) {
		at = pk_put_u64(at, 1);
		at = pk_put_u64(at, branch->from);
		at = pk_put_u64(at, branch->to);
		at = pk_put_u64(at, (uint64_t)types[branch->kind] << TYPE_SHIFT);
	}
	if (place->trailer)
		pk_trailer_put(at, PK_STACK_TRAILER_TAG, 0);
	return PK_OK;
}

enum pk_status pt_events_branch(struct pt_events *made, const struct pt_place *place,
				const struct pt_branch *branch, struct pk_writer *writer)
{
	const bool calls = branch->kind != PT_BRANCH_JUMP &&
			   branch->kind != PT_BRANCH_CONDITIONAL && branch->kind != PT_BRANCH_STOP;

	if (made->wanted[PT_EVENT_BRANCHES])
		PK_TRY(write_sample(made, PT_EVENT_BRANCHES, place, branch, writer));
	return calls && made->wanted[PT_EVENT_CALLS]
		       ? write_sample(made, PT_EVENT_CALLS, place, branch, writer)
		       : PK_OK;
}

enum pk_status pt_events_instruction(struct pt_events *made, const struct pt_place *place,
				     uint64_t ip, struct pk_writer *writer)
{
	const struct pt_branch only = {.from = ip};

	return write_sample(made, PT_EVENT_INSTRUCTIONS, place, &only, writer);
}
