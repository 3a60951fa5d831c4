// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "stack_walk.h"
#include "wait_kind.h"

/* The functions of the kernel whose names start with a text, and what a thread in them waits for.
 * If a stack has functions of several kinds, the kind that comes first in the enumeration counts.
 */
struct known {
	const char *start;
	enum pk_wait_kind kind;
};

static const struct known sleeping[] = {
	{"exc_page_fault", PK_WAIT_FAULT},
	{"asm_exc_page_fault", PK_WAIT_FAULT},
	{"do_user_addr_fault", PK_WAIT_FAULT},
	{"do_page_fault", PK_WAIT_FAULT},
	{"do_mem_abort", PK_WAIT_FAULT},
	{"do_futex", PK_WAIT_FUTEX},
	{"futex_", PK_WAIT_FUTEX},
	{"__futex_", PK_WAIT_FUTEX},
	{"do_wait", PK_WAIT_CHILD},
	{"__do_wait", PK_WAIT_CHILD},
	{"kernel_wait", PK_WAIT_CHILD},
	{"do_nanosleep", PK_WAIT_TIMER},
	{"hrtimer_nanosleep", PK_WAIT_TIMER},
	{"common_nsleep", PK_WAIT_TIMER},
	{"pipe_", PK_WAIT_PIPE},
	{"anon_pipe_", PK_WAIT_PIPE},
	{"fifo_", PK_WAIT_PIPE},
	{"sk_wait_data", PK_WAIT_NETWORK},
	{"sk_stream_wait", PK_WAIT_NETWORK},
	{"__skb_wait_for", PK_WAIT_NETWORK},
	{"inet_", PK_WAIT_NETWORK},
	{"tcp_", PK_WAIT_NETWORK},
	{"udp_", PK_WAIT_NETWORK},
	{"unix_", PK_WAIT_NETWORK},
	{"sock_", PK_WAIT_NETWORK},
	{"ep_poll", PK_WAIT_POLL},
	{"do_epoll", PK_WAIT_POLL},
	{"do_sys_poll", PK_WAIT_POLL},
	{"do_poll", PK_WAIT_POLL},
	{"do_select", PK_WAIT_POLL},
	{"io_cqring_wait", PK_WAIT_URING},
	{"io_schedule", PK_WAIT_DISK},
	{"folio_wait", PK_WAIT_DISK},
	{"wait_on_page", PK_WAIT_DISK},
	{"submit_bio_wait", PK_WAIT_DISK},
	{"blk_", PK_WAIT_DISK},
	{"jbd2_", PK_WAIT_DISK},
	{"ext4_", PK_WAIT_DISK},
	{"xfs_", PK_WAIT_DISK},
	{"btrfs_", PK_WAIT_DISK},
	{"do_sigtimedwait", PK_WAIT_SIGNAL},
	{"sigsuspend", PK_WAIT_SIGNAL},
	{"__do_sys_pause", PK_WAIT_SIGNAL},
	{"worker_thread", PK_WAIT_WORK},
	{"rescuer_thread", PK_WAIT_WORK},
	{"smpboot_thread_fn", PK_WAIT_WORK},
	{"irq_thread", PK_WAIT_WORK},
	{"io_wq_worker", PK_WAIT_WORK},
};

static const struct known interrupting[] = {
	{"hrtimer_", PK_WAIT_TIMER},
	{"__hrtimer_", PK_WAIT_TIMER},
	{"process_timeout", PK_WAIT_TIMER},
	{"call_timer_fn", PK_WAIT_TIMER},
	{"run_timer_", PK_WAIT_TIMER},
	{"net_rx_action", PK_WAIT_NETWORK},
	{"__napi_", PK_WAIT_NETWORK},
	{"tcp_", PK_WAIT_NETWORK},
	{"blk_", PK_WAIT_DISK},
	{"bio_", PK_WAIT_DISK},
	{"nvme_", PK_WAIT_DISK},
	{"virtblk_", PK_WAIT_DISK},
	{"scsi_", PK_WAIT_DISK},
};

/* Functions that the kernel only calls for an interrupt. */
static const struct known entries[] = {
	{"asm_sysvec_", PK_WAIT_NONE},	    {"sysvec_", PK_WAIT_NONE},
	{"__sysvec_", PK_WAIT_NONE},	    {"asm_common_interrupt", PK_WAIT_NONE},
	{"common_interrupt", PK_WAIT_NONE}, {"irq_exit", PK_WAIT_NONE},
	{"__irq_exit", PK_WAIT_NONE},	    {"el1_interrupt", PK_WAIT_NONE},
	{"el0_interrupt", PK_WAIT_NONE},    {"handle_irq", PK_WAIT_NONE},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *pk_wait_name(enum pk_wait_kind kind)
{
	static const char *const names[PK_WAIT_KINDS] = {
		"run",	   "cpu",  "blocked",  "fault", "futex",  "child", "timer", "pipe",
		"network", "poll", "io_uring", "disk",	"signal", "work",  "ended"};

	return names[kind];
}

/* Returns the first entry of the table that matches the name, or NULL. */
static const struct known *find(const struct known *table, size_t count, const char *name,
				size_t size)
{
	for (size_t i = 0; i < count; i++) {
		const size_t length = strlen(table[i].start);

		if (length <= size && !memcmp(table[i].start, name, length))
			return &table[i];
	}
	return NULL;
}

/* Returns the smallest kind that a frame of the kernel has in the table, or PK_WAIT_KINDS. */
static enum pk_wait_kind search(const struct pk_dictionary *dictionary, uint32_t stack,
				const struct known *table, size_t count)
{
	struct pk_stack_walk walk = pk_stack_walk(dictionary, stack);
	enum pk_wait_kind kind = PK_WAIT_KINDS;

	while (pk_stack_next(&walk)) {
		const struct known *known;
		const char *name;
		size_t size;

		if (walk.kind != PK_FRAME_IS_CODE || !(walk.frame->flags & PK_FRAME_KERNEL))
			continue;
		name = pk_dictionary_get_string(dictionary, walk.frame->function, &size);
		known = name ? find(table, count, name, size) : NULL;
		if (known && known->kind < kind)
			kind = known->kind;
	}
	return kind;
}

enum pk_wait_kind pk_wait_of_sleeper(const struct pk_dictionary *dictionary, uint32_t stack)
{
	const enum pk_wait_kind kind = search(dictionary, stack, sleeping, COUNT(sleeping));

	return kind == PK_WAIT_KINDS ? PK_WAIT_UNKNOWN : kind;
}

bool pk_wait_of_interrupt(const struct pk_dictionary *dictionary, uint32_t stack,
			  enum pk_wait_kind *kind)
{
	*kind = search(dictionary, stack, interrupting, COUNT(interrupting));
	if (*kind == PK_WAIT_KINDS)
		*kind = PK_WAIT_UNKNOWN;
	return search(dictionary, stack, entries, COUNT(entries)) != PK_WAIT_KINDS;
}
