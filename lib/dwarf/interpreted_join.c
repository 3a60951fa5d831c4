// SPDX-License-Identifier: BSD-2-Clause
#include "interpreted_groups.h"
#include "interpreted_join.h"

/* A stack while its frames are put to their places. */
struct stack {
	struct pk_interpreted_join *join;
	const uint64_t *from;
	uint64_t *to;
	size_t native, from_count; /* number of native frames, and number of all entries */
	size_t word;		   /* index of the next word in `from` */
	size_t empty;		   /* number of innermost evaluations that have no frames */
	size_t count;		   /* number of entries in `to` */
};

static void start_stack(struct stack *stack)
{
	const uint64_t *from = stack->from;
	size_t evaluations = 0, groups = 0;

	while (stack->native < stack->from_count && from[stack->native] != INTERPRETED_END &&
	       !interpreted_is_word(from[stack->native])) {
		evaluations += interpreted_mark_of(from[stack->native]) == INTERPRETED_EVALUATION;
		stack->native++;
	}
	stack->word = stack->native;
	for (size_t i = stack->word; i < stack->from_count; i++)
		groups += from[i] == INTERPRETED_END;
	if (!stack->join->cut && evaluations > groups)
		stack->empty = evaluations - groups;
}

static void add_frame(struct stack *stack, uint64_t address)
{
	if (stack->count < stack->join->limit)
		stack->to[stack->count++] = address;
	else
		stack->join->is_short = true;
}

/* Adds the frames of the next group. */
static void add_group(struct stack *stack)
{
	const struct pk_interpreted_join *join = stack->join;
	uint64_t address;

	while (stack->word < stack->from_count && stack->from[stack->word] != INTERPRETED_END) {
		address = stack->count < join->limit
				  ? join->address(join->arg, stack->from[stack->word])
				  : 1;
		stack->word++;
		if (address)
			add_frame(stack, address);
	}
	stack->join->is_short |= stack->word == stack->from_count;
	stack->word++;
}

/* Returns true if the frames of the interpreter replace the native frame at the index i. */
static bool is_replaced(const struct stack *stack, size_t i)
{
	const uint64_t mark = interpreted_mark_of(stack->from[i]);

	if (mark == INTERPRETED_INNER)
		i++;
	return mark && !stack->empty && i < stack->native &&
	       interpreted_mark_of(stack->from[i]) == INTERPRETED_EVALUATION;
}

static void add_native(struct stack *stack, size_t i)
{
	const uint64_t mark = interpreted_mark_of(stack->from[i]);
	const bool replaced = is_replaced(stack, i);

	if (!replaced || stack->join->keep_native)
		add_frame(stack, mark ? stack->from[i] & ~INTERPRETED_MARKS : stack->from[i]);
	if (mark != INTERPRETED_EVALUATION)
		return;
	if (replaced)
		add_group(stack);
	else
		stack->empty--;
}

size_t pk_interpreted_join(struct pk_interpreted_join *join, const uint64_t *from, size_t count,
			   uint64_t *to)
{
	struct stack stack = {.join = join, .from = from, .to = to, .from_count = count};

	join->is_short = false;
	start_stack(&stack);
	for (size_t i = 0; i < stack.native && !join->is_short; i++)
		add_native(&stack, i);
	return stack.count;
}
