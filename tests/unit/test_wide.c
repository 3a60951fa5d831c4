// SPDX-License-Identifier: BSD-2-Clause
/* Tests products and quotients in both implementations. If the compiler has __int128, the results
 * of all operations are compared with it. */
#include "hash.h"
#include "stream_builder.h"
#include "wide.h"

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Returns a random word of any size. Many words are near a limit. */
static uint64_t any_word(void)
{
	const uint64_t word = next() >> next() % 64;

	switch (next() % 8) {
	case 0: return 0;
	case 1: return UINT64_MAX - next() % 3;
	case 2: return (UINT64_C(1) << next() % 64) - next() % 3;
	default: return word;
	}
}

static struct pk_wide any_number(void)
{
	return (struct pk_wide){any_word(), next() % 3 ? (int64_t)any_word() : 0};
}

static struct pk_wide wide(int64_t high, uint64_t low)
{
	return (struct pk_wide){low, high};
}

#define ck_assert_wide(a, b) ck_assert_msg(pk_wide_equal(a, b), "%s is not %s", #a, #b)

START_TEST(known_results)
{
	const uint64_t word = UINT64_C(0xfedcba9876543210);
	struct pk_wide rest;

	ck_assert_wide(pk_wide_product_parts(UINT64_MAX, UINT64_MAX), wide(-2, 1));
	ck_assert_wide(pk_wide_product_parts(word, UINT64_C(0x0123456789abcdef)),
		       wide(0x0121fa00ad77d742, UINT64_C(0x2236d88fe5618cf0)));
	ck_assert_wide(pk_wide_divide_bits(wide(-1, UINT64_MAX), pk_wide_of(10), &rest),
		       wide(0x1999999999999999, UINT64_C(0x9999999999999999)));
	ck_assert_wide(rest, pk_wide_of(5));
	ck_assert_wide(pk_wide_divide_bits(wide(-1, 0), wide(-1, 1), &rest), wide(0, 0));
	ck_assert_wide(rest, wide(-1, 0));
	ck_assert_wide(pk_wide_floor_divide(pk_wide_of(-7), pk_wide_of(2)), pk_wide_of(-4));
	ck_assert_wide(pk_wide_floor_divide(pk_wide_of(-8), pk_wide_of(2)), pk_wide_of(-4));
	ck_assert_wide(pk_wide_floor_divide(pk_wide_of(7), pk_wide_of(2)), pk_wide_of(3));
	ck_assert_uint_eq(pk_mix64(word, word), UINT64_C(0x2356ac406c961bcc));
}
END_TEST

START_TEST(both_forms_agree)
{
	for (unsigned int i = 0; i < 20000; i++) {
		const struct pk_wide number = any_number();
		struct pk_wide divisor = any_number(), rest, other;
		const struct pk_wide product = pk_wide_product(number.low, divisor.low);

		ck_assert_wide(product, pk_wide_product_parts(number.low, divisor.low));
		divisor.low |= !divisor.high;
		ck_assert_wide(pk_wide_divide(number, divisor, &rest),
			       pk_wide_divide_bits(number, divisor, &other));
		ck_assert_wide(rest, other);
	}
}
END_TEST

START_TEST(a_number_is_its_quotient_times_the_divisor_and_the_rest)
{
	for (unsigned int i = 0; i < 20000; i++) {
		const struct pk_wide number = any_number();
		struct pk_wide divisor = any_number(), rest, product;

		divisor.high &= INT64_MAX;
		divisor.low |= !divisor.high;
		product = pk_wide_multiply(pk_wide_divide(number, divisor, &rest), divisor);
		ck_assert_wide(pk_wide_add(product, rest), number);
		ck_assert(rest.high >= 0 && pk_wide_less(rest, divisor));
		product = pk_wide_multiply(pk_wide_floor_divide(number, divisor), divisor);
		rest = pk_wide_subtract(number, product);
		ck_assert(rest.high >= 0 && pk_wide_less(rest, divisor));
	}
}
END_TEST

START_TEST(texts)
{
	static const struct {
		struct pk_wide number;
		const char *text;
	} cases[] = {{{0, 0}, "0"},
		     {{10, 0}, "10"},
		     {{UINT64_MAX, -1}, "-1"},
		     {{UINT64_MAX, 0}, "18446744073709551615"},
		     {{0, 1}, "18446744073709551616"},
		     {{UINT64_MAX, INT64_MAX}, "170141183460469231731687303715884105727"},
		     {{1, INT64_MIN}, "-170141183460469231731687303715884105727"}};
	char text[PK_WIDE_TEXT];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_str_eq(pk_wide_text(cases[i].number, text), cases[i].text);
}
END_TEST

START_TEST(reals)
{
	ck_assert(pk_wide_real(wide(0, UINT64_MAX)) == 0x1p64);
	ck_assert(pk_wide_real(wide(-1, 0)) == -0x1p64);
	/* A number in the middle of two doubles, and a number that is larger by 1. */
	ck_assert(pk_wide_real(wide(INT64_C(1) << 53 | 1, 0)) == 0x1.0000000000000p117);
	ck_assert(pk_wide_real(wide(INT64_C(1) << 53 | 1, 1)) == 0x1.0000000000001p117);
	ck_assert_wide(pk_wide_of_real(-0x1p64), wide(-1, 0));
	ck_assert_wide(pk_wide_of_real(-2.75), pk_wide_of(-2));
	ck_assert_wide(pk_wide_of_real(0x1.8p65), wide(3, 0));
	ck_assert_wide(pk_wide_of_real(1e300), wide(INT64_MAX, UINT64_MAX));
	ck_assert_wide(pk_wide_of_real(__builtin_nan("")), wide(0, 0));
}
END_TEST

START_TEST(native_numbers_agree)
{
#ifdef __SIZEOF_INT128__
	for (unsigned int i = 0; i < 20000; i++) {
		const struct pk_wide x = any_number(), y = any_number();
		const __int128 a = (__int128)pk_wide_native(x), b = (__int128)pk_wide_native(y);
		const unsigned int bits = (unsigned int)(next() % 128);

		ck_assert_wide(pk_wide_add(x, y),
			       pk_wide_of_native((unsigned __int128)a + (unsigned __int128)b));
		ck_assert_wide(pk_wide_subtract(x, y),
			       pk_wide_of_native((unsigned __int128)a - (unsigned __int128)b));
		ck_assert_wide(pk_wide_multiply(x, y),
			       pk_wide_of_native((unsigned __int128)a * (unsigned __int128)b));
		ck_assert_wide(pk_wide_shift_left(x, bits),
			       pk_wide_of_native((unsigned __int128)a << bits));
		ck_assert_wide(pk_wide_and(x, y), pk_wide_of_native((unsigned __int128)(a & b)));
		ck_assert_int_eq(pk_wide_less(x, y), a < b);
		ck_assert_int_eq(pk_wide_equal(x, y), a == b);
		ck_assert(pk_wide_real(x) == (double)a);
		if (pk_wide_real(x) < 0x1p127 && pk_wide_real(x) > -0x1p127)
			ck_assert_wide(pk_wide_of_real(pk_wide_real(x)),
				       pk_wide_of_native((unsigned __int128)(__int128)(double)a));
	}
#endif
}
END_TEST

RUN_TESTS("wide", known_results, both_forms_agree,
	  a_number_is_its_quotient_times_the_divisor_and_the_rest, texts, reals,
	  native_numbers_agree)
