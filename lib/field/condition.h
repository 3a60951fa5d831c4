/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONDITION_H
#define PK_CONDITION_H

/*
 * Evaluates expressions on samples. An expression is compiled once for each event. The result is a
 * list of steps. Each step compares one value and selects the next step. There is no step for a
 * value that is the same for all samples of the event, such as its name, or a field that its
 * samples do not have. The match of a text is evaluated once for each distinct text, object, thread
 * or stack.
 *
 * A comparison with a field that a sample does not have is false.
 */

#include "expression.h"

struct pk_condition;
struct pk_program; /* the steps that evaluate the expression on the samples of one event */

/* The caller keeps context and expression, which must exist longer than the condition. Returns NULL
 * if memory is exhausted. */
struct pk_condition *pk_condition_new(struct pk_context *context,
				      const struct pk_expression *expression);
void pk_condition_free(struct pk_condition *condition);

/* Returns the program for the samples of an event. It is valid until pk_context.epoch changes.
 * Returns NULL if memory is exhausted. */
const struct pk_program *pk_condition_program(struct pk_condition *condition,
					      const struct pk_event *event);
/* Returns true if the sample fulfils the condition. */
static inline bool pk_program_holds(const struct pk_program *program,
				    const struct pk_record *record);
/* Calls pk_condition_program() for the event of the record, and then pk_program_holds(). If memory
 * is exhausted, returns false and sets pk_context.failed. */
bool pk_condition_holds(struct pk_condition *condition, const struct pk_record *record);
/* Selects the entry of the branch stack for the evaluation of the following records. Initially, it
 * is entry 0, the newest branch. */
void pk_condition_set_branch(struct pk_condition *condition, uint64_t branch);

/* Call this function at the end of a session. It also binds the fields for events that had no
 * samples, so that pk_condition_problems() has complete information. */
void pk_condition_end_session(struct pk_condition *condition);
/* Calls each for every field that no event has, and for every field whose type is not the one that
 * the expression needs. at is the position of the field in the text. */
void pk_condition_problems(const struct pk_condition *condition,
			   void (*each)(void *arg, size_t at, const char *text), void *arg);
/* Calls each for every field of samples, such as cpu, that no event of the recording has. */
void pk_condition_absent_fields(const struct pk_condition *condition,
				void (*each)(void *arg, const char *name), void *arg);

/* ---- Inline: the most frequent steps ---- */

/* What a step tests. */
enum pk_step_op {
	PK_STEP_INT,   /* tests that a signed number of 4 bytes is in a range */
	PK_STEP_U64,   /* tests that a number of 8 bytes is in a range */
	PK_STEP_MODE,  /* tests that the processor mode of the sample is in a set */
	PK_STEP_STACK, /* tests that the stack of the sample matches a text */
	PK_STEP_RAW,   /* tests that a number of a tracepoint is in a range */
	PK_STEP_OTHER, /* another test, which pk_step_holds() evaluates */
};

/* The cached result of a comparison with a text. PK_UNKNOWN means that it was not evaluated yet.
 * PK_ABSENT means that the sample does not have the text. Every comparison with an absent text is
 * false. */
enum pk_answer { PK_UNKNOWN, PK_NO, PK_YES, PK_ABSENT };

/* The cached answers for stacks or for frames. */
struct pk_answers {
	uint8_t *items; /* values of enum pk_answer; the index is the index of the stack or of the
			 * frame */
	size_t count;
};

/* A step of a program: a test, and the next step for each result. */
struct pk_step {
	uint8_t op;	  /* enum pk_step_op */
	uint8_t wanted;	  /* for STACK: the enum pk_answer for which the step is true */
	uint16_t at;	  /* for INT and U64: the offset of the number in the record */
	uint32_t yes, no; /* the index of the next step if this test is true (yes) or false (no); or
			   * PK_KEEP or PK_DROP */
	union {
		struct {
			uint64_t low, span; /* for INT and U64: the range is from low to low + span,
					     * inclusive */
		};
		unsigned int modes; /* For MODE: bit m is set if mode m
				     * (PERF_RECORD_MISC_CPUMODE_MASK) is in the set. */
		const struct pk_answers *stacks;
		uint32_t range; /* for RAW: the index in pk_program.ranges */
	};
};

#define PK_KEEP UINT32_MAX
#define PK_DROP (UINT32_MAX - 1)
/* For PK_STEP_INT, this bias is added to low and to the number. It converts signed numbers to
 * unsigned numbers with the same order. */
#define PK_INT_BIAS (UINT64_C(1) << 31)

/* The range of a number n of a tracepoint. The test is: (n & mask) ^ bias is from low to low +
 * span, inclusive. bias converts signed numbers to unsigned numbers with the same order. */
struct pk_raw_range {
	struct pk_raw_number place;
	uint16_t raw; /* pk_fixed_raw() of the event */
	uint64_t mask, bias, low, span;
};

/* The steps for the samples of one event. */
struct pk_program {
	uint32_t entry;
	const struct pk_context *context;
	struct pk_step *steps;
	size_t steps_count, steps_capacity;
	struct pk_raw_range *ranges; /* for steps with PK_STEP_RAW */
	size_t ranges_count, ranges_capacity;
	/* The following members are private to condition.c. */
	struct pk_condition *condition;
	struct pk_comparison *comparisons; /* an array with an item for each step in `steps` */
	size_t comparisons_capacity;
	struct pk_operand *operands;
	size_t operands_count, operands_capacity;
};

/* Evaluates the step with the index `at`, which is not inlined. `first` is true if no such step was
 * evaluated for this record before. */
bool pk_step_holds(const struct pk_program *program, uint32_t at, const struct pk_record *record,
		   bool first);

static inline bool pk_in_range(const struct pk_raw_range *range, uint64_t number)
{
	return ((number & range->mask) ^ range->bias) - range->low <= range->span;
}

static inline bool pk_program_holds(const struct pk_program *program,
				    const struct pk_record *record)
{
	const struct pk_raw_range *range;
	const uint8_t *data = record->data;
	uint64_t number;
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
		case PK_STEP_RAW:
			range = &program->ranges[step->range];
			if (pk_likely(pk_fixed_raw_load(record, range->raw, &range->place,
							&number))) {
				holds = pk_in_range(range, number) == (step->wanted == PK_YES);
				break;
			}
			goto other;
		case PK_STEP_STACK:
			stack = pk_source_index(&program->context->stacks,
						pk_stack_trailer(data, record->size));
			if (stack < step->stacks->count && step->stacks->items[stack]) {
				holds = step->stacks->items[stack] == step->wanted;
				break;
			}
			/* fall through */
		default:
		other:
			holds = pk_step_holds(program, at, record, first);
			first = false;
		}
		at = holds ? step->yes : step->no;
	}
	return at == PK_KEEP;
}

#endif
