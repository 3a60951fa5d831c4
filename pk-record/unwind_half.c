// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "interpreted_join.h"
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

bool unwind_half_is_interpreted(const struct unwind_half *half)
{
	for (uint32_t i = 0; !(half->end & UNWIND_DUMP) && i < half->count; i++)
		if (interpreted_mark_of(half->addresses[i]))
			return true;
	return false;
}

/* The argument of name_word(). */
struct naming {
	const struct unwind_joins *joins;
	const struct interpreted_use *use;
};

static uint64_t name_word(void *arg, uint64_t word)
{
	const struct naming *naming = arg;

	return naming->joins->interpreted(naming->joins->arg, naming->use, word);
}

size_t unwind_joins_name(const struct unwind_joins *joins, const struct interpreted_use *use,
			 void *addresses, size_t count, uint32_t *end)
{
	struct naming naming = {joins, use};
	uint64_t from[UNWIND_ADDRESSES_MAX], to[UNWIND_ADDRESSES_MAX];
	struct pk_interpreted_join join = {.address = name_word,
					   .arg = &naming,
					   .keep_native = joins->keep_native,
					   .cut = *end & UNWIND_WORDS_CUT};

	count = count < UNWIND_ADDRESSES_MAX ? count : UNWIND_ADDRESSES_MAX;
	join.limit = joins->frames < count ? joins->frames : count;
	memcpy(from, addresses, count * sizeof(from[0]));
	count = pk_interpreted_join(&join, from, count, to);
	if (join.is_short)
		*end = (*end & ~UINT32_C(0xff)) | PK_UNWIND_TOO_DEEP;
	memcpy(addresses, to, count * sizeof(to[0]));
	return count;
}
