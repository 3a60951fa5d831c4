// SPDX-License-Identifier: BSD-2-Clause
/* Malformed records other than SAMPLE (SPEC 12). Each stream ends with a valid sample. */
#include <string.h>

#include "mkvectors.h"

static void begin(struct stream *s)
{
	header(s);
	usual_event(s);
}

static void good_end(struct stream *s)
{
	usual_sample(s, 0x401004);
}

/* Records of every type without content, and with only 8 bytes of content. */
static void short_records(struct stream *s, uint32_t first, uint32_t last)
{
	begin(s);
	for (uint32_t type = first; type <= last; type++) {
		if (type == 9 || type == 66 || type == 71 || type == 81 || type == 83)
			continue;
		bare(s, type);
		REC(s, type, 0, "8", 0x1122334455667788);
	}
	good_end(s);
}

static void short_kernel(struct stream *s)
{
	short_records(s, 1, 22);
}

static void short_user(struct stream *s)
{
	short_records(s, 64, 86);
}

/* A record that is so short that the size of its payload is missing. The reader cannot find the
 * next record. */
static void short_tracing(struct stream *s)
{
	begin(s);
	bare(s, 66);
	good_end(s);
}

static void short_auxtrace(struct stream *s)
{
	begin(s);
	REC(s, 71, 0, "888", 8, 0, 0);
	num(s, 8, 0);
	good_end(s);
}

/* Strings without a NUL before the trailer, and strings without any NUL. */
static void string_nul(struct stream *s)
{
	begin(s);
	rec(s, 3, 0);
	PUT(s, "44", 100, 101);
	bytes(s, "eight by", 8);
	trailer(s);
	end(s);
	rec(s, 1, 0);
	PUT(s, "44888", 100, 101, 0x1000, 0x1000, 0);
	fill(s, 'x', 40);
	end(s);
	rec(s, 17, 0);
	PUT(s, "8422", 0x1000, 1, 1, 0);
	fill(s, 'y', 64);
	end(s);
	rec(s, 19, 0);
	num(s, 8, 1);
	fill(s, 'z', 64);
	end(s);
	rec(s, 67, 0);
	fill(s, 'b', 68);
	end(s);
	rec(s, 78, 0);
	PUT(s, "88", 2, 1);
	fill(s, 'n', 8);
	end(s);
	good_end(s);
}

/* Records whose fields leave no room for the 24 bytes of the trailer. */
static void trailer_overlap(struct stream *s)
{
	begin(s);
	REC(s, 4, 0, "444488", 100, 1, 101, 1, 5, 6);
	REC(s, 14, 0, "8", 5);
	REC(s, 22, 2, "888888", 1, 2, 0x401000, 0x402000, 100, 7);
	good_end(s);
}

static void attr_of_size(struct stream *s, uint32_t size)
{
	const struct event e = {.type = 1, .sample_type = IP};
	size_t at;

	rec(s, 64, 0);
	at = s->size + 4;
	attr(s, &e);
	num(s, 8, 50);
	for (int i = 0; i < 4; i++)
		s->data[at + (size_t)(s->big ? 3 - i : i)] = (uint8_t)(size >> (8 * i));
	end(s);
}

static void attr_size(struct stream *s)
{
	static const uint32_t sizes[] = {7, 63, 68, 100, 144, 0xffffffff};

	begin(s);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		attr_of_size(s, sizes[i]);
	good_end(s);
}

static void attr_ids(struct stream *s)
{
	const struct event e = {.type = 1, .sample_type = IP};

	begin(s);
	rec(s, 64, 0);
	attr(s, &e);
	PUT(s, "84", 50, 51);
	end(s);
	good_end(s);
}

/* An event with an unknown field in sample_type. Its samples cannot be decoded, but samples of
 * other events can. */
static void attr_bits(struct stream *s)
{
	const struct event e = {.type = 1, .sample_type = IDENTIFIER | IP | TID | 1 << 25};

	begin(s);
	event(s, &e, 2, 1);
	REC(s, 9, 2, "88448", 2, 0x401000, 100, 101, 0x1122);
	REC(s, 9, 2, "88448", 2, 0x401000, 100, 101, 0x1122);
	good_end(s);
}

/* Unknown bits in read_format and branch_type. Samples cannot be decoded if sample_type selects the
 * field with the unknown bit. */
static void attr_bits_more(struct stream *s)
{
	const struct event read = {
		.type = 1, .sample_type = IDENTIFIER | READ, .read_format = 1 << 5};
	const struct event branch = {
		.type = 1, .sample_type = IDENTIFIER | BRANCH_STACK, .branch_type = 1 << 20};
	const struct event neither = {.type = 1,
				      .sample_type = IDENTIFIER,
				      .read_format = 1 << 5,
				      .branch_type = 1 << 20};

	begin(s);
	event(s, &read, 2, 1);
	event(s, &branch, 3, 1);
	event(s, &neither, 4, 1);
	REC(s, 9, 2, "888", 2, 77, 78);
	REC(s, 9, 2, "888", 3, 0, 0);
	REC(s, 9, 2, "8", 4);
	good_end(s);
}

static void attr_twice(struct stream *s)
{
	const struct event e = {.type = 1, .config = 5, .sample_type = IDENTIFIER | IP};

	begin(s);
	event(s, &e, 2, 2);
	event(s, &e, 2, 2); /* the same event is repeated */
	rec(s, 64, 0);	    /* the second id is already used, and the third id is 0 */
	attr(s, &e);
	PUT(s, "888", 10, 3, 0);
	end(s);
	REC(s, 9, 2, "88", 3, 0x401000);
	REC(s, 9, 2, "88", 10, 0x401000);
	good_end(s);
}

static void attr_none(struct stream *s)
{
	header(s);
	rec(s, 3, 0);
	PUT(s, "44", 100, 101);
	str8(s, "no event");
	end(s);
	REC(s, 9, 2, "88448", 1, 0x401000, 100, 101, 5);
	usual_event(s);
	good_end(s);
}

/* Counts that are larger than the records have room for. */
static void counts(struct stream *s)
{
	begin(s);
	REC(s, 16, 0, "44888", 100, 101, 0x1000000000000001, 1, 2);
	REC(s, 22, 2, "88888", 1, 0x2000000000000000, 0x401000, 100, 7);
	REC(s, 69, 0, "88888", 0x0800000000000001, 1, 2, 3, 4);
	REC(s, 73, 0, "8888", 0xffffffffffffffff, 100, 0, 0);
	REC(s, 74, 0, "222", 0, 3, 1);
	REC(s, 74, 0, "22224", 1, 65535, 8, 0, 0);
	REC(s, 74, 0, "2222", 1, 1, 5, 0);
	REC(s, 74, 0, "2222", 9, 1, 2, 3);
	REC(s, 75, 0, "888", 2, 1, 2);
	rec(s, 84, 0);
	fill(s, 'p', 512);
	num(s, 8, 1);
	end(s);
	rec(s, 20, 1);
	PUT(s, "8224", 0x1000, 65535, 65535, 0);
	trailer(s);
	end(s);
	good_end(s);
}

static void build_id(struct stream *s)
{
	begin(s);
	rec(s, 10, 2 | 1 << 14);
	PUT(s, "44888112", 100, 101, 0x1000, 0x1000, 0, 255, 0, 0);
	fill(s, 0xbb, 20);
	PUT(s, "44", 5, 2);
	str8(s, "/usr/lib/long");
	trailer(s);
	end(s);
	rec(s, 67, 2 | 1 << 15);
	num(s, 4, 100);
	fill(s, 0xcc, 20);
	PUT(s, "112", 21, 0, 0);
	str8(s, "/usr/lib/longer");
	end(s);
	good_end(s);
}

static void feature_of(struct stream *s, uint64_t id, const void *data, size_t size)
{
	feature(s, id);
	bytes(s, data, size);
	end(s);
}

static void feature_nr(struct stream *s, uint64_t id, uint32_t nr, uint32_t more)
{
	feature(s, id);
	PUT(s, "4444", nr, more, 0, 0);
	end(s);
}

static void features(struct stream *s)
{
	begin(s);
	feature_of(s, 3, "\1", 1);
	feature_nr(s, 3, 0xffffffff, 0);
	feature_nr(s, 3, 0, 0);
	feature_of(s, 7, "\2\0\0\0", 4);
	feature_of(s, 10, "\2\0\0\0", 4);
	feature_nr(s, 11, 0xffffffff, 4);
	feature_nr(s, 12, 0xffffffff, 64);
	feature_nr(s, 12, 1, 0xffffffff);
	feature_nr(s, 12, 1, 7);
	feature_nr(s, 13, 5, 0);
	feature_nr(s, 14, 0xffffffff, 0);
	feature_nr(s, 16, 0xffffffff, 0);
	feature_nr(s, 17, 3, 0xfffffff0);
	feature_nr(s, 18, 0xffffffff, 0xffffffff);
	feature_nr(s, 20, 1, 0xffffffff);
	feature_nr(s, 22, 1, 0);
	feature_nr(s, 25, 1, 0xffffffff);
	feature_nr(s, 26, 0xffffffff, 1);
	feature_nr(s, 27, 1, 1);
	feature_nr(s, 28, 2, 8);
	feature_nr(s, 31, 0xffffffff, 0xffffffff);
	feature_nr(s, 32, 17, 1);
	feature_of(s, 33, "\2\0\0\0", 4);
	feature_of(s, 34, "\2\0", 2);
	good_end(s);
}

/* Well-formed samples, but without a valid time. */
static void times(struct stream *s)
{
	static const uint64_t at[] = {
		UINT64_C(100000000000000), 1, 0, UINT64_MAX, UINT64_MAX - 1, 5};

	begin(s);
	for (unsigned int i = 0; i < 6; i++) {
		s->time = at[i] - 1000;
		usual_sample(s, 0x401000);
		bare(s, 68);
	}
	s->time = 0;
	good_end(s);
}

static void map_ends(struct stream *s)
{
	begin(s);
	rec(s, 1, 2);
	PUT(s, "44888", 100, 101, 0x1000, 0, 0);
	str8(s, "/empty");
	trailer(s);
	end(s);
	rec(s, 1, 2);
	PUT(s, "44888", 100, 101, UINT64_MAX - 0xfff, 0x2000, UINT64_MAX);
	str8(s, "/beyond");
	trailer(s);
	end(s);
	good_end(s);
}

const struct vector bad_record_vectors[] = {
	{"short-kernel", short_kernel, true},
	{"short-user", short_user, true},
	{"short-tracing", short_tracing, false},
	{"short-auxtrace", short_auxtrace, false},
	{"string-nul", string_nul, true},
	{"trailer-overlap", trailer_overlap, true},
	{"attr-size", attr_size, true},
	{"attr-ids", attr_ids, true},
	{"attr-bits", attr_bits, true},
	{"attr-bits-more", attr_bits_more, true},
	{"attr-twice", attr_twice, false},
	{"attr-none", attr_none, true},
	{"counts", counts, true},
	{"build-id", build_id, true},
	{"feature", features, true},
	{"times", times, false},
	{"map-ends", map_ends, false},
	{NULL, NULL, false},
};
