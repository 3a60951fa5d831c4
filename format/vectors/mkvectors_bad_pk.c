// SPDX-License-Identifier: BSD-2-Clause
/* Malformed definitions and trailers (SPEC 12). */
#include <string.h>

#include "mkvectors.h"

static void begin(struct stream *s, uint32_t trailers)
{
	header(s);
	usual_event(s);
	define_session(s, trailers);
}

static void sample_with(struct stream *s, uint32_t tag, uint32_t stack)
{
	s->time += 1000;
	REC(s, 9, 2, "8844844", 1, 0x401000, 100, 101, s->time, tag, stack);
}

/* Definitions of every kind with an empty body, and definitions with strings that are longer than
 * the record. */
static void definition_short(struct stream *s)
{
	begin(s, 0);
	for (unsigned int kind = 1; kind <= 14; kind++) {
		definition(s, kind);
		end(s);
	}
	definition(s, 4);
	PUT(s, "448", 1, 8, 0x6161616161616161);
	end(s);
	definition(s, 4);
	PUT(s, "448", 1, 0xffffffff, 0x6161616161616161);
	end(s);
	definition(s, 2);
	PUT(s, "448448", 1, 0, 0, 1, 0, 0x61616161610061);
	end(s);
	definition(s, 2);
	PUT(s, "448448", 1, 0, 0, 0xffffffff, 0, 0);
	end(s);
	define_end(s);
}

static void string_id(struct stream *s, uint32_t id)
{
	definition(s, 4);
	PUT(s, "44", id, 1);
	str8(s, "s");
	end(s);
}

static void frame_of(struct stream *s, uint32_t id, uint32_t dso, uint32_t function, uint32_t file)
{
	definition(s, 6);
	PUT(s, "4444444488", id, dso, function, file, 0, 0, 0, 0, 0, 0);
	end(s);
}

static void stack_of(struct stream *s, uint32_t id, uint32_t parent, uint32_t frame)
{
	definition(s, 7);
	PUT(s, "4444", id, parent, frame, 0);
	end(s);
}

/* Definitions with an unexpected id are ignored. A definition with the expected id but invalid
 * content still uses the id. */
static void definition_ids(struct stream *s)
{
	begin(s, 1);
	string_id(s, 2);
	string_id(s, 0);
	string_id(s, 1);
	string_id(s, 1);
	string_id(s, 0xffffffff);
	definition(s, 5);
	PUT(s, "4444", 1, 1, 7, 0); /* string 7 does not exist */
	fill(s, 0, 24);
	end(s);
	definition(s, 5);
	PUT(s, "4444", 2, 1, 1, 21); /* the build-id is too long */
	fill(s, 0, 24);
	end(s);
	frame_of(s, 1, 1, 1, 0);
	frame_of(s, 2, 3, 1, 0);
	frame_of(s, 3, 0, 2, 0);
	frame_of(s, 4, 0, 1, 9);
	stack_of(s, 1, 1, 1); /* the stack is its own parent */
	stack_of(s, 2, 3, 1);
	stack_of(s, 3, 0, 5);
	stack_of(s, 4, 0, 0);
	stack_of(s, 5, 0, 1);
	stack_of(s, 7, 5, 1);
	stack_of(s, 6, 5, 4);
	sample_with(s, 0x6b747370, 1);
	sample_with(s, 0x6b747370, 6);
	sample_with(s, 0x6b747370, 7);
	define_end(s);
}

static void after_reset(struct stream *s)
{
	begin(s, 1);
	string_id(s, 1);
	frame_of(s, 1, 0, 1, 0);
	stack_of(s, 1, 0, 1);
	sample_with(s, 0x6b747370, 1);
	definition(s, 9);
	PUT(s, "44", 0x10,
	    0); /* a set of kinds other than 0xf0; must be treated as 0xf0 (SPEC 9.10) */
	end(s);
	sample_with(s, 0x6b747370, 1);
	frame_of(s, 2, 0, 1, 0);
	stack_of(s, 1, 0, 1); /* invalid, because ids continue after RESET */
	stack_of(s, 2, 1, 2);
	define_end(s);
}

static void image(struct stream *s, uint32_t id, uint32_t build_id_size)
{
	definition(s, 11);
	PUT(s, "4444", id, 1, 0, build_id_size);
	fill(s, 0, 24);
	str8(s, "/usr/bin/program");
	end(s);
}

static void entries(struct stream *s, uint64_t kind, uint32_t of, uint32_t count)
{
	definition(s, (unsigned int)kind);
	PUT(s, "44", of, count);
	if (kind == 13)
		num(s, 8, 0x1000);
}

/* Images with an unexpected id, with a build-id that is too long, and with a path without NUL.
 * Other definitions refer to these images. */
static void image_ids(struct stream *s)
{
	begin(s, 0);
	image(s, 2, 0);
	image(s, 1, 21);
	definition(s, 11);
	PUT(s, "4444", 1, 1, 0, 0);
	fill(s, 0, 24);
	fill(s, 'x', 8);
	end(s);
	image(s, 1, 0);
	image(s, 1, 0);
	entries(s, 12, 2, 1);
	PUT(s, "88448", 0x1000, 0x10, 0, 4, 0x6161616161616161);
	end(s);
	entries(s, 13, 0, 1);
	PUT(s, "4444448", 1, 1, 0, 4, 4, 0, 0x6161616161616161);
	end(s);
	define_end(s);
}

static void image_entries(struct stream *s)
{
	begin(s, 0);
	image(s, 1, 0);
	for (uint64_t kind = 12; kind < 14; kind++) {
		entries(s, kind, 1, 1); /* the entry is missing */
		end(s);
		entries(s, kind, 1, 0xffffffff);
		PUT(s, "88448", 0x1000, 0x10, 0, 4, 0x6161616161616161);
		end(s);
		entries(s, kind, 1, 1); /* the entry is incomplete */
		PUT(s, "88", 0x1000, 0x10);
		end(s);
	}
	entries(s, 12, 1, 2);
	PUT(s, "88448", 0x1000, 0x10, 0, 4, 0x6161616161616161);
	PUT(s, "88448", 0x2000, 0x10, 0, 9,
	    0x6161616161616161); /* the name is longer than the record */
	end(s);
	entries(s, 12, 1, 4);
	PUT(s, "88448", 0x1000, 0, 0, 4, 0x6161616161616161); /* the size is 0 */
	PUT(s, "8844", 0x1000, 0x10, 0, 0);		      /* the name is empty */
	PUT(s, "88448", 0xfffffffffffffff0, 0x20, 0, 4, 0x6161616161616161);
	PUT(s, "88448", 0x3000, 0x10, 0, 0xffffffff, 0x6161616161616161);
	end(s);
	entries(s, 13, 1, 1);
	PUT(s, "444444", 1, 1, 0, 0xffffffff, 0xffffffff, 0);
	end(s);
	define_end(s);
}

static void session_twice(struct stream *s)
{
	begin(s, 1);
	sample_with(s, 0x6b747370, 0);
	define_session(s, 0);
	sample_with(s, 0x6b747370, 0);
	define_end(s);
}

static void session_version(struct stream *s)
{
	header(s);
	usual_event(s);
	definition(s, 1);
	PUT(s, "211444", 2, 1, 8, 1, 62, 0);
	end(s);
	sample_with(s, 0x6b747370, 5);
	define_end(s);
}

/* SESSION says that samples have trailers. One trailer is valid, one has another tag, one is
 * missing, and one has an unknown stack. */
static void trailer_missing(struct stream *s)
{
	begin(s, 1);
	sample_with(s, 0x6b747370, 0);
	sample_with(s, 0x6b747371, 1);
	usual_sample(s, 0x401000);
	sample_with(s, 0x6b747370, 7); /* stack 7 does not exist */
	define_end(s);
}

static void end_counts(struct stream *s)
{
	begin(s, 0);
	usual_sample(s, 0x401000);
	s->records++;
	s->samples++;
	define_end(s);
	usual_sample(s, 0x401004);
}

/* Incomplete entries: an entry is missing, an entry is cut, a name is longer than the record, and
 * there are too many entries. */
static void arguments(struct stream *s)
{
	static const uint32_t counts[] = {1, 1, 1, 0xffffffff, 2000};

	begin(s, 0);
	definition(s, 16);
	num(s, 8, 1);
	end(s);
	for (unsigned int i = 0; i < 5; i++) {
		definition(s, 16);
		PUT(s, "84112", 1, counts[i], 7, 1, 0);
		if (i == 1)
			num(s, 8, 0);
		if (i == 2)
			PUT(s, "1111111188", 1, 8, 0, 0, 0, 0, 0, 9, 1, 0x6161616161616161);
		end(s);
	}
	usual_sample(s, 0x401000);
	define_end(s);
}

static void label(struct stream *s, uint32_t name_size, const char *name, uint32_t value_size,
		  const char *value)
{
	definition(s, 17);
	PUT(s, "4", name_size);
	bytes(s, name, strlen(name) + 1);
	PUT(s, "4", value_size);
	bytes(s, value, strlen(value) + 1);
	fill(s, 0, -s->size % 8);
	end(s);
}

/* Labels whose names are empty, begin with a digit, or have other characters. Strings that are
 * longer than the record, and a record without strings. */
static void labels(struct stream *s)
{
	begin(s, 0);
	label(s, 1, "", 2, "1");
	label(s, 4, "9ab", 2, "2");
	label(s, 4, "a-b", 2, "3");
	label(s, 0xffffffff, "a", 2, "4");
	label(s, 0, "", 0, "");
	definition(s, 17);
	end(s);
	usual_sample(s, 0x401000);
	define_end(s);
}

const struct vector bad_pk_vectors[] = {
	{"labels", labels, true},
	{"arguments", arguments, true},
	{"definition-short", definition_short, true},
	{"definition-ids", definition_ids, false},
	{"after-reset", after_reset, false},
	{"image-ids", image_ids, false},
	{"image-entries", image_entries, true},
	{"session-twice", session_twice, false},
	{"session-version", session_version, true},
	{"trailer-missing", trailer_missing, true},
	{"end-counts", end_counts, false},
	{NULL, NULL, false},
};
