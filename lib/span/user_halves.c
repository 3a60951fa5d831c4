// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "user_half.h"
#include "user_halves.h"
#include "vector.h"

/* A user half that open spans wait for. */
struct wanted_half {
	uint64_t time;
	uint64_t *ips;
	size_t count, spans;
	bool is_known; /* the half was read, and its addresses are in `ips` */
};

static void free_wanted(struct pk_user_halves *halves, struct wanted_half *half)
{
	halves->bytes -= 8 * half->count;
	free(half->ips);
	free(half);
}

void pk_user_halves_clear(struct pk_user_halves *halves)
{
	struct wanted_half *half;
	size_t cursor = 0;

	while ((half = pk_table_next_value(&halves->wanted, &cursor)))
		free_wanted(halves, half);
	pk_table_clear(&halves->wanted);
	pk_table_clear(&halves->recent);
	pk_table_clear(&halves->execs);
}

void pk_user_halves_free(struct pk_user_halves *halves)
{
	pk_user_halves_clear(halves);
	for (size_t i = 0; halves->slots && i < PK_RECENT_HALVES; i++)
		free(halves->slots[i].ips);
	free(halves->slots);
	pk_table_free(&halves->wanted);
	pk_table_free(&halves->recent);
	pk_table_free(&halves->execs);
	*halves = (struct pk_user_halves){.bytes_max = halves->bytes_max};
}

/* ---- Halves ---- */

/* Keeps the IPs of a user half. If the limit for memory is reached, nothing is kept and the half
 * stays unknown. pk-merge-callchains counts the samples that need it. */
static enum pk_status keep(struct pk_user_halves *halves, struct wanted_half *half, uint64_t time,
			   const void *ips, size_t count)
{
	if (half->is_known || 8 * count > halves->bytes_max - halves->bytes)
		return PK_OK;
	if (count) {
		half->ips = malloc(8 * count);
		if (!half->ips)
			return PK_NOMEM;
		memcpy(half->ips, ips, 8 * count);
	}
	half->is_known = true;
	half->count = count;
	half->time = time;
	halves->bytes += 8 * count;
	return PK_OK;
}

static const struct recent_half *find_recent(const struct pk_user_halves *halves, uint64_t cookie)
{
	const uint64_t slot = pk_table_get_u64(&halves->recent, cookie);

	return slot ? &halves->slots[slot - 1] : NULL;
}

enum pk_status pk_user_halves_open(struct pk_user_halves *halves, uint64_t cookie)
{
	struct wanted_half *half = pk_table_get_or_add(&halves->wanted, cookie, sizeof(*half));
	const struct recent_half *recent = find_recent(halves, cookie);

	if (!half)
		return PK_NOMEM;
	half->spans++;
	return recent ? keep(halves, half, recent->time, recent->ips, recent->count) : PK_OK;
}

void pk_user_halves_close(struct pk_user_halves *halves, uint64_t cookie)
{
	struct wanted_half *half = pk_table_get(&halves->wanted, cookie);

	if (!half || --half->spans)
		return;
	pk_table_remove(&halves->wanted, cookie);
	free_wanted(halves, half);
}

/* Keeps a half in the array of recent halves. It replaces the oldest half of this array. */
static enum pk_status add_recent(struct pk_user_halves *halves, uint64_t cookie, uint64_t time,
				 const struct pk_u64s *ips)
{
	const size_t index = ++halves->last % PK_RECENT_HALVES;
	struct recent_half *slot;

	if (!halves->slots)
		halves->slots = calloc(PK_RECENT_HALVES, sizeof(*halves->slots));
	if (!halves->slots)
		return PK_NOMEM;
	slot = &halves->slots[index];
	if (pk_table_get_u64(&halves->recent, slot->cookie) == index + 1)
		pk_table_remove(&halves->recent, slot->cookie);
	slot->count = 0;
	PK_TRY(pk_reserve(&slot->ips, &slot->capacity, 0, (size_t)ips->count, sizeof(*slot->ips)));
	PK_TRY(pk_table_set_u64(&halves->recent, cookie, index + 1));
	if (ips->count)
		memcpy(slot->ips, ips->data, 8 * (size_t)ips->count);
	slot->count = (size_t)ips->count;
	slot->cookie = cookie;
	slot->time = time;
	return PK_OK;
}

static enum pk_status add_half(struct pk_user_halves *halves, const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *deferred = (const void *)record->data;
	const uint64_t cookie = deferred->cookie, time = record->time;
	const struct pk_u64s ips = pk_user_half(record->data);
	struct wanted_half *half = pk_table_get(&halves->wanted, cookie);

	if (half)
		PK_TRY(keep(halves, half, time, ips.data, (size_t)ips.count));
	return add_recent(halves, cookie, time, &ips);
}

enum pk_status pk_user_halves_record(struct pk_user_halves *halves, const struct pk_record *record)
{
	const struct perf_record_comm *comm = (const void *)record->data;

	if (record->type == PERF_RECORD_CALLCHAIN_DEFERRED)
		return add_half(halves, record);
	if (record->type != PERF_RECORD_COMM || !(record->misc & PERF_RECORD_MISC_COMM_EXEC) ||
	    record->time == PK_NO_TIME)
		return PK_OK;
	return pk_table_set_u64(&halves->execs, comm->pid, record->time + 1);
}

/* ---- Joining ---- */

/* Finds the half that has the cookie. Sets *ips and *time to its IPs and its time. Returns false if
 * the half is unknown. */
static bool find_half(const struct pk_user_halves *halves, uint64_t cookie, struct pk_u64s *ips,
		      uint64_t *time)
{
	const struct wanted_half *half = pk_table_get(&halves->wanted, cookie);
	const struct recent_half *recent = find_recent(halves, cookie);

	if (half && half->is_known) {
		*ips = (struct pk_u64s){.data = (const uint8_t *)half->ips, .count = half->count};
		*time = half->time;
		return true;
	}
	if (!recent)
		return false;
	*ips = (struct pk_u64s){.data = (const uint8_t *)recent->ips, .count = recent->count};
	*time = recent->time;
	return true;
}

enum pk_half_state pk_user_halves_join(const struct pk_user_halves *halves, uint32_t pid,
				       uint64_t time, struct pk_u64s *chain, struct buffer *bytes)
{
	const uint64_t exec = pk_table_get_u64(&halves->execs, pid); /* time in ns, plus 1 */
	const uint64_t marker = PERF_CONTEXT_USER;
	struct pk_u64s ips = {0};
	uint64_t half_time = 0;
	const bool known = find_half(halves, pk_chain_cookie(chain), &ips, &half_time);
	/* If a sample is from before an exec, but its half was recorded after the exec, the half
	 * shows the new program. So the half of the sample does not exist. */
	const bool gone = exec > time + 1 && (!known || half_time >= exec - 1);

	if (!known && !gone)
		return PK_HALF_PENDING;
	bytes->size = 0;
	buffer_add(bytes, (const char *)chain->data, 8 * (size_t)(chain->count - 2));
	if (!gone && ips.count) {
		buffer_add(bytes, (const char *)&marker, sizeof(marker));
		buffer_add(bytes, (const char *)ips.data, 8 * (size_t)ips.count);
	}
	*chain = (struct pk_u64s){.data = (const uint8_t *)bytes->data, .count = bytes->size / 8};
	return gone || !ips.count ? PK_HALF_GONE : PK_HALF_JOINED;
}
