// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "condition.h"
#include "context_internal.h"
#include "pkutil.h"
#include "vector.h"

/* The frames of a stack that are compared with the text: the innermost frame for symbol and dso,
 * the root for comm, and any frame for stack. */
enum reach { REACH_LEAF, REACH_ROOT, REACH_ANY };

/* A comparison of a field with a text. Its answers are cached until pk_context.epoch changes. */
struct test {
	const struct pk_expression *node; /* its operator is EQ, NE, LIKE or UNLIKE */
	struct pk_condition *condition;
	enum reach reach;
	bool is_dso;
	struct pk_answers stacks,
		frames;	   /* For symbolized streams: the answers for stacks, and the answers for
			    * frames. The index is the index of the stack or frame. */
	uint32_t answered; /* All stacks whose index is smaller than this number have an answer in
			    * `stacks`. */
	struct pk_table keys; /* the answers for values; the key is the key of the value, and the
			       * value is an enum pk_answer */
};

/* A field of tracepoints or probes that the expression contains. */
struct sought {
	const struct pk_expression *node;
	bool found, mismatched;
	bool bound; /* true if an event was searched for the field */
};

/* An expression, and its programs for the events of the session. */
struct pk_condition {
	struct pk_context *context;
	const struct pk_expression *expression;
	struct test *tests;
	size_t tests_count, tests_capacity;
	struct sought *sought;
	size_t sought_count, sought_capacity;
	bool failed;	    /* true if memory was exhausted in pk_condition_new() */
	struct buffer copy; /* memory for a copy of a text that ends with a NUL */
	/* The following members are valid while pk_context.epoch is equal to epoch. */
	uint64_t epoch;
	struct pk_program *
		*programs; /* the program for each event; the index is the index of the event */
	size_t programs_count;
	struct pk_view view; /* the sample that is evaluated now */
	uint64_t branch;     /* the entry of the branch stack that pk_condition_set_branch() has
			      * selected */
};

/* The kinds of comparisons in steps that are not inlined. */
enum kind {
	COMPARE_KEY,	 /* tests a field, with the cached answer for the key of its value */
	COMPARE_STACK,	 /* tests the stack of the sample, with the cached answer for this stack */
	COMPARE_TEXT,	 /* tests that a text of a tracepoint matches the text of the expression */
	COMPARE_TEXTS,	 /* tests that two texts are equal */
	COMPARE_RANGE,	 /* tests that a number of a tracepoint is in a range */
	COMPARE_NUMBERS, /* compares two numbers */
	COMPARE_TRUTH,	 /* tests that a number is not 0 */
};

/* A part of the array pk_program.operands. */
struct operands {
	size_t first, count;
};

/* A comparison of a step that is not inlined. */
struct pk_comparison {
	enum kind kind;
	const struct pk_expression *node;
	struct test *test;
	struct operands sides[2];
	struct pk_binding left, right; /* for COMPARE_KEY, COMPARE_TEXT and COMPARE_TEXTS */
};

/* An operand or operator of a number. They are evaluated in postfix order. */
struct pk_operand {
	enum { OPERAND_NUMBER, OPERAND_FIELD, OPERAND_BITS } kind;
	struct pk_wide number;
	struct pk_binding binding;
};

/* ---- Texts ---- */

/* Copies the bytes, and ends the copy with a NUL. Returns NULL if memory is exhausted. */
static const char *copy_text(struct pk_condition *condition, const struct pk_bytes *bytes)
{
	struct buffer *copy = &condition->copy;

	copy->size = 0;
	buffer_add(copy, bytes->data, bytes->size);
	buffer_char(copy, '\0');
	condition->context->failed |= copy->failed;
	return copy->failed ? NULL : copy->data;
}

/* Returns true for != and !~, which are true if the text does not match. */
static bool is_negated(const struct pk_expression *node)
{
	return node->op == PK_OP_NE || node->op == PK_OP_UNLIKE;
}

static bool fits(const struct pk_expression *node, const char *text)
{
	const bool glob = node->op == PK_OP_LIKE || node->op == PK_OP_UNLIKE;
	const char *wanted = node->right->text;

	return glob ? !fnmatch(wanted, text, 0) : !strcmp(wanted, text);
}

/* Compares the text with the text of the expression. An object (DSO) matches by its path, or by its
 * file name. */
static bool text_fits(const struct test *test, const char *text)
{
	const char *slash = test->is_dso ? strrchr(text, '/') : NULL;

	return fits(test->node, text) || (slash && fits(test->node, slash + 1));
}

static enum pk_answer answer_of(bool yes)
{
	return yes ? PK_YES : PK_NO;
}

static enum pk_answer test_key(struct test *test, const struct pk_binding *binding,
			       struct pk_view *view)
{
	enum pk_answer answer;
	const char *text;
	uint64_t key;
	size_t size;

	if (!pk_view_key(view, binding, &key))
		return PK_ABSENT;
	answer = (enum pk_answer)pk_table_get_u64(&test->keys, key);
	if (pk_likely(answer))
		return answer;
	text = pk_key_text(view->context, binding, key, &size);
	if (!text) /* not cached, because a later record can define the text */
		return PK_ABSENT;
	answer = answer_of(text_fits(test, text));
	view->context->failed |= pk_table_set_u64(&test->keys, key, answer) != PK_OK;
	return answer;
}

static enum pk_answer test_text(struct pk_condition *condition,
				const struct pk_comparison *comparison)
{
	char number[PK_VALUE_SIZE];
	struct pk_bytes bytes;
	const char *text;

	if (!pk_view_shown(&condition->view, &comparison->left, number, &bytes))
		return PK_ABSENT;
	text = copy_text(condition, &bytes);
	return text ? answer_of(fits(comparison->node, text)) : PK_ABSENT;
}

static enum pk_answer test_texts(struct pk_condition *condition,
				 const struct pk_comparison *comparison)
{
	struct pk_bytes left, right;
	const char *copy;

	if (!pk_view_text(&condition->view, &comparison->left, &left))
		return PK_ABSENT;
	copy = copy_text(condition, &left); /* the next pk_view_text() can overwrite the text */
	if (!copy || !pk_view_text(&condition->view, &comparison->right, &right))
		return PK_ABSENT;
	return answer_of(left.size == right.size && !memcmp(copy, right.data, left.size));
}

/* ---- Stacks ---- */

static enum pk_answer ask_frame(const struct test *test, const struct pk_frame *frame)
{
	const struct pk_dictionary *dictionary =
		pk_source_dictionary(&test->condition->context->stacks);
	const struct pk_dso *dso = NULL;
	uint32_t text = frame->function;
	const char *found;

	if (test->is_dso) {
		dso = pk_dictionary_get_dso(dictionary, frame->dso);
		if (!dso)
			return PK_ABSENT;
		text = dso->path;
	} else if ((test->reach == REACH_ROOT) != !!(frame->flags & PK_FRAME_COMM)) {
		return PK_ABSENT;
	}
	found = pk_dictionary_get_string(dictionary, text, NULL);
	return answer_of(text_fits(test, found ? found : ""));
}

static uint8_t answer_of_frame(struct test *test, uint32_t id)
{
	struct pk_context *context = test->condition->context;
	const struct pk_frame *frame =
		pk_dictionary_get_frame(pk_source_dictionary(&context->stacks), id);
	const size_t index =
		id - pk_dictionary_frames(pk_source_dictionary(&context->stacks)).base - 1;

	if (!frame)
		return PK_ABSENT;
	if (pk_extend(&test->frames.items, &test->frames.count, index) != PK_OK) {
		context->failed = true;
		return PK_ABSENT;
	}
	if (!test->frames.items[index])
		test->frames.items[index] = (uint8_t)ask_frame(test, frame);
	return test->frames.items[index];
}

/* Returns the answer for a stack. It follows from the answer for the stack's frame and the answer
 * for its parent. `parent` is PK_UNKNOWN if the stack has no parent. */
static uint8_t answer_below(struct test *test, uint32_t frame, uint8_t parent)
{
	switch (test->reach) {
	case REACH_ANY:
		return parent == PK_YES || answer_of_frame(test, frame) == PK_YES ? PK_YES : PK_NO;
	case REACH_ROOT: return parent ? parent : answer_of_frame(test, frame);
	default: return answer_of_frame(test, frame);
	}
}

/* Returns the answer for a stack. Unless only the innermost frame is compared, this needs the
 * answers for all parents of the stack. A parent is defined before its children, and has a smaller
 * index. */
static enum pk_answer answer_stack(struct test *test, uint32_t index)
{
	struct pk_context *context = test->condition->context;
	const uint32_t base = pk_source_id(&context->stacks, 0);
	struct pk_answers *answers = &test->stacks;
	const struct pk_stack *stack;
	uint32_t i = test->reach == REACH_LEAF ? index : test->answered;

	if (pk_extend(&answers->items, &answers->count, index) != PK_OK) {
		context->failed = true;
		return PK_ABSENT;
	}
	for (; i <= index; i++) {
		stack = pk_dictionary_get_stack(pk_source_dictionary(&context->stacks), base + i);
		answers->items[i] = answer_below(
			test, stack->frame,
			stack->parent ? answers->items[stack->parent - base] : PK_UNKNOWN);
	}
	test->answered = i;
	return (enum pk_answer)answers->items[index];
}

static inline enum pk_answer test_stack(struct test *test, struct pk_view *view)
{
	const uint32_t index = pk_view_stack(view);

	if (pk_likely(index < test->stacks.count && test->stacks.items[index]))
		return (enum pk_answer)test->stacks.items[index];
	return index == PK_NO_STACK ? PK_ABSENT : answer_stack(test, index);
}

/* ---- Numbers ---- */

/* The highest number of operands that an expression needs at the same time. The parser allows at
 * most 64 nested parentheses, and & is left-associative. */
#define OPERANDS_DEPTH 72

/* Evaluates a number. Returns false if the sample does not have one of its fields. */
static bool evaluate(const struct pk_program *program, const struct operands *operands,
		     struct pk_view *view, struct pk_wide *result)
{
	struct pk_wide stack[OPERANDS_DEPTH];
	size_t depth = 0;

	for (size_t i = 0; i < operands->count; i++) {
		const struct pk_operand *operand = &program->operands[operands->first + i];

		switch (operand->kind) {
		case OPERAND_NUMBER: stack[depth++] = operand->number; break;
		case OPERAND_FIELD:
			if (!pk_view_number(view, &operand->binding, &stack[depth++]))
				return false;
			break;
		case OPERAND_BITS:
			depth--;
			stack[depth - 1] = pk_wide_and(stack[depth - 1], stack[depth]);
			break;
		}
	}
	*result = stack[0];
	return true;
}

static bool compare_numbers(const struct pk_program *program,
			    const struct pk_comparison *comparison, struct pk_view *view)
{
	struct pk_wide left, right;

	if (!evaluate(program, &comparison->sides[0], view, &left) ||
	    !evaluate(program, &comparison->sides[1], view, &right))
		return false;
	switch (comparison->node->op) {
	case PK_OP_EQ: return pk_wide_equal(left, right);
	case PK_OP_NE: return !pk_wide_equal(left, right);
	case PK_OP_LT: return pk_wide_less(left, right);
	case PK_OP_LE: return !pk_wide_less(right, left);
	case PK_OP_GT: return pk_wide_less(right, left);
	default: return !pk_wide_less(left, right);
	}
}

/* Returns PK_ABSENT if the sample does not have the number. */
static enum pk_answer test_range(const struct pk_raw_range *range, struct pk_view *view)
{
	const struct pk_bytes *raw = pk_view_raw(view);
	uint64_t number;

	if (!raw || !pk_raw_number_load(&range->place, raw, &number))
		return PK_ABSENT;
	return answer_of(pk_in_range(range, number));
}

bool pk_step_holds(const struct pk_program *program, uint32_t at, const struct pk_record *record,
		   bool first)
{
	const struct pk_comparison *comparison = &program->comparisons[at];
	const uint8_t wanted = program->steps[at].wanted;
	struct pk_view *view = &program->condition->view;
	struct pk_wide number;

	if (first) {
		pk_view_begin(view, program->condition->context, record);
		view->branch = program->condition->branch;
	}
	switch (comparison->kind) {
	case COMPARE_KEY: return test_key(comparison->test, &comparison->left, view) == wanted;
	case COMPARE_STACK: return test_stack(comparison->test, view) == wanted;
	case COMPARE_TEXT: return test_text(program->condition, comparison) == wanted;
	case COMPARE_TEXTS: return test_texts(program->condition, comparison) == wanted;
	case COMPARE_RANGE:
		return test_range(&program->ranges[program->steps[at].range], view) == wanted;
	case COMPARE_NUMBERS: return compare_numbers(program, comparison, view);
	default:
		return evaluate(program, &comparison->sides[0], view, &number) &&
		       !pk_wide_is_zero(number);
	}
}

/* ---- Compiling ---- */

/* Compiles the nodes from the last one to the first one. For each node, the next steps for true and
 * for false must be known. The result is the first step. */
struct compiler {
	struct pk_program *program;
	struct pk_condition *condition;
	const struct pk_event *event;
};

#define FAIL (UINT32_MAX - 2) /* not a step: memory is exhausted */

static uint32_t add_step(struct compiler *compiler, struct pk_step step,
			 const struct pk_comparison *comparison, uint32_t yes, uint32_t no)
{
	struct pk_program *program = compiler->program;
	const size_t at = program->steps_count;

	if (pk_reserve(&program->steps, &program->steps_capacity, at, 1, sizeof(step)) != PK_OK ||
	    pk_extend(&program->comparisons, &program->comparisons_capacity, at) != PK_OK)
		return FAIL;
	step.yes = yes;
	step.no = no;
	program->steps[at] = step;
	if (comparison)
		program->comparisons[at] = *comparison;
	program->steps_count++;
	return (uint32_t)at;
}

/* Adds a step that pk_step_holds() executes, because no inlined step is possible. */
static uint32_t add_comparison(struct compiler *compiler, const struct pk_comparison *comparison,
			       uint32_t yes, uint32_t no)
{
	const struct pk_expression *node = comparison->node;
	const struct pk_step step = {.op = PK_STEP_OTHER,
				     .wanted = is_negated(node) ? PK_NO : PK_YES};

	return add_step(compiler, step, comparison, yes, no);
}

static struct sought *find_sought(struct pk_condition *condition, const struct pk_expression *node)
{
	for (size_t i = 0; i < condition->sought_count; i++)
		if (condition->sought[i].node == node)
			return &condition->sought[i];
	return NULL;
}

/* Returns true if a value of this kind can have the type. A number whose kind has names can also be
 * compared with a text, as in ret == "ENOENT". */
static bool has_type(enum pk_value_kind kind, enum pk_expression_type type)
{
	return type == PK_IS_TEXT ? kind == PK_VALUE_TEXT || pk_kind_has_names(kind)
				  : kind != PK_VALUE_TEXT;
}

/* Binds a field of the expression to the event. A field of tracepoints or probes is treated as
 * absent if the expression needs another type. */
static struct pk_binding bind(struct compiler *compiler, const struct pk_expression *node)
{
	struct pk_binding binding =
		pk_bind(compiler->condition->context, &node->reference, compiler->event);
	struct sought *sought = find_sought(compiler->condition, node);

	if (!sought)
		return binding;
	sought->bound = true;
	if (!binding.trace && !binding.argument && !binding.label &&
	    (!node->reference.field || binding.kind == PK_VALUE_NONE))
		return binding;
	sought->found = true;
	if (binding.label || node->reference.field)
		return binding;
	if (binding.kind == PK_VALUE_NONE ||
	    (node->wanted != PK_IS_UNKNOWN && !has_type(binding.kind, node->wanted))) {
		sought->mismatched = true;
		binding.kind = PK_VALUE_NONE;
	}
	return binding;
}

/* Adds the operands of a number in postfix order. Returns 1 if they were added, 0 if the event
 * lacks a field, and -1 if memory is exhausted. */
static int add_operands(struct compiler *compiler, const struct pk_expression *node)
{
	struct pk_program *program = compiler->program;
	struct pk_operand operand = {.number = node->number};
	int added;

	switch (node->op) {
	case PK_OP_NUMBER: operand.kind = OPERAND_NUMBER; break;
	case PK_OP_BITS:
		added = add_operands(compiler, node->left);
		if (added == 1)
			added = add_operands(compiler, node->right);
		if (added != 1)
			return added;
		operand.kind = OPERAND_BITS;
		break;
	default:
		operand.kind = OPERAND_FIELD;
		operand.binding = bind(compiler, node);
		if (operand.binding.kind == PK_VALUE_NONE || operand.binding.kind == PK_VALUE_TEXT)
			return 0;
	}
	if (pk_reserve(&program->operands, &program->operands_capacity, program->operands_count, 1,
		       sizeof(operand)) != PK_OK)
		return -1;
	program->operands[program->operands_count++] = operand;
	return 1;
}

static int add_side(struct compiler *compiler, const struct pk_expression *node,
		    struct operands *side)
{
	int added;

	side->first = compiler->program->operands_count;
	added = add_operands(compiler, node);
	side->count = compiler->program->operands_count - side->first;
	return added;
}

/* Sets the range for the comparison "n op number". *low and *high are at first the limits of n. The
 * comparison is true for all n in the range from *low to *high. If *negated is set, it is true for
 * all n outside of this range. */
static void set_range(enum pk_operator op, uint64_t number, uint64_t *low, uint64_t *high,
		      bool *negated)
{
	*negated = op == PK_OP_NE || op == PK_OP_LT || op == PK_OP_GT;
	if (op != PK_OP_LE && op != PK_OP_GT)
		*low = number;
	if (op != PK_OP_GE && op != PK_OP_LT)
		*high = number;
}

/* Makes a range step if the node compares a numeric field at a fixed offset with a constant. Sets
 * *negated if the comparison is true outside of the range. Returns false for other comparisons. */
static bool make_range(struct compiler *compiler, const struct pk_expression *node,
		       struct pk_step *step, bool *negated)
{
	uint64_t low = 0, high = UINT64_MAX;
	struct pk_binding binding;
	struct pk_wide number;
	bool narrow;

	if (node->left->op != PK_OP_FIELD || node->right->op != PK_OP_NUMBER)
		return false;
	binding = bind(compiler, node->left);
	if (!binding.at)
		return false;
	narrow = binding.field->size == 4;
	number = pk_wide_add(node->right->number, pk_wide_of_u64(narrow ? PK_INT_BIAS : 0));
	if (narrow)
		high = UINT32_MAX;
	if (number.high || number.low > high)
		return false;
	set_range(node->op, number.low, &low, &high, negated);
	*step = (struct pk_step){.op = narrow ? PK_STEP_INT : PK_STEP_U64,
				 .at = binding.at,
				 .low = low,
				 .span = high - low};
	return true;
}

/* Joins two ranges if the next step compares a number at the same offset, as in pid >= 5 && pid
 * <= 9. */
static void join_ranges(const struct pk_program *program, struct pk_step *step, uint32_t *yes,
			uint32_t no)
{
	const struct pk_step *next = *yes < FAIL ? &program->steps[*yes] : NULL;
	uint64_t low, high, next_high;

	if (!next || next->op != step->op || next->at != step->at || next->no != no)
		return;
	high = step->low + step->span;
	next_high = next->low + next->span;
	high = high < next_high ? high : next_high;
	low = step->low > next->low ? step->low : next->low;
	if (low > high)
		return;
	step->low = low;
	step->span = high - low;
	*yes = next->yes;
}

/* Finds the number of a tracepoint in "field" or "field & bits". Returns false for other numbers.
 */
static bool find_number(struct compiler *compiler, const struct pk_expression *node,
			struct pk_raw_range *range)
{
	const bool has_bits = node->op == PK_OP_BITS;
	const struct pk_expression *field = has_bits ? node->left : node;
	struct pk_binding binding;

	if (field->op != PK_OP_FIELD || (has_bits && node->right->op != PK_OP_NUMBER))
		return false;
	if (has_bits && (node->right->number.high || node->right->number.low > INT64_MAX))
		return false;
	binding = bind(compiler, field);
	if (binding.kind == PK_VALUE_NONE || binding.kind == PK_VALUE_TEXT || binding.field ||
	    binding.argument || !binding.trace)
		return false;
	range->place = binding.place;
	range->raw = binding.raw;
	range->mask = has_bits ? node->right->number.low : UINT64_MAX;
	range->bias = !has_bits && pk_kind_is_signed(binding.kind) ? UINT64_C(1) << 63 : 0;
	return range->place.size;
}

/* Adds a step if a number of a tracepoint is compared with a constant. Returns false for other
 * comparisons. */
static bool add_range(struct compiler *compiler, const struct pk_expression *left,
		      enum pk_operator op, struct pk_wide number, uint32_t yes, uint32_t no,
		      uint32_t *at)
{
	const struct pk_comparison comparison = {.kind = COMPARE_RANGE};
	struct pk_program *program = compiler->program;
	struct pk_step step = {.op = PK_STEP_RAW, .range = (uint32_t)program->ranges_count};
	struct pk_raw_range range;
	uint64_t low = 0, high = UINT64_MAX;
	bool negated;

	if (!find_number(compiler, left, &range))
		return false;
	number = pk_wide_add(number, pk_wide_of_u64(range.bias));
	if (number.high)
		return false;
	set_range(op, number.low, &low, &high, &negated);
	range.low = low;
	range.span = high - low;
	if (pk_reserve(&program->ranges, &program->ranges_capacity, step.range, 1, sizeof(range)) !=
	    PK_OK) {
		*at = FAIL;
		return true;
	}
	program->ranges[program->ranges_count++] = range;
	step.wanted = negated ? PK_NO : PK_YES;
	*at = add_step(compiler, step, &comparison, yes, no);
	return true;
}

static uint32_t compile_comparison(struct compiler *compiler, const struct pk_expression *node,
				   uint32_t yes, uint32_t no)
{
	struct pk_comparison comparison = {.kind = COMPARE_NUMBERS, .node = node};
	struct pk_step step;
	uint32_t at;
	bool negated;
	int added;

	if (make_range(compiler, node, &step, &negated)) {
		if (!negated)
			join_ranges(compiler->program, &step, &yes, no);
		return add_step(compiler, step, NULL, negated ? no : yes, negated ? yes : no);
	}
	if (node->right->op == PK_OP_NUMBER &&
	    add_range(compiler, node->left, node->op, node->right->number, yes, no, &at))
		return at;
	added = add_side(compiler, node->left, &comparison.sides[0]);
	if (added == 1)
		added = add_side(compiler, node->right, &comparison.sides[1]);
	if (added != 1)
		return added ? FAIL : no;
	return add_comparison(compiler, &comparison, yes, no);
}

static uint32_t compile_truth(struct compiler *compiler, const struct pk_expression *node,
			      uint32_t yes, uint32_t no)
{
	struct pk_comparison comparison = {.kind = COMPARE_TRUTH, .node = node};
	uint32_t at;
	int added;

	if (add_range(compiler, node, PK_OP_NE, pk_wide_of(0), yes, no, &at))
		return at;
	added = add_side(compiler, node, &comparison.sides[0]);
	if (added != 1)
		return added ? FAIL : no;
	return add_comparison(compiler, &comparison, yes, no);
}

static struct test *test_of(struct pk_condition *condition, const struct pk_expression *node)
{
	for (size_t i = 0; i < condition->tests_count; i++)
		if (condition->tests[i].node == node)
			return &condition->tests[i];
	return NULL;
}

static uint32_t compile_mode(struct compiler *compiler, const struct pk_expression *node,
			     uint32_t yes, uint32_t no)
{
	struct pk_step step = {.op = PK_STEP_MODE};

	for (uint16_t mode = 0; mode <= PERF_RECORD_MISC_CPUMODE_MASK; mode++)
		if (fits(node, pk_mode_name(mode)) != is_negated(node))
			step.modes |= 1u << mode;
	return add_step(compiler, step, NULL, yes, no);
}

/* Returns true if ask_frame() can compare the text of the field: comm, dso, symbol, stack. The text
 * of comm_nodigit is in no frame. */
static bool is_of_stack(const struct pk_expression *node)
{
	const struct pk_field *field = node->reference.field;

	return field && field->of_stack && strcmp(field->name, "comm_nodigit") != 0;
}

/* Compares a label with the text of the node. A label has the same value for all samples of a
 * session. */
static bool fits_label(const struct compiler *compiler, const struct pk_expression *node,
		       uint32_t label)
{
	const struct pk_session *session = compiler->condition->context->state->session;

	return fits(node, pk_session_label_value(session, label, NULL)) != is_negated(node);
}

/* Compiles the comparison of a field with a text (EQ, NE, LIKE or UNLIKE). */
static uint32_t compile_match(struct compiler *compiler, const struct pk_expression *node,
			      uint32_t yes, uint32_t no)
{
	struct pk_comparison comparison = {.kind = COMPARE_KEY, .node = node};
	struct pk_step step = {.op = PK_STEP_STACK, .wanted = is_negated(node) ? PK_NO : PK_YES};

	comparison.left = bind(compiler, node->left);
	if (pk_kind_has_names(comparison.left.kind)) {
		comparison.kind = COMPARE_TEXT;
		return add_comparison(compiler, &comparison, yes, no);
	}
	if (comparison.left.kind != PK_VALUE_TEXT)
		return no;
	if (comparison.left.label)
		return fits_label(compiler, node, comparison.left.label) ? yes : no;
	if (!comparison.left.field) {
		comparison.kind = COMPARE_TEXT;
		return add_comparison(compiler, &comparison, yes, no);
	}
	if (!strcmp(comparison.left.field->name, "event"))
		return fits(node, compiler->event->name) != is_negated(node) ? yes : no;
	if (!strcmp(comparison.left.field->name, "mode"))
		return compile_mode(compiler, node, yes, no);
	comparison.test = test_of(compiler->condition, node);
	if (!pk_source_symbolized(&compiler->condition->context->stacks) ||
	    !is_of_stack(node->left))
		return add_comparison(compiler, &comparison, yes, no);
	comparison.kind = COMPARE_STACK;
	step.stacks = &comparison.test->stacks;
	return add_step(compiler, step, &comparison, yes, no);
}

static uint32_t compile_texts(struct compiler *compiler, const struct pk_expression *node,
			      uint32_t yes, uint32_t no)
{
	struct pk_comparison comparison = {.kind = COMPARE_TEXTS, .node = node};

	if (node->left->op == PK_OP_STRING)
		return fits(node, node->left->text) == (node->op == PK_OP_EQ) ? yes : no;
	if (node->right->op == PK_OP_STRING)
		return compile_match(compiler, node, yes, no);
	comparison.left = bind(compiler, node->left);
	comparison.right = bind(compiler, node->right);
	if (comparison.left.kind != PK_VALUE_TEXT || comparison.right.kind != PK_VALUE_TEXT)
		return no;
	return add_comparison(compiler, &comparison, yes, no);
}

static uint32_t compile(struct compiler *compiler, const struct pk_expression *node, uint32_t yes,
			uint32_t no)
{
	if (yes == FAIL || no == FAIL)
		return FAIL;
	switch (node->op) {
	case PK_OP_OR:
		return compile(compiler, node->left, yes, compile(compiler, node->right, yes, no));
	case PK_OP_AND:
		return compile(compiler, node->left, compile(compiler, node->right, yes, no), no);
	case PK_OP_NOT: return compile(compiler, node->left, no, yes);
	case PK_OP_FIELD:
	case PK_OP_BITS:
	case PK_OP_NUMBER: return compile_truth(compiler, node, yes, no);
	case PK_OP_LIKE:
	case PK_OP_UNLIKE: return compile_match(compiler, node, yes, no);
	default: break;
	}
	return node->left->type == PK_IS_TEXT ? compile_texts(compiler, node, yes, no)
					      : compile_comparison(compiler, node, yes, no);
}

static void free_program(struct pk_program *program)
{
	if (!program)
		return;
	free(program->steps);
	free(program->comparisons);
	free(program->ranges);
	free(program->operands);
	free(program);
}

static struct pk_program *compile_for(struct pk_condition *condition, const struct pk_event *event)
{
	struct pk_program *program = calloc(1, sizeof(*program));
	struct compiler compiler = {program, condition, event};

	if (!program)
		return NULL;
	program->condition = condition;
	program->context = condition->context;
	program->entry = compile(&compiler, condition->expression, PK_KEEP, PK_DROP);
	if (program->entry != FAIL)
		return program;
	free_program(program);
	return NULL;
}

/* ---- All ---- */

/* Returns true if the node compares a field of samples with a text. The answers of such a
 * comparison are cached in a struct test. */
static bool is_test(const struct pk_expression *node)
{
	return (node->op == PK_OP_LIKE || node->op == PK_OP_EQ || is_negated(node)) &&
	       node->left->op == PK_OP_FIELD && node->left->reference.field &&
	       node->right->op == PK_OP_STRING;
}

static struct test new_test(struct pk_condition *condition, const struct pk_expression *node)
{
	const char *name = node->left->reference.field->name;

	return (struct test){
		.node = node,
		.condition = condition,
		.is_dso = !strcmp(name, "dso"),
		.reach = !strcmp(name, "stack")	 ? REACH_ANY
			 : !strcmp(name, "comm") ? REACH_ROOT
						 : REACH_LEAF,
	};
}

static void register_node(void *arg, struct pk_expression *node)
{
	struct pk_condition *condition = arg;
	const struct pk_field *field = node->reference.field;

	if (node->op == PK_OP_FIELD && (!field || field->sample_bits || field->size)) {
		if (pk_reserve(&condition->sought, &condition->sought_capacity,
			       condition->sought_count, 1, sizeof(*condition->sought)) != PK_OK)
			condition->failed = true;
		else
			condition->sought[condition->sought_count++] =
				(struct sought){.node = node};
	}
	if (is_test(node)) {
		if (pk_reserve(&condition->tests, &condition->tests_capacity,
			       condition->tests_count, 1, sizeof(*condition->tests)) != PK_OK)
			condition->failed = true;
		else
			condition->tests[condition->tests_count++] = new_test(condition, node);
	}
}

struct pk_condition *pk_condition_new(struct pk_context *context,
				      const struct pk_expression *expression)
{
	struct pk_condition *condition = calloc(1, sizeof(*condition));

	if (!condition)
		return NULL;
	condition->context = context;
	condition->expression = expression;
	pk_expression_walk((struct pk_expression *)expression, register_node, condition);
	if (!condition->failed)
		return condition;
	pk_condition_free(condition);
	return NULL;
}

static void forget(struct pk_condition *condition)
{
	for (size_t i = 0; i < condition->programs_count; i++)
		free_program(condition->programs[i]);
	free(condition->programs);
	condition->programs = NULL;
	condition->programs_count = 0;
	for (size_t i = 0; i < condition->tests_count; i++) {
		struct test *test = &condition->tests[i];

		free(test->stacks.items);
		free(test->frames.items);
		pk_table_free(&test->keys);
		*test = new_test(condition, test->node);
	}
}

void pk_condition_free(struct pk_condition *condition)
{
	if (!condition)
		return;
	forget(condition);
	free(condition->tests);
	free(condition->sought);
	free(condition->copy.data);
	free(condition);
}

const struct pk_program *pk_condition_program(struct pk_condition *condition,
					      const struct pk_event *event)
{
	struct pk_context *context = condition->context;

	if (pk_unlikely(condition->epoch != context->epoch)) {
		forget(condition);
		condition->epoch = context->epoch;
	}
	if (pk_extend(&condition->programs, &condition->programs_count, event->index) != PK_OK) {
		context->failed = true;
		return NULL;
	}
	if (pk_unlikely(!condition->programs[event->index])) {
		condition->programs[event->index] = compile_for(condition, event);
		context->failed |= !condition->programs[event->index] ||
				   (context->state->tracepoints &&
				    pk_tracepoints_failed(context->state->tracepoints));
	}
	return condition->programs[event->index];
}

bool pk_condition_holds(struct pk_condition *condition, const struct pk_record *record)
{
	const struct pk_program *program = pk_condition_program(condition, record->event);

	return program && pk_program_holds(program, record);
}

void pk_condition_set_branch(struct pk_condition *condition, uint64_t branch)
{
	condition->branch = branch;
}

void pk_condition_end_session(struct pk_condition *condition)
{
	const struct pk_events *events = pk_reader_events(condition->context->state->reader);

	if (condition->sought_count)
		for (size_t i = 0; i < pk_events_count(events); i++)
			(void)pk_condition_program(condition, pk_events_at(events, i));
}

void pk_condition_problems(const struct pk_condition *condition,
			   void (*each)(void *arg, size_t at, const char *text), void *arg)
{
	char text[PK_MISSING_SIZE];

	for (size_t i = 0; i < condition->sought_count; i++) {
		const struct sought *sought = &condition->sought[i];
		const struct pk_expression *node = sought->node;

		if (node->reference.field || (sought->found && !sought->mismatched))
			continue;
		if (!sought->found)
			pk_reference_missing(&node->reference, text);
		else
			snprintf(text, sizeof(text), "%s is no %s", node->reference.name,
				 node->wanted == PK_IS_TEXT ? "string" : "number");
		each(arg, node->at, text);
	}
}

void pk_condition_absent_fields(const struct pk_condition *condition,
				void (*each)(void *arg, const char *name), void *arg)
{
	for (size_t i = 0; i < condition->sought_count; i++) {
		const struct sought *sought = &condition->sought[i];
		const struct pk_field *field = sought->node->reference.field;
		size_t first = 0;

		while (condition->sought[first].node->reference.field != field)
			first++;
		if (field && first == i && sought->bound && !sought->found)
			each(arg, field->name);
	}
}
