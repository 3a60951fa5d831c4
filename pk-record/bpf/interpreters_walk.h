/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_INTERPRETERS_WALK_H
#define PK_RECORD_BPF_INTERPRETERS_WALK_H

/* All interpreters whose frames are read. Before this header, define what interpreted_walk.h needs.
 */

#include "php_bpf.h"
#include "python_bpf.h"
#include "ruby_bpf.h"

/* Reads the frames that the interpreter has of the thread. */
static void interpreters_read(struct interpreted_walk *p)
{
	switch (p->offsets.kind) {
	case INTERPRETER_RUBY: ruby_read(p); break;
	case INTERPRETER_PHP: php_read(p); break;
	default: python_read(p); break;
	}
}

#endif
