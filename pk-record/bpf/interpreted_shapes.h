/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_INTERPRETED_SHAPES_H
#define PK_RECORD_BPF_INTERPRETED_SHAPES_H

/* Structures of frames of interpreted programs, which the BPF programs of --call-graph unwind share
 * with pk-record. */

#include <stdint.h>

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

enum interpreter_kind { INTERPRETER_PYTHON, INTERPRETER_RUBY, INTERPRETERS };

/* The layout of one version of an interpreter. The map `layouts` has the layouts. */
struct interpreter_offsets {
	uint32_t kind; /* enum interpreter_kind */
	union {
		struct python_offsets python;
		struct ruby_offsets ruby;
	};
};

/* What the frames of an interpreter need of the interpreter's file. In a struct interpreter_places
 * of a file, addresses are those of the file. For the BPF programs, they are offsets from the
 * address at which the start of the file is mapped. */
struct interpreter_places {
	/* The address of the interpreter's state. In CPython, it is _PyRuntime. In Ruby, it is two
	 * words that describe the thread-local variable ruby_current_ec: the number of the module
	 * (file), and the offset in the module's memory. */
	uint64_t state;
	/* Only for Ruby: the offset of ruby_current_ec from the thread pointer. It is 0 if `state`
	 * describes the variable. */
	uint64_t thread_offset;
	/* The function that evaluates code, if native frames of evaluations are found by their
	 * address. Otherwise, the size is 0. */
	uint64_t evaluator, evaluator_size;
	/* A function that only the evaluator calls, and that is a part of the evaluation. The size
	 * is 0 if there is no such function. */
	uint64_t inner, inner_size;
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

/* ---- Frames ---- */

#define INTERPRETED_FRAMES_MAX 512u /* maximum number of frames; must be a power of two */
#define INTERPRETED_GROUPS_MAX 128u /* maximum number of groups; must be a power of two */
#define INTERPRETED_WORDS_MAX  (INTERPRETED_FRAMES_MAX + INTERPRETED_GROUPS_MAX)

/*
 * The addresses of a half start with the native frames. The frames of an interpreter follow, in one
 * group for each evaluation, as words. INTERPRETED_END is after the last word of each group. Some
 * native frames are marked: INTERPRETED_EVALUATION marks the native frame of an evaluation, and
 * INTERPRETED_INNER a native frame that is a part of the next evaluation. Marks are added to the
 * address. No address of user code has these bits.
 *
 * The last marked evaluation belongs to the last group, and so on. If there are more evaluations
 * than groups, the innermost evaluations have no frames. If UNWIND_WORDS_CUT is set, the last
 * groups are missing instead, and the last word can be one that is not followed by its group's end.
 */
#define INTERPRETED_EVALUATION (UINT64_C(4) << 61)
#define INTERPRETED_INNER      (UINT64_C(5) << 61)
#define INTERPRETED_MARKS      (UINT64_C(7) << 61)
#define INTERPRETED_END	       INTERPRETED_EVALUATION

/* The word of a frame: a number that stands for the frame among the addresses of a half. Bit 63 is
 * 0, and bit 62 is 1. The 44 bits below them are the address of the object that describes the
 * function (a code object of Python, an instruction sequence of Ruby), divided by 8. The lowest 18
 * bits tell the instruction: in Python, its index in the code; in Ruby, the lowest bits of its
 * address divided by 8. */
#define INTERPRETED_WORD       (UINT64_C(1) << 62)
#define INTERPRETED_WORD_MASK  (UINT64_C(3) << 62)
#define INTERPRETED_INDEX_BITS 18
#define INTERPRETED_INDEX_MASK ((UINT64_C(1) << INTERPRETED_INDEX_BITS) - 1)
#define INTERPRETED_OBJECT_MAX (UINT64_C(1) << 47)

/* The index in the word of a frame of Python whose instruction is unknown. */
#define INTERPRETED_INDEX_NONE INTERPRETED_INDEX_MASK

/* If a process has frames of an interpreter, pk-record is woken to read code objects at most once
 * in this time, in ns. */
#define INTERPRETED_WAKE_NS UINT64_C(10000000)

static inline int interpreted_is_word(uint64_t address)
{
	return (address & INTERPRETED_WORD_MASK) == INTERPRETED_WORD;
}

#endif
