// SPDX-License-Identifier: BSD-2-Clause
/* Tests how frames of interpreters are put to their places in a stack. */
#include <string.h>

#include "stream_builder.h"
#include "unwind_half.h"

#define EVALUATION INTERPRETED_EVALUATION
#define INNER	   INTERPRETED_INNER
#define END	   INTERPRETED_END
#define WORD(n)	   (INTERPRETED_WORD | (n))
#define FRAME(n)   (1000 + (n))

/* Word 0 is a frame of the interpreter itself. */
static uint64_t interpreted(void *arg, const struct interpreted_use *use, uint64_t word)
{
	(void)arg;
	(void)use;
	return word == WORD(0) ? 0 : FRAME(word & ~INTERPRETED_WORD_MASK);
}

static struct unwind_joins joins = {.interpreted = interpreted, .frames = 100};
static uint32_t end;

/* Returns true if the stack `from` becomes the stack `to`. Both end with 0. */
static bool becomes(const uint64_t *from, const uint64_t *to)
{
	static const struct interpreted_use use;
	uint64_t stack[UNWIND_ADDRESSES_MAX];
	size_t count = 0, expected = 0;

	while (from[count])
		count++;
	while (to[expected])
		expected++;
	memcpy(stack, from, count * sizeof(*from));
	count = unwind_joins_name(&joins, &use, stack, count, &end);
	return count == expected && !memcmp(stack, to, count * sizeof(*to));
}

#define STACK(...) ((const uint64_t[]){__VA_ARGS__, 0})

START_TEST(groups_replace_evaluations)
{
	end = PK_UNWIND_COMPLETE;
	ck_assert(becomes(STACK(1, 2, 3), STACK(1, 2, 3)));
	ck_assert(becomes(
		STACK(1, EVALUATION | 2, 3, EVALUATION | 4, 5, WORD(1), WORD(2), END, WORD(3), END),
		STACK(1, FRAME(1), FRAME(2), 3, FRAME(3), 5)));
	/* a part of an evaluation, and a frame of the interpreter itself */
	ck_assert(becomes(STACK(INNER | 1, EVALUATION | 2, INNER | 3, 4, WORD(0), WORD(1), END),
			  STACK(FRAME(1), 3, 4)));
	joins.keep_native = true;
	ck_assert(becomes(STACK(INNER | 1, EVALUATION | 2, 3, WORD(1), END),
			  STACK(1, 2, FRAME(1), 3)));
	joins.keep_native = false;
	ck_assert_uint_eq(end, PK_UNWIND_COMPLETE);
}
END_TEST

/* The innermost evaluations have no frames yet. Their native frames stay. */
START_TEST(evaluations_without_frames)
{
	end = PK_UNWIND_COMPLETE;
	ck_assert(becomes(STACK(INNER | 1, EVALUATION | 2, 3, EVALUATION | 4, WORD(1), END),
			  STACK(1, 2, 3, FRAME(1))));
	ck_assert(becomes(STACK(EVALUATION | 1, 2), STACK(1, 2)));
	ck_assert_uint_eq(end, PK_UNWIND_COMPLETE);
}
END_TEST

START_TEST(missing_frames)
{
	const uint64_t from[] = {1, EVALUATION | 2, 3, EVALUATION | 4, 5, WORD(1), END, WORD(2), 0};

	/* the last group is cut */
	end = PK_UNWIND_COMPLETE | UNWIND_WORDS_CUT;
	ck_assert(becomes(from, STACK(1, FRAME(1), 3, FRAME(2))));
	ck_assert_uint_eq(end & 0xff, PK_UNWIND_TOO_DEEP);
	/* the last group is missing */
	end = PK_UNWIND_COMPLETE | UNWIND_WORDS_CUT;
	ck_assert(becomes(STACK(1, EVALUATION | 2, 3, EVALUATION | 4, 5, WORD(1), END),
			  STACK(1, FRAME(1), 3)));
	ck_assert_uint_eq(end & 0xff, PK_UNWIND_TOO_DEEP);
	/* more frames than the limit */
	end = PK_UNWIND_COMPLETE;
	joins.frames = 2;
	ck_assert(becomes(STACK(1, EVALUATION | 2, 3, WORD(1), WORD(2), END), STACK(1, FRAME(1))));
	ck_assert_uint_eq(end, PK_UNWIND_TOO_DEEP);
	joins.frames = 100;
}
END_TEST

/* Each possible stack of up to six entries gives at most as many addresses, without marks. */
START_TEST(any_entries)
{
	static const uint64_t kinds[] = {5, EVALUATION | 6, INNER | 7, WORD(1), WORD(0), END};
	static const struct interpreted_use use;

	for (uint32_t i = 0; i < 2 * 46656; i++) {
		uint64_t stack[6];
		size_t count = 0;

		for (uint32_t rest = i / 2; rest; rest /= 6)
			stack[count++] = kinds[rest % 6];
		end = PK_UNWIND_COMPLETE | (i % 2 ? UNWIND_WORDS_CUT : 0);
		joins.frames = 1 + i % 7;
		ck_assert_uint_le(unwind_joins_name(&joins, &use, stack, count, &end), count);
		for (size_t j = 0; j < count && j < joins.frames; j++)
			ck_assert(stack[j] != FRAME(0));
	}
	joins.frames = 100;
}
END_TEST

RUN_TESTS("interpreted_stack", groups_replace_evaluations, evaluations_without_frames,
	  missing_frames, any_entries)
