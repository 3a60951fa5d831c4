/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_INTERPRETERS_BPF_H
#define PK_RECORD_BPF_INTERPRETERS_BPF_H

/* All interpreters whose frames are read. */

#include "interpreted_bpf.h"
#include "python_bpf.h"
#include "ruby_bpf.h"

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
	if (offsets->kind == INTERPRETER_RUBY)
		ruby_read(p);
	else
		python_read(p);
	return 0;
}

#endif
