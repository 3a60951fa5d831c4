/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONDITION_H
#define PK_CONDITION_H

/*
 * Expressions evaluated on samples. An expression is compiled once for each event, to steps that
 * compare one value each and select the next step. Values that depend only on the event (a field
 * that its samples do not have, its name) need no step. Whether a text matches is evaluated once
 * for each distinct text, object, thread or stack.
 *
 * A comparison with a field that a sample does not have is false.
 */

#include "expression.h"

struct pk_condition;
struct pk_program; /* the steps for one event */

/* context and expression stay the caller's, and must outlive the condition. NULL: out of memory. */
struct pk_condition *pk_condition_new(struct pk_context *context,
				      const struct pk_expression *expression);
void pk_condition_free(struct pk_condition *condition);

/* The program for an event's samples, valid until pk_context.epoch changes. NULL: out of memory.
 */
const struct pk_program *pk_condition_program(struct pk_condition *condition,
					      const struct pk_event *event);
/* True if the sample fulfils the condition. */
static inline bool pk_program_holds(const struct pk_program *program,
				    const struct pk_record *record);
/* pk_condition_program() for the record's event, and pk_program_holds(). If memory is exhausted,
 * the result is false, and pk_context.failed is set. */
bool pk_condition_holds(struct pk_condition *condition, const struct pk_record *record);
/* Sets the entry of the branch stack that records are judged by from now on. At first, it is the
 * newest one, 0. */
void pk_condition_set_branch(struct pk_condition *condition, uint64_t branch);

/* Call at the end of a session: binds the fields for events without samples, too, so that
 * pk_condition_problems() knows about them. */
void pk_condition_end_session(struct pk_condition *condition);
/* Calls each for every field that no event has, or whose type differs from that in the expression,
 * with the position of the field in the text. */
void pk_condition_problems(const struct pk_condition *condition,
			   void (*each)(void *arg, size_t at, const char *text), void *arg);

/* ---- Inline: the most frequent steps ---- */

enum pk_step_op {
	PK_STEP_INT,   /* a signed number of 4 bytes is in a range */
	PK_STEP_U64,   /* a number of 8 bytes is in a range */
	PK_STEP_MODE,  /* the processor's mode is one of a set */
	PK_STEP_STACK, /* a text matches the sample's stack */
	PK_STEP_OTHER, /* another comparison: pk_step_holds() in condition.c evaluates it */
};

/* Cached results of a comparison with a text. PK_UNKNOWN means that it was not evaluated yet.
 * PK_ABSENT means that the sample has no such text, and every comparison with it is false. */
enum pk_answer { PK_UNKNOWN, PK_NO, PK_YES, PK_ABSENT };

struct pk_answers {
	uint8_t *items; /* enum pk_answer, by the index of the stack or frame */
	size_t count;
};

struct pk_step {
	uint8_t op;	  /* enum pk_step_op */
	uint8_t wanted;	  /* STACK: the enum pk_answer that means true */
	uint16_t at;	  /* INT, U64: offset in the record */
	uint32_t yes, no; /* the next step, PK_KEEP or PK_DROP */
	union {
		struct {
			uint64_t low,
				span; /* INT, U64: the range is from low to low + span, inclusive */
		};
		unsigned int modes; /* MODE: bit m is set if the mode m
				     * (PERF_RECORD_MISC_CPUMODE_MASK) is in the set */
		const struct pk_answers *stacks;
	};
};

#define PK_KEEP UINT32_MAX
#define PK_DROP (UINT32_MAX - 1)
/* For INT, low and the number are signed numbers plus PK_INT_BIAS, which makes them unsigned. */
#define PK_INT_BIAS (UINT64_C(1) << 31)

struct pk_program {
	uint32_t entry;
	const struct pk_context *context;
	struct pk_step *steps;
	size_t steps_count, steps_capacity;
	/* condition.c's: */
	struct pk_condition *condition;
	struct pk_comparison *comparisons; /* of the step with the same index */
	size_t comparisons_capacity;
	struct pk_operand *operands;
	size_t operands_count, operands_capacity;
};

/* Evaluates a step that is not inlined. `first` means that it is the first such step for this
 * record. */
bool pk_step_holds(const struct pk_program *program, uint32_t at, const struct pk_record *record,
		   bool first);

static inline bool pk_program_holds(const struct pk_program *program,
				    const struct pk_record *record)
{
	const uint8_t *data = record->data;
	uint32_t at = program->entry, stack;
	bool first = true, holds;

	while (at < PK_DROP) {
		const struct pk_step *step = &program->steps[at];

		switch (step->op) {
		case PK_STEP_INT:
			holds = (pk_load_u32(data + step->at) ^ PK_INT_BIAS) - step->low <=
				step->span;
			break;
		case PK_STEP_U64:
			holds = pk_load_u64(data + step->at) - step->low <= step->span;
			break;
		case PK_STEP_MODE:
			holds = step->modes >> (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) & 1;
			break;
		case PK_STEP_STACK:
			stack = pk_source_index(&program->context->stacks,
						pk_stack_trailer(data, record->size));
			if (stack < step->stacks->count && step->stacks->items[stack]) {
				holds = step->stacks->items[stack] == step->wanted;
				break;
			}
			/* fall through */
		default: holds = pk_step_holds(program, at, record, first); first = false;
		}
		at = holds ? step->yes : step->no;
	}
	return at == PK_KEEP;
}

#endif
