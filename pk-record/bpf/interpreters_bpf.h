/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_INTERPRETERS_BPF_H
#define PK_RECORD_BPF_INTERPRETERS_BPF_H

#include "interpreted_bpf.h"
#include "interpreters_walk.h"

/* Reads the frames that the interpreter has of the current thread. */
__attribute__((noinline)) int pk_unwind_interpreted(struct interpreted_walk *p)
{
	const struct interpreter_offsets *offsets;
	uint32_t layout;

	if (!p)
		return 0;
	layout = p->layout - 1;
	p->layout = 0;
	offsets = bpf_map_lookup_elem(&layouts, &layout);
	if (!offsets)
		return 0;
	p->offsets = *offsets;
	interpreters_read(p);
	return 0;
}

#endif
