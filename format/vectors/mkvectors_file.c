// SPDX-License-Identifier: BSD-2-Clause
/* perf.data files (SPEC, appendix A). */
#include <stdlib.h>
#include <string.h>

#include "mkvectors.h"

static const struct event plain = {
	.type = 1,
	.sample_type = IDENTIFIER | IP | TID | TIME,
	.flags = SAMPLE_ID_ALL,
};

/* ---- Putting a file together ---- */

void file_begin(struct stream *s, struct file *f, unsigned int header_size)
{
	*f = (struct file){.base = s->size, .stride = 128 + 16};
	PUT(s, "88", 0x32454c4946524550, header_size);
	fill(s, 0, header_size - 16);
	s->event = &plain;
	s->time = 1000000000;
	s->id = 1;
}

uint64_t file_at(const struct stream *s, const struct file *f)
{
	return s->size - f->base;
}

void file_set(struct stream *s, const struct file *f, uint64_t place, uint64_t value)
{
	patch(s, f->base + place, 8, value);
}

void file_event(struct stream *s, struct file *f, const struct event *e, uint64_t ids_offset,
		uint64_t ids_size)
{
	size_t start = s->size;

	if (!f->attrs)
		f->attrs = file_at(s, f);
	attr(s, e);
	fill(s, 0, f->stride - 16 - (s->size - start));
	PUT(s, "88", ids_offset, ids_size);
	file_set(s, f, 16, f->stride);
	file_set(s, f, 24, f->attrs);
	file_set(s, f, 32, file_at(s, f) - f->attrs);
}

/* Writes two events. The ids of the first event are 1 and 2. The id of the second event is 3. */
static void two_events(struct stream *s, struct file *f)
{
	static const struct event other = {
		.type = 1,
		.config = 2,
		.sample_type = IDENTIFIER | IP | TID | TIME,
		.flags = SAMPLE_ID_ALL,
	};
	uint64_t ids = file_at(s, f);

	PUT(s, "888", 1, 2, 3);
	file_event(s, f, &plain, ids, 16);
	file_event(s, f, &other, ids + 16, 8);
}

void file_data(struct stream *s, struct file *f)
{
	f->data = file_at(s, f);
}

void file_data_end(struct stream *s, const struct file *f)
{
	file_set(s, f, 40, f->data);
	file_set(s, f, 48, file_at(s, f) - f->data);
}

void file_table(struct stream *s, struct file *f, const unsigned int *ids, unsigned int count)
{
	uint64_t words[4] = {0};

	for (unsigned int i = 0; i < count; i++)
		words[ids[i] / 64] |= UINT64_C(1) << ids[i] % 64;
	for (unsigned int i = 0; i < 4; i++)
		file_set(s, f, 72 + 8 * i, words[i]);
	f->table = file_at(s, f);
	fill(s, 0, 16 * (size_t)count);
}

void file_feature(struct stream *s, struct file *f)
{
	f->feature = file_at(s, f);
}

void file_feature_end(struct stream *s, struct file *f)
{
	file_set(s, f, f->table, f->feature);
	file_set(s, f, f->table + 8, file_at(s, f) - f->feature);
	f->table += 16;
}

/* Writes a small file for tests in which the content of the file does not matter. */
void file_simple(struct stream *s)
{
	struct file f;

	file_begin(s, &f, 104);
	two_events(s, &f);
	file_data(s, &f);
	usual_task(s);
	usual_sample(s, 0x401000);
	s->id = 3;
	usual_sample(s, 0x401004);
	file_data_end(s, &f);
}

/* ---- Files ---- */

static void build_id_table(struct stream *s)
{
	rec(s, 0, 2 | 1 << 15);
	num(s, 4, 0xffffffff);
	fill(s, 0xaa, 20);
	PUT(s, "112", 16, 0, 0);
	str8(s, "/usr/bin/program");
	end(s);
	rec(s, 0, 1);
	num(s, 4, 0xffffffff);
	fill(s, 0xbb, 20);
	PUT(s, "112", 0, 0, 0);
	str8(s, "[kernel.kallsyms]");
	end(s);
}

static void event_desc(struct stream *s)
{
	PUT(s, "44", 2, 128);
	attr(s, &plain);
	num(s, 4, 2);
	feature_string(s, "the first event");
	PUT(s, "88", 1, 2);
	attr(s, &plain);
	num(s, 4, 1);
	feature_string(s, "the second event");
	num(s, 8, 3);
}

/* A file with everything that differs from a stream. Some of its features become a HEADER_FEATURE
 * record, and some do not. */
static void whole(struct stream *s)
{
	static const unsigned int ids[] = {1, 2, 3, 12, 15, 18, 21, 33, 40};
	struct file f;

	file_begin(s, &f, 104);
	two_events(s, &f);
	file_data(s, &f);
	usual_task(s);
	usual_sample(s, 0x401000);
	REC(s, 71, 0, "8884444", 24, 0, 7, 0, 101, 3, 0);
	fill(s, 0xa5, 24);
	s->id = 3;
	usual_sample(s, 0x401004);
	file_data_end(s, &f);
	file_table(s, &f, ids, 9);
	file_feature(s, &f);
	bytes(s, "tracing data", 13);
	file_feature_end(s, &f);
	file_feature(s, &f);
	build_id_table(s);
	file_feature_end(s, &f);
	file_feature(s, &f);
	feature_string(s, "host.example");
	file_feature_end(s, &f);
	file_feature(s, &f);
	event_desc(s);
	file_feature_end(s, &f);
	file_feature(s, &f);
	file_feature_end(s, &f); /* BRANCH_STACK has no content */
	file_feature(s, &f);
	PUT(s, "888", 1, f.data + 200, 72);
	file_feature_end(s, &f);
	file_feature(s, &f);
	PUT(s, "88", 1000001000, 1000002000);
	file_feature_end(s, &f);
	file_feature(s, &f);
	PUT(s, "44", 62, 0);
	file_feature_end(s, &f);
	file_feature(s, &f);
	bytes(s, "nobody knows", 12);
	file_feature_end(s, &f);
}

/* A feature that is larger than a HEADER_FEATURE record can be. The padding of its strings must be
 * kept. */
static void feature_large(struct stream *s)
{
	static const unsigned int ids[] = {11};
	struct file f;

	file_begin(s, &f, 104);
	two_events(s, &f);
	file_data(s, &f);
	usual_sample(s, 0x401000);
	file_data_end(s, &f);
	file_table(s, &f, ids, 1);
	file_feature(s, &f);
	num(s, 4, 3);
	for (int i = 0; i < 3; i++) {
		num(s, 4, 24000);
		bytes(s, "argument", 8);
		fill(s, 0, 24000 - 8);
	}
	file_feature_end(s, &f);
}

/* An old file: its header has no feature bits, its attrs have the first size of attrs, and nothing
 * follows the data. */
static void old(struct stream *s)
{
	static const struct event e = {
		.type = 1, .sample_type = IDENTIFIER | IP | TID | TIME, .size = 64};
	struct file f;
	uint64_t ids;

	file_begin(s, &f, 72);
	f.stride = 64 + 16;
	ids = file_at(s, &f);
	num(s, 8, 1);
	file_event(s, &f, &e, ids, 8);
	file_data(s, &f);
	usual_sample(s, 0x401000);
	file_data_end(s, &f);
}

static void magic_1(struct stream *s)
{
	old(s);
	memcpy(s->data, "PERFFILE", 8);
}

/* Attrs of different sizes in one table. Each table entry has the size of the longest attr. */
static void attr_sizes(struct stream *s)
{
	static const uint32_t sizes[] = {64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 160};
	struct file f;
	uint64_t ids;

	file_begin(s, &f, 104);
	f.stride = 160 + 16;
	ids = file_at(s, &f);
	for (unsigned int i = 0; i < 11; i++)
		num(s, 8, 1 + i);
	for (unsigned int i = 0; i < 11; i++) {
		struct event e = plain;

		e.size = sizes[i];
		file_event(s, &f, &e, ids + 8 * i, 8);
	}
	file_data(s, &f);
	for (s->id = 1; s->id <= 11; s->id++)
		usual_sample(s, 0x401000);
	file_data_end(s, &f);
}

/* The table of events follows the data, as perf inject writes it. */
static void attrs_last(struct stream *s)
{
	struct file f;

	file_begin(s, &f, 104);
	file_data(s, &f);
	usual_sample(s, 0x401000);
	file_data_end(s, &f);
	two_events(s, &f);
}

/* One event whose table entry has no ids. */
static void no_ids(struct stream *s)
{
	static const struct event e = {.type = 1, .sample_type = IP | TID | TIME};
	struct file f;

	file_begin(s, &f, 104);
	file_event(s, &f, &e, 0, 0);
	file_data(s, &f);
	REC(s, 9, 2, "8448", 0x401000, 100, 101, 1000001000);
	file_data_end(s, &f);
}

static void compressed(struct stream *s)
{
	struct stream inner = {.big = s->big, .id = 1, .time = 1000000000};
	struct file f;

	usual_sample(&inner, 0x401000);
	usual_sample(&inner, 0x401004);
	file_begin(s, &f, 104);
	two_events(s, &f);
	file_data(s, &f);
	rec(s, 81, 0);
	zstd_begin(s);
	zstd_block(s, inner.data, 50, false);
	end(s);
	rec(s, 83, 0);
	num(s, 8, inner.size - 50 + 3);
	zstd_block(s, inner.data + 50, inner.size - 50, false);
	pad8(s);
	end(s);
	file_data_end(s, &f);
	free(inner.data);
}

/* Files and streams that follow one another. */
static void concatenated(struct stream *s)
{
	file_simple(s);
	header(s);
	usual_event(s);
	usual_sample(s, 0x401008);
	attrs_last(s);
	s->big = !s->big;
	file_simple(s);
	s->big = !s->big;
}

static void in_zstd(struct stream *s)
{
	struct stream inner = {.big = s->big};

	file_simple(&inner);
	zstd_frame(s, inner.data, inner.size);
	file_simple(s);
	free(inner.data);
}

const struct vector file_vectors[] = {
	{"file", whole, true},
	{"file-feature-large", feature_large, true},
	{"file-old", old, true},
	{"file-magic-1", magic_1, true},
	{"file-attr-sizes", attr_sizes, true},
	{"file-attrs-last", attrs_last, false},
	{"file-no-ids", no_ids, false},
	{"file-compressed", compressed, true},
	{"file-concatenated", concatenated, false},
	{"file-zstd", in_zstd, false},
	{NULL, NULL, false},
};
