// SPDX-License-Identifier: BSD-2-Clause
/* Sessions, compression, order and unknown records (SPEC 2, 3.3, 3.6.1, 7, 10). */
#include <stdlib.h>
#include <string.h>

#include "mkvectors.h"

static void header_only(struct stream *s)
{
	header(s);
}

static void usual_session(struct stream *s)
{
	header(s);
	usual_event(s);
	name(s, 1, "cpu-clock");
	usual_task(s);
	usual_sample(s, 0x401000);
	usual_sample(s, 0x401004);
	bare(s, 68);
}

/* The magic that perf wrote before PERFILE2. It does not show the byte order. */
static void magic_1(struct stream *s)
{
	usual_session(s);
	memcpy(s->data, "PERFFILE", 8);
	usual_session(s);
}

static void concatenated(struct stream *s)
{
	bool first = s->big;

	usual_session(s);
	s->big = !first;
	usual_session(s);
	header(s); /* a session without records */
	s->big = first;
	usual_session(s);
}

/* ---- Outer zstd: SPEC 2.4 ---- */

static struct stream made(void (*make)(struct stream *), bool big)
{
	struct stream inner = {.big = big};

	make(&inner);
	return inner;
}

static void zstd_one(struct stream *s)
{
	struct stream inner = made(usual_session, s->big);

	zstd_frame(s, inner.data, inner.size);
	free(inner.data);
}

/* Frames that end in the middle of the header and of a record, an empty frame, and a skippable
 * frame. */
static void zstd_frames(struct stream *s)
{
	struct stream inner = made(usual_session, s->big);

	zstd_frame(s, inner.data, 9);
	bytes(s, "\x50\x2a\x4d\x18\x03\x00\x00\x00skp", 11);
	zstd_begin(s);
	zstd_block(s, inner.data + 9, 100, false);
	zstd_block(s, inner.data + 109, 0, false);
	zstd_block(s, inner.data + 109, 5, true);
	zstd_frame(s, "", 0);
	zstd_frame(s, inner.data + 114, inner.size - 114);
	free(inner.data);
}

static void zstd_skippable_first(struct stream *s)
{
	bytes(s, "\x5f\x2a\x4d\x18\x04\x00\x00\x00skip", 12);
	zstd_one(s);
}

static void zstd_several_sessions(struct stream *s)
{
	struct stream inner = made(concatenated, s->big);

	zstd_frame(s, inner.data, inner.size);
	free(inner.data);
}

/* The result of cat PLAIN ZSTD PLAIN ZSTD. Nothing marks the end of the session before the first
 * frame. */
static void zstd_mixed(struct stream *s)
{
	usual_session(s);
	zstd_one(s);
	usual_session(s);
	s->big = !s->big;
	zstd_one(s);
}

/* ---- Compressed records: SPEC 3.6.1 ---- */

static void compressed_feature(struct stream *s)
{
	feature(s, 27);
	PUT(s, "44444", 1, 1, 1, 0, 528384);
	end_feature(s);
}

/* Returns samples as the kernel writes them to a ring buffer. */
static struct stream ring(const struct stream *s, unsigned int count)
{
	struct stream inner = {.big = s->big, .time = s->time, .id = 1};

	for (unsigned int i = 0; i < count; i++)
		usual_sample(&inner, 0x401000 + i);
	return inner;
}

/* Compressed records that end in the middle of a sample. A record that is not compressed is between
 * two of them. */
static void compressed(struct stream *s)
{
	struct stream inner;

	header(s);
	usual_event(s);
	compressed_feature(s);
	usual_task(s);
	inner = ring(s, 4);
	rec(s, 81, 0);
	zstd_begin(s);
	zstd_block(s, inner.data, 50, false);
	end(s);
	bare(s, 82);
	rec(s, 81, 0);
	zstd_block(s, inner.data + 50, 3, false);
	end(s);
	rec(s, 81, 0);
	zstd_block(s, inner.data + 53, 100 - 53, false);
	zstd_block(s, inner.data + 100, inner.size - 100, false);
	end(s);
	bare(s, 68);
	free(inner.data);
}

static void compressed2(struct stream *s)
{
	struct stream inner;

	header(s);
	usual_event(s);
	usual_task(s);
	inner = ring(s, 3);
	rec(s, 83, 0);
	num(s, 8, 6 + 3 + 70);
	zstd_begin(s);
	zstd_block(s, inner.data, 70, false);
	pad8(s);
	end(s);
	rec(s, 83, 0);
	num(s, 8, 3 + inner.size - 70);
	zstd_block(s, inner.data + 70, inner.size - 70, false);
	pad8(s);
	end(s);
	usual_sample(s, 0x402000);
	bare(s, 68);
	free(inner.data);
}

/* An unknown record whose content zstd compresses to about 1/1000. */
static void compressed_much(struct stream *s)
{
	struct stream inner = {.big = s->big};

	header(s);
	usual_event(s);
	compressed_feature(s);
	rec(&inner, 90, 0);
	end_as(&inner, 65528);
	rec(s, 81, 0);
	zstd_begin(s);
	for (unsigned int i = 0; i < 20; i++) {
		zstd_block(s, inner.data, inner.size, false);
		zstd_repeat(s, 0x5a, 65528 - 8, false);
	}
	end(s);
	usual_sample(s, 0x402000);
	free(inner.data);
}

/* ---- Order: SPEC 7 ---- */

static void sample_at(struct stream *s, uint64_t time)
{
	s->time = time - 1000;
	usual_sample(s, 0x401000);
}

static void order_rounds(struct stream *s)
{
	static const uint64_t rounds[][4] = {
		{1000, 3000, 2000, 2500}, {5000, 4000, 4000, 6000}, {5500, 8000, 7000, 9000}};

	header(s);
	usual_event(s);
	for (unsigned int i = 0; i < 3; i++) {
		for (unsigned int j = 0; j < 4; j++)
			sample_at(s, rounds[i][j]);
		bare(s, 68);
	}
	usual_task(s);
	rec(s, 3, 0); /* this record has no time, so the reader releases it immediately */
	PUT(s, "44", 100, 100);
	str8(s, "early");
	zero_trailer(s);
	end(s);
}

static void order_none(struct stream *s)
{
	header(s);
	usual_event(s);
	sample_at(s, 3000);
	sample_at(s, 1000);
	sample_at(s, 2000);
}

/* ---- Unknown records: SPEC 10.2 ---- */

static void unknown(struct stream *s)
{
	static const uint32_t types[] = {23, 63, 87, 1000, 0x80000000, 0xffffffff};

	header(s);
	usual_event(s);
	for (unsigned int i = 0; i < 6; i++) {
		rec(s, types[i], 0x8007);
		for (unsigned int j = 0; j < i; j++)
			num(s, 8, 0x1122334455667788);
		end(s);
	}
	usual_sample(s, 0x401000);
}

/* All records that perf can read, in the order in which perf writes them. */
static void like_perf(struct stream *s)
{
	header(s);
	usual_event(s);
	feature(s, 3);
	feature_string(s, "host.example");
	end(s);
	feature(s, 7);
	PUT(s, "44", 4, 4);
	end(s);
	REC(s, 69, 0, "88888", 1, 1, 0, 3, UINT64_MAX);
	name(s, 1, "cpu-clock");
	rec(s, 73, 0);
	PUT(s, "88", 1, 100);
	bytes(s, "program\0\0\0\0\0\0\0\0", 16);
	end(s);
	rec(s, 3, 0);
	PUT(s, "44", 100, 101);
	str8(s, "program");
	zero_trailer(s);
	end(s);
	bare(s, 82);
	usual_task(s);
	usual_sample(s, 0x401000);
	usual_sample(s, 0x401004);
	bare(s, 68);
	usual_sample(s, 0x401008);
	bare(s, 68);
}

const struct vector stream_vectors[] = {
	{"header-only", header_only, true},
	{"like-perf", like_perf, true},
	{"magic-1", magic_1, true},
	{"concatenated", concatenated, true},
	{"zstd-one", zstd_one, true},
	{"zstd-frames", zstd_frames, false},
	{"zstd-skippable-first", zstd_skippable_first, false},
	{"zstd-several-sessions", zstd_several_sessions, false},
	{"zstd-mixed", zstd_mixed, true},
	{"compressed", compressed, true},
	{"compressed2", compressed2, true},
	{"compressed-much", compressed_much, false},
	{"order-rounds", order_rounds, false},
	{"order-none", order_none, false},
	{"unknown", unknown, true},
	{NULL, NULL, false},
};
