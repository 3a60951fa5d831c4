// SPDX-License-Identifier: BSD-2-Clause
/* Records of the kernel, except SAMPLE (SPEC 3.5, 5.5). */
#include "mkvectors.h"

static void close_with_trailer(struct stream *s)
{
	trailer(s);
	end(s);
}

static void maps(struct stream *s)
{
	rec(s, 1, 2 | 1 << 13);
	PUT(s, "44888", 100, 101, 0x7f0000000000, 0x2000, 0x1000);
	str8(s, "/dev/shm/data");
	close_with_trailer(s);
	rec(s, 10, 2 | 1 << 12);
	PUT(s, "448884488", 100, 101, 0x7f0000010000, 0x3000, 0x4000, 8, 2, 12345, 7);
	PUT(s, "44", 5, 2);
	str8(s, "//anon");
	close_with_trailer(s);
	rec(s, 10, 2 | 1 << 14);
	PUT(s, "44888112", 100, 101, 0x7f0000020000, 0x3000, 0, 20, 0, 0);
	for (unsigned int i = 0; i < 20; i++)
		num(s, 1, 0xa0 + i);
	PUT(s, "44", 5, 2);
	str8(s, "/usr/lib/libc.so.6");
	close_with_trailer(s);
}

static void tasks(struct stream *s)
{
	rec(s, 3, 1 << 13);
	PUT(s, "44", 100, 101);
	str8(s, "fifteen letters");
	close_with_trailer(s);
	rec(s, 4, 0);
	PUT(s, "44448", 200, 100, 201, 101, 1000000001);
	close_with_trailer(s);
	rec(s, 7, 1 << 13);
	PUT(s, "44448", 200, 100, 201, 101, 1000000002);
	close_with_trailer(s);
	rec(s, 16, 0);
	PUT(s, "448", 100, 101, 7);
	for (unsigned int i = 0; i < 7; i++)
		PUT(s, "88", 4, 0xeffffff0 + i);
	close_with_trailer(s);
	rec(s, 14, 0);
	close_with_trailer(s);
	rec(s, 15, 1 << 13 | 1 << 14);
	PUT(s, "44", 300, 301);
	close_with_trailer(s);
	rec(s, 19, 0);
	num(s, 8, 4711);
	str8(s, "/system.slice/a.service");
	close_with_trailer(s);
}

static void losses(struct stream *s)
{
	rec(s, 2, 0);
	PUT(s, "88", 99, 12);
	close_with_trailer(s);
	rec(s, 5, 0);
	PUT(s, "888", 1000000003, 1, 1001);
	close_with_trailer(s);
	rec(s, 6, 0);
	PUT(s, "888", 1000000004, 1, 1001);
	close_with_trailer(s);
	rec(s, 13, 0);
	num(s, 8, 34);
	close_with_trailer(s);
	rec(s, 13, 1 << 15);
	num(s, 8, 56);
	close_with_trailer(s);
}

static void code(struct stream *s)
{
	rec(s, 17, 0);
	PUT(s, "8422", 0xffffffffc0000000, 0x80, 1, 1);
	str8(s, "bpf_prog_0123456789abcdef_f");
	close_with_trailer(s);
	rec(s, 18, 0);
	PUT(s, "224", 1, 0, 42);
	bytes(s, "\x01\x23\x45\x67\x89\xab\xcd\xef", 8);
	close_with_trailer(s);
	rec(s, 20, 1);
	PUT(s, "822", 0xffffffff81000010, 5, 5);
	bytes(s, "\x0f\x1f\x44\x00\x00\xe9\x01\x02\x03\x04", 10);
	pad8(s);
	close_with_trailer(s);
}

static void others(struct stream *s)
{
	rec(s, 8, 0);
	PUT(s, "44", 100, 101);
	read_values(s, s->event->read_format, 0);
	close_with_trailer(s);
	rec(s, 11, 0);
	PUT(s, "888", 0x1000, 0x800, 5);
	close_with_trailer(s);
	rec(s, 12, 0);
	PUT(s, "44", 100, 101);
	close_with_trailer(s);
	rec(s, 21, 0);
	num(s, 8, 0x123456789);
	close_with_trailer(s);
}

static void deferred(struct stream *s)
{
	rec(s, 22, 2);
	PUT(s, "88888", 0x100000001, 3, 0x401000, 0x402000, 0x403000);
	close_with_trailer(s);
	rec(s, 22, 2);
	PUT(s, "88", 0x300000001, 0);
	close_with_trailer(s);
}

static void every_type(struct stream *s)
{
	maps(s);
	tasks(s);
	losses(s);
	code(s);
	others(s);
}

static void kernel_full_trailer(struct stream *s)
{
	static const struct event e = {
		.type = 1,
		.sample_type = IDENTIFIER | IP | TID | TIME | ID | STREAM_ID | CPU,
		.read_format = 7,
		.flags = SAMPLE_ID_ALL,
	};

	header(s);
	event(s, &e, 1, 2);
	every_type(s);
}

static void kernel_no_trailer(struct stream *s)
{
	static const struct event e = {.type = 1, .sample_type = IP | TID | TIME};

	header(s);
	event(s, &e, 1, 1);
	every_type(s);
	deferred(s);
}

static void kernel_deferred(struct stream *s)
{
	static const struct event e = {
		.type = 1,
		.sample_type = IDENTIFIER | IP | TID | TIME | CALLCHAIN,
		.flags = SAMPLE_ID_ALL | UINT64_C(1) << 38 | UINT64_C(1) << 39,
	};

	header(s);
	event(s, &e, 1, 1);
	rec(s, 9, 1);
	PUT(s, "884488", 1, 0xffffffff81000010, 100, 101, 1000000500, 4);
	PUT(s, "8888", MARKER(128), 0xffffffff81000010, MARKER(640), 0x100000001);
	end(s);
	deferred(s);
}

/* Sessions whose trailers have only one field. Each session has a different field. */
static void kernel_each_trailer(struct stream *s)
{
	static const uint64_t bits[] = {TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER};
	static struct event e[6];

	for (unsigned int i = 0; i < 6; i++) {
		e[i] = (struct event){
			.type = 1, .sample_type = IP | bits[i], .flags = SAMPLE_ID_ALL};
		header(s);
		event(s, &e[i], 1, 1);
		rec(s, 14, 1 << 13);
		close_with_trailer(s);
		rec(s, 3, 0);
		PUT(s, "44", 100, 101);
		str8(s, "one");
		close_with_trailer(s);
	}
}

/* Records that a recorder writes for tasks that already exist. Their trailers are zeros. */
static void kernel_synthesized(struct stream *s)
{
	header(s);
	usual_event(s);
	rec(s, 1, 1);
	PUT(s, "44888", 0xffffffff, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000);
	str8(s, "[kernel.kallsyms]_text");
	zero_trailer(s);
	end(s);
	rec(s, 7, 1 << 13);
	PUT(s, "44448", 100, 1, 100, 1, 0);
	zero_trailer(s);
	end(s);
	rec(s, 3, 0);
	PUT(s, "44", 100, 100);
	str8(s, "there already");
	zero_trailer(s);
	end(s);
	usual_task(s);
	usual_sample(s, 0x401234);
	usual_sample(s, 0x401238);
}

const struct vector kernel_vectors[] = {
	{"kernel", kernel_full_trailer, true},
	{"kernel-no-trailer", kernel_no_trailer, true},
	{"kernel-each-trailer", kernel_each_trailer, true},
	{"kernel-deferred", kernel_deferred, true},
	{"kernel-synthesized", kernel_synthesized, true},
	{NULL, NULL, false},
};
