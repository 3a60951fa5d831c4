// SPDX-License-Identifier: BSD-2-Clause
#include <sys/random.h>

#include "chain_hash.h"
#include "pkutil.h"

#define K0   UINT64_C(0xa0761d6478bd642f)
#define STEP 8 /* pk_chain_parts.step for callchains of up to 256 entries; it must be even */

#define K1 UINT64_C(0xe7037ed1a0b428db)

void pk_chain_seeds_draw(struct pk_chain_seeds *seeds)
{
	*seeds = (struct pk_chain_seeds){
		{UINT64_C(0x2d358dccaa6c78a5), UINT64_C(0x8bb84b93962eacc9)}};
	/* If getrandom() fails, the seeds are the constants above. Then the author of a recording
	 * can construct callchains with equal hashes, but they only affect that recording. */
	if (getrandom(seeds->seeds, sizeof(seeds->seeds), GRND_NONBLOCK) < 0)
		return;
}

uint64_t pk_chain_maps(const struct pk_session *session, const struct pk_thread *thread)
{
	const struct pk_space *kernel = pk_session_kernel(session);
	const struct pk_space *code = thread->process->code;
	const struct pk_guest *guest = pk_session_guest(session, thread->process);

	return pk_mix64(pk_space_serial(thread->process->space) ^ K0,
			(code ? pk_space_serial(code) << 32 : 0) ^
				(uint32_t)pk_space_serial(kernel) ^
				(guest->space ? pk_space_serial(guest->space) << 16 : 0) ^ K1);
}

static struct pk_chain_hash start(const struct pk_chain_seeds *seeds,
				  const struct pk_chain_key *key)
{
	return (struct pk_chain_hash){pk_mix64(key->maps ^ seeds->seeds[0], key->task ^ K0),
				      pk_mix64(key->task ^ seeds->seeds[1], key->maps ^ K1)};
}

/* Adds the `count` entries before end to the hash, starting with the outermost entry. The method is
 * that of pk_hash, but it computes two 64-bit hashes in parallel. */
static struct pk_chain_hash add_entry(const struct pk_chain_seeds *seeds, struct pk_chain_hash hash,
				      const uint8_t *end, size_t count)
{
	const uint64_t s0 = seeds->seeds[0], s1 = seeds->seeds[1];
	uint64_t low = hash.low, high = hash.high;

	for (; count >= 2; count -= 2) {
		const uint64_t a = pk_load_u64(end - 8), b = pk_load_u64(end - 16);

		low = pk_mix64(a ^ s0, b ^ low);
		high = pk_mix64(a ^ high, b ^ s1);
		end -= 16;
	}
	if (count) {
		const uint64_t a = pk_load_u64(end - 8);

		low = pk_mix64(a ^ s0, low ^ s1);
		high = pk_mix64(a ^ high, K0 ^ s0);
	}
	return (struct pk_chain_hash){low, high};
}

struct pk_chain_hash pk_chain_hash_with(const struct pk_chain_seeds *seeds,
					const struct pk_chain_hash *hash, uint64_t number)
{
	return (struct pk_chain_hash){pk_mix64(hash->low ^ number, K1 ^ seeds->seeds[0]),
				      pk_mix64(hash->high ^ K0, number ^ seeds->seeds[1])};
}

struct pk_chain_hash pk_chain_part_hash(const struct pk_chain_seeds *seeds,
					const struct pk_chain_hash *state, size_t count,
					uint32_t context)
{
	return pk_chain_hash_with(seeds, state, (uint64_t)context << 32 | (uint32_t)count);
}

struct pk_chain_hash pk_chain_hash(const struct pk_chain_seeds *seeds,
				   const struct pk_chain_key *key)
{
	const size_t count = key->ips->count;
	const struct pk_chain_hash state =
		add_entry(seeds, start(seeds, key), key->ips->data + 8 * count, count);

	return pk_chain_part_hash(seeds, &state, count, 0);
}

void pk_chain_parts(const struct pk_chain_seeds *seeds, const struct pk_chain_key *key,
		    struct pk_chain_parts *parts)
{
	const uint8_t *const data = key->ips->data;
	struct pk_chain_hash state = start(seeds, key);
	size_t left = key->ips->count, part = 0;

	parts->step = STEP;
	while (left / parts->step > PK_CHAIN_PARTS_MAX)
		parts->step *= 2;
	for (; left >= parts->step; left -= parts->step)
		parts->states[part++] = state =
			add_entry(seeds, state, data + 8 * left, parts->step);
	parts->whole = add_entry(seeds, state, data + 8 * left, left);
}
