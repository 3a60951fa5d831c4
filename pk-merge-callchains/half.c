// SPDX-License-Identifier: BSD-2-Clause
#include "half.h"
#include "pkprivate.h"
#include "pkutil.h"

/* The offset of a chain trailer, or 0. */
static uint16_t find_trailer(const struct pk_record *record)
{
	struct pk_sample sample;

	if (pk_sample_decode(record->event, record, &sample) ||
	    record->size < sample.size + PK_CHAIN_TRAILER_SIZE ||
	    pk_trailer_at(record->data + sample.size)->tag != PK_CHAIN_TRAILER_TAG)
		return 0;
	return sample.size;
}

enum half_kind half_of(const struct pk_record *record, bool trailers, struct half *half)
{
	struct pk_u64s chain;
	enum pk_status status = pk_sample_callchain(record->event, record, &chain);
	uint64_t entries = 0;

	if (pk_unlikely(status))
		return status == PK_CORRUPT ? HALF_BAD : HALF_NONE;
	/* Only the kernel defers callchains: those in RAW are from a BPF program. */
	if (pk_unlikely(record->event->off_cpu))
		return HALF_NONE;
	if (chain.count >= 2 && pk_u64s_at(&chain, chain.count - 2) == PERF_CONTEXT_USER_DEFERRED)
		entries = 2;
	else if (chain.count && pk_u64s_at(&chain, chain.count - 1) == PERF_CONTEXT_USER_DEFERRED)
		entries = 1;
	else
		return HALF_NONE;
	*half = (struct half){
		.size = record->size,
		.count_at = (uint16_t)(chain.data - 8 - record->data),
		.marker_size = (uint16_t)(8 * entries),
		.trailer_at = trailers ? find_trailer(record) : 0,
	};
	half->marker_at = (uint16_t)(half->count_at + 8 + 8 * (chain.count - entries));
	if (entries == 1)
		return HALF_WITHOUT;
	half->cookie = pk_u64s_at(&chain, chain.count - 1);
	return HALF_WITH_COOKIE;
}

/* Copies some hundred bytes or less, without the start-up time of memcpy() or of the processor's
 * string instructions. */
static inline void copy(uint8_t *out, const uint8_t *from, size_t size)
{
	for (; size >= 32; size -= 32, out += 32, from += 32)
		memcpy(out, from, 32);
	for (; size >= 8; size -= 8, out += 8, from += 8)
		memcpy(out, from, 8);
	while (size--)
		*out++ = *from++;
}

/* Writes the record up to the marker, then `room` bytes, then the part after the cookie, then
 * `extra` bytes. Returns the start of the `room` bytes, which the caller fills, or NULL. */
static uint8_t *write_around(struct pk_writer *writer, const struct half *half,
			     const uint8_t *record, size_t room, size_t extra)
{
	const size_t after = half->marker_at + (size_t)half->marker_size;
	const size_t tail = half->size - after, size = half->marker_at + room + tail + extra;
	uint8_t *out = pk_writer_append(writer, PERF_RECORD_SAMPLE, 0, size), *at;

	if (pk_unlikely(!out))
		return NULL;
	at = out + half->marker_at;
	copy(out, record, half->marker_at);
	copy(at + room, record + after, tail);
	((struct perf_header *)out)->size = (uint16_t)size;
	pk_store_u64(out + half->count_at, (at + room - out - half->count_at - 8u) / 8);
	return at;
}

enum pk_status half_write_merged(struct pk_writer *writer, const struct half *half,
				 const uint8_t *record, const struct pk_u64s *user, bool *shortened)
{
	size_t alone = half->size - half->marker_size + sizeof(uint64_t); /* including the marker
									   * USER */
	size_t most = alone < PERF_RECORD_SIZE_MAX ? (PERF_RECORD_SIZE_MAX - alone) / 8 : 0;
	size_t count = user->count < most ? (size_t)user->count : most;
	uint8_t *at;

	*shortened = count < user->count;
	at = write_around(writer, half, record, 8 * (count + 1), 0);
	if (pk_unlikely(!at))
		return pk_writer_status(writer);
	pk_store_u64(at, PERF_CONTEXT_USER);
	copy(at + 8, user->data, 8 * count);
	return PK_OK;
}

enum pk_status half_write_alone(struct pk_writer *writer, const struct half *half,
				const uint8_t *record, bool flag)
{
	size_t extra = flag && !half->trailer_at ? PK_CHAIN_TRAILER_SIZE : 0;
	uint8_t *at = write_around(writer, half, record, 0, extra);
	struct pk_trailer *trailer;

	if (pk_unlikely(!at))
		return pk_writer_status(writer);
	if (!flag)
		return PK_OK;
	trailer = (void *)(at - half->marker_at +
			   (half->trailer_at ? half->trailer_at : half->size) - half->marker_size);
	if (extra)
		*trailer = (struct pk_trailer){PK_CHAIN_TRAILER_TAG, 0};
	trailer->value |= PK_CHAIN_USER_MISSING;
	return PK_OK;
}
