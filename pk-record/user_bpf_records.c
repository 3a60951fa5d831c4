// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>
#include <time.h>

#include "cli.h"
#include "lookups.h"
#include "own_sample.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "record_time.h"
#include "ring.h"
#include "stream_head.h"
#include "user_bpf.h"

#define NOBODY UINT32_MAX /* pid and tid of samples whose records have none */

/* The sample of a record of a ring buffer is at most GROWTH times as large as the record. */
#define GROWTH 8

/* Counters are read only if the output has room for this number of bytes. */
#define ROOM_FOR_COUNTS (1u << 20)

struct writing {
	struct user_bpf_source *source;
	const struct event *event;
	struct pk_writer *writer;
	struct ring_counts *counts;
	uint64_t now;	 /* time of the samples, from the clock of the samples */
	uint64_t offset; /* difference between the clock of the samples and CLOCK_MONOTONIC, which
			  * BPF programs read */
};

static uint64_t number(const struct pk_raw_field *field, const uint8_t *data, size_t size,
		       uint64_t otherwise)
{
	return field ? pk_raw_number(field, data, size) : otherwise;
}

/* Appends a sample with `raw` raw bytes. The fields of the source are read from data. Returns the
 * address of the raw bytes after the common fields. Returns NULL if no sample was appended. */
static uint8_t *append(struct writing *writing, const uint8_t *data, size_t size, size_t raw,
		       uint64_t period)
{
	const struct user_bpf_source *source = writing->source;
	const size_t padded = PK_ALIGN8(sizeof(uint32_t) + sizeof(struct pk_common_fields) + raw) -
			      sizeof(uint32_t);
	const struct own_sample sample = {
		.misc = PERF_RECORD_MISC_KERNEL,
		.pid = (uint32_t)number(source->pid, data, size, NOBODY),
		.tid = (uint32_t)number(source->tid, data, size, NOBODY),
		.cpu = (uint32_t)number(source->cpu, data, size, 0),
		.time = source->time ? number(source->time, data, size, 0) + writing->offset
				     : writing->now,
		.period = period};
	const struct pk_common_fields common = {.type = (uint16_t)writing->event->attr.config,
						.pid = sample.tid};
	uint8_t *p;

	if (writing->counts->excluded && sample.pid == (uint32_t)writing->counts->excluded) {
		writing->counts->excluded_samples++;
		return NULL;
	}
	p = own_sample_append(writing->writer, writing->event, source->slot, &sample,
			      sizeof(uint32_t) + padded);
	if (!p) {
		writing->source->too_large += pk_writer_status(writing->writer) == PK_OK;
		return NULL;
	}
	writing->counts->samples++;
	pk_store_u32(p, (uint32_t)padded);
	p += sizeof(uint32_t);
	memset(p + padded - sizeof(uint64_t), 0, sizeof(uint64_t)); /* clears the padding */
	memcpy(p, &common, sizeof(common));
	return p + sizeof(common);
}

/* ---- Ring buffers ---- */

static void write_record(void *arg, const uint8_t *data, size_t size)
{
	uint8_t *raw = append(arg, data, size, size, 1);

	if (raw)
		memcpy(raw, data, size);
}

static void drop_record(void *arg, const uint8_t *data, size_t size)
{
	(void)arg;
	(void)data;
	(void)size;
}

static void add_lost(void *arg, const uint8_t *key, uint32_t slot, uint64_t count)
{
	uint64_t *lost = arg;

	(void)key;
	(void)slot;
	*lost += count;
}

/* Returns the number of records that the program could not write since the last call. */
static uint64_t lost_records(struct user_bpf_source *source)
{
	uint64_t lost = 0;

	if (source->lost_map.fd >= 0 && bpf_counts_read(&source->counts, add_lost, &lost) != PK_OK)
		pk_no_memory();
	return lost;
}

/* ---- Counters ---- */

static void write_count(void *arg, const uint8_t *key, uint32_t slot, uint64_t count)
{
	struct writing *writing = arg;
	const struct user_bpf_source *source = writing->source;
	const size_t size = source->map.key_size;
	const struct pk_raw_field *named = pk_raw_layout_find(&source->layout, "slot");
	uint64_t number_of_slot = slot;
	uint8_t *raw = append(writing, key, size, source->layout.size, count), *p;

	if (!raw)
		return;
	memset(raw, 0, source->layout.size);
	memcpy(raw, key, size);
	p = raw + source->tail;
	if (source->has_slots) {
		pk_store_u64(p, slot);
		p += sizeof(uint64_t);
	} else if (named && pk_raw_is_number(named)) {
		number_of_slot = pk_raw_number(named, key, size);
	}
	if (source->is_histogram) {
		pk_store_u64(p, number_of_slot && number_of_slot < 64
					? UINT64_C(1) << number_of_slot
					: 0);
		p += sizeof(uint64_t);
	}
	pk_store_u64(p, count);
}

static void drop_count(void *arg, const uint8_t *key, uint32_t slot, uint64_t count)
{
	(void)arg;
	(void)key;
	(void)slot;
	(void)count;
}

/* ---- The loop ---- */

void user_bpf_start(struct user_bpf *bpf)
{
	bpf->paused = false;
	bpf->read_at = record_now() + bpf->interval;
	for (size_t i = 0; i < bpf->count; i++) {
		struct user_bpf_source *source = bpf->items[i];

		if (source->kind == USER_BPF_RING) {
			bpf_ring_read(&source->ring, SIZE_MAX, drop_record, NULL);
			lost_records(source);
		} else if (source->kind == USER_BPF_COUNTS &&
			   bpf_counts_read(&source->counts, drop_count, NULL) != PK_OK) {
			pk_no_memory();
		}
	}
}

void user_bpf_pause(struct user_bpf *bpf)
{
	for (size_t i = 0; i < bpf->count && !bpf->paused; i++)
		bpf->items[i]->lost += lost_records(bpf->items[i]);
	bpf->paused = true;
}

size_t user_bpf_fds(const struct user_bpf *bpf, int *fds)
{
	size_t count = 0;

	for (size_t i = 0; i < bpf->count; i++)
		if (bpf->items[i]->kind == USER_BPF_RING)
			fds[count++] = bpf->items[i]->map.fd;
	return count;
}

static uint64_t clock_now(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

bool user_bpf_drain(struct user_bpf *bpf, struct pk_writer *writer, struct ring_counts *counts,
		    size_t room, bool last)
{
	const uint64_t samples = counts->samples, monotonic = record_now();
	const bool due = (last || monotonic >= bpf->read_at) && room >= ROOM_FOR_COUNTS;
	struct writing writing = {.writer = writer, .counts = counts};

	writing.now = clock_now(bpf->clock);
	writing.offset = bpf->clock == CLOCK_MONOTONIC ? 0 : writing.now - monotonic;
	for (size_t i = 0; i < bpf->count; i++) {
		struct user_bpf_source *source = bpf->items[i];

		writing.source = source;
		writing.event = &bpf->events->items[source->event];
		if (source->kind == USER_BPF_RING)
			bpf_ring_read(&source->ring, bpf->paused ? SIZE_MAX : room / GROWTH,
				      bpf->paused ? drop_record : write_record, &writing);
		else if (source->kind == USER_BPF_COUNTS && due && !bpf->paused &&
			 bpf_counts_read(&source->counts, write_count, &writing) != PK_OK)
			pk_no_memory();
	}
	if (due)
		bpf->read_at = monotonic + bpf->interval;
	return counts->samples > samples;
}

/* ---- Losses ---- */

uint64_t user_bpf_write_lost(struct user_bpf *bpf, struct pk_writer *writer)
{
	uint64_t sum = 0, lost;

	for (size_t i = 0; i < bpf->count; i++) {
		struct user_bpf_source *source = bpf->items[i];

		if (!bpf->paused)
			source->lost += lost_records(source);
		lost = source->lost + source->too_large - source->reported;
		if (lost)
			write_lost(&bpf->events->items[source->event], bpf->targets, source->slot,
				   lost, writer);
		source->reported += lost;
		sum += lost;
	}
	return sum;
}

uint64_t user_bpf_lost(const struct user_bpf *bpf)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < bpf->count; i++)
		sum += bpf->items[i]->reported;
	return sum;
}

void user_bpf_report(const struct user_bpf *bpf, pk_message_fn print)
{
	char number[32];

	for (size_t i = 0; i < bpf->count; i++) {
		const struct user_bpf_source *source = bpf->items[i];
		const char *name = source->map.name;

		if (source->lost)
			print("bpf:%s: %s records lost: the ring buffer was full: use a larger one",
			      name, pk_number(number, source->lost));
		if (source->too_large)
			print("bpf:%s: %s records are missing: they do not fit into a sample", name,
			      pk_number(number, source->too_large));
		if (source->counts.cut)
			print("bpf:%s: counters are missing: the map has more than %u keys", name,
			      BPF_COUNTS_KEYS_MAX);
	}
}
