// SPDX-License-Identifier: BSD-2-Clause
/* Definitions and trailers of pk (SPEC 9, 10.1). */
#include <string.h>

#include "mkvectors.h"

void definition(struct stream *s, unsigned int kind)
{
	rec(s, 78, 0);
	PUT(s, "88", 0x706b7374726d0000 + kind, 0);
}

void define_session(struct stream *s, uint32_t trailers)
{
	definition(s, 1);
	PUT(s, "211444", 1, s->big ? 2 : 1, 8, trailers, s->big ? 22 : 62, 0);
	end(s);
}

static void define_stage(struct stream *s, uint32_t id, uint32_t parent, const char *program)
{
	definition(s, 2);
	PUT(s, "44844", id, parent, 1700000000000000000, 2, 0);
	bytes(s, program, strlen(program) + 1);
	bytes(s, "0.1\0host.example", 17);
	bytes(s, program, strlen(program) + 1);
	bytes(s, "-a", 3);
	pad8(s);
	end(s);
}

static void define_string(struct stream *s, uint32_t id, const char *text)
{
	definition(s, 4);
	PUT(s, "44", id, strlen(text));
	str8(s, text);
	end(s);
}

static void define_dso(struct stream *s, uint32_t id, uint32_t kind, uint32_t path,
		       unsigned int build_id_size)
{
	definition(s, 5);
	PUT(s, "4444", id, kind, path, build_id_size);
	for (unsigned int i = 0; i < 20; i++)
		num(s, 1, i < build_id_size ? 0xb0 + i : 0);
	num(s, 4, 0);
	end(s);
}

static void define_frame(struct stream *s, uint32_t id, uint32_t dso, uint32_t function,
			 uint32_t flags)
{
	definition(s, 6);
	PUT(s, "4444444488", id, dso, function, dso ? 4 : 0, dso ? 10 + id : 0, dso ? 3 : 0, flags,
	    0, dso ? 0x1230 : 0, dso ? 0x1200 : 0);
	end(s);
}

static void define_stack(struct stream *s, uint32_t id, uint32_t parent, uint32_t frame)
{
	definition(s, 7);
	PUT(s, "4444", id, parent, frame, 0);
	end(s);
}

static void define_loss(struct stream *s, uint32_t stage, uint32_t cause, uint64_t count)
{
	definition(s, 8);
	PUT(s, "4488", stage, cause, count, 1000);
	end(s);
}

void define_end(struct stream *s)
{
	uint64_t records = s->records, samples = s->samples;

	definition(s, 10);
	PUT(s, "88", records, samples);
	end(s);
}

static void sample_with_stack(struct stream *s, uint64_t ip, uint32_t stack)
{
	s->time += 1000;
	REC(s, 9, 2, "8844844", 1, ip, 100, 101, s->time, 0x6b747370, stack);
}

static void define_tree(struct stream *s)
{
	define_string(s, 1, "program");
	define_string(s, 2, "main");
	define_string(s, 3, "/usr/bin/program");
	define_string(s, 4, "/src/program.c");
	define_string(s, 5, "inlined;by \x1b[31m main");
	define_string(s, 6, "");
	define_string(s, 7, "[kernel.kallsyms]");
	define_string(s, 8, "grüße 8 b");
	define_dso(s, 1, 1, 3, 20);
	define_dso(s, 2, 2, 7, 16);
	define_dso(s, 3, 7, 0, 0);
	define_frame(s, 1, 0, 1, 1 << 8);
	define_frame(s, 2, 1, 2, 1 << 1);
	define_frame(s, 3, 1, 5, 1 << 1 | 1 << 4);
	define_frame(s, 4, 2, 0, 1 << 0 | 1 << 6);
	define_stack(s, 1, 0, 1);
	define_stack(s, 2, 1, 2);
	define_stack(s, 3, 2, 3);
	define_stack(s, 4, 2, 4);
}

static void definitions(struct stream *s)
{
	header(s);
	usual_event(s);
	define_session(s, 1);
	define_stage(s, 1, 0, "pk-record");
	define_stage(s, 2, 1, "pk-symbolize");
	definition(s, 3);
	PUT(s, "44", 2, 1);
	end(s);
	usual_task(s);
	define_tree(s);
	sample_with_stack(s, 0x401000, 3);
	sample_with_stack(s, 0x401000, 4);
	sample_with_stack(s, 0x401000, 0);
	for (uint32_t cause = 1; cause < 10; cause++)
		define_loss(s, 2, cause, 10 * cause);
	define_end(s);
}

/* STACK definitions that define several stacks, with and without padding. */
static void paths(struct stream *s)
{
	header(s);
	usual_event(s);
	define_session(s, 1);
	usual_task(s);
	define_tree(s);
	definition(s, 7);
	PUT(s, "444444", 5, 3, 4, 2, 2, 3);
	end(s);
	definition(s, 7);
	PUT(s, "444444", 8, 6, 4, 1, 4, 0);
	end(s);
	define_stack(s, 10, 9, 2);
	for (uint32_t stack = 5; stack <= 10; stack++)
		sample_with_stack(s, 0x401000, stack);
	define_end(s);
}

/* After RESET, ids continue and do not start again. */
static void reset(struct stream *s)
{
	header(s);
	usual_event(s);
	define_session(s, 1);
	define_tree(s);
	sample_with_stack(s, 0x401000, 3);
	definition(s, 9);
	PUT(s, "44", 0xf0, 0);
	end(s);
	define_string(s, 9, "program");
	define_frame(s, 5, 0, 9, 1 << 8);
	define_stack(s, 5, 0, 5);
	sample_with_stack(s, 0x401000, 5);
	define_end(s);
}

/* Definitions of a later version of pk. They are longer, are of new kinds, or have new bits and
 * values. */
static void later(struct stream *s)
{
	header(s);
	usual_event(s);
	definition(s, 1);
	PUT(s, "21144488", 1, s->big ? 2 : 1, 8, 0xfffffffe | 1, 62, 0, 0x1122, 0x3344);
	end(s);
	definition(s, 0xfffe);
	PUT(s, "88", 0x5566, 0x7788);
	end(s);
	definition(s, 0xffff);
	end(s);
	definition(s, 3);
	PUT(s, "448", 77, 0xffffffff, 0x99aa);
	end(s);
	definition(s, 4);
	PUT(s, "44", 1, 4);
	bytes(s, "text\0\0\0\0more 16 bytes...", 24);
	end(s);
	definition(s, 5);
	PUT(s, "4444", 1, 99, 1, 0);
	fill(s, 0, 24);
	num(s, 8, 0xbbcc);
	end(s);
	definition(s, 6);
	PUT(s, "44444444888", 1, 0, 1, 0, 0, 0, 0x80000100, 0, 0, 0, 0xddee);
	end(s);
	definition(s, 7);
	PUT(s, "44448", 1, 0, 1, 0, 0xff00);
	end(s);
	definition(s, 8);
	PUT(s, "44888", 1, 999, 1, 2, 3);
	end(s);
	/* Unknown bytes between the fields and the stack trailer. */
	REC(s, 9, 2, "8844888844", 1, 0x401000, 100, 101, s->time, 0x1122, 0x3344, 0x5566,
	    0x6b747370, 1);
	definition(s, 10);
	PUT(s, "888", s->records - 1, s->samples, 0x1122);
	end(s);
}

/* Bit 0 of the trailers in SESSION is not set, so the bytes after the samples are not a trailer. */
static void no_trailer(struct stream *s)
{
	header(s);
	usual_event(s);
	define_session(s, 0);
	define_tree(s);
	sample_with_stack(s, 0x401000, 3);
	define_end(s);
}

/* Samples with flags of callchains, with and without a stack trailer after them, and a sample
 * without a trailer. */
static void chain_trailer(struct stream *s)
{
	header(s);
	usual_event(s);
	define_session(s, 2);
	for (uint32_t bit = 0; bit < 6; bit++)
		REC(s, 9, 2, "8844844", 1, 0x401000, 100, 101, s->time, 0x6b706863, 1u << bit);
	REC(s, 9, 2, "88448", 1, 0x401000, 100, 101, s->time);
	define_end(s);
	header(s);
	usual_event(s);
	define_session(s, 3);
	define_tree(s);
	REC(s, 9, 2, "884484444", 1, 0x401000, 100, 101, s->time, 0x6b706863, 0x80000003,
	    0x6b747370, 3);
	sample_with_stack(s, 0x401000, 3);
	define_end(s);
}

/* Two sessions of pk. In the second session, ids start again. */
static void two_sessions(struct stream *s)
{
	definitions(s);
	s->big = !s->big;
	reset(s);
}

/* A stream that perf inject has written. It moves definitions before samples that were written
 * earlier, so END is not the last record. */
static void reordered(struct stream *s)
{
	header(s);
	usual_event(s);
	define_session(s, 1);
	define_tree(s);
	define_end(s);
	sample_with_stack(s, 0x401000, 3);
	sample_with_stack(s, 0x401000, 4);
}

static void define_image(struct stream *s, uint32_t id, uint32_t kind, uint32_t pid,
			 unsigned int build_id_size, const char *path)
{
	definition(s, 11);
	PUT(s, "4444", id, kind, pid, build_id_size);
	for (unsigned int i = 0; i < 20; i++)
		num(s, 1, i < build_id_size ? 0xb0 + i : 0);
	num(s, 4, 0);
	str8(s, path);
	end(s);
}

/* Writes an entry of SYMBOLS: its numbers, its text, and padding. */
static void symbol(struct stream *s, uint64_t start, uint64_t size, const char *name)
{
	PUT(s, "8844", start, size, 0, strlen(name));
	bytes(s, name, strlen(name));
	fill(s, 0, -(s->size - s->record) % 8);
}

static void source(struct stream *s, uint32_t line, uint32_t flags, const char *function,
		   const char *file)
{
	PUT(s, "444444", line, line ? 7 : 0, flags, strlen(function), strlen(file), 0);
	bytes(s, function, strlen(function));
	bytes(s, file, strlen(file));
	fill(s, 0, -(s->size - s->record) % 8);
}

static void define_symbols(struct stream *s, uint32_t image, uint32_t count)
{
	definition(s, 12);
	PUT(s, "44", image, count);
}

/* The definitions that pk-inject writes (SPEC 9.11). The second symbol is in the middle of the
 * first symbol. */
static void offsite(struct stream *s)
{
	header(s);
	usual_event(s);
	define_session(s, 0);
	usual_task(s);
	define_image(s, 1, 1, 0, 0, "/usr/bin/program");
	define_symbols(s, 1, 2);
	symbol(s, 0x1f00, 0x200, "main");
	symbol(s, 0x2040, 0x10, "8 letter");
	end(s);
	define_image(s, 2, 2, 0, 20, "[kernel.kallsyms]");
	define_image(s, 3, 3, 0, 16, "[ext4]");
	define_image(s, 4, 5, 100, 0, "/tmp/perf-100.map");
	define_symbols(s, 4, 1);
	symbol(s, 0x7f0000001000, 0x40, "grüße \x1b[31m");
	end(s);
	define_symbols(s, 3, 0);
	end(s);
	definition(s, 13);
	PUT(s, "448", 1, 2, 0x2000);
	source(s, 42, 1, "inlined", "/src/program.h");
	source(s, 0, 0, "", "");
	end(s);
	usual_sample(s, 0x401000);
	bare(s, 68); /* the first FINISHED_ROUND of a session releases no records (SPEC 7.1) */
	bare(s, 68);
	definition(s, 14);
	num(s, 8, 0);
	end(s);
	define_image(s, 5, 1, 0, 0, "/usr/bin/program");
	define_end(s);
}

/* Frames of Python, and the definitions that pk-record writes for them (SPEC 9.11). Two functions
 * have 16 addresses for each line. */
#define INTERPRETED_SPACE (UINT64_C(1) << 62)

static void interpreted_map(struct stream *s, uint32_t pid, const char *image)
{
	rec(s, 10, 2);
	PUT(s, "448884488", pid, pid, INTERPRETED_SPACE, UINT64_C(1) << 46, 0, 0, 0, 0, 0);
	PUT(s, "44", 5, 2);
	str8(s, image);
	trailer(s);
	end(s);
}

/* Defines the line of an address, and of the address before it. */
static void interpreted_line(struct stream *s, uint32_t image, uint64_t address, uint32_t line,
			     const char *file)
{
	for (uint32_t i = 0; i < 2; i++) {
		definition(s, 13);
		PUT(s, "448", image, 1, address - i);
		source(s, line, 0, "", file);
		end(s);
	}
}

static void interpreted(struct stream *s)
{
	const uint64_t space = INTERPRETED_SPACE;

	header(s);
	usual_event(s);
	define_session(s, 0);
	define_image(s, 1, 7, 0, 0, "[python]");
	usual_task(s);
	interpreted_map(s, 100, "[python]");
	define_symbols(s, 1, 2);
	symbol(s, space + 16, 3 * 16, "app.py:Server.handle");
	symbol(s, space + 80, 16, "app.py:grüße.<locals>.<lambda>");
	end(s);
	interpreted_line(s, 1, space + 40, 12, "/srv/app.py");
	usual_sample(s, space + 40);
	usual_sample(s, space + 88);
	usual_sample(s, 0x401000);
	define_end(s);
}

/* Code of two interpreters. The addresses of their functions alternate. */
static void interpreted_ruby(struct stream *s)
{
	const uint64_t space = INTERPRETED_SPACE;

	header(s);
	usual_event(s);
	define_session(s, 0);
	define_image(s, 1, 7, 0, 0, "[python]");
	define_image(s, 2, 7, 0, 0, "[ruby]");
	usual_task(s);
	interpreted_map(s, 100, "[ruby]");
	define_symbols(s, 2, 1);
	symbol(s, space + 16, 3 * 16, "app.rb:block (2 levels) in <class:Server>");
	end(s);
	interpreted_line(s, 2, space + 40, 7, "/srv/app.rb");
	usual_sample(s, space + 40);
	define_symbols(s, 1, 1);
	symbol(s, space + 80, 16, "app.py:main");
	end(s);
	define_symbols(s, 2, 1);
	symbol(s, space + 112, 16, "app.rb:rescue in handle");
	end(s);
	usual_sample(s, space + 120);
	usual_sample(s, 0x401000);
	define_end(s);
}

/* The native stack is not unwound yet: the user part of the callchain has frames of an interpreter
 * and notes. The dump starts at the stack pointer, 0x7fff0000. */
static void interpreted_dump(struct stream *s)
{
	static const struct event e = {.type = 1,
				       .sample_type = IDENTIFIER | IP | TID | TIME | CALLCHAIN |
						      REGS_USER | STACK_USER,
				       .flags = SAMPLE_ID_ALL | UINT64_C(1) << 22,
				       .regs_user = 0x181,
				       .stack_user = 24};
	const uint64_t space = INTERPRETED_SPACE, note = UINT64_C(1) << 63,
		       kind = UINT64_C(1) << 56;

	header(s);
	event(s, &e, 1, 1);
	define_session(s, 0);
	define_image(s, 1, 7, 0, 0, "[python]");
	usual_task(s);
	interpreted_map(s, 100, "[python]");
	define_symbols(s, 1, 1);
	symbol(s, space + 16, 3 * 16, "app.py:main");
	end(s);
	rec(s, 9, 2);
	PUT(s, "88448", s->id, 0x401000, 100, 101, s->time += 1000);
	PUT(s, "8888888", 6, MARKER(512), note | 6 * kind, space + 24, space + 40,
	    note | 0x7fff0008, note | 5 * kind);
	PUT(s, "8888", 2, 0, 0x7fff0000, 0x401000);
	PUT(s, "88888", 24, 0x401234, 1, 0, 24);
	end(s);
	define_end(s);
}

/* Writes the value and the name of an argument. Call it after ARGUMENT(). */
static void argument(struct stream *s, uint64_t value, const char *text)
{
	PUT(s, "18", strlen(text), value);
	bytes(s, text, strlen(text));
	fill(s, 0, -strlen(text) % 8);
}

/* Writes the start of an argument: kind, size, flags, base, index, scale and shift. Call argument()
 * after it. */
#define ARGUMENT(...) PUT(s, "1111111", __VA_ARGS__)

static void define_arguments(struct stream *s, uint64_t id, uint32_t count)
{
	definition(s, 16);
	PUT(s, "84112", id, count, 7, s->big ? 2 : 1, 0);
}

/* Arguments of probes (SPEC 9.14). Registers 0 and 7 have the values 0x1000 and 0x1007. The value
 * of each byte of the stack is its offset. */
static void arguments(struct stream *s)
{
	const struct event e = {.type = 7,
				.sample_type =
					IDENTIFIER | IP | TID | TIME | REGS_USER | STACK_USER,
				.flags = SAMPLE_ID_ALL,
				.regs_user = 0x81,
				.stack_user = 24};

	header(s);
	event(s, &e, 5, 1);
	define_session(s, 0);
	name(s, 5, "sdt_some:thing");
	define_arguments(s, 5, 11);
	ARGUMENT(1, 4, 1, 255, 255, 0, 0);
	argument(s, MARKER(3), "arg1");
	ARGUMENT(2, 2, 0, 255, 255, 0, 0);
	argument(s, 0, "no register");
	ARGUMENT(2, 2, 0, 0, 255, 0, 0);
	argument(s, 0, "low");
	ARGUMENT(2, 1, 0, 0, 255, 0, 8);
	argument(s, 0, "high 8..");
	ARGUMENT(3, 4, 1, 7, 255, 0, 0);
	argument(s, 4, "stack");
	ARGUMENT(3, 8, 0, 7, 0, 2, 0);
	argument(s, MARKER(0x2000), "indexed");
	ARGUMENT(3, 8, 0, 7, 255, 0, 0);
	argument(s, 9, "beyond");
	ARGUMENT(3, 8, 0, 0, 255, 0, 0);
	argument(s, 0, "elsewhere");
	ARGUMENT(2, 8, 0, 5, 255, 0, 0);
	argument(s, 0, "another register");
	ARGUMENT(0, 8, 0, 255, 255, 0, 0);
	argument(s, 0, "");
	ARGUMENT(99, 3, 255, 255, 255, 255, 255);
	argument(s, 1, "of a later version");
	end(s);
	define_arguments(s, 5, 0); /* ignored, because the first definition counts */
	end(s);
	define_arguments(s, 99, 0); /* the event is undefined */
	end(s);
	s->time += 1000;
	rec(s, 9, 2);
	sample_fields(s, &e, 5, 0);
	end(s);
	define_end(s);
}

static void string(struct stream *s, const char *text)
{
	PUT(s, "4", strlen(text) + 1);
	bytes(s, text, strlen(text) + 1);
}

/* Labels (SPEC 9.16). */
static void labels(struct stream *s)
{
	static const char *const texts[][2] = {{"service", "checkout"},
					       {"version", "1.2-rc3"},
					       {"_Region9", "Zürich West"},
					       {"empty", ""},
					       {"service", "a second value is not valid"}};

	const struct event e = {.sample_type = IDENTIFIER | IP | TID | TIME,
				.flags = SAMPLE_ID_ALL};

	header(s);
	event(s, &e, 1, 1);
	define_session(s, 0);
	for (unsigned int i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		definition(s, 17);
		string(s, texts[i][0]);
		string(s, texts[i][1]);
		fill(s, 0, -s->size % 8);
		end(s);
	}
	s->time += 1000;
	rec(s, 9, 2);
	sample_fields(s, &e, 1, 0);
	end(s);
	define_end(s);
}

/* A recorder lowers the frequency of an event, and raises it again (SPEC 9.17). */
static void rates(struct stream *s)
{
	const struct event e = {.sample_type = IDENTIFIER | IP | TID | TIME | PERIOD,
				.flags = SAMPLE_ID_ALL};

	header(s);
	event(s, &e, 1, 1);
	define_session(s, 0);
	for (unsigned int i = 0; i < 3; i++) {
		if (i) {
			definition(s, 18);
			PUT(s, "844", UINT64_C(1), i == 1 ? 19 : 99, i == 1 ? 2 : 0);
			end(s);
		}
		s->time += 1000;
		rec(s, 9, 2);
		sample_fields(s, &e, 1, 0);
		end(s);
	}
	define_end(s);
}

const struct vector pk_vectors[] = {
	{"pk-rates", rates, true},
	{"pk-labels", labels, true},
	{"pk-arguments", arguments, true},
	{"pk-offsite", offsite, true},
	{"pk-interpreted", interpreted, true},
	{"pk-interpreted-ruby", interpreted_ruby, true},
	{"pk-interpreted-dump", interpreted_dump, true},
	{"pk-definitions", definitions, true},
	{"pk-paths", paths, true},
	{"pk-reset", reset, true},
	{"pk-later", later, true},
	{"pk-no-trailer", no_trailer, true},
	{"pk-chain-trailer", chain_trailer, true},
	{"pk-two-sessions", two_sessions, false},
	{"pk-reordered", reordered, false},
	{NULL, NULL, false},
};
