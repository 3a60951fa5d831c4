// SPDX-License-Identifier: BSD-2-Clause
/* Derived events (SPEC 6.3, 9.15). Their format is in TRACING_DATA. */
#include <string.h>

#include "mkvectors.h"

#define DERIVED_ID 0x706b737000000000

static const struct event begin = {
	.type = 2,
	.config = 300,
	.sample_type = IDENTIFIER | IP | TID | TIME | CPU | PERIOD | RAW,
	.flags = SAMPLE_ID_ALL,
};

static const struct event derived = {
	.type = 2,
	.config = 65535,
	.sample_type = IDENTIFIER | IP | TID | TIME | CPU | PERIOD | CALLCHAIN | RAW,
	.flags = SAMPLE_ID_ALL,
};

/* ---- TRACING_DATA ---- */

static void tracing_file(struct stream *s, const char *text)
{
	num(s, 8, strlen(text));
	bytes(s, text, strlen(text));
}

/* Writes a system that has one format. */
static void tracing_system(struct stream *s, const char *system, const char *text)
{
	bytes(s, system, strlen(system) + 1);
	num(s, 4, 1);
	tracing_file(s, text);
}

#define COMMON_FIELDS                                                                              \
	"format:\n"                                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static void tracing_data(struct stream *s)
{
	size_t size_at, start;

	rec(s, 66, 0);
	size_at = s->size;
	PUT(s, "44", 0, 0);
	end(s);
	start = s->size;
	bytes(s, "\x17\x08\x44tracing0.6", 14);
	PUT(s, "114", s->big, 8, 4096);
	bytes(s, "header_page", 12);
	tracing_file(s, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n");
	bytes(s, "header_event", 13);
	tracing_file(s, "# compressed entry header\n");
	PUT(s, "44", 0, 2);
	tracing_system(s, "some",
		       "name: begin\nID: 300\n" COMMON_FIELDS
		       "\tfield:int key;\toffset:8;\tsize:4;\tsigned:1;\n"
		       "\nprint fmt: \"key=%d\", REC->key\n");
	tracing_system(s, "pk",
		       "name: span\nID: 65535\n" COMMON_FIELDS
		       "\tfield:u64 start;\toffset:8;\tsize:8;\tsigned:0;\n"
		       "\tfield:u64 duration;\toffset:16;\tsize:8;\tsigned:0;\n"
		       "\tfield:s64 key;\toffset:24;\tsize:8;\tsigned:1;\n"
		       "\tfield:__data_loc char[] text;\toffset:32;\tsize:4;\tsigned:1;\n"
		       "\tfield:void * address;\toffset:36;\tsize:8;\tsigned:0;\n"
		       "\tfield:u64 gap;\toffset:44;\tsize:8;\tsigned:0;\n"
		       "\tfield:u64 unfinished;\toffset:52;\tsize:8;\tsigned:0;\n"
		       "\nprint fmt: \"start=%llu duration=%llu key=%lld text=%s address=0x%llx "
		       "gap=%llu unfinished=%llu\", REC->start, REC->duration, REC->key, "
		       "__get_str(text), (unsigned long long)REC->address, REC->gap, "
		       "REC->unfinished\n");
	PUT(s, "448", 0, 0, 0);
	while ((s->size - start) % 8)
		num(s, 1, 0);
	patch(s, size_at, 4, s->size - start);
}

/* ---- Samples ---- */

static void begin_sample(struct stream *s, int key)
{
	s->time += 1000;
	rec(s, 9, 1);
	PUT(s, "88448448421144", 1, 0xffffffff81000000, 100, 101, s->time, 3, 0, 1, 12, 300, 0, 0,
	    101, (uint32_t)key);
	end(s);
}

/* The place of a text: its offset in the raw data, and its size with the NUL. */
#define PLACE(offset, size) ((offset) | (size) << 16)

static void span(struct stream *s, uint64_t duration, int64_t key, unsigned int gap,
		 unsigned int unfinished)
{
	s->time += 1000;
	rec(s, 9, 1);
	PUT(s, "88448448", DERIVED_ID, 0xffffffff81000000, 100, 101, s->time, 3, 0, duration);
	PUT(s, "8888", 3, MARKER(128), 0xffffffff81000000, 0xffffffff81000100);
	PUT(s, "42114", 68, 65535, 0, 0, 101);
	PUT(s, "8884888", s->time - duration, duration, (uint64_t)key, PLACE(60, 5),
	    0xffff888000001000, gap, unfinished);
	bytes(s, "text\0\0\0", 8);
	end(s);
}

static void spans(struct stream *s)
{
	header(s);
	event(s, &begin, 1, 1);
	event(s, &derived, DERIVED_ID, 1);
	define_session(s, 0);
	name(s, 1, "some:begin");
	name(s, DERIVED_ID, "pk:span");
	tracing_data(s);
	s->time = 1000000;
	begin_sample(s, -1);
	span(s, 1000, -1, 0, 0);
	span(s, 0, 5, 1, 0);
	begin_sample(s, 7);
	span(s, 500000, 0x123456789a, 0, 1);
	define_end(s);
}

const struct vector derived_vectors[] = {
	{"pk-derived", spans, true},
	{NULL, NULL, false},
};
