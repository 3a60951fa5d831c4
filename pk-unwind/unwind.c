// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "cfi.h"
#include "chain_source.h"
#include "cli.h"
#include "object_debug.h"
#include "pkutil.h"
#include "resolve.h"
#include "table.h"
#include "unwind.h"
#include "unwind_interpreted.h"
#include "vector.h"

/* ---- Rules ---- */

/* A cache of unwind rules. The rules are rows of call frame information, and the cache finds them
 * by address. */

struct unwind_rules;

/* The unwind rule for an address in an image. */
struct unwind_rule {
	enum pk_cfi_status status;    /* PK_CFI_OK, PK_CFI_NONE or PK_CFI_BAD */
	const struct pk_cfi_row *row; /* row and cfi are the arguments of pk_cfi_step(); NULL unless
				       * status is PK_CFI_OK */
	const struct pk_cfi *cfi;
};

/* If the cache has more than this number of addresses or rows, it is cleared. Its largest size is
 * 32 MB. */
#define ADDRESSES_MAX (UINT32_C(1) << 19)
#define ROWS_MAX      (UINT32_C(1) << 16)

/* A key of the cache. The low bits are an address, which is an offset in a file. The high bits are
 * the index of the image. Larger addresses and indices are not cached. */
#define ADDRESS_BITS 44
#define IMAGES_MAX   (UINT32_C(1) << (64 - ADDRESS_BITS))
#define NO_KEY	     UINT64_MAX

/* The unwind information of an image. */
struct source {
	bool read;
	const struct pk_unwind_info *info;
	struct pk_object *jit; /* a jitdump, where each code has its own rows; or NULL */
	struct pk_cfi *cfi;    /* NULL if there is no information; for a jitdump, an object without
				* rows, which can apply rows */
};

/* Many addresses have the same row. So there are few different rows, and these stay in the
 * processor's cache. */
struct unwind_rules {
	struct resolver *resolver;
	struct pk_failures *failures;
	/* Cached results. The low two bits of a value are the status. If the status is PK_CFI_OK,
	 * the other bits are the index of the row plus 1. Otherwise, the other bits are 0. */
	struct pk_table addresses;
	struct pk_cfi_row *rows;
	size_t count, capacity;
	struct pk_table numbers; /* by hash of the row: index in rows + 1 */
	struct pk_cfi_row row;	 /* the last row that was not cached */
	struct source *sources;	 /* by index of the image */
	size_t sources_capacity;
};

static struct unwind_rules *unwind_rules_new(struct resolver *resolver,
					     struct pk_failures *failures)
{
	struct unwind_rules *rules = calloc(1, sizeof(*rules));

	if (!rules)
		return NULL;
	rules->resolver = resolver;
	rules->failures = failures;
	return rules;
}

static void forget_rules(struct unwind_rules *rules)
{
	pk_table_clear(&rules->addresses);
	pk_table_clear(&rules->numbers);
	rules->count = 0;
}

/* Clears the cache for a new session, whose images are different. */
static void unwind_rules_forget(struct unwind_rules *rules)
{
	forget_rules(rules);
	for (size_t i = 0; i < rules->sources_capacity; i++)
		pk_cfi_free(rules->sources[i].cfi);
	free(rules->sources);
	rules->sources = NULL;
	rules->sources_capacity = 0;
}

static void unwind_rules_free(struct unwind_rules *rules)
{
	if (!rules)
		return;
	unwind_rules_forget(rules);
	pk_table_free(&rules->addresses);
	pk_table_free(&rules->numbers);
	free(rules->rows);
	free(rules);
}

/* ---- Images ---- */

static void report_image(const struct pk_object *object, const struct pk_cfi *cfi,
			 enum pk_object_state state)
{
	if (cfi && pk_cfi_count(cfi))
		pk_info("%s: %zu functions can be unwound", pk_object_path(object),
			pk_cfi_count(cfi));
	else if (state == PK_OBJECT_OTHER_BUILD)
		pk_warn("%s: is of another build: its functions cannot be unwound",
			pk_object_path(object));
	else if (state != PK_OBJECT_NOT_A_FILE)
		pk_info("%s: %s", pk_object_path(object),
			state == PK_OBJECT_READY ? "has no unwind information"
						 : "was not found, or cannot be read");
}

static void read_source(struct unwind_rules *rules, const struct pk_cfi_machine *machine,
			const struct pk_image *image, struct source *source)
{
	const struct pk_cfi_sections empty = {.eh_frame = {0}};
	struct pk_object *object = NULL;
	enum pk_object_state state;

	source->read = true;
	if (image->kind == PK_DSO_FILE || image->kind == PK_DSO_VDSO || image->dump)
		object = pk_resolver_object(rules->resolver, image);
	if (!object)
		return;
	if (image->dump) {
		source->jit = object;
		source->cfi = pk_need(rules->failures, pk_cfi_new(machine, &empty));
		return;
	}
	source->info = pk_object_unwind_info(object, &state);
	if (source->info && source->info->machine == machine->elf_machine &&
	    source->info->swapped == machine->swapped)
		source->cfi = pk_need(rules->failures, pk_unwind_cfi(source->info, machine));
	report_image(object, source->cfi, state);
}

/* Returns NULL if memory is exhausted. */
static struct source *source_of(struct unwind_rules *rules, const struct pk_cfi_machine *machine,
				const struct pk_image *image)
{
	struct source *source;

	if (pk_need_room(rules->failures, pk_extend(&rules->sources, &rules->sources_capacity,
						    image->index)) != PK_OK)
		return NULL;
	source = &rules->sources[image->index];
	if (!source->read)
		read_source(rules, machine, image, source);
	return source;
}

/* Finds the symbol of an address in an image. Returns false if there is no symbol. */
static bool symbol_at(struct unwind_rules *rules, const struct pk_image *image, uint64_t address,
		      struct pk_symbol *symbol)
{
	struct pk_object *object = pk_resolver_object(rules->resolver, image);

	return object && pk_object_lookup(object, address, symbol);
}

/* Returns true if the symbols of the image show that the addresses a and b are in different
 * functions. Returns false if a has no symbol. */
static bool unwind_rules_differ(struct unwind_rules *rules, const struct pk_image *image,
				uint64_t a, uint64_t b)
{
	struct pk_symbol symbol;

	return symbol_at(rules, image, a, &symbol) && (b < symbol.start || b >= symbol.end);
}

/* ---- Cached rules ---- */

static uint64_t key_of(const struct pk_image *image, uint64_t address)
{
	return image->index < IMAGES_MAX - 1 && address >> ADDRESS_BITS == 0
		       ? (uint64_t)image->index << ADDRESS_BITS | address
		       : NO_KEY;
}

static struct unwind_rule rule_at(const struct unwind_rules *rules, const struct pk_image *image,
				  uint64_t value)
{
	const enum pk_cfi_status status = value & 3;

	if (status)
		return (struct unwind_rule){.status = status};
	return (struct unwind_rule){PK_CFI_OK, &rules->rows[(value >> 2) - 1],
				    rules->sources[image->index].cfi};
}

/* Returns the index of the row in rules->rows. A new row is added. The caller has called
 * make_room(). */
static size_t share_row(struct unwind_rules *rules, const struct pk_cfi_row *row)
{
	const uint64_t hash = pk_hash(row, sizeof(*row), pk_table_secret(&rules->numbers));
	struct pk_probe probe = pk_table_probe(&rules->numbers, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe)))
		if (!memcmp(&rules->rows[number - 1], row, sizeof(*row)))
			return number - 1;
	rules->rows[rules->count++] = *row;
	pk_table_add(&rules->numbers, hash, rules->count);
	return rules->count - 1;
}

/* Reserves memory for one more address and one more row, so that adding them cannot fail. */
static bool make_room(struct unwind_rules *rules)
{
	if (rules->addresses.count == ADDRESSES_MAX || rules->count == ROWS_MAX)
		forget_rules(rules);
	if (pk_reserve(&rules->rows, &rules->capacity, rules->count, 1, sizeof(*rules->rows)) ==
		    PK_OK &&
	    pk_table_reserve(&rules->numbers, rules->numbers.count + 1) == PK_OK &&
	    pk_table_reserve(&rules->addresses, rules->addresses.count + 1) == PK_OK)
		return true;
	pk_failed(rules->failures, NULL, ENOMEM);
	return false;
}

static enum pk_cfi_status work_out(const struct source *source,
				   const struct pk_cfi_machine *machine, uint64_t offset,
				   uint64_t *work, struct pk_cfi_row *row)
{
	uint64_t address;

	if (source->cfi && source->jit)
		return pk_object_jit_row(source->jit, machine, offset, work, row);
	if (!source->cfi || !pk_unwind_address(source->info, offset, &address))
		return PK_CFI_NONE;
	return pk_cfi_find_within(source->cfi, address, work, row);
}

static struct unwind_rule find_new(struct unwind_rules *rules, const struct pk_cfi_machine *machine,
				   const struct pk_image *image, uint64_t address, uint64_t *work)
{
	const struct source *source = source_of(rules, machine, image);
	const uint64_t key = key_of(image, address);
	enum pk_cfi_status status;
	uint64_t value;

	if (!source || !make_room(rules))
		return (struct unwind_rule){.status = PK_CFI_NONE};
	status = work_out(source, machine, address, work, &rules->row);
	/* If the work limit was reached, the rule is not cached, because another sample may have a
	 * higher limit. */
	if (!*work || key == NO_KEY)
		return status ? (struct unwind_rule){.status = status}
			      : (struct unwind_rule){status, &rules->row, source->cfi};
	value = status ? status : (share_row(rules, &rules->row) + 1) << 2;
	pk_table_add(&rules->addresses, key, value);
	return rule_at(rules, image, value);
}

/* Returns the rule for an address. The address comes from pk_map_address(), and the image has code
 * of `machine`. If memory is exhausted, the status is PK_CFI_NONE, and the failure is counted in
 * rules->failures. The rule is valid until the next call. The cost of the lookup is subtracted from
 * *work, as in pk_cfi_find_within(). */
static struct unwind_rule unwind_rules_find(struct unwind_rules *rules,
					    const struct pk_cfi_machine *machine,
					    const struct pk_image *image, uint64_t address,
					    uint64_t *work)
{
	const uint64_t value = pk_table_get_u64(&rules->addresses, key_of(image, address));

	return pk_likely(value) ? rule_at(rules, image, value)
				: find_new(rules, machine, image, address, work);
}

/* ---- Unwinding ---- */

/* If an address is up to this number of bytes after the end of the stack dump, it is regarded as an
 * address in the same stack. */
#define STACK_SIZE_MAX (UINT64_C(1) << 28)

struct unwinder {
	const struct pk_session *session;
	struct unwind_rules *rules;
	struct utsname here;
	/* Another library that unwinds, or NULL. */
	const struct pk_second_unwinder *other;
	void *other_unwinder;
	struct pk_second_stack stack;	       /* data for the other library */
	struct unwind_interpreted interpreted; /* frames of the sample that is unwound */
};

struct unwinder *unwinder_new(struct resolver *resolver, const struct pk_second_unwinder *other,
			      struct pk_failures *failures)
{
	struct unwinder *unwinder = calloc(1, sizeof(*unwinder));

	if (unwinder)
		unwinder->rules = unwind_rules_new(resolver, failures);
	if (unwinder && other) {
		unwinder->other = other;
		unwinder->other_unwinder = other->open();
	}
	if (!unwinder || !unwinder->rules || (other && !unwinder->other_unwinder)) {
		unwinder_free(unwinder);
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
	if (unwinder->other_unwinder)
		unwinder->other->close(unwinder->other_unwinder);
	free(unwinder);
}

void unwinder_start_session(struct unwinder *unwinder, const struct pk_session *session)
{
	unwind_rules_forget(unwinder->rules);
	unwinder->session = session;
}

/* Limits for the work of one sample. A unit of work is one instruction of call frame information.
 * The limit grows with the size of the stack dump, and real programs stay below it. Without the
 * limit, a few bytes of malformed unwind information could describe an unlimited number of frames
 * with slow expressions. */
enum { WORK_MIN = 16 << 10, WORK_PER_BYTE = 16, WORK_OF_FRAME = 32 };

/* The state of unwinding one sample. */
struct walk {
	struct unwind_rules *rules;
	const struct pk_cfi_machine *machine;
	const struct pk_process *process;
	const struct pk_map *map; /* the map of the last address in code, or NULL */
	struct pk_memory memory;
	struct pk_frame_state state;
	struct unwound *result;
	struct interpreted_groups *groups; /* NULL if the sample has no frames of an interpreter */
	uint64_t work;			   /* the work that this sample may still cost */
	bool jit; /* true if the process has code of a jitdump, which can be inside other maps */
	bool interrupted; /* the pc is the address of an interrupted instruction, not a return
			   * address */
	bool goes_on;	  /* the stack may continue after the end of the dump */
	bool starts; /* the dump was recorded only to find the caller of a function that starts at
		      * the pc */
	bool each;   /* there is a sample for each execution of the code at the pc */
};

/* Returns the map that contains the address, or NULL if there is no code at the address. The
 * address space also has maps of data, such as the stack. */
static const struct pk_map *map_of(struct walk *walk, uint64_t address)
{
	const struct pk_map *map = walk->map;

	if (map && address >= map->start && address < map->end)
		return map;
	map = walk->jit ? pk_process_find(walk->process, address)
			: pk_space_find(walk->process->space, address);
	if (!map || !map->executable)
		return NULL;
	if (!walk->jit)
		walk->map = map;
	return map;
}

static struct unwind_rule rule_of(struct walk *walk, uint64_t address)
{
	const struct pk_map *map = map_of(walk, address), *from;

	from = map ? pk_moved_from(walk->process->space, map) : NULL;
	map = from ? from : map;
	return map ? unwind_rules_find(walk->rules, walk->machine, map->image,
				       pk_map_address(map, address), &walk->work)
		   : (struct unwind_rule){.status = PK_CFI_NONE};
}

/* True if the address is in an executable map, but the file has no code there. */
static bool is_data(struct walk *walk, uint64_t address)
{
	const struct pk_map *map = map_of(walk, address);
	const struct source *source = map && !pk_moved_from(walk->process->space, map)
					      ? source_of(walk->rules, walk->machine, map->image)
					      : NULL;

	return source && source->info &&
	       pk_unwind_is_data(source->info, pk_map_address(map, address));
}

/* Returns true if the caller's stack pointer is valid. The stack grows downwards, so the caller's
 * stack pointer must be larger than the callee's. It may be equal if the callee was interrupted
 * before it had a frame on the stack. */
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

/* Sets the pc to the link register. This is for a function without unwind information, such as a
 * PLT entry or a function of the vDSO. Until the function calls another function, the link register
 * contains an address in the caller. After such a call, it contains an address in the function
 * itself. Returns true if the address is in another function. */
static bool use_link_register(struct walk *walk)
{
	const struct pk_map *map = map_of(walk, walk->state.pc);
	const uint64_t pc = walk->state.value[walk->machine->link] & walk->machine->pc_mask;
	const bool elsewhere = map && (pc < map->start || pc >= map->end ||
				       unwind_rules_differ(walk->rules, map->image,
							   pk_map_address(map, walk->state.pc),
							   pk_map_address(map, pc)));

	walk->state.pc = pc;
	return elsewhere;
}

/* Goes to the caller by the link register. This is for a function without unwind information that
 * has not called another function. */
static bool step_by_link_register(struct walk *walk)
{
	const struct pk_frame_state before = walk->state;
	const uint8_t link = walk->machine->link;

	if (!link || !(before.known >> link & 1) || !use_link_register(walk) ||
	    !map_of(walk, walk->state.pc - 1)) {
		walk->state = before;
		return false;
	}
	walk->state.known &= ~(UINT64_C(1) << link);
	walk->interrupted = false;
	walk->result->flags |= PK_CHAIN_FRAME_POINTER;
	return true;
}

/* Goes to the caller of a function on x86 that has no unwind information and was interrupted at its
 * first instruction. There, the frame pointer is still that of the caller. Only samples of probes
 * are tried, because other samples are rarely at a first instruction. */
static bool step_by_return_word(struct walk *walk)
{
	const struct pk_frame_state before = walk->state;
	const struct pk_map *map = walk->each ? map_of(walk, before.pc) : NULL;
	const uint64_t address = map ? pk_map_address(map, before.pc) : 0;
	struct pk_symbol symbol;

	if (!map || !symbol_at(walk->rules, map->image, address, &symbol) ||
	    symbol.start != address ||
	    pk_return_word_step(walk->machine, &walk->memory, &walk->state) ||
	    !map_of(walk, walk->state.pc - 1)) {
		walk->state = before;
		return false;
	}
	walk->interrupted = false;
	walk->result->flags |= PK_CHAIN_FRAME_POINTER;
	return true;
}

/* Goes to the caller by the frame pointer, for a function without unwind information. The return
 * address must be in code. */
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
	const bool signal_frame = rule->row->signal_frame;
	enum pk_cfi_status status = pk_cfi_step(rule->cfi, rule->row, &walk->memory, &walk->state);

	if (status)
		return stop(walk, status);
	if (!signal_frame && !is_plausible(walk, pc, stack))
		return stop(walk, PK_CFI_BAD);
	walk->interrupted = signal_frame;
	if (!walk->state.pc)
		return false;
	return map_of(walk, walk->state.pc - !signal_frame) || stop(walk, PK_CFI_NONE);
}

/* Goes to the caller. `rule` is the rule of the current frame. Returns false if there is no caller
 * or the caller is unknown. */
static bool step_out(struct walk *walk, const struct unwind_rule *rule)
{
	if (rule->status == PK_CFI_OK)
		return step_by_rule(walk, rule);
	if (rule->status == PK_CFI_BAD)
		return stop(walk, PK_CFI_BAD);
	return (walk->interrupted && (step_by_link_register(walk) || step_by_return_word(walk))) ||
	       step_by_frame_pointer(walk);
}

/* Adds the address of the current frame to the result, and goes to the caller. Returns false if
 * there is no caller or the caller is unknown. */
static bool step(struct walk *walk)
{
	const uint64_t pc = walk->state.pc, in_call = pc - !walk->interrupted;
	const uint64_t low = walk->state.value[walk->machine->stack];
	const struct unwind_rule rule = rule_of(walk, in_call);
	const bool known = rule.status == PK_CFI_OK;
	const bool exact = walk->interrupted || (known && rule.row->signal_frame);
	struct unwound *result = walk->result;

	if (!known && !walk->interrupted && is_data(walk, in_call))
		return stop(walk, PK_CFI_NONE);
	result->ips[result->count++] = exact ? pc : in_call;
	if (result->count == UNWIND_FRAMES_MAX || walk->work <= WORK_OF_FRAME)
		return stop(walk, PK_CFI_BAD);
	walk->work -= WORK_OF_FRAME;
	if (!step_out(walk, &rule))
		return false;
	if (walk->groups && interpreted_expects(walk->groups))
		result->ips[result->count - 1] |= interpreted_mark(
			walk->groups, in_call, low, walk->state.value[walk->machine->stack]);
	return true;
}

/* Adds the frames of an interpreter to the native frames. In a fiber, the outermost native frame
 * has no caller, but has the rule of a frame with a caller. */
static void join_interpreted(struct unwind_interpreted *interpreted, struct unwound *unwound)
{
	const uint32_t missing = unwound->flags & PK_CHAIN_MISSING;
	const bool in_fiber = interpreted->groups.places.evaluator_size;

	unwound->count =
		unwind_interpreted_join(interpreted, unwound->ips, unwound->count, UNWIND_IPS_MAX,
					!missing || (in_fiber && missing == PK_CHAIN_NO_MEMORY));
	if (interpreted->groups.torn)
		unwound->flags |= PK_CHAIN_TORN;
}

/* ---- Unwinding by another library ---- */

static bool find_module(void *arg, uint64_t address, struct pk_second_module *module)
{
	struct walk *walk = arg;
	const struct pk_map *map = map_of(walk, address);
	const struct source *source =
		map ? source_of(walk->rules, walk->machine, map->image) : NULL;
	uint64_t in_file;

	if (!source || !source->info ||
	    !pk_unwind_address(source->info, pk_map_address(map, address), &in_file))
		return false;
	*module = (struct pk_second_module){source->info, address - in_file, map->start, map->end};
	return true;
}

static void unwind_by_other(struct unwinder *unwinder, struct walk *walk)
{
	struct pk_second_stack *stack = &unwinder->stack;
	struct unwound *result = walk->result;

	stack->machine = walk->machine;
	stack->state = walk->state;
	stack->memory = walk->memory;
	stack->space = walk->process->space;
	stack->find = find_module;
	stack->arg = walk;
	stack->count = 0;
	stack->complete = stack->faulted = false;
	unwinder->other->unwind(unwinder->other_unwinder, stack);
	for (size_t i = 0; i < stack->count; i++)
		result->ips[result->count++] = stack->frames[i].pc - !stack->frames[i].exact;
	if (!result->count)
		result->ips[result->count++] = walk->state.pc;
	walk->memory.fault = stack->memory.fault;
	if (stack->faulted)
		stop(walk, PK_CFI_MEMORY);
	else if (!stack->complete)
		stop(walk, PK_CFI_NONE);
}

static const struct pk_cfi_machine *machine_of(const struct unwinder *unwinder, uint64_t abi)
{
	const char *name = pk_session_machine(unwinder->session)->machine;

	/* If the stream does not name its machine, assume the machine of this host. */
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
		.process = thread->process,
		.jit = thread->process->code,
		.result = unwound,
		.work = WORK_MIN + WORK_PER_BYTE * stack->size,
		.interrupted = true,
		.each = attr->sample_period == 1 && !(attr->flags & PERF_ATTR_FREQ),
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
	/* In the record, the number of valid bytes follows the dump. If all bytes of the dump are
	 * valid, the stack may be larger than the dump. */
	walk.goes_on = !stack->data || stack->data + stack->size + 8 == sample->user_end;
	if (unwind_interpreted_read(&unwinder->interpreted, &sample->callchain))
		walk.groups = &unwinder->interpreted.groups;
	pc = walk.state.pc;
	if (unwinder->other)
		unwind_by_other(unwinder, &walk);
	else
		while (step(&walk))
			;
	if (walk.groups)
		join_interpreted(&unwinder->interpreted, unwound);
	/* During an exec, the registers are still those of the previous program, so the result is
	 * dropped. */
	if (in_kernel && unwound->count == 1 && !map_of(&walk, pc)) {
		unwound->count = 0;
		unwound->flags = PK_CHAIN_NO_CFI;
	}
}

/* ---- Callers that are missing in callchains of frame pointers ---- */

/* Returns the index of the first user address in the callchain. It follows the marker
 * PERF_CONTEXT_USER. Returns callchain->count if there is no such marker. */
static uint64_t unwind_user_part(const struct pk_u64s *callchain)
{
	for (uint64_t i = 0; i < callchain->count; i++)
		if (pk_u64s_at(callchain, i) == PERF_CONTEXT_USER)
			return i + 1;
	return callchain->count;
}

/* Finds the caller of the function at walk->state.pc. The return address is in the link register or
 * in the stack dump. The call frame information tells where it is. Returns false if the caller is
 * unknown. */
static bool find_caller(struct walk *walk)
{
	const struct unwind_rule rule = rule_of(walk, walk->state.pc);
	bool found = false;

	if (rule.status == PK_CFI_OK)
		found = !pk_cfi_step(rule.cfi, rule.row, &walk->memory, &walk->state);
	else if (rule.status == PK_CFI_NONE && walk->machine->link)
		found = use_link_register(walk);
	else if (rule.status == PK_CFI_NONE && walk->starts) /* even if the file was not found */
		found = !pk_return_word_step(walk->machine, &walk->memory, &walk->state);
	return found && walk->state.pc && map_of(walk, walk->state.pc - 1);
}

static bool can_lack_caller(const struct pk_cfi_machine *machine)
{
	return machine->elf_machine == EM_AARCH64 || machine->elf_machine == EM_X86_64;
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
	const uint64_t abi = registers->abi ? registers->abi : PERF_SAMPLE_REGS_ABI_64;
	struct walk walk = {
		.rules = unwinder->rules,
		.machine = machine_of(unwinder, abi),
		.process = thread->process,
		.jit = thread->process->code,
		.work = WORK_MIN,
		.starts = pk_is_only_for_caller(attr),
	};
	uint64_t next = 0;

	unwound->count = 0;
	unwound->flags = sample->chain_flags;
	unwound->changed = false;
	unwound->supported = true;
	if (!walk.machine || !can_lack_caller(walk.machine) || at >= chain->count ||
	    chain->count - at >= UNWIND_IPS_MAX)
		return;
	pk_frame_load(walk.machine, attr->sample_regs_user, registers->values.data,
		      registers->values.count, &walk.state);
	walk.state.pc = pk_u64s_at(chain, at);
	/* The value of the stack pointer is not known. It is only used to calculate the CFA and the
	 * place of an address in the dump. So any value is right, if the dump starts at this value.
	 */
	walk.memory = (struct pk_memory){sample->user_stack.data, 0, sample->user_stack.size, 0,
					 &walk.work};
	walk.state.value[walk.machine->stack] = 0;
	walk.state.known |= UINT64_C(1) << walk.machine->stack;
	if (at + 1 < chain->count)
		next = pk_u64s_at(chain, at + 1);
	/* Nothing is added if the callchain already contains the caller. This is the case if the
	 * input is an output of pk-unwind. It is also the case if Linux 6.12 or later has added the
	 * caller, because it has seen that the function sets up its frame next. */
	if (!find_caller(&walk) || next == walk.state.pc - 1 ||
	    (!walk.machine->link && next == walk.state.pc))
		return;
	unwound->changed = true;
	unwound->ips[unwound->count++] = pk_u64s_at(chain, at);
	unwound->ips[unwound->count++] = walk.state.pc - 1;
	copy_ips(unwound, chain, at + 1);
}

/* ---- Branches ---- */

/* The processor's call stack (LBR) has the calls that have not returned, the last call first. It
 * becomes the user part of the callchain. The kernel part does not change.
 *
 * The first address of the user part is the user's pc. If the sample was taken in the kernel, the
 * ip of the sample is a kernel address. Then the pc is the first user address of the callchain.
 * Otherwise, the pc is the ip of the sample. With PEBS, the ip and the call stack belong to the
 * same instruction. The first address of the callchain is slightly later. */
void unwind_branches(const struct pk_sample *sample, bool in_kernel, struct unwound *unwound)
{
	const struct pk_u64s *chain = &sample->callchain;
	const uint64_t at = unwind_user_part(chain);

	unwound->count = 0;
	unwound->flags = sample->chain_flags;
	unwound->changed = false;
	unwound->supported = true;
	if (at >= chain->count || !sample->branches.count)
		return;
	unwound->changed = true;
	unwound->ips[unwound->count++] = in_kernel ? pk_u64s_at(chain, at) : sample->ip;
	for (uint64_t i = 0; i < sample->branches.count && unwound->count < UNWIND_IPS_MAX; i++) {
		const uint64_t from = pk_u64s_at(&sample->branches, 3 * i);

		if (!from)
			break;
		/* The result is an address in the call instruction, like other callers of a
		 * callchain. Readers subtract 1 before they look the address up. */
		unwound->ips[unwound->count++] = from + 1;
	}
}
