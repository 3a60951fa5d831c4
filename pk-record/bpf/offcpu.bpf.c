// SPDX-License-Identifier: BSD-2-Clause
/* The BPF programs of --off-cpu that get user stacks from the kernel, which follows frame pointers.
 */
#include <linux/bpf.h>

#include "license.h"
#include "offcpu_block.h"

const volatile struct offcpu_settings settings;

#define OFFCPU_SETTINGS settings
#include "offcpu_programs.h"

static long user_stack(void *event, struct offcpu_block *block, uint64_t now)
{
	const long size =
		bpf_get_stack(event, block->addresses, settings.stack_size, BPF_F_USER_STACK);

	(void)now;
	return size ? size : -1;
}

static long waker_user_stack(void *context, struct offcpu_waker *waker)
{
	return bpf_get_stack(context, waker->addresses, settings.stack_size, BPF_F_USER_STACK);
}
