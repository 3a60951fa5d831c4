// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lookups.h"
#include "own_sample.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "procfs.h"
#include "raw_format.h"
#include "register_mask.h"
#include "snapshot_event.h"

#define NAME	  "snapshot"
#define FORMAT_ID 65535u /* id of the format; the ids of the kernel start at 1 */

/* The raw bytes of a sample. */
struct raw {
	struct pk_common_fields common;
	int64_t id;		       /* number of the system call, or -1 */
	uint64_t args[CALL_ARGUMENTS]; /* arguments of the system call */
	uint64_t pause;		       /* how long the thread was stopped, in ns */
	char state[2], call[30], wchan[48];
	uint8_t padding[4];
};

/* The size of the raw bytes of a sample. The raw bytes and the size of 4 bytes before them must end
 * at a multiple of 8 bytes. */
#define RAW_SIZE (offsetof(struct raw, padding) + 4)
_Static_assert((RAW_SIZE + sizeof(uint32_t)) % 8 == 0, "raw data must end at a word");

static enum pk_abi abi_of_calls(void)
{
	return pk_abi_of(pk_procfs_session_info(pk_lookups()).e_machine, false);
}

/* ---- The event ---- */

static char *make_format(void)
{
	struct pk_raw_layout layout = {.size = RAW_SIZE - sizeof(struct pk_common_fields)};

#define FIELD(member, ...)                                                                         \
	pk_raw_layout_add(&layout, #member,                                                        \
			  &(struct pk_raw_field){.offset = offsetof(struct raw, member) -          \
							   sizeof(struct pk_common_fields),        \
						 __VA_ARGS__})
	FIELD(id, .kind = PK_RAW_SIGNED, .size = 8);
	FIELD(args, .size = 8, .count = CALL_ARGUMENTS);
	FIELD(pause, .size = 8);
	FIELD(state, .kind = PK_RAW_TEXT, .size = 1, .count = sizeof(((struct raw *)0)->state));
	FIELD(call, .kind = PK_RAW_TEXT, .size = 1, .count = sizeof(((struct raw *)0)->call));
	FIELD(wchan, .kind = PK_RAW_TEXT, .size = 1, .count = sizeof(((struct raw *)0)->wchan));
#undef FIELD
	return pk_raw_format_text(&layout, NAME, FORMAT_ID, abi_of_calls());
}

enum pk_status snapshot_event_add(struct event_list *events, uint32_t stack)
{
	struct event *event = own_event_add(events, "pk", NAME, FORMAT_ID, make_format());

	if (!event)
		return PK_NOMEM;
	event->attr.sample_type |=
		PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	event->attr.flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
	event->attr.sample_regs_user = registers_all();
	event->attr.sample_stack_user = stack;
	return PK_OK;
}

/* ---- Samples ---- */

static void fill_raw(struct raw *raw, const struct snapshot *snapshot)
{
	const struct thread_state *state = snapshot->state;
	const char *name =
		state->call >= 0 ? pk_syscall_name(abi_of_calls(), (uint64_t)state->call) : NULL;

	*raw = (struct raw){.common = {.type = FORMAT_ID, .pid = (uint32_t)snapshot->tid},
			    .id = state->call,
			    .pause = snapshot->pause,
			    .state = {state->state}};
	memcpy(raw->args, state->args, sizeof(raw->args));
	if (name)
		memcpy(raw->call, name, strnlen(name, sizeof(raw->call) - 1));
	memcpy(raw->wchan, state->wait_channel,
	       strnlen(state->wait_channel, sizeof(raw->wchan) - 1));
}

/* The stack is cut if it does not fit into the sample together with the callchain. */
static struct own_user user_of(const struct thread_stack *stack, const struct own_chain *chain)
{
	const size_t room = SNAPSHOT_STACK_MAX - chain->user_size;

	if (!stack)
		return (struct own_user){0};
	return (struct own_user){.registers = stack->registers,
				 .register_count = (size_t)__builtin_popcountll(registers_all()),
				 .stack = stack->dump,
				 .stack_size = stack->size < room ? stack->size : room};
}

void snapshot_event_write(const struct event *event, const struct snapshot *snapshot,
			  struct pk_writer *writer)
{
	const struct thread_stack *stack = snapshot->stack;
	const struct own_chain chain = {.kernel = snapshot->kernel,
					.kernel_size = snapshot->kernel_count * sizeof(uint64_t),
					.user = snapshot->interpreted,
					.user_size =
						snapshot->interpreted_count * sizeof(uint64_t)};
	const bool in_kernel = snapshot->kernel_count;
	const struct own_sample sample = {.misc = in_kernel ? PERF_RECORD_MISC_KERNEL
							    : PERF_RECORD_MISC_USER,
					  .ip = in_kernel ? snapshot->kernel[0]
						: stack	  ? stack->pc
							  : 0,
					  .pid = (uint32_t)snapshot->pid,
					  .tid = (uint32_t)snapshot->tid,
					  .cpu = snapshot->state->cpu,
					  .time = snapshot->time,
					  .period = snapshot->period};
	const struct own_user user = user_of(stack, &chain);
	struct raw raw;
	uint8_t *p = own_sample_append(writer, event, 0, &sample,
				       own_chain_size(&chain) + sizeof(uint32_t) + RAW_SIZE +
					       own_user_size(&user));

	if (!p)
		return;
	fill_raw(&raw, snapshot);
	p = own_chain_put(&chain, p);
	pk_store_u32(p, RAW_SIZE);
	memcpy(p + sizeof(uint32_t), &raw, RAW_SIZE);
	own_user_put(&user, p + sizeof(uint32_t) + RAW_SIZE);
}
