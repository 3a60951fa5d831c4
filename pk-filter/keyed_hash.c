// SPDX-License-Identifier: BSD-2-Clause
#include "keyed_hash.h"

struct state {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotate(uint64_t x, unsigned int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void round_of(struct state *s)
{
	s->v0 += s->v1;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v2 = rotate(s->v2, 32);
}

static void add_word(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	round_of(s);
	round_of(s);
	s->v0 ^= word;
}

uint64_t keyed_hash(const struct hash_key *key, const void *data, size_t size)
{
	const uint8_t *p = data;
	struct state s = {
		key->low ^ UINT64_C(0x736f6d6570736575),
		key->high ^ UINT64_C(0x646f72616e646f6d),
		key->low ^ UINT64_C(0x6c7967656e657261),
		key->high ^ UINT64_C(0x7465646279746573),
	};
	uint64_t word = 0;

	for (size_t i = 0; i < size; i++) {
		word |= (uint64_t)p[i] << 8 * (i % 8);
		if (i % 8 == 7) {
			add_word(&s, word);
			word = 0;
		}
	}
	add_word(&s, word | (uint64_t)size << 56);
	s.v2 ^= 0xff;
	for (int i = 0; i < 4; i++)
		round_of(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
