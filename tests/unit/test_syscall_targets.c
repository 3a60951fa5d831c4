/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the texts that arguments of system calls point to, in samples of pk-record --strings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream_builder.h"
#include "strings_bpf.h"
#include "syscall_text.h"

/* ---- The format of the event ---- */

static struct buffer payload;

static void put_number(uint64_t value, size_t size)
{
	const uint8_t *bytes = (const uint8_t *)&value;

	buffer_add(&payload, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? bytes + 8 - size : bytes,
		   size);
}

static void put_text(const char *text)
{
	buffer_add(&payload, text, strlen(text) + 1);
}

static void add_fields(struct buffer *out)
{
	buffer_text(out, "name: sys_enter\nID: 7\nformat:\n"
			 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
			 "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
			 "\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n");
	for (unsigned int i = 0; i < 6; i++)
		buffer_format(out,
			      "\tfield:__data_loc char[] arg%u;\toffset:%u;\tsize:4;\tsigned:1;\n",
			      i, 64 + 4 * i);
	buffer_text(out, "\tfield:u32 cut;\toffset:88;\tsize:4;\tsigned:0;\n"
			 "\tfield:u32 unreadable;\toffset:92;\tsize:4;\tsigned:0;\n"
			 "\nprint fmt: \"\"\n");
}

static struct pk_tracepoints *load_format(void)
{
	struct pk_tracepoints *all = pk_tracepoints_new();
	struct buffer format = {0};

	payload = (struct buffer){0};
	buffer_add(&payload, "\x17\x08\x44tracing0.6", 14);
	buffer_add(&payload, (const char[]){__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 8}, 2);
	put_number(4096, 4);
	put_text("header_page");
	put_number(0, 8);
	put_text("header_event");
	put_number(0, 8);
	put_number(0, 4);
	put_number(1, 4);
	put_text("raw_syscalls");
	put_number(1, 4);
	add_fields(&format);
	put_number(format.size, 8);
	buffer_add(&payload, format.data, format.size);
	put_number(0, 4); /* size of the symbols */
	put_number(0, 4); /* size of the formats of printk */
	put_number(0, 8); /* size of the command lines */
	ck_assert_ptr_nonnull(all);
	ck_assert(pk_tracepoints_load(all, (const uint8_t *)payload.data, payload.size) == PK_OK);
	free(format.data);
	free(payload.data);
	return all;
}

/* ---- Samples ---- */

static union {
	struct strings_record record;
	uint8_t bytes[1024];
} call;
static size_t call_size;

static void start_call(int64_t number, uint64_t first, uint64_t second, uint64_t third)
{
	memset(&call, 0, sizeof(call));
	call.record.id = number;
	call.record.args[0] = first;
	call.record.args[1] = second;
	call.record.args[2] = third;
	call_size = sizeof(call.record);
}

static void point_to(size_t argument, const void *bytes, size_t size)
{
	call.record.texts[argument] = (uint32_t)(call_size | size << 16);
	memcpy(call.bytes + call_size, bytes, size);
	call_size += size;
}

/* Returns the arguments of the call as a text, which is valid until the next call. */
static const char *arguments(void)
{
	static char text[2048];
	struct pk_tracepoints *all = load_format();
	struct pk_calls calls = {0};
	const struct pk_bytes raw = {call.bytes, call_size};
	const struct pk_call_sample sample = {&calls, all,	     pk_tracepoints_find(all, 7),
					      &raw,   PK_ABI_X86_64, NULL};
	struct buffer out = {0};

	ck_assert_ptr_nonnull(sample.tracepoint);
	pk_call_arguments(&out, &sample);
	ck_assert(!out.failed && out.size < sizeof(text));
	memcpy(text, out.data, out.size);
	text[out.size] = '\0';
	free(out.data);
	pk_calls_clear(&calls);
	pk_tracepoints_free(all);
	return text;
}

enum { WRITE = 1, OPEN = 2, CONNECT = 42, EXECVE = 59, RENAME = 82 };

START_TEST(texts)
{
	start_call(RENAME, 16, 32, 0);
	point_to(0, "/old", 5);
	point_to(1, "/\"new\"\n", 8);
	ck_assert_str_eq(arguments(), "oldname: \"/old\", newname: \"/\\\"new\\\"\\n\"");
	call.record.cut = 2;
	ck_assert_str_eq(arguments(), "oldname: \"/old\", newname: \"/\\\"new\\\"\\n\"...");
	start_call(RENAME, 16, 32, 0);
	point_to(1, "/new", 5);
	ck_assert_str_eq(arguments(), "oldname: 0x10, newname: \"/new\"");
	start_call(WRITE, 1, 16, 3);
	point_to(1, "a\0b", 3);
	ck_assert_str_eq(arguments(), "fd: 1, buf: \"a\\u0000b\", count: 3");
	start_call(EXECVE, 16, 32, 0);
	point_to(0, "/bin/a", 7);
	point_to(1, "a\0b c\0\0", 7);
	ck_assert_str_eq(arguments(), "filename: \"/bin/a\", argv: [\"a\", \"b c\", \"\"]");
}
END_TEST

START_TEST(addresses)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *text;
	} cases[] = {
		{"\2\0\0\x50\x7f\0\0\1", 8, "{ .family: INET, port: 80, addr: 127.0.0.1 }"},
		{"\2\0\0\x50\x7f\0\0", 7, "{ .family: INET }"},
		{"\x0a\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 24,
		 "{ .family: INET6, port: 256, addr: ::1 }"},
		{"\x0a\0\1\0", 4, "{ .family: INET6 }"},
		{"\1\0/a\0b", 6, "{ .family: LOCAL, path: \"/a\" }"},
		{"\1\0\0a", 4, "{ .family: LOCAL, path: \"\\u0000a\" }"},
		{"\1\0", 2, "{ .family: LOCAL }"},
		{"\1", 1, "{ .family: UNSPEC }"},
	};
	char expected[200];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char bytes[24];

		/* The address family has the byte order of the machine. */
		memcpy(bytes, cases[i].bytes, cases[i].size);
		if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && cases[i].size > 1) {
			bytes[0] = cases[i].bytes[1];
			bytes[1] = cases[i].bytes[0];
		}
		start_call(CONNECT, 3, 16, cases[i].size);
		point_to(1, bytes, cases[i].size);
		snprintf(expected, sizeof(expected), "fd: 3, uservaddr: %s, addrlen: %zu",
			 cases[i].text, cases[i].size);
		ck_assert_str_eq(arguments(), expected);
	}
}
END_TEST

/* Texts that are not completely in the sample. */
START_TEST(wrong_places)
{
	start_call(OPEN, 16, 0, 0);
	point_to(0, "/name", 6);
	call_size -= 3;
	ck_assert_str_eq(arguments(), "filename: \"/na\"");
	call.record.texts[0] = (uint32_t)(call_size + 1) | 6u << 16;
	ck_assert_str_eq(arguments(), "filename: 0x10");
	call_size = 66;
	ck_assert_str_eq(arguments(), "filename: 0x10");
}
END_TEST

RUN_TESTS("syscall_targets", texts, addresses, wrong_places)
