/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_PYTHON_SHAPES_H
#define PK_RECORD_BPF_PYTHON_SHAPES_H

/* What the BPF programs of --call-graph unwind and pk-record share about interpreted frames. */

#include <stdint.h>

/* ---- Where an interpreter has its frames ---- */

#define PYTHON_PROCESSES_MAX 4096u
#define PYTHON_LAYOUTS_MAX   64u

#define PYTHON_FRAME_SIZE 80u /* bytes of a frame that are read */
#define PYTHON_OWNER_SHIM 3u  /* from this owner on, a frame is in the stack of the evaluation */

/* A layout of CPython: offsets in its structures, in bytes. The map `layouts` has them. */
struct python_offsets {
	/* In _PyRuntime: the first interpreter, and the thread that holds the lock (GIL). */
	uint32_t interpreters, holder;
	/* In an interpreter: the next one, its first thread, and its lock, if holder is 0. */
	uint32_t interpreter_next, threads, lock;
	uint32_t stamp; /* in an interpreter: a number that changes when a code object is made, or
			 * when one is freed; 0: it has none */
	uint32_t lock_holder; /* in the lock: the thread that holds it */
	/* In a thread. frame: its innermost frame. evaluation: the structure in the stack of the
	 * innermost evaluation that has this frame; 0: the thread has it itself. */
	uint32_t thread_next, thread_id, frame, evaluation;
	/* In the structure of an evaluation. */
	uint32_t evaluation_frame, evaluation_previous;
	/* In a frame. */
	uint32_t code, previous, instruction, owner;
	uint32_t is_entry; /* a byte, 1: the first frame of its evaluation; 0: shims are before it
			    */
	/* In a code object: its first instruction. */
	uint32_t instructions;
};

/* The value of a process (tgid) in the map `pythons`: the last ones with frames of Python. */
struct python_process {
	uint32_t object;   /* number of the file with the interpreter */
	uint32_t parent;   /* process that has forked this one, which has not called exec; or 0 */
	uint64_t woken;	   /* when pk-record was last woken because of this process, ns */
	uint64_t stamp_at; /* the address of its stamp; 0: it has none, or several */
};

/* ---- Frames ---- */

/* A frame of Python is a number among the addresses of a half: bits 62 and 63 are 1 and 0, 43 bits
 * are those of the address of its code object, which is a multiple of 16, and the rest is the index
 * of its instruction, in units of 2 bytes. */
#define PYTHON_WORD	  (UINT64_C(1) << 62)
#define PYTHON_WORD_MASK  (UINT64_C(3) << 62)
#define PYTHON_INDEX_BITS 19
#define PYTHON_INDEX_NONE ((UINT64_C(1) << PYTHON_INDEX_BITS) - 1) /* unknown */
#define PYTHON_CODE_MAX	  (UINT64_C(1) << 47)

/* The word of frames that could not be read, or do not belong to the native stack. */
#define PYTHON_TORN PYTHON_WORD

/* pk-record reads the code objects of new words at least so often, ns. */
#define PYTHON_WAKE_NS UINT64_C(10000000)

static inline int python_is_word(uint64_t address)
{
	return (address & PYTHON_WORD_MASK) == PYTHON_WORD;
}

#endif
