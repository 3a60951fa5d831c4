// SPDX-License-Identifier: BSD-2-Clause
/* Malformed perf.data files (SPEC 12 and appendix A). */
#include "mkvectors.h"

#define EOF_SOON 64

static void set(struct stream *s, uint64_t place, uint64_t value)
{
	patch(s, place, 8, value);
}

/* ---- The header ---- */

static void header_cut(struct stream *s)
{
	file_simple(s);
	s->size = 80;
}

/* The recording was interrupted, so the header has no size of the data and no features. */
static void interrupted(struct stream *s)
{
	file_simple(s);
	set(s, 48, 0);
}

static void interrupted_cut(struct stream *s)
{
	interrupted(s);
	s->size -= 12;
}

static void data_long(struct stream *s)
{
	file_simple(s);
	set(s, 48, UINT64_MAX - 8);
}

static void data_outside(struct stream *s)
{
	file_simple(s);
	set(s, 40, UINT64_MAX - 8);
}

/* The data section overlaps the header, so the bytes of the header are read as records. */
static void data_in_header(struct stream *s)
{
	file_simple(s);
	set(s, 40, 8);
}

static void stride(struct stream *s, uint64_t size)
{
	file_simple(s);
	set(s, 16, size);
}

static void stride_0(struct stream *s)
{
	stride(s, 0);
}

static void stride_1(struct stream *s)
{
	stride(s, 1);
}

static void stride_huge(struct stream *s)
{
	stride(s, UINT64_MAX);
}

static void attrs_outside(struct stream *s)
{
	file_simple(s);
	set(s, 24, UINT64_MAX - 100);
}

static void attrs_many(struct stream *s)
{
	file_simple(s);
	set(s, 32, UINT64_C(1) << 60);
}

/* The data section overlaps the table of events. The reader reads both sections as far as possible.
 */
static void attrs_in_data(struct stream *s)
{
	file_simple(s);
	set(s, 40, 128);
}

/* ---- Events ---- */

static void attr_sizes(struct stream *s)
{
	static const struct event e = {.type = 1, .sample_type = IDENTIFIER | IP | TID | TIME};
	static const uint32_t sizes[] = {1, 63, 68, 136, 0xffffffff};
	struct file f;
	uint64_t ids;

	file_begin(s, &f, 104);
	ids = file_at(s, &f);
	for (unsigned int i = 0; i < 5; i++)
		num(s, 8, 1 + i);
	for (unsigned int i = 0; i < 5; i++) {
		uint64_t place = file_at(s, &f);

		file_event(s, &f, &e, ids + 8 * i, 8);
		patch(s, place + 4, 4, sizes[i]);
	}
	file_data(s, &f);
	for (s->id = 1; s->id <= 5; s->id++)
		usual_sample(s, 0x401000);
	file_data_end(s, &f);
}

/* Invalid tables of ids. A table starts after the end of the file, or wraps around 2^64. A table is
 * too large, or its size is not a multiple of 8. */
static void ids(struct stream *s)
{
	static const struct event e = {.type = 1, .sample_type = IDENTIFIER | IP | TID | TIME};
	static const struct {
		uint64_t offset, size;
	} sections[] = {{1 << 20, 8},
			{UINT64_MAX - 7, 16},
			{104, UINT64_C(8) << 40},
			{104, 12},
			{UINT64_MAX, UINT64_MAX}};
	struct file f;

	file_begin(s, &f, 104);
	PUT(s, "88", 1, 2);
	for (unsigned int i = 0; i < 5; i++)
		file_event(s, &f, &e, sections[i].offset, sections[i].size);
	file_data(s, &f);
	usual_sample(s, 0x401000);
	file_data_end(s, &f);
}

/* The second event has the same ids as the first event. */
static void ids_shared(struct stream *s)
{
	static const struct event e = {.type = 1, .sample_type = IDENTIFIER | IP | TID | TIME};
	struct file f;

	file_begin(s, &f, 104);
	num(s, 8, 1);
	file_event(s, &f, &e, 104, 8);
	file_event(s, &f, &e, 104, 8);
	file_data(s, &f);
	usual_sample(s, 0x401000);
	file_data_end(s, &f);
}

/* ---- Features ---- */

static void with_features(struct stream *s, struct file *f, const unsigned int *list,
			  unsigned int count)
{
	static const struct event e = {.type = 1, .sample_type = IDENTIFIER | IP | TID | TIME};

	file_begin(s, f, 104);
	num(s, 8, 1);
	file_event(s, f, &e, 104, 8);
	file_data(s, f);
	usual_sample(s, 0x401000);
	file_data_end(s, f);
	file_table(s, f, list, count);
}

/* Features that are outside of the file, that overflow 64 bits, and one that is valid. */
static void features_outside(struct stream *s)
{
	static const unsigned int list[] = {1, 2, 3, 4, 33};
	struct file f;

	with_features(s, &f, list, 5);
	for (unsigned int i = 0; i < 3; i++) {
		set(s, f.table, i == 1 ? UINT64_MAX - 3 : 1 << 20);
		set(s, f.table + 8, 64);
		f.table += 16;
	}
	file_feature(s, &f);
	feature_string(s, "7.2.0");
	file_feature_end(s, &f);
	set(s, f.table, 104);
	set(s, f.table + 8, UINT64_MAX);
}

/* Several features that overlap. Each of them is almost the whole file. */
static void features_overlap(struct stream *s)
{
	static const unsigned int list[] = {3, 4, 5, 6};
	struct file f;

	with_features(s, &f, list, 4);
	for (unsigned int i = 0; i < 4; i++) {
		set(s, f.table + 16 * i, 104);
		set(s, f.table + 16 * i + 8, file_at(s, &f) - 104);
	}
}

static void table_cut(struct stream *s)
{
	static const unsigned int list[] = {3, 4};
	struct file f;

	with_features(s, &f, list, 2);
	s->size -= 24;
}

/* A build-id of 255 bytes, a build-id of size 0, and an entry whose size is 0. */
static void build_ids(struct stream *s)
{
	static const unsigned int list[] = {2};
	struct file f;

	with_features(s, &f, list, 1);
	file_feature(s, &f);
	rec(s, 0, 2 | 1 << 15);
	num(s, 4, 0xffffffff);
	fill(s, 0xaa, 20);
	PUT(s, "112", 255, 0, 0);
	str8(s, "/usr/bin/program");
	end(s);
	rec(s, 0, 2 | 1 << 15);
	num(s, 4, 0xffffffff);
	fill(s, 0xbb, 20);
	PUT(s, "112", 0, 0, 0);
	str8(s, "/usr/bin/none");
	end(s);
	rec(s, 0, 2);
	fill(s, 0xcc, 56);
	end_as(s, 0);
	file_feature_end(s, &f);
}

/* A file that says that it is part of a directory. */
static void directory(struct stream *s, uint64_t version)
{
	static const unsigned int list[] = {24};
	struct file f;

	with_features(s, &f, list, 1);
	file_feature(s, &f);
	num(s, 8, version);
	file_feature_end(s, &f);
}

static void directory_1(struct stream *s)
{
	directory(s, 1);
}

static void directory_2(struct stream *s)
{
	directory(s, 2);
}

/* ---- Data ---- */

static void data_cut(struct stream *s)
{
	file_simple(s);
	s->size -= 8;
}

static void data_zeros(struct stream *s)
{
	struct file f;

	file_begin(s, &f, 104);
	f.stride = 144;
	num(s, 8, 1);
	file_event(s, &f, &(const struct event){.type = 1, .sample_type = IP}, 104, 8);
	file_data(s, &f);
	REC(s, 9, 2, "8", 0x401000);
	fill(s, 0, EOF_SOON);
	file_data_end(s, &f);
}

/* The payload of a record is longer than the data section. Other bytes follow after the data
 * section. */
static void payload(struct stream *s)
{
	struct file f;

	file_begin(s, &f, 104);
	num(s, 8, 1);
	file_event(s, &f, &(const struct event){.type = 1, .sample_type = IP}, 104, 8);
	file_data(s, &f);
	REC(s, 9, 2, "8", 0x401000);
	REC(s, 71, 0, "8884444", 1000, 0, 0, 0, 0, 0, 0);
	fill(s, 0xa5, 24);
	file_data_end(s, &f);
	fill(s, 0, 2000);
}

/* The data section contains the header of a stream, which is not allowed. */
static void data_holds_stream(struct stream *s)
{
	struct file f;

	file_begin(s, &f, 104);
	num(s, 8, 1);
	file_event(s, &f, &(const struct event){.type = 1, .sample_type = IP}, 104, 8);
	file_data(s, &f);
	REC(s, 9, 2, "8", 0x401000);
	header(s);
	usual_event(s);
	file_data_end(s, &f);
}

/* ---- Features in parts (SPEC 9.13) ---- */

static void part(struct stream *s, uint32_t id, uint64_t size, uint64_t offset)
{
	begin_part(s, id, s->big ? 2 : 1, size, offset);
	fill(s, 'p', 16);
	end(s);
}

/* Invalid parts of features. The feature was not started, or the part belongs to another feature. A
 * part is repeated, or is beyond the end of its feature. Parts are too large or too short. */
static void feature_parts(struct stream *s)
{
	header(s);
	usual_event(s);
	define_session(s, 0);
	part(s, 8, 48, 16);
	part(s, 8, 48, 0);
	part(s, 9, 48, 16);
	part(s, 8, 48, 32);
	part(s, 8, 48, 0);
	part(s, 8, 64, 16);
	part(s, 8, 48, 0);
	part(s, 8, 48, 0);
	part(s, 8, 48, 16);
	part(s, 8, 48, 48);
	part(s, 8, 48, 49);
	part(s, 8, UINT64_C(1) << 40, 0);
	part(s, 8, UINT64_MAX, UINT64_MAX - 8);
	definition(s, 15);
	PUT(s, "448", 8, 1, 16);
	end(s);
	usual_sample(s, 0x401000);
	define_end(s);
}

const struct vector bad_file_vectors[] = {
	{"feature-parts", feature_parts, true},
	{"file-header-cut", header_cut, false},
	{"file-interrupted", interrupted, true},
	{"file-interrupted-cut", interrupted_cut, false},
	{"file-data-long", data_long, false},
	{"file-data-outside", data_outside, false},
	{"file-data-in-header", data_in_header, false},
	{"file-stride-0", stride_0, false},
	{"file-stride-1", stride_1, false},
	{"file-stride-huge", stride_huge, false},
	{"file-attrs-outside", attrs_outside, false},
	{"file-attrs-many", attrs_many, false},
	{"file-attrs-in-data", attrs_in_data, false},
	{"file-attr-sizes", attr_sizes, true},
	{"file-ids", ids, true},
	{"file-ids-shared", ids_shared, false},
	{"file-features-outside", features_outside, true},
	{"file-features-overlap", features_overlap, false},
	{"file-table-cut", table_cut, false},
	{"file-build-ids", build_ids, true},
	{"file-of-directory", directory_1, true},
	{"file-of-directory-2", directory_2, false},
	{"file-data-cut", data_cut, false},
	{"file-data-zeros", data_zeros, false},
	{"file-payload", payload, false},
	{"file-data-holds-stream", data_holds_stream, false},
	{NULL, NULL, false},
};
