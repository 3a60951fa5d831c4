// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "lookups.h"
#include "pkstream.h"
#include "unwind_half.h"
#include "vector.h"

struct unwind_half *unwind_halves_add(struct unwind_halves *halves)
{
	if (halves->count == UNWIND_HALVES_MAX)
		memmove(halves->items, halves->items + 1,
			--halves->count * sizeof(halves->items[0]));
	return &halves->items[halves->count++];
}

struct unwind_half *unwind_halves_take(struct unwind_halves *halves, uint64_t ip, uint32_t tid)
{
	for (size_t i = halves->count; i-- > 0;) {
		if ((halves->items[i].ip && halves->items[i].ip != ip) ||
		    halves->items[i].tid != tid)
			continue;
		halves->count = i;
		return &halves->items[i];
	}
	return NULL;
}

void unwind_pids_add(struct unwind_pids *pids, uint32_t pid)
{
	if (pids->count && pids->items[pids->count - 1] == pid)
		return;
	if (pk_need_room(pk_lookups(), pk_reserve(&pids->items, &pids->capacity, pids->count, 1,
						  sizeof(*pids->items))) == PK_OK)
		pids->items[pids->count++] = pid;
}

bool unwind_half_is_valid(const struct unwind_half *half, size_t size)
{
	const size_t head = offsetof(struct unwind_half, addresses);
	const size_t stack = offsetof(struct unwind_half, dump.stack);

	if (size < head || size > sizeof(*half))
		return false;
	if (half->end & UNWIND_DUMP)
		return size >= stack && half->count <= size - stack;
	return half->count <= (size - head) / sizeof(half->addresses[0]);
}

uint32_t unwind_joins_count(struct unwind_joins *joins, uint32_t end)
{
	static const uint32_t flags[PK_UNWIND_ENDS] = {
		[PK_UNWIND_NO_RULE] = PK_CHAIN_NO_CFI,
		[PK_UNWIND_BAD_RULE] = PK_CHAIN_BAD_CFI,
		[PK_UNWIND_UNREADABLE] = PK_CHAIN_NO_MEMORY,
		[PK_UNWIND_TOO_DEEP] = PK_CHAIN_STACK_SHORT,
		[PK_UNWIND_NOT_LOADED] = PK_CHAIN_USER_MISSING,
		[PK_UNWIND_NOT_64_BITS] = PK_CHAIN_NO_CFI,
	};
	const uint32_t why = end & 0xff;
	uint32_t flag = 0;

	if (end & UNWIND_TORN) {
		joins->torn++;
		flag = PK_CHAIN_TORN;
	}
	if (why >= PK_UNWIND_ENDS)
		return flag;
	joins->stacks++;
	joins->ends[why]++;
	if (end & UNWIND_BY_FRAME) {
		joins->by_frame++;
		flag |= PK_CHAIN_FRAME_POINTER;
	}
	return flags[why] | flag;
}

uint32_t unwind_joins_note(struct unwind_joins *joins, struct unwind_half *half)
{
	if (!half) {
		joins->missing++;
		return PK_CHAIN_USER_MISSING;
	}
	if (half->end & UNWIND_DUMP)
		joins->unwind(joins->arg, half);
	if (half->count > joins->frames) {
		half->count = joins->frames;
		half->end = (half->end & ~UINT32_C(0xff)) | PK_UNWIND_TOO_DEEP;
	}
	return half->count ? unwind_joins_count(joins, half->end) : 0;
}

size_t unwind_joins_limit(struct unwind_joins *joins, const struct unwind_half *half, size_t room,
			  uint32_t *flags)
{
	const size_t wanted = (size_t)half->count + 1;

	if (room >= wanted)
		return wanted;
	joins->no_room++;
	*flags |= PK_CHAIN_STACK_SHORT;
	return room;
}

/* ---- Frames of interpreters ---- */

/* Returns the mark of an entry of a user stack, or 0 if it is not marked. */
static uint64_t mark_of(uint64_t entry)
{
	const uint64_t mark = entry & INTERPRETED_MARKS;

	return mark == INTERPRETED_EVALUATION || mark == INTERPRETED_INNER ? mark : 0;
}

bool unwind_half_is_interpreted(const struct unwind_half *half)
{
	for (uint32_t i = 0; !(half->end & UNWIND_DUMP) && i < half->count; i++)
		if (mark_of(half->addresses[i]))
			return true;
	return false;
}

/* A user stack whose frames are put to their places. */
struct stack {
	uint64_t from[UNWIND_ADDRESSES_MAX], to[UNWIND_ADDRESSES_MAX];
	size_t native, from_count; /* number of native frames, and number of all entries */
	size_t word;		   /* index of the next word in `from` */
	size_t empty;		   /* number of innermost evaluations that have no frames */
	size_t count, limit;	   /* number of entries in `to`, and their maximum */
	bool is_short;		   /* frames are missing at the end */
};

static void start_stack(struct stack *stack, const void *addresses, size_t count, uint32_t end)
{
	size_t evaluations = 0, groups = 0;

	memcpy(stack->from, addresses, count * sizeof(stack->from[0]));
	stack->from_count = count;
	while (stack->native < count && stack->from[stack->native] != INTERPRETED_END &&
	       !interpreted_is_word(stack->from[stack->native])) {
		evaluations += mark_of(stack->from[stack->native]) == INTERPRETED_EVALUATION;
		stack->native++;
	}
	stack->word = stack->native;
	for (size_t i = stack->word; i < count; i++)
		groups += stack->from[i] == INTERPRETED_END;
	if (!(end & UNWIND_WORDS_CUT) && evaluations > groups)
		stack->empty = evaluations - groups;
}

static void add_frame(struct stack *stack, uint64_t address)
{
	if (stack->count < stack->limit)
		stack->to[stack->count++] = address;
	else
		stack->is_short = true;
}

/* Adds the frames of the next group. */
static void add_group(struct stack *stack, const struct unwind_joins *joins,
		      const struct interpreted_use *use)
{
	uint64_t address;

	while (stack->word < stack->from_count && stack->from[stack->word] != INTERPRETED_END) {
		address = stack->count < stack->limit
				  ? joins->interpreted(joins->arg, use, stack->from[stack->word])
				  : 1;
		stack->word++;
		if (address)
			add_frame(stack, address);
	}
	stack->is_short |= stack->word == stack->from_count;
	stack->word++;
}

/* Returns true if the frames of the interpreter replace the native frame at the index i. */
static bool is_replaced(const struct stack *stack, size_t i)
{
	const uint64_t mark = mark_of(stack->from[i]);

	if (mark == INTERPRETED_INNER)
		i++;
	return mark && !stack->empty && i < stack->native &&
	       mark_of(stack->from[i]) == INTERPRETED_EVALUATION;
}

static void add_native(struct stack *stack, const struct unwind_joins *joins,
		       const struct interpreted_use *use, size_t i)
{
	const uint64_t mark = mark_of(stack->from[i]);
	const bool replaced = is_replaced(stack, i);

	if (!replaced || joins->keep_native)
		add_frame(stack, mark ? stack->from[i] & ~INTERPRETED_MARKS : stack->from[i]);
	if (mark != INTERPRETED_EVALUATION)
		return;
	if (replaced)
		add_group(stack, joins, use);
	else
		stack->empty--;
}

size_t unwind_joins_name(const struct unwind_joins *joins, const struct interpreted_use *use,
			 void *addresses, size_t count, uint32_t *end)
{
	struct stack stack;

	stack.native = stack.empty = stack.count = 0;
	stack.is_short = false;
	count = count < UNWIND_ADDRESSES_MAX ? count : UNWIND_ADDRESSES_MAX;
	stack.limit = joins->frames < count ? joins->frames : count;
	start_stack(&stack, addresses, count, *end);
	for (size_t i = 0; i < stack.native && !stack.is_short; i++)
		add_native(&stack, joins, use, i);
	if (stack.is_short)
		*end = (*end & ~UINT32_C(0xff)) | PK_UNWIND_TOO_DEEP;
	memcpy(addresses, stack.to, stack.count * sizeof(stack.to[0]));
	return stack.count;
}
