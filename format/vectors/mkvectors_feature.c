// SPDX-License-Identifier: BSD-2-Clause
/* Features (SPEC 6). */
#include <stdlib.h>

#include "mkvectors.h"

void begin_part(struct stream *s, uint32_t id, uint32_t order, uint64_t size, uint64_t offset)
{
	definition(s, 15);
	PUT(s, "4488", id, order, size, offset);
}

static void strings(struct stream *s)
{
	static const struct {
		uint64_t id;
		const char *text;
	} texts[] = {{3, "host.example"}, {4, "7.2.0"}, {5, "7.2"},
		     {6, "x86_64"},	  {8, "A cpu"}, {9, "GenuineIntel,6,85,7"}};

	for (unsigned int i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		feature(s, texts[i].id);
		feature_string(s, texts[i].text);
		end(s); /* the size is not a multiple of 8, as perf writes it */
	}
	feature(s, 11);
	num(s, 4, 3);
	feature_string(s, "perf");
	feature_string(s, "record");
	feature_string(s, "-a");
	end(s);
}

static void event_desc(struct stream *s)
{
	static const struct event e = {.type = 1, .sample_type = IDENTIFIER | IP, .size = 72};

	feature(s, 12);
	PUT(s, "44", 2, 72);
	attr(s, &e);
	num(s, 4, 1);
	feature_string(s, "described by id");
	num(s, 8, 1);
	attr(s, &e);
	num(s, 4, 0);
	feature_string(s, "described by index");
	end_feature(s);
}

static void machine(struct stream *s)
{
	feature(s, 7);
	PUT(s, "44", 2, 2);
	end(s);
	feature(s, 10);
	num(s, 8, 16000000);
	end(s);
	feature(s, 13);
	num(s, 4, 1);
	feature_string(s, "0-1");
	num(s, 4, 2);
	feature_string(s, "0");
	feature_string(s, "1");
	PUT(s, "4444", 0, 0, 1, 0);
	num(s, 4, 1);
	feature_string(s, "0-1");
	PUT(s, "44", 0, 0);
	end(s);
	feature(s, 14);
	PUT(s, "4488", 1, 0, 16000000, 8000000);
	feature_string(s, "0-1");
	end_feature(s);
	feature(s, 22);
	PUT(s, "88888888", 1, 0x8000000, 1, 0, 70, 70, 0xff, 0x3f);
	end_feature(s);
}

static void pmus(struct stream *s)
{
	feature(s, 16);
	PUT(s, "44", 2, 1);
	feature_string(s, "software");
	num(s, 4, 4);
	feature_string(s, "cpu");
	end(s);
	feature(s, 17);
	num(s, 4, 1);
	feature_string(s, "{anon_group}");
	PUT(s, "44", 0, 2);
	end(s);
	feature(s, 28);
	num(s, 4, 1);
	feature_string(s, "branches");
	feature_string(s, "32");
	end(s);
	feature(s, 31);
	PUT(s, "44", 1, 1);
	feature_string(s, "max_precise");
	feature_string(s, "3");
	feature_string(s, "cpu");
	end(s);
}

static void recording(struct stream *s)
{
	feature(s, 21);
	PUT(s, "88", 0, 0);
	end(s);
	feature(s, 23);
	num(s, 8, 1);
	end(s);
	feature(s, 27);
	PUT(s, "44444", 1, 1, 1, 0, 528384);
	end(s);
	feature(s, 29);
	PUT(s, "4488", 1, 1, 1700000000000000000, 1000000000);
	end(s);
	feature(s, 25);
	PUT(s, "44481", 1, 1, 3, 0x10, 0xaa);
	bytes(s, "\x01\x02\x03", 3);
	end_feature(s);
	feature(s, 26);
	PUT(s, "444", 1, 9, 5);
	bytes(s, "\x9f\xeb\x01\x00\x18", 5);
	end_feature(s);
}

/* Features whose ids are too large for perf 6.1. */
static void features_new(struct stream *s)
{
	header(s);
	usual_event(s);
	feature(s, 32);
	PUT(s, "44444", 17, 1, 0, 1, 0);
	feature_string(s, "MC");
	feature_string(s, "3");
	feature_string(s, "0-1");
	end_feature(s);
	feature(s, 33);
	PUT(s, "44", 62, 0);
	end_feature(s);
	feature(s, 34);
	num(s, 4, 64);
	end_feature(s);
	usual_sample(s, 0x401000);
}

static void features_of_files(struct stream *s)
{
	header(s);
	usual_event(s);
	feature(s, 20);
	PUT(s, "444444", 1, 1, 1, 64, 64, 8);
	feature_string(s, "Data");
	feature_string(s, "32K");
	feature_string(s, "0-1");
	end_feature(s);
	feature(s, 30);
	num(s, 4, 1);
	feature_string(s, "cpu_core");
	feature_string(s, "0-1");
	end(s);
	feature(s, 18);
	PUT(s, "888", 1, 0x1000, 0x30);
	end(s);
	feature(s, 24);
	num(s, 8, 1);
	end(s);
	usual_sample(s, 0x401000);
}

static void features(struct stream *s)
{
	header(s);
	usual_event(s);
	event(s, &(const struct event){.sample_type = IDENTIFIER | IP}, 2, 1);
	strings(s);
	machine(s);
	event_desc(s);
	pmus(s);
	recording(s);
	usual_sample(s, 0x401000);
}

/* The end marks that several versions of perf write, and an unknown feature. */
static void feature_marks(struct stream *s)
{
	static const unsigned int marks[] = {32, 35, 3};

	header(s);
	usual_event(s);
	for (unsigned int i = 0; i < 3; i++) {
		feature(s, marks[i]);
		end(s);
	}
	feature(s, 200);
	num(s, 8, 0x1122334455667788);
	end(s);
	usual_sample(s, 0x401000);
}

/* Features in parts (SPEC 9.13): one in one part, one in several parts, and one in the other byte
 * order. */
static void parts(struct stream *s)
{
	struct stream other = {.big = !s->big};

	header(s);
	usual_event(s);
	define_session(s, 0);
	begin_part(s, 34, s->big ? 2 : 1, 4, 0);
	num(s, 4, 64);
	pad8(s);
	end(s);
	begin_part(s, 11, s->big ? 2 : 1, 140, 0);
	num(s, 4, 2);
	feature_string(s, "in one part");
	end(s);
	begin_part(s, 11, s->big ? 2 : 1, 140, 72);
	feature_string(s, "in another");
	pad8(s);
	end(s);
	PUT(&other, "44", 22, 5);
	begin_part(s, 33, other.big ? 2 : 1, other.size, 0);
	bytes(s, other.data, other.size);
	end(s);
	begin_part(s, 99, 0, 0, 0); /* an empty feature */
	end(s);
	usual_sample(s, 0x401000);
	define_end(s);
	free(other.data);
}

const struct vector feature_vectors[] = {
	{"features", features, true},
	{"features-new", features_new, true},
	{"features-of-files", features_of_files, true},
	{"feature-marks", feature_marks, true},
	{"feature-parts", parts, true},
	{NULL, NULL, false},
};
