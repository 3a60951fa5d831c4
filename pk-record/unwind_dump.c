// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "unwind_dump.h"

/* The top of a user stack, which was copied to a dump. */
struct stack {
	const struct unwind_dump *dump;
	uint32_t size;
	bool is_short; /* memory was needed that is beyond the end of the dump, because the dump has
			* the maximum size */
};

static int read_stack(struct stack *stack, uint64_t address, void *to, uint32_t size)
{
	const uint64_t at = address - stack->dump->sp;

	if (address < stack->dump->sp || at > stack->size || stack->size - at < size) {
		stack->is_short |= address >= stack->dump->sp && stack->size == UNWIND_STACK_MAX;
		return -1;
	}
	memcpy(to, stack->dump->stack + at, size);
	return 0;
}

#define PK_UNWIND_READ(arg, address, to, size) read_stack(arg, address, to, size)
#if defined(__aarch64__)
#define PK_UNWIND_PC_MASK ((UINT64_C(1) << 48) - 1)
#endif
#include "unwind_rule.h"

/* The result: the addresses of a stack, and how it ends. */
struct frames {
	uint64_t addresses[UNWIND_FRAMES_MAX];
	uint32_t count, end;
	bool by_frame; /* the current address was found by the frame pointer */
	bool new_maps; /* maps were found that the BPF programs did not know */
};

/* Returns the rule for the current address. If there is none, sets *end to the reason and returns
 * NULL. */
static const struct pk_unwind_rule *find_rule(struct unwind_processes *processes,
					      struct unwind_dump *dump, uint64_t address,
					      struct frames *frames, enum pk_unwind_end *end)
{
	const pid_t pid = (pid_t)dump->pid;
	const struct pk_unwind_rule *rule = unwind_processes_rule(processes, &dump->seen, address);

	if (rule)
		return rule;
	switch (unwind_processes_find(processes, pid, &dump->seen, address)) {
	case UNWIND_FOUND: frames->new_maps = true; break;
	case UNWIND_NO_CODE: *end = PK_UNWIND_NO_RULE; return NULL;
	default: break;
	}
	rule = unwind_processes_rule(processes, &dump->seen, address);
	if (!rule)
		*end = PK_UNWIND_NOT_LOADED;
	return rule;
}

static void walk(struct unwind_processes *processes, struct unwind_dump *dump, struct stack *stack,
		 struct frames *frames)
{
	struct pk_unwind_state state = {.pc = dump->pc,
					.sp = dump->sp,
					.fp = dump->fp,
					.lr = dump->lr,
					.base = dump->base,
					.argument = dump->argument,
					.fp_known = 1,
					.interrupted = 1};
	enum pk_unwind_end end = PK_UNWIND_GOES_ON;

	while (!end && frames->count < UNWIND_FRAMES_MAX) {
		const uint64_t pc = state.pc, in_call = pc - !state.interrupted;
		const struct pk_unwind_rule *rule =
			find_rule(processes, dump, in_call, frames, &end);

		if (!rule) {
			if (!frames->count)
				frames->addresses[frames->count++] = pc;
			break;
		}
		frames->end |= frames->by_frame ? UNWIND_BY_FRAME : 0;
		frames->addresses[frames->count++] = rule->interrupted ? pc : in_call;
		frames->by_frame = rule->cfa == PK_UNWIND_NONE;
		end = frames->by_frame ? pk_unwind_step_by_frame(&state, stack)
				       : pk_unwind_step(rule, &state, stack);
	}
	if (end == PK_UNWIND_UNREADABLE && stack->is_short)
		end = PK_UNWIND_TOO_DEEP;
	frames->end |= end ? end : PK_UNWIND_TOO_DEEP;
}

void unwind_dump_walk(struct unwind_processes *processes, struct unwind_half *half)
{
	struct unwind_dump dump =
		half->dump; /* a copy, because members of the packed half can be unaligned */
	struct stack stack = {&dump, half->count, false};
	struct frames frames = {.count = 0};

	if (dump.seen.count > UNWIND_SEEN_MAX)
		dump.seen.count = UNWIND_SEEN_MAX;
	walk(processes, &dump, &stack, &frames);
	if (frames.new_maps)
		unwind_processes_tell(processes, (pid_t)dump.pid, &dump.seen);
	half->count = frames.count;
	half->end = frames.end;
	memcpy(half->addresses, frames.addresses, frames.count * sizeof(frames.addresses[0]));
}
