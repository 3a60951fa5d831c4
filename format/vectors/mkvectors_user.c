// SPDX-License-Identifier: BSD-2-Clause
/* Records that tools write (SPEC 3.6, 4.2, 4.3). */
#include <string.h>

#include "mkvectors.h"

static void char_array(struct stream *s, const char *text, size_t size)
{
	bytes(s, text, strlen(text));
	fill(s, 0, size - strlen(text));
}

static void build_ids(struct stream *s)
{
	rec(s, 67, 2 | 1 << 15);
	num(s, 4, 0xffffffff);
	for (unsigned int i = 0; i < 16; i++)
		num(s, 1, 0x10 + i);
	PUT(s, "4112", 0, 16, 0, 0);
	str8(s, "/usr/bin/short");
	end(s);
	rec(s, 67, 1);
	num(s, 4, 0xffffffff);
	for (unsigned int i = 0; i < 20; i++)
		num(s, 1, 0x20 + i);
	num(s, 4, 0);
	str8(s, "[kernel.kallsyms]");
	end(s);
	rec(s, 67, 2 | 1 << 15); /* this record has a trailer, as perf inject writes it */
	num(s, 4, 0);
	for (unsigned int i = 0; i < 20; i++)
		num(s, 1, 0x30 + i);
	PUT(s, "112", 20, 0, 0);
	str8(s, "/guest");
	trailer(s);
	end(s);
}

static void tracing_data(struct stream *s)
{
	REC(s, 66, 0, "44", 16, 0);
	bytes(s, "\x17\x08\x44tracing0.6\0\0", 16);
	REC(s, 66, 0, "4", 8); /* the old form of the record, without padding */
	bytes(s, "8 bytes.", 8);
}

static void id_index(struct stream *s)
{
	REC(s, 69, 0, "888888888", 2, 1, 0, 3, UINT64_MAX, 2, 1, 4, 101);
	REC(s, 69, 0, "8888888", 1, 3, 2, UINT64_MAX, 101, 0, 5);
}

static void auxtrace(struct stream *s)
{
	REC(s, 70, 0, "44888", 4, 0, 1, 2, 3);
	REC(s, 71, 0, "8884444", 11, 0x1000, 0x5555, 1, 101, 3, 0);
	bytes(s, "eleven byte", 11);
	REC(s, 71, 0, "8884444", 0, 0, 0, 0, 0xffffffff, 0xffffffff, 0);
	rec(s, 72, 0);
	PUT(s, "4444448", 1, 2, 3, 100, 101, 0, 0x401000);
	char_array(s, "no time in it", 64);
	end(s);
	rec(s, 72, 0);
	PUT(s, "44444488", 1, 2, 3, 100, 101, 1, 0x401000, 1000000005);
	char_array(s, "time in it", 64);
	end(s);
	rec(s, 72, 0);
	PUT(s, "44444488", 1, 2, 3, 100, 101, 2, 0x401000, 1000000006);
	char_array(s, "and the machine", 64);
	PUT(s, "44", 7, 8);
	end(s);
}

static void cpu_map(struct stream *s, uint16_t kind, const char *widths, const uint64_t *values)
{
	num(s, 2, kind);
	put(s, widths, values, strlen(widths));
	pad8(s);
	end(s);
}

static void maps(struct stream *s)
{
	rec(s, 73, 0);
	PUT(s, "88", 2, 100);
	char_array(s, "program", 16);
	num(s, 8, 101);
	char_array(s, "sixteen letters!", 16);
	end(s);
	rec(s, 74, 0);
	cpu_map(s, 0, "2222", (const uint64_t[]){3, 0, 5, 65535});
	rec(s, 74, 0);
	cpu_map(s, 1, "2244", (const uint64_t[]){2, 4, 0x80000001, 3});
	rec(s, 74, 0);
	cpu_map(s, 1, "2248", (const uint64_t[]){1, 8, 0, 0x8000000000000001});
	rec(s, 74, 0);
	cpu_map(s, 2, "1122", (const uint64_t[]){1, 0, 4, 260});
}

static void stat(struct stream *s)
{
	REC(s, 75, 0, "888888888", 4, 0, 3, 1, 1000, 2, 1, 3, 0);
	rec(s, 73, 0);
	PUT(s, "88", 1, UINT64_MAX);
	char_array(s, "", 16);
	end(s);
	rec(s, 74, 0);
	cpu_map(s, 0, "22", (const uint64_t[]){1, 0});
	REC(s, 76, 0, "844888", 1, 0, 0, 123456789, 1000000, 900000);
	REC(s, 77, 0, "88", 0, 1000000007);
	REC(s, 77, 0, "88", 1, 1000000008);
}

static void updates(struct stream *s)
{
	rec(s, 78, 0);
	PUT(s, "88", 0, 1);
	str8(s, "Joules");
	end(s);
	REC(s, 78, 0, "888", 1, 1, 0x3fe0000000000000); /* 0.5 as a double */
	name(s, 1, "a name");
	rec(s, 78, 0);
	PUT(s, "88", 3, 1);
	cpu_map(s, 2, "1122", (const uint64_t[]){0, 0, 0, 7});
	rec(s, 78, 0);
	PUT(s, "88", 2, 0);
	str8(s, "id 0 is the first event");
	end(s);
	rec(s, 78, 0); /* an unknown type */
	PUT(s, "888", 0x1122334455667788, 0, 0x99aabbccddeeff00);
	end(s);
}

static void time_conv_full(struct stream *s)
{
	rec(s, 79, 0);
	PUT(s, "8888811", 10, 0x12345, 0x100000000, 0x55, 0xffffffffffff, 1, 1);
	pad8(s);
	end(s);
}

static void bpf_and_sched(struct stream *s)
{
	rec(s, 84, 0);
	char_array(s, "bpf_prog_0123456789abcdef_f", 512);
	num(s, 8, 2);
	char_array(s, "key", 64);
	char_array(s, "value", 256);
	char_array(s, "another", 64);
	char_array(s, "", 256);
	end(s);
	rec(s, 85, 0);
	PUT(s, "8422444444888", 1000000009, 3, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
	end(s);
	rec(s, 86, 0);
	PUT(s, "8422", 1000000010, 3, 17, 1);
	for (unsigned int i = 0; i < 45; i++)
		num(s, 4, 100 + i);
	pad8(s);
	end(s);
}

static void user(struct stream *s)
{
	header(s);
	usual_event(s);
	event(s,
	      &(const struct event){.sample_type = IDENTIFIER | IP | TID | TIME,
				    .flags = SAMPLE_ID_ALL},
	      2, 2);
	rec(s, 65, 0);
	num(s, 8, 1);
	char_array(s, "deprecated", 64);
	end(s);
	updates(s);
	build_ids(s);
	id_index(s);
	maps(s);
	REC(s, 79, 0, "888", 10, 0x12345, 0x100000000);
	time_conv_full(s);
	bare(s, 82);
	usual_sample(s, 0x401000);
	bare(s, 68);
}

static void user_aux(struct stream *s)
{
	header(s);
	usual_event(s);
	tracing_data(s);
	auxtrace(s);
	usual_sample(s, 0x401000);
}

static void user_stat(struct stream *s)
{
	header(s);
	usual_event(s);
	stat(s);
}

static void user_new(struct stream *s)
{
	header(s);
	usual_event(s);
	bpf_and_sched(s);
}

/* ---- Attrs ---- */

static void attr_sizes(struct stream *s)
{
	static const uint16_t sizes[] = {64,  72,  80,	88,  96,  104, 112,
					 120, 128, 136, 144, 152, 160, 1024};
	struct event e = {.type = 1, .sample_type = IDENTIFIER | IP | TID | TIME};

	header(s);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		e.size = sizes[i];
		e.config = i;
		rec(s, 64, 0);
		attr(s, &e);
		num(s, 8, i + 1);
		end(s);
	}
	s->id = 12;
	usual_sample(s, 0x401000);
}

/* An attr with size 0, which means 64, and without ids, which are optional. */
static void attr_size_0(struct stream *s)
{
	struct event e = {.type = 1, .sample_type = IP, .size = 64};
	size_t at;

	header(s);
	rec(s, 64, 0);
	at = s->size + 4;
	attr(s, &e);
	memset(s->data + at, 0, 4);
	end(s);
	REC(s, 9, 2, "8", 0x401000);
}

/* An attr in which every field has a different value. */
static void attr_fields(struct stream *s)
{
	header(s);
	rec(s, 64, 0);
	PUT(s, "4488888448", 4, 144, 0x0101, 0x0202, IP | TID, 0x1f, 0, 0x0303, 0x0404, 0x0505);
	PUT(s, "888448", 0x0606, 0x0707, 0x0808, 0x0909, 4, 0x0a0a);
	PUT(s, "4224488", 0x0b0b, 0x0c0c, 0, 0x0d0d, 0x5, 0x0e0e, 0x0f0f);
	PUT(s, "888", 0x1010, 77, 78);
	end(s);
}

/* Attrs with one flag each, with each value of precise_ip, and with all flags. */
static void attr_flags(struct stream *s)
{
	struct event e = {.sample_type = IDENTIFIER | IP, .size = 64};

	header(s);
	for (unsigned int bit = 0; bit < 40; bit++) {
		e.flags = bit == 16 ? UINT64_C(3) << 15 : UINT64_C(1) << bit;
		e.config = bit;
		event(s, &e, bit + 1, 1);
	}
	e.flags = UINT64_C(2) << 15;
	event(s, &e, 50, 1);
	e.flags = (UINT64_C(1) << 40) - 1;
	event(s, &e, 51, 1);
}

const struct vector user_vectors[] = {
	{"user", user, true},
	{"user-aux", user_aux, true},
	{"user-stat", user_stat, true},
	{"user-new", user_new, true},
	{"attr-sizes", attr_sizes, true},
	{"attr-size-0", attr_size_0, true},
	{"attr-fields", attr_fields, true},
	{"attr-flags", attr_flags, true},
	{NULL, NULL, false},
};
