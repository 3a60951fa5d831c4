// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "interpreted_join.h"
#include "unwind_interpreted.h"

/* If the native stack has more frames, no frames of an interpreter are added. */
#define INTERPRETED_NATIVE_MAX 4096

/* Sets the size of a range whose end is known now. */
static void end_range(uint64_t start, uint64_t end, uint64_t *size)
{
	if (end > start)
		*size = end - start;
}

static void read_note(struct unwind_interpreted *interpreted, enum interpreted_note kind,
		      uint64_t address)
{
	struct interpreted_groups *groups = &interpreted->groups;
	struct interpreter_places *places = &groups->places;

	switch (kind) {
	case INTERPRETED_GROUP: groups->torn |= end_group(groups, address) != 0; break;
	case INTERPRETED_FROM:
		*(places->evaluator_size ? &places->cold : &places->evaluator) = address;
		break;
	case INTERPRETED_TO:
		if (places->evaluator_size)
			end_range(places->cold, address, &places->cold_size);
		else
			end_range(places->evaluator, address, &places->evaluator_size);
		break;
	case INTERPRETED_INNER_FROM: places->inner = address; break;
	case INTERPRETED_INNER_TO: end_range(places->inner, address, &places->inner_size); break;
	case INTERPRETED_TORN: groups->torn = 1; break;
	case INTERPRETED_BOTH: interpreted->keep_native = true; break;
	case INTERPRETED_NOTES: break;
	}
}

bool unwind_interpreted_read(struct unwind_interpreted *interpreted, const struct pk_u64s *chain)
{
	struct interpreted_groups *groups = &interpreted->groups;
	uint64_t i = 0;

	while (i < chain->count && pk_u64s_at(chain, i) != PERF_CONTEXT_USER)
		i++;
	if (i == chain->count)
		return false;
	memset(interpreted, 0, sizeof(*interpreted));
	while (++i < chain->count) {
		const uint64_t entry = pk_u64s_at(chain, i);

		if (interpreted_is_word(entry) && groups->count < INTERPRETED_FRAMES_MAX)
			groups->words[groups->count++] = entry;
		else
			read_note(interpreted, interpreted_note_of(entry),
				  entry & INTERPRETED_NOTE_ADDRESS);
	}
	return groups->groups || groups->torn;
}

static uint64_t same(void *arg, uint64_t word)
{
	(void)arg;
	return word;
}

size_t unwind_interpreted_join(struct unwind_interpreted *interpreted, uint64_t *ips, size_t count,
			       size_t room, bool complete)
{
	struct pk_interpreted_join join = {
		.address = same, .limit = room, .keep_native = interpreted->keep_native};
	uint64_t from[INTERPRETED_NATIVE_MAX + INTERPRETED_WORDS_MAX];
	uint32_t first, last;

	if (!interpreted->groups.marks || count > INTERPRETED_NATIVE_MAX) {
		interpreted->groups.torn = 1;
		return count;
	}
	interpreted_match(&interpreted->groups, complete, &first, &last);
	memcpy(from, ips, count * sizeof(*ips));
	if (first < last)
		memcpy(from + count, interpreted->groups.words + first,
		       (last - first) * sizeof(*ips));
	else
		last = first;
	count = pk_interpreted_join(&join, from, count + last - first, ips);
	if (join.is_short)
		interpreted->groups.torn = 1;
	return count;
}
