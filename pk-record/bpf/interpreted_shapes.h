/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_INTERPRETED_SHAPES_H
#define PK_RECORD_BPF_INTERPRETED_SHAPES_H

/* Structures of frames of interpreted programs, which the BPF programs of --call-graph unwind share
 * with pk-record. */

#include <stdint.h>

#include "interpreted_groups.h"

/* ---- How interpreters store their frames ---- */

#define INTERPRETED_PROCESSES_MAX 4096u
#define INTERPRETER_LAYOUTS_MAX	  64u

#define PYTHON_OWNER_SHIM 3u /* frames with this or a higher `owner` are marks (shims) */

/* The layout of one version of CPython: offsets of members in its structures, in bytes. */
struct python_offsets {
	/* Members of _PyRuntime: the first interpreter, and the thread state that holds the lock
	 * (GIL). `holder` is 0 if each interpreter has its own lock. */
	uint32_t interpreters, holder;
	/* Members of an interpreter: the next interpreter, its first thread state, and a pointer to
	 * its lock. `lock` is used if `holder` is 0. */
	uint32_t interpreter_next, threads, lock;
	uint32_t stamp; /* The stamp of an interpreter. It is a number that changes when a code
			   object is created or freed. The offset is 0 if the interpreter has no
			   stamp. */
	uint32_t lock_holder; /* Member of the lock: the thread state that holds the lock. */
	/* Members of a thread state. `frame` is the innermost frame. `evaluation` is the structure
	 * of the innermost evaluation, which points to the innermost frame. If `evaluation` is 0,
	 * the thread state points to the frame itself. */
	uint32_t thread_next, thread_id, frame, evaluation;
	/* Members of the structure of an evaluation: its innermost frame, and the structure of the
	 * evaluation that has called it. */
	uint32_t evaluation_frame, evaluation_previous;
	/* Members of a frame: its code object, the frame of its caller, its current instruction,
	 * and its owner. */
	uint32_t code, previous, instruction, owner;
	uint32_t is_entry; /* Member of a frame. The byte is 1 in the first frame of an evaluation.
			      The offset is 0 if evaluations start with a shim. */
	/* Member of a code object: the first instruction. It is a part of the object, not a
	 * pointer. If `instructions` is 0, the member `instruction` of a frame is not an address,
	 * but the index of the instruction, in 4 bytes. */
	uint32_t instructions;
	uint32_t frame_size; /* number of bytes that are read of each frame */
	/* If it is not 0, each frame has an evaluation of its own. If `evaluation` is 0, too, the
	 * evaluation has no structure, and its native frame is found by its address. */
	uint32_t single;
	/* Member of a thread state, if `single` and `evaluation` are not 0: the outermost structure
	 * of evaluations, which belongs to no evaluation. */
	uint32_t root;
};

/* The layout of one version of Ruby. Its other offsets are the same in all versions. */
struct ruby_offsets {
	uint32_t frame_size; /* size of a control frame, in bytes */
};

enum interpreter_kind { INTERPRETER_PYTHON, INTERPRETER_RUBY, INTERPRETER_PHP, INTERPRETERS };

/* The layout of one version of an interpreter. PHP has none, because the offsets in its frames are
 * the same in all versions. The map `layouts` has the layouts. */
struct interpreter_offsets {
	uint32_t kind; /* enum interpreter_kind */
	union {
		struct python_offsets python;
		struct ruby_offsets ruby;
	};
};

/* A process that has an interpreter. It is the value in the map `interpreted`, in which the key is
 * the pid (tgid). The map keeps the processes in which frames of interpreters were found most
 * recently. */
struct interpreted_process {
	uint32_t object; /* number that identifies the file of the interpreter */
	uint32_t parent; /* pid of the process that has forked this process; 0 if it is unknown or
			    this process has called exec */
	uint64_t woken;	 /* the last time when pk-record was woken because of this process, in ns of
			    CLOCK_MONOTONIC */
	uint64_t stamp_at; /* the address of the interpreter's stamp; 0 if the process has no stamp,
			      or several interpreters */
};

/* If a process has frames of an interpreter, pk-record is woken to read code objects at most once
 * in this time, in ns. */
#define INTERPRETED_WAKE_NS UINT64_C(10000000)

#endif
