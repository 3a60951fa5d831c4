// SPDX-License-Identifier: BSD-2-Clause
#include "sha256_x86.h"

#ifdef __x86_64__

#include <cpuid.h>
#include <immintrin.h>

#define TARGET __attribute__((target("sha,sse4.1")))

bool pk_sha256_x86_usable(void)
{
	unsigned int a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3))
		return false;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;
}

/* The instructions keep the eight words in the order ABEF and CDGH, the highest first. */
TARGET static void load_state(const uint32_t state[8], __m128i *abef, __m128i *cdgh)
{
	const __m128i dcba = _mm_loadu_si128((const void *)state);
	const __m128i hgfe = _mm_loadu_si128((const void *)(state + 4));
	const __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1);
	const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1b);

	*abef = _mm_alignr_epi8(cdab, efgh, 8);
	*cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
}

TARGET static void store_state(uint32_t state[8], __m128i abef, __m128i cdgh)
{
	const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
	const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);

	_mm_storeu_si128((void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
	_mm_storeu_si128((void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/* The next four words of the schedule, from the last sixteen: w[0] has the oldest. */
TARGET static __m128i next_words(const __m128i w[4])
{
	const __m128i sum =
		_mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]), _mm_alignr_epi8(w[3], w[2], 4));

	return _mm_sha256msg2_epu32(sum, w[3]);
}

TARGET void pk_sha256_x86_block(uint32_t state[8], const uint8_t *block,
				const uint32_t constants[64])
{
	const __m128i big_endian =
		_mm_set_epi64x(INT64_C(0x0c0d0e0f08090a0b), INT64_C(0x0405060700010203));
	__m128i abef, cdgh, old_abef, old_cdgh, w[4], sum;

	load_state(state, &abef, &cdgh);
	old_abef = abef;
	old_cdgh = cdgh;
	for (unsigned int i = 0; i < 4; i++)
		w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(block + 16 * (size_t)i)),
					big_endian);
	for (unsigned int i = 0; i < 16; i++) {
		sum = _mm_add_epi32(w[0],
				    _mm_loadu_si128((const void *)(constants + 4 * (size_t)i)));
		cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
		abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
		sum = next_words(w);
		w[0] = w[1];
		w[1] = w[2];
		w[2] = w[3];
		w[3] = sum;
	}
	store_state(state, _mm_add_epi32(abef, old_abef), _mm_add_epi32(cdgh, old_cdgh));
}

#else

bool pk_sha256_x86_usable(void)
{
	return false;
}

void pk_sha256_x86_block(uint32_t state[8], const uint8_t *block, const uint32_t constants[64])
{
	(void)state;
	(void)block;
	(void)constants;
}

#endif
