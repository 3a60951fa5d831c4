// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "mkvectors.h"

void bytes(struct stream *s, const void *data, size_t size)
{
	if (s->size + size > s->capacity) {
		s->capacity = 2 * (s->size + size);
		s->data = realloc(s->data, s->capacity);
		assert(s->data);
	}
	if (size)
		memcpy(s->data + s->size, data, size);
	s->size += size;
}

void fill(struct stream *s, uint8_t byte, size_t count)
{
	while (count--)
		bytes(s, &byte, 1);
}

static void store(const struct stream *s, uint8_t *at, unsigned int width, uint64_t value)
{
	for (unsigned int i = 0; i < width; i++)
		at[s->big ? width - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

void patch(struct stream *s, size_t place, unsigned int width, uint64_t value)
{
	assert(place + width <= s->size);
	store(s, s->data + place, width, value);
}

void num(struct stream *s, unsigned int width, uint64_t value)
{
	uint8_t number[8];

	store(s, number, width, value);
	bytes(s, number, width);
}

void put(struct stream *s, const char *widths, const uint64_t *values, size_t count)
{
	assert(strlen(widths) == count);
	for (size_t i = 0; i < count; i++)
		num(s, (unsigned int)(widths[i] - '0'), values[i]);
}

void pad8(struct stream *s)
{
	while ((s->size - s->record) % 8)
		fill(s, 0, 1);
}

void str8(struct stream *s, const char *text)
{
	bytes(s, text, strlen(text) + 1);
	pad8(s);
}

void header(struct stream *s)
{
	PUT(s, "88", 0x32454c4946524550, 16);
	s->event = NULL;
	s->time = 1000000000;
	s->id = 1;
	s->records = s->samples = 0;
}

void rec(struct stream *s, uint32_t type, uint16_t misc)
{
	s->record = s->size;
	PUT(s, "422", type, misc, 0);
	s->records++;
	s->samples += type == 9;
}

void end_as(struct stream *s, uint16_t size)
{
	store(s, s->data + s->record + 6, 2, size);
}

void end(struct stream *s)
{
	assert(s->size - s->record <= 65535);
	end_as(s, (uint16_t)(s->size - s->record));
}

void bare(struct stream *s, uint32_t type)
{
	rec(s, type, 0);
	end(s);
}

static void trailer_of(struct stream *s, uint32_t pid, uint64_t time, uint64_t id, uint32_t cpu)
{
	uint64_t type;

	if (!s->event || !(s->event->flags & SAMPLE_ID_ALL))
		return;
	type = s->event->sample_type;
	if (type & TID)
		PUT(s, "44", pid, pid ? pid + 1 : 0);
	if (type & TIME)
		num(s, 8, time);
	if (type & ID)
		num(s, 8, id);
	if (type & STREAM_ID)
		num(s, 8, id ? 1000 + id : 0);
	if (type & CPU)
		PUT(s, "44", cpu, 0);
	if (type & IDENTIFIER)
		num(s, 8, id);
}

void trailer(struct stream *s)
{
	s->time += 1000;
	trailer_of(s, 100, s->time, s->id, 3);
}

void zero_trailer(struct stream *s)
{
	trailer_of(s, 0, 0, 0, 0);
}

/* ---- Events ---- */

/* Returns the flags of an attr in the order of bits that SPEC 8.2 describes. */
static uint64_t stored_flags(const struct stream *s, uint64_t flags)
{
	uint64_t stored = 0;

	if (!s->big)
		return flags;
	for (int bit = 0; bit < 64; bit++)
		if (bit != 15 && bit != 16)
			stored |= (flags >> bit & 1) << (63 - bit);
	return stored | (flags >> 15 & 3) << 47;
}

void attr(struct stream *s, const struct event *e)
{
	uint32_t size = e->size ? e->size : 128;
	size_t start = s->size;

	PUT(s, "4488888448", e->type, size, e->config, 4000, e->sample_type, e->read_format,
	    stored_flags(s, e->flags), 1, 0, 0);
	PUT(s, "888448", 0, e->branch_type, e->regs_user, e->stack_user, 0, e->regs_intr);
	PUT(s, "4224488", 0, 0, 0, 0, 0, 0, 0);
	num(s, 8, 0);
	if (s->size - start > size)
		s->size = start + size;
	fill(s, 0, size - (s->size - start));
}

void event(struct stream *s, const struct event *e, uint64_t first_id, unsigned int ids)
{
	rec(s, 64, 0);
	attr(s, e);
	for (unsigned int i = 0; i < ids; i++)
		num(s, 8, first_id + i);
	end(s);
	if (!s->event)
		s->event = e;
}

void name(struct stream *s, uint64_t id, const char *text)
{
	rec(s, 78, 0);
	PUT(s, "88", 2, id);
	str8(s, text);
	end(s);
}

static const struct event usual = {
	.type = 1,
	.sample_type = IDENTIFIER | IP | TID | TIME,
	.flags = SAMPLE_ID_ALL,
};

void usual_event(struct stream *s)
{
	event(s, &usual, 1, 1);
}

void usual_sample(struct stream *s, uint64_t ip)
{
	s->time += 1000;
	REC(s, 9, 2, "88448", s->id, ip, 100, 101, s->time);
}

void usual_task(struct stream *s)
{
	rec(s, 3, 1 << 13);
	PUT(s, "44", 100, 100);
	str8(s, "program");
	trailer(s);
	end(s);
	rec(s, 10, 2);
	PUT(s, "448884488", 100, 100, 0x400000, 0x10000, 0x1000, 8, 1, 77, 0);
	PUT(s, "44", 5, 2);
	str8(s, "/usr/bin/program");
	trailer(s);
	end(s);
}

/* ---- Features ---- */

void feature(struct stream *s, uint64_t id)
{
	rec(s, 80, 0);
	num(s, 8, id);
}

void end_feature(struct stream *s)
{
	pad8(s);
	end(s);
}

void feature_string(struct stream *s, const char *text)
{
	size_t size = strlen(text) + 1, padded = (size + 63) / 64 * 64;

	num(s, 4, padded);
	bytes(s, text, size);
	fill(s, 0, padded - size);
}

/* ---- zstd (RFC 8878 3.1.1), blocks of type raw and RLE ---- */

void zstd_begin(struct stream *s)
{
	/* The frame has no content size and no checksum. Its window is 1 MiB. */
	bytes(s, "\x28\xb5\x2f\xfd\x00\x50", 6);
}

static void block_header(struct stream *s, unsigned int type, size_t size, bool last)
{
	uint32_t number = (uint32_t)size << 3 | type << 1 | last;

	for (int i = 0; i < 3; i++)
		fill(s, (uint8_t)(number >> (8 * i)), 1);
}

void zstd_block(struct stream *s, const void *data, size_t size, bool last)
{
	block_header(s, 0, size, last);
	bytes(s, data, size);
}

void zstd_repeat(struct stream *s, uint8_t byte, size_t count, bool last)
{
	block_header(s, 1, count, last);
	fill(s, byte, 1);
}

void zstd_frame(struct stream *s, const void *data, size_t size)
{
	zstd_begin(s);
	zstd_block(s, data, size, true);
}
