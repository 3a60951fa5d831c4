// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "unwind.h"
#include "pkutil.h"
#include "unwind_rules.h"

/* So far behind the end of a dump it may still be the same stack. */
#define STACK_SIZE_MAX (UINT64_C(1) << 28)

struct unwinder {
	const struct pk_session *session;
	struct unwind_rules *rules;
	struct utsname here;
};

struct unwinder *unwinder_new(struct resolver *resolver, struct pk_failures *failures)
{
	struct unwinder *unwinder = calloc(1, sizeof(*unwinder));

	if (unwinder)
		unwinder->rules = unwind_rules_new(resolver, failures);
	if (!unwinder || !unwinder->rules) {
		free(unwinder);
		return NULL;
	}
	if (uname(&unwinder->here))
		*unwinder->here.machine = '\0';
	return unwinder;
}

void unwinder_free(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	unwind_rules_free(unwinder->rules);
	free(unwinder);
}

void unwinder_start_session(struct unwinder *unwinder, const struct pk_session *session)
{
	unwind_rules_forget(unwinder->rules);
	unwinder->session = session;
}

/*
 * What a sample may cost, in instructions of call frame information: much for all real programs,
 * and in proportion to its dump. Unwind information of a few bytes can describe frames without end,
 * each of them with expressions that take long.
 */
enum { WORK_MIN = 16 << 10, WORK_PER_BYTE = 16, WORK_OF_FRAME = 32 };

/* One sample on its way. */
struct walk {
	struct unwind_rules *rules;
	const struct pk_cfi_machine *machine;
	const struct pk_space *space;
	const struct pk_map *map; /* of the last address in code */
	struct pk_memory memory;
	struct pk_frame_state state;
	struct unwound *result;
	uint64_t work;	  /* that is left */
	bool interrupted; /* the pc is where it was, not behind a call */
	bool goes_on;	  /* the stack, behind the end of the dump, perhaps */
};

/* NULL: there is no code. Data maps are listed as well: the stack is one of them. */
static const struct pk_map *map_of(struct walk *walk, uint64_t address)
{
	const struct pk_map *map = walk->map;

	if (map && address >= map->start && address < map->end)
		return map;
	map = pk_space_find(walk->space, address);
	if (!map || !map->executable)
		return NULL;
	walk->map = map;
	return map;
}

static const struct unwind_rule *rule_of(struct walk *walk, uint64_t address)
{
	const struct pk_map *map = map_of(walk, address);

	return map ? unwind_rules_find(walk->rules, walk->machine, map->image,
				       pk_map_address(map, address), &walk->work)
		   : NULL;
}

/* Whether the caller's registers can be those of a caller: the stack grows downwards. A signal
 * handler's stack may be anywhere; a function that has put nothing on the stack has no frame. */
static bool is_plausible(const struct walk *walk, uint64_t callee_pc, uint64_t callee_stack)
{
	const uint64_t stack = walk->state.value[walk->machine->stack];

	return stack > callee_stack ||
	       (walk->interrupted && stack == callee_stack && walk->state.pc != callee_pc);
}

static bool stop(struct walk *walk, enum pk_cfi_status status)
{
	const uint64_t end = walk->memory.start + walk->memory.size, fault = walk->memory.fault;
	uint32_t *flags = &walk->result->flags;

	switch (status) {
	case PK_CFI_OK:
	case PK_CFI_END: break;
	case PK_CFI_NONE: *flags |= PK_CHAIN_NO_CFI; break;
	case PK_CFI_BAD: *flags |= PK_CHAIN_BAD_CFI; break;
	case PK_CFI_MEMORY:
		*flags |= walk->goes_on && fault >= end && fault - end < STACK_SIZE_MAX
				  ? PK_CHAIN_STACK_SHORT
				  : PK_CHAIN_NO_MEMORY;
		break;
	case PK_CFI_UNKNOWN: *flags |= PK_CHAIN_NO_MEMORY; break;
	}
	return false;
}

/* Where nothing is said of the function: what its frame pointer leads to, if that is code. */
static bool step_by_frame_pointer(struct walk *walk)
{
	enum pk_cfi_status status =
		pk_frame_pointer_step(walk->machine, &walk->memory, &walk->state);

	if (status == PK_CFI_END && !walk->interrupted)
		return false;
	if (!status && map_of(walk, walk->state.pc - 1)) {
		walk->interrupted = false;
		walk->result->flags |= PK_CHAIN_FRAME_POINTER;
		return true;
	}
	return stop(walk, status == PK_CFI_MEMORY ? status : PK_CFI_NONE);
}

static bool step_by_rule(struct walk *walk, const struct unwind_rule *rule)
{
	const uint64_t pc = walk->state.pc, stack = walk->state.value[walk->machine->stack];
	const bool signal_frame = rule->row.signal_frame;
	enum pk_cfi_status status = pk_cfi_step(unwind_rules_cfi(walk->rules, rule), &rule->row,
						&walk->memory, &walk->state);

	if (status)
		return stop(walk, status);
	if (!signal_frame && !is_plausible(walk, pc, stack))
		return stop(walk, PK_CFI_BAD);
	walk->interrupted = signal_frame;
	if (!walk->state.pc)
		return false;
	return map_of(walk, walk->state.pc - !signal_frame) || stop(walk, PK_CFI_NONE);
}

/* Notes the address and goes to the caller; false: there is none, or none that is known. */
static bool step(struct walk *walk)
{
	const uint64_t pc = walk->state.pc, in_call = pc - !walk->interrupted;
	const struct unwind_rule *rule = rule_of(walk, in_call);
	const bool known = rule && rule->status == PK_CFI_OK;
	const bool exact = walk->interrupted || (known && rule->row.signal_frame);
	struct unwound *result = walk->result;

	result->ips[result->count++] = exact ? pc : in_call;
	if (result->count == UNWIND_FRAMES_MAX || walk->work <= WORK_OF_FRAME)
		return stop(walk, PK_CFI_BAD);
	walk->work -= WORK_OF_FRAME;
	if (known)
		return step_by_rule(walk, rule);
	if (rule && rule->status == PK_CFI_BAD)
		return stop(walk, PK_CFI_BAD);
	return step_by_frame_pointer(walk);
}

static const struct pk_cfi_machine *machine_of(const struct unwinder *unwinder, uint64_t abi)
{
	const char *name = pk_session_machine(unwinder->session)->machine;

	/* A stream that does not say where it is from is most likely of a machine like this. */
	return pk_cfi_machine_find(*name ? name : unwinder->here.machine, abi);
}

void unwinder_unwind(struct unwinder *unwinder, const struct pk_thread *thread,
		     const struct perf_attr *attr, const struct pk_sample *sample, bool in_kernel,
		     struct unwound *unwound)
{
	const struct pk_registers *registers = &sample->user_registers;
	const struct pk_bytes *stack = &sample->user_stack;
	struct walk walk = {
		.rules = unwinder->rules,
		.machine = machine_of(unwinder, registers->abi),
		.space = thread->process->space,
		.result = unwound,
		.work = WORK_MIN + WORK_PER_BYTE * stack->size,
		.interrupted = true,
	};
	uint64_t pc;

	unwound->count = 0;
	unwound->flags = 0;
	unwound->changed = true;
	unwound->supported = walk.machine || !registers->abi;
	if (!walk.machine ||
	    !pk_frame_load(walk.machine, attr->sample_regs_user, registers->values.data,
			   registers->values.count, &walk.state)) {
		unwound->flags = registers->abi ? PK_CHAIN_NO_CFI : 0;
		return;
	}
	walk.memory = (struct pk_memory){stack->data, walk.state.value[walk.machine->stack],
					 stack->size, 0, &walk.work};
	/* Behind the bytes stands how many of them are valid: all, if the stack had as many. */
	walk.goes_on = !stack->data || stack->data + stack->size + 8 == sample->user_end;
	pc = walk.state.pc;
	while (step(&walk))
		;
	/* In the middle of an exec the registers are those of a program that is gone. */
	if (in_kernel && unwound->count == 1 && !map_of(&walk, pc)) {
		unwound->count = 0;
		unwound->flags = PK_CHAIN_NO_CFI;
	}
}

/* ---- Callers that frame pointers lead past ---- */

#define LINK_REGISTER 30 /* of arm64, in DWARF's numbers and in perf's */

uint64_t unwind_user_part(const struct pk_u64s *callchain)
{
	for (uint64_t i = 0; i < callchain->count; i++)
		if (pk_u64s_at(callchain, i) == PERF_CONTEXT_USER)
			return i + 1;
	return callchain->count;
}

/*
 * Where nothing is said of a function, as of jumps through the PLT and of the vDSO, its caller is
 * in the link register until it has called others: then it is itself that they return to.
 */
static bool use_link_register(struct walk *walk)
{
	const struct pk_map *map = map_of(walk, walk->state.pc);
	const uint64_t pc = walk->state.value[LINK_REGISTER] & walk->machine->pc_mask;
	const bool elsewhere = map && (pc < map->start || pc >= map->end ||
				       unwind_rules_differ(walk->rules, map->image,
							   pk_map_address(map, walk->state.pc),
							   pk_map_address(map, pc)));

	walk->state.pc = pc;
	return elsewhere;
}

/*
 * The caller of the function that is at walk->state.pc, by what is known without the stack: the
 * link register, if call frame information says that it still has the return address. False:
 * nothing is known.
 */
static bool find_caller(struct walk *walk)
{
	const struct unwind_rule *rule = rule_of(walk, walk->state.pc);
	bool found = false;

	if (rule && rule->status == PK_CFI_OK)
		found = !pk_cfi_step(unwind_rules_cfi(walk->rules, rule), &rule->row, &walk->memory,
				     &walk->state);
	else if (rule && rule->status == PK_CFI_NONE)
		found = use_link_register(walk);
	return found && walk->state.pc && map_of(walk, walk->state.pc - 1);
}

static void copy_ips(struct unwound *unwound, const struct pk_u64s *chain, uint64_t from)
{
	for (; from < chain->count; from++)
		unwound->ips[unwound->count++] = pk_u64s_at(chain, from);
}

void unwinder_add_caller(struct unwinder *unwinder, const struct pk_thread *thread,
			 const struct perf_attr *attr, const struct pk_sample *sample,
			 struct unwound *unwound)
{
	const struct pk_registers *registers = &sample->user_registers;
	const struct pk_u64s *chain = &sample->callchain;
	const uint64_t at = unwind_user_part(chain);
	struct walk walk = {
		.rules = unwinder->rules,
		.machine = machine_of(unwinder, registers->abi),
		.space = thread->process->space,
		.work = WORK_MIN,
	};
	uint64_t next = 0;

	unwound->count = 0;
	unwound->flags = sample->chain_flags;
	unwound->changed = false;
	unwound->supported = true;
	if (!walk.machine || walk.machine->elf_machine != EM_AARCH64 || at >= chain->count ||
	    chain->count - at >= UNWIND_IPS_MAX)
		return;
	pk_frame_load(walk.machine, attr->sample_regs_user, registers->values.data,
		      registers->values.count, &walk.state);
	walk.memory.work = &walk.work;
	walk.state.pc = pk_u64s_at(chain, at);
	/* Only the CFA follows from it, which does not matter: no memory is known. */
	walk.state.value[walk.machine->stack] = 0;
	walk.state.known |= UINT64_C(1) << walk.machine->stack;
	if (at + 1 < chain->count)
		next = pk_u64s_at(chain, at + 1);
	/* It is there already if the stream comes from this program. */
	if (!find_caller(&walk) || next == walk.state.pc - 1)
		return;
	unwound->changed = true;
	unwound->ips[unwound->count++] = pk_u64s_at(chain, at);
	unwound->ips[unwound->count++] = walk.state.pc - 1;
	copy_ips(unwound, chain, at + 1);
}
