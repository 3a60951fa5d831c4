// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>

#include "pkutil.h"
#include "tracing_payload.h"

static const char magic[10] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

/* The version of the payload. perf compares it as a number. From version 0.6 on, the payload ends
 * with the names of tasks. */
static const char version[] = "0.6";

#define PAGE_SIZE 4096

static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n";

/* ---- Reading ---- */

/* A position in a payload. */
struct cursor {
	const uint8_t *start, *at, *end;
	bool big_endian, bad;
};

static const uint8_t *read_bytes(struct cursor *cursor, uint64_t size)
{
	const uint8_t *at = cursor->at;

	if (cursor->bad || size > (uint64_t)(cursor->end - at)) {
		cursor->bad = true;
		return NULL;
	}
	cursor->at += size;
	return at;
}

static uint64_t read_number(struct cursor *cursor, unsigned int size)
{
	const bool swap = cursor->big_endian != PK_HOST_IS_BIG;
	const uint8_t *at = read_bytes(cursor, size);

	if (!at)
		return 0;
	if (size == 4)
		return swap ? __builtin_bswap32(pk_load_u32(at)) : pk_load_u32(at);
	return swap ? __builtin_bswap64(pk_load_u64(at)) : pk_load_u64(at);
}

static const char *read_string(struct cursor *cursor)
{
	const uint8_t *nul =
		cursor->bad ? NULL : memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));

	cursor->bad |= !nul;
	return nul ? (const char *)read_bytes(cursor, (uint64_t)(nul - cursor->at) + 1) : NULL;
}

/* Reads a size, which is a number of `size_of_size` bytes, and then so many bytes of data. */
static struct pk_bytes read_file(struct cursor *cursor, unsigned int size_of_size)
{
	struct pk_bytes file = {.size = read_number(cursor, size_of_size)};

	file.data = read_bytes(cursor, file.size);
	return file;
}

/* Reads the data before the list of systems. Sets *has_tasks if the payload ends with the names of
 * tasks. */
static void read_head(struct cursor *cursor, bool *has_tasks)
{
	const uint8_t *bytes = read_bytes(cursor, sizeof(magic)), *order;
	const char *number;
	uint64_t count;

	cursor->bad |= !bytes || memcmp(bytes, magic, sizeof(magic)) != 0;
	number = read_string(cursor);
	*has_tasks = number && strcmp(number, "0.6") >= 0;
	order = read_bytes(cursor, 1 + 1 + 4); /* byte order, size of a long and size of a page */
	cursor->bad |= !order || *order > 1;
	if (cursor->bad)
		return;
	cursor->big_endian = *order;
	for (int i = 0; i < 2 && read_string(cursor); i++) /* skips header_page and header_event */
		read_file(cursor, 8);
	for (count = read_number(cursor, 4); count && !cursor->bad; count--)
		read_file(cursor, 8); /* skips the formats of ftrace itself */
}

bool pk_tracing_data_order(const struct pk_bytes *payload, bool *big_endian)
{
	struct cursor cursor = {.at = payload->data, .end = payload->data + payload->size};
	bool has_tasks;

	if (!payload->size)
		return false;
	read_head(&cursor, &has_tasks);
	*big_endian = cursor.big_endian;
	return !cursor.bad;
}

/* ---- Writing ---- */

static void store_u32(const struct cursor *cursor, char *at, uint32_t value)
{
	const bool swap = cursor->big_endian != PK_HOST_IS_BIG;

	pk_store_u32(at, swap ? __builtin_bswap32(value) : value);
}

static void add_u32(struct buffer *out, const struct cursor *cursor, uint32_t value)
{
	char bytes[sizeof(value)];

	store_u32(cursor, bytes, value);
	buffer_add(out, bytes, sizeof(bytes));
}

static void add_file(struct buffer *out, const struct cursor *cursor, const void *data,
		     uint64_t size)
{
	const bool swap = cursor->big_endian != PK_HOST_IS_BIG;
	const uint64_t written = swap ? __builtin_bswap64(size) : size;

	buffer_add(out, &written, sizeof(written));
	buffer_add(out, data, size);
}

static void add_empty_head(struct buffer *out, const struct cursor *cursor)
{
	const char order[2] = {cursor->big_endian, sizeof(uint64_t)};

	buffer_add(out, magic, sizeof(magic));
	buffer_add(out, version, sizeof(version));
	buffer_add(out, order, sizeof(order));
	add_u32(out, cursor, PAGE_SIZE);
	buffer_add(out, "header_page", sizeof("header_page"));
	add_file(out, cursor, header_page, sizeof(header_page) - 1);
	buffer_add(out, "header_event", sizeof("header_event"));
	add_file(out, cursor, header_event, sizeof(header_event) - 1);
	add_u32(out, cursor, 0);
}

static bool has_id(const struct pk_bytes *format, uint32_t id)
{
	char line[24];
	const int size = snprintf(line, sizeof(line), "\nID: %u\n", id);

	return memmem(format->data, format->size < 4096 ? format->size : 4096, line, (size_t)size);
}

/* Copies a system, up to its first damaged format. The format that has the id is left out. If the
 * system has no complete format, returns false, and leaves *out unchanged. */
static bool copy_system(struct buffer *out, struct cursor *cursor, uint32_t id)
{
	const size_t start = out->size;
	const char *name = read_string(cursor);
	const uint64_t count = read_number(cursor, 4);
	uint32_t kept = 0;
	size_t count_at;

	if (cursor->bad)
		return false;
	buffer_add(out, name, strlen(name) + 1);
	count_at = out->size;
	add_u32(out, cursor, 0);
	for (uint64_t i = 0; i < count && !cursor->bad; i++) {
		const struct pk_bytes file = read_file(cursor, 8);

		if (!file.data || has_id(&file, id))
			continue;
		add_file(out, cursor, file.data, file.size);
		kept++;
	}
	if (cursor->bad && !kept) {
		out->size = start;
		return false;
	}
	if (!out->failed)
		store_u32(cursor, out->data + count_at, kept);
	return true;
}

/* Copies the data after the systems: symbols, formats of printk, and names of tasks. If this data
 * is damaged or missing, writes empty data. */
static void copy_tail(struct buffer *out, struct cursor *cursor, bool has_tasks)
{
	static const char none[4 + 4 + 8];
	const uint8_t *start = cursor->at;

	read_file(cursor, 4);
	read_file(cursor, 4);
	if (has_tasks)
		read_file(cursor, 8);
	if (cursor->bad)
		buffer_add(out, none, has_tasks ? sizeof(none) : 8);
	else
		buffer_add(out, start, (size_t)(cursor->at - start));
}

static void add_system(struct buffer *out, const struct cursor *cursor,
		       const struct pk_tracing_format *format)
{
	buffer_add(out, format->system, strlen(format->system) + 1);
	add_u32(out, cursor, 1);
	add_file(out, cursor, format->text, format->size);
}

enum pk_status pk_tracing_data_add(struct buffer *out, const struct pk_bytes *payload,
				   const struct pk_tracing_format *format, bool big_endian)
{
	struct cursor cursor = {
		.start = payload->data, .at = payload->data, .end = payload->data + payload->size};
	uint32_t systems = 0;
	uint64_t count = 0;
	size_t count_at;
	bool has_tasks;

	out->size = 0;
	read_head(&cursor, &has_tasks);
	if (cursor.bad) {
		cursor.big_endian = big_endian;
		has_tasks = true;
		add_empty_head(out, &cursor);
	} else {
		buffer_add(out, cursor.start, (size_t)(cursor.at - cursor.start));
		count = read_number(&cursor, 4);
	}
	count_at = out->size;
	add_u32(out, &cursor, 0);
	while (systems < count && !cursor.bad && copy_system(out, &cursor, format->id))
		systems++;
	add_system(out, &cursor, format);
	if (!out->failed)
		store_u32(&cursor, out->data + count_at, systems + 1);
	copy_tail(out, &cursor, has_tasks);
	while (out->size % 8 && !out->failed)
		buffer_char(out, '\0');
	if (out->failed)
		return PK_NOMEM;
	return cursor.bad && payload->size ? PK_CORRUPT : PK_OK;
}
