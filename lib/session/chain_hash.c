// SPDX-License-Identifier: BSD-2-Clause
#include <sys/random.h>

#include "chain_hash.h"
#include "pkutil.h"

#define K0 UINT64_C(0xa0761d6478bd642f)
#define K1 UINT64_C(0xe7037ed1a0b428db)

void pk_chain_seeds_draw(struct pk_chain_seeds *seeds)
{
	*seeds = (struct pk_chain_seeds){
		{UINT64_C(0x2d358dccaa6c78a5), UINT64_C(0x8bb84b93962eacc9)}};
	/* If this fails, the seeds are these constants: the author of a recording can construct
	 * collisions, but only in that recording. */
	if (getrandom(seeds->seeds, sizeof(seeds->seeds), GRND_NONBLOCK) < 0)
		return;
}

uint64_t pk_chain_maps(const struct pk_session *session, const struct pk_thread *thread)
{
	const struct pk_space *kernel = pk_session_kernel(session);
	const struct pk_space *code = thread->process->code;

	return pk_mix64(pk_space_serial(thread->process->space) ^ K0,
			(code ? pk_space_serial(code) << 32 : 0) ^
				(uint32_t)pk_space_serial(kernel) ^ K1);
}

/* Like pk_hash, but computes two 64-bit hashes in parallel. */
struct pk_chain_hash pk_chain_hash(const struct pk_chain_seeds *seeds,
				   const struct pk_chain_key *key)
{
	const uint64_t s0 = seeds->seeds[0], s1 = seeds->seeds[1];
	uint64_t low = pk_mix64(key->maps ^ s0, key->task ^ K0);
	uint64_t high = pk_mix64(key->task ^ s1, key->maps ^ K1);
	const uint8_t *p = key->ips->data;
	uint64_t left = key->ips->count;

	for (; left >= 2; left -= 2, p += 16) {
		const uint64_t a = pk_load_u64(p), b = pk_load_u64(p + 8);

		low = pk_mix64(a ^ s0, b ^ low);
		high = pk_mix64(a ^ high, b ^ s1);
	}
	if (left) {
		const uint64_t a = pk_load_u64(p);

		low = pk_mix64(a ^ s0, low ^ s1);
		high = pk_mix64(a ^ high, K0 ^ s0);
	}
	low = pk_mix64(low ^ key->ips->count, K1 ^ s0);
	high = pk_mix64(high ^ K0, key->ips->count ^ s1);
	return (struct pk_chain_hash){low, high};
}
