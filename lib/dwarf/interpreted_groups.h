/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INTERPRETED_GROUPS_H
#define PK_INTERPRETED_GROUPS_H

/*
 * Frames of an interpreter, which replace the native frames of the interpreter's evaluation
 * function. An evaluation is a call of this function. It runs a contiguous range of frames of the
 * interpreter, from the first to the innermost one. These frames are a group.
 *
 * When the native stack is unwound, the native frames of evaluations are marked. There are two ways
 * to find them:
 *
 * - The native frame contains a structure of the interpreter, which is called the anchor of the
 *   group. This needs no symbols.
 * - The address is in the evaluation function (interpreter_places.evaluator). If the native stack
 *   is complete, the outermost evaluation belongs to the outermost group. The number of innermost
 *   evaluations can differ from the number of groups for a moment when an evaluation starts and
 *   when it ends.
 *
 * BPF programs include this header, too, so it includes no other headers.
 */

#include <stdint.h>

/* What the frames of an interpreter need of the interpreter's file: addresses in the process, or
 * offsets from the address at which the start of the file is mapped. */
struct interpreter_places {
	/* The address of the interpreter's state. In CPython, it is _PyRuntime. In Ruby, it is two
	 * words that describe the thread-local variable ruby_current_ec: the number of the module
	 * (file), and the offset in the module's memory. In PHP, it is a pointer to the innermost
	 * frame. */
	uint64_t state;
	/* Only for Ruby: the offset of ruby_current_ec from the thread pointer. It is 0 if `state`
	 * describes the variable. */
	uint64_t thread_offset;
	/* The function that evaluates code, if native frames of evaluations are found by their
	 * address. Otherwise, the size is 0. */
	uint64_t evaluator, evaluator_size;
	/* The part of this function that the compiler has moved away from it. The size is 0 if
	 * there is none. */
	uint64_t cold, cold_size;
	/* A function that only the evaluator calls, and that is a part of the evaluation. The size
	 * is 0 if there is no such function. */
	uint64_t inner, inner_size;
};

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
 * function (a code object of Python, an instruction sequence of Ruby, a zend_op_array of PHP),
 * divided by 8. The lowest 18 bits tell the instruction: in Python, its index in the code; in Ruby
 * and PHP, the lowest bits of its address divided by 8 or 32. */
#define INTERPRETED_WORD       (UINT64_C(1) << 62)
#define INTERPRETED_WORD_MASK  (UINT64_C(3) << 62)
#define INTERPRETED_INDEX_BITS 18
#define INTERPRETED_INDEX_MASK ((UINT64_C(1) << INTERPRETED_INDEX_BITS) - 1)
#define INTERPRETED_OBJECT_MAX (UINT64_C(1) << 47)

/* The index in the word of a frame of Python whose instruction is unknown. */
#define INTERPRETED_INDEX_NONE INTERPRETED_INDEX_MASK

static inline int interpreted_is_word(uint64_t address)
{
	return (address & INTERPRETED_WORD_MASK) == INTERPRETED_WORD;
}

/* Returns the mark of an entry of a user stack, or 0 if it is not marked. */
static inline uint64_t interpreted_mark_of(uint64_t entry)
{
	const uint64_t mark = entry & INTERPRETED_MARKS;

	return mark == INTERPRETED_EVALUATION || mark == INTERPRETED_INNER ? mark : 0;
}

/*
 * Frames of an interpreter in a sample whose native stack is not unwound yet (SPEC 9.11). The
 * entries of the user callchain are the addresses of these frames, which are words, and notes. A
 * note has bit 63, a kind in the bits from 56 on, and an address in the lower bits. No address has
 * these bits.
 */
enum interpreted_note {
	INTERPRETED_GROUP, /* the end of a group; the address is the anchor, or 0 */
	INTERPRETED_FROM,  /* the first address of the evaluation function, or of its cold part */
	INTERPRETED_TO,	   /* the address after this part of the function */
	INTERPRETED_INNER_FROM, /* the same for its inner part */
	INTERPRETED_INNER_TO,
	INTERPRETED_TORN, /* frames are missing */
	INTERPRETED_BOTH, /* native frames are kept */
	INTERPRETED_NOTES
};
#define INTERPRETED_NOTE(kind, address) (UINT64_C(1) << 63 | (uint64_t)(kind) << 56 | (address))
#define INTERPRETED_NOTE_ADDRESS	((UINT64_C(1) << 47) - 1)

/* Returns the kind of a note, or INTERPRETED_NOTES if the entry is no note. */
static inline enum interpreted_note interpreted_note_of(uint64_t entry)
{
	const uint64_t kind = (entry & ~INTERPRETED_NOTE_ADDRESS) >> 47;

	if (kind & 0x1ff || kind >> 9 < 0x80 || kind >> 9 >= 0x80 + INTERPRETED_NOTES)
		return INTERPRETED_NOTES;
	return (enum interpreted_note)(kind >> 9 & 0x7f);
}

/* The frames of an interpreter in a stack. */
struct interpreted_groups {
	struct interpreter_places places; /* with the addresses of the process */
	uint32_t count, groups;		  /* number of words, and number of groups */
	uint32_t marks; /* number of native frames that are marked as evaluations */
	uint32_t torn;	/* frames are missing, or do not match the native stack */
	uint64_t words[INTERPRETED_WORDS_MAX];	  /* with INTERPRETED_END after each group */
	uint64_t anchors[INTERPRETED_GROUPS_MAX]; /* for each group, the address of the structure in
						   * the native frame of the evaluation, if
						   * interpreter_places.evaluator_size is 0 */
	uint16_t ends[INTERPRETED_GROUPS_MAX];	  /* for each group, the index in `words` after its
						   * INTERPRETED_END */
};

/* Ends the group of an evaluation. `anchor` is the address of the evaluation's structure in the
 * native stack, if there is one. Returns 1 if there is no room for more groups. */
static inline long end_group(struct interpreted_groups *p, uint64_t anchor)
{
	const uint32_t group = p->groups, count = p->count;

	if (group >= INTERPRETED_GROUPS_MAX || count >= INTERPRETED_WORDS_MAX)
		return 1;
	p->words[count] = INTERPRETED_END;
	p->count = count + 1;
	p->anchors[group] = anchor;
	p->ends[group] = (uint16_t)(count + 1);
	p->groups = group + 1;
	return 0;
}

/* Returns the index in `words` after a number of groups. */
static inline uint32_t after_groups(const struct interpreted_groups *p, uint32_t groups)
{
	uint32_t last = groups - 1;

	if (!groups)
		return 0;
	/* As in add_word(), the verifier needs the "&". */
	__asm__ volatile("" : "+r"(last));
	return p->ends[last & (INTERPRETED_GROUPS_MAX - 1)];
}

/* Returns true if further native frames can get a mark. */
static inline int interpreted_expects(const struct interpreted_groups *p)
{
	return p->groups && (p->marks < p->groups || p->places.evaluator_size);
}

/* Returns the mark for a native frame, or 0 if it gets none. The native frame has the address pc,
 * and is from the address low to the address high. */
static inline uint64_t interpreted_mark(struct interpreted_groups *p, uint64_t pc, uint64_t low,
					uint64_t high)
{
	const uint32_t mark = p->marks;

	if (p->places.evaluator_size) {
		p->marks += pc - p->places.evaluator < p->places.evaluator_size ||
			    pc - p->places.cold < p->places.cold_size;
		return p->marks != mark				     ? INTERPRETED_EVALUATION
		       : pc - p->places.inner < p->places.inner_size ? INTERPRETED_INNER
								     : 0;
	}
	if (mark >= p->groups || p->anchors[mark & (INTERPRETED_GROUPS_MAX - 1)] >= high)
		return 0;
	if (p->anchors[mark & (INTERPRETED_GROUPS_MAX - 1)] >= low) {
		p->marks = mark + 1;
		return INTERPRETED_EVALUATION;
	}
	p->torn = 1; /* no native frame contains the structure */
	p->groups = mark;
	return 0;
}

/* Finds the groups that belong to the marked native frames: those before *last in `words`, from
 * *first on. `complete` is true if the native part of the stack is complete. */
static inline void interpreted_match(struct interpreted_groups *p, int complete, uint32_t *first,
				     uint32_t *last)
{
	const uint32_t marks = p->marks, groups = p->groups;

	*first = 0;
	*last = after_groups(p, groups);
	if (groups <= marks)
		return;
	if (p->places.evaluator_size && complete && !p->torn)
		*first = after_groups(p, groups - marks);
	else
		*last = after_groups(p, marks);
	if (complete && (!p->places.evaluator_size || groups > marks + 1))
		p->torn = 1;
}

#endif
