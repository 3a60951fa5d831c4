/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_UNWIND_OFFCPU_H
#define PK_RECORD_BPF_UNWIND_OFFCPU_H

/* The user stacks of --off-cpu with --call-graph unwind. unwind.bpf.c includes this file after the
 * functions that unwind. */

static long user_stack(void *event, struct offcpu_block *block, uint64_t now)
{
	const uint32_t first = 0;
	struct scratch *s = bpf_map_lookup_elem(&scratches, &first);
	uint32_t size;

	if (!s)
		return -1;
	start_half(s, now);
	if (!start_at_entry(s))
		return -1;
	make_half(s, 1);
	block->dump = 0;
	if (s->end & UNWIND_DUMP) {
		block->end = s->end;
		block->dump = now;
		write(s, event, &block_outputs);
		return 0;
	}
	size = s->half.count * sizeof(uint64_t);
	if (size > settings.off_cpu.stack_size && s->interpreted.found.marks) {
		size = settings.off_cpu.stack_size;
		s->end |= UNWIND_WORDS_CUT;
	}
	block->end = s->end;
	if (size > settings.off_cpu.stack_size || size > sizeof(s->half.addresses))
		return -1;
	bpf_probe_read_kernel(block->addresses, size, s->half.addresses);
	return size;
}

/* Unwinds the stack in the current memory. Returns its size in bytes, or -1 if tables are missing.
 */
static long unwind_waker(struct scratch *s, struct offcpu_waker *waker)
{
	uint32_t size;

	start_half(s, 0);
	if (!start_at_entry(s))
		return -1;
	make_half(s, 1);
	size = s->half.count * sizeof(uint64_t);
	if (s->end & UNWIND_DUMP || size > settings.off_cpu.stack_size ||
	    size > sizeof(s->half.addresses))
		return -1;
	bpf_probe_read_kernel(waker->addresses, size, s->half.addresses);
	return size;
}

/* The program can interrupt the other programs of --off-cpu, so it needs memory of its own. If
 * tables are missing, the stack is found by frame pointers. */
static long waker_user_stack(void *context, struct offcpu_waker *waker)
{
	struct scratch *s = is_observed() ? reserve() : NULL;
	long size = -1;

	if (s) {
		size = unwind_waker(s, waker);
		__sync_lock_test_and_set(&s->busy, 0);
	}
	return size >= 0 ? size
			 : bpf_get_stack(context, waker->addresses, settings.off_cpu.stack_size,
					 BPF_F_USER_STACK);
}

#endif
