// SPDX-License-Identifier: BSD-2-Clause
/* Malformed streams (SPEC 12). The errors affect more than one record. */
#include <stdlib.h>
#include <string.h>

#include "mkvectors.h"

static void begin(struct stream *s)
{
	header(s);
	usual_event(s);
	usual_sample(s, 0x401000);
}

static void magic(struct stream *s)
{
	bytes(s, "PERFILE3", 8);
	num(s, 8, 16);
	fill(s, 0, 16);
}

static void header_size(struct stream *s)
{
	PUT(s, "88", 0x32454c4946524550, 17);
	usual_event(s);
}

static void empty(struct stream *s)
{
	(void)s;
}

static void header_cut(struct stream *s)
{
	header(s);
	s->size = 12;
}

static void sized(struct stream *s, uint16_t size)
{
	begin(s);
	REC(s, 68, 0, "8", 0);
	end_as(s, size);
	usual_sample(s, 0x401004);
}

static void size_0(struct stream *s)
{
	sized(s, 0);
}

static void size_4(struct stream *s)
{
	sized(s, 4);
}

/* Zeros at the end, as in an incomplete file whose end was never written. */
static void zeros(struct stream *s)
{
	begin(s);
	fill(s, 0, 64);
}

static void size_odd(struct stream *s)
{
	begin(s);
	rec(s, 68, 0);
	fill(s, 0xee, 3);
	end(s);
	rec(s, 3, 0);
	PUT(s, "44", 100, 101);
	bytes(s, "comm", 5);
	trailer(s);
	end(s);
	usual_sample(s, 0x401004);
}

static void cut_header(struct stream *s)
{
	begin(s);
	fill(s, 9, 5);
}

static void cut_record(struct stream *s)
{
	begin(s);
	usual_sample(s, 0x401004);
	s->size -= 8;
}

static void cut_payload(struct stream *s)
{
	begin(s);
	REC(s, 71, 0, "8884444", 100, 0, 0, 0, 0, 0, 0);
	fill(s, 0xaa, 99);
}

static void payload_huge(struct stream *s)
{
	begin(s);
	REC(s, 71, 0, "8884444", UINT64_MAX, 0, 0, 0, 0, 0, 0);
	usual_sample(s, 0x401004);
}

static void payload_tracing(struct stream *s)
{
	begin(s);
	REC(s, 66, 0, "44", 0xffffffff, 0);
	usual_sample(s, 0x401004);
}

/* The second session is cut, but the first session is complete. */
static void cut_second(struct stream *s)
{
	begin(s);
	begin(s);
	s->size -= 4;
}

/* A second magic number. Its header has the size of a file's header. */
static void second_is_file(struct stream *s)
{
	begin(s);
	PUT(s, "88", 0x32454c4946524550, 104);
	fill(s, 0, 88);
}

/* ---- Compressed records ---- */

static void compressed_garbage(struct stream *s)
{
	begin(s);
	rec(s, 81, 0);
	bytes(s, "this is not what zstd writes", 28);
	end(s);
	usual_sample(s, 0x401004);
}

/* The first compressed record, which contains the start of the zstd frame, is missing. */
static void compressed_headless(struct stream *s)
{
	struct stream inner = {.big = s->big};

	begin(s);
	usual_sample(&inner, 0x401002);
	rec(s, 81, 0);
	zstd_block(s, inner.data, inner.size, false);
	end(s);
	usual_sample(s, 0x401004);
	free(inner.data);
}

static void compressed2_size(struct stream *s)
{
	begin(s);
	rec(s, 83, 0);
	num(s, 8, 17);
	fill(s, 0, 16);
	end(s);
	usual_sample(s, 0x401004);
}

static void in_compressed(struct stream *s, const struct stream *inner)
{
	rec(s, 81, 0);
	zstd_begin(s);
	zstd_block(s, inner->data, inner->size, false);
	end(s);
	usual_sample(s, 0x401004);
	free(inner->data);
}

static void compressed_nested(struct stream *s)
{
	struct stream inner = {.big = s->big}, innermost = {.big = s->big};

	begin(s);
	usual_sample(&innermost, 0x401002);
	rec(&inner, 81, 0);
	zstd_frame(&inner, innermost.data, innermost.size);
	end(&inner);
	free(innermost.data);
	in_compressed(s, &inner);
}

static void compressed_payload(struct stream *s)
{
	struct stream inner = {.big = s->big};

	begin(s);
	REC(&inner, 71, 0, "8884444", 8, 0, 0, 0, 0, 0, 0);
	num(&inner, 8, 0);
	in_compressed(s, &inner);
}

static void compressed_size_0(struct stream *s)
{
	struct stream inner = {.big = s->big};

	begin(s);
	fill(&inner, 0, 16);
	in_compressed(s, &inner);
}

static void compressed_cut(struct stream *s)
{
	struct stream inner = {.big = s->big};

	begin(s);
	usual_sample(&inner, 0x401002);
	inner.size -= 8;
	in_compressed(s, &inner);
}

/* ---- Outer zstd ---- */

static void zstd_cut(struct stream *s)
{
	struct stream inner = {.big = s->big};

	begin(&inner);
	zstd_begin(s);
	zstd_block(s, inner.data, inner.size, false);
	free(inner.data);
}

static void zstd_garbage(struct stream *s)
{
	zstd_cut(s);
	bytes(s, "\xff\xff\xff\xff garbage", 12);
}

static void zstd_window(struct stream *s)
{
	bytes(s, "\x28\xb5\x2f\xfd\x00\xf0", 6); /* a frame with a window of about 1 EiB */
	zstd_block(s, "PERFILE2", 8, true);
}

/* Invalid record types. Some types are the start of a stream or of a zstd frame in the other byte
 * order. The other types are the start of a stream in this byte order, but the end of the magic
 * number is missing. */
static void type_reserved(struct stream *s)
{
	static const char *const types[] = {
		"PERF", "FREP", "2ELI", "ILE2", "\xfd\x2f\xb5\x28", "\x18\x4d\x2a\x5f"};

	begin(s);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		REC(s, 0, 0, "8", 0);
		memcpy(s->data + s->record, types[i], 4);
	}
	usual_sample(s, 0x401004);
}

static void no_end(struct stream *s)
{
	header(s);
	usual_event(s);
	define_session(s, 0);
	usual_sample(s, 0x401000);
}

static void no_end_then_another(struct stream *s)
{
	no_end(s);
	begin(s);
}

const struct vector bad_stream_vectors[] = {
	{"magic", magic, false},
	{"header-size", header_size, false},
	{"empty", empty, false},
	{"header-cut", header_cut, false},
	{"size-0", size_0, true},
	{"size-4", size_4, false},
	{"zeros", zeros, false},
	{"size-odd", size_odd, true},
	{"cut-header", cut_header, false},
	{"cut-record", cut_record, true},
	{"cut-payload", cut_payload, true},
	{"payload-huge", payload_huge, true},
	{"payload-tracing", payload_tracing, false},
	{"cut-second", cut_second, false},
	{"second-is-file", second_is_file, false},
	{"compressed-garbage", compressed_garbage, false},
	{"compressed-headless", compressed_headless, false},
	{"compressed2-size", compressed2_size, true},
	{"compressed-nested", compressed_nested, false},
	{"compressed-payload", compressed_payload, false},
	{"compressed-size-0", compressed_size_0, false},
	{"compressed-cut", compressed_cut, false},
	{"zstd-cut", zstd_cut, false},
	{"zstd-garbage", zstd_garbage, false},
	{"zstd-window", zstd_window, false},
	{"type-reserved", type_reserved, true},
	{"no-end", no_end, true},
	{"no-end-then-another", no_end_then_another, false},
	{NULL, NULL, false},
};
