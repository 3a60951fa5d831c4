// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/uio.h>

#include "bpf/interpreted_shapes.h"
#include "interpreted_code.h"

#define LINES_SPAN 1000000

enum pk_status interpreted_read(pid_t pid, uint64_t address, void *to, size_t size)
{
	const struct iovec here = {to, size}, there = {(void *)(uintptr_t)address, size};

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size ? PK_OK : PK_IO;
}

uint64_t interpreted_word(pid_t pid, uint64_t address)
{
	uint64_t word;

	return interpreted_read(pid, address, &word, sizeof(word)) == PK_OK ? word : 0;
}

/* ---- Lines ---- */

static const struct code_line *lines_of(const struct interpreted_code *code, size_t *count)
{
	*count = code->lines.size / sizeof(struct code_line);
	return (const void *)code->lines.data;
}

void interpreted_code_add_line(struct interpreted_code *code, uint32_t start, uint32_t line)
{
	const struct code_line part = {start, line};
	size_t count;
	const struct code_line *lines = lines_of(code, &count);

	if (!count || lines[count - 1].line != line)
		buffer_add(&code->lines, &part, sizeof(part));
}

struct code_range interpreted_code_range(const struct interpreted_code *code)
{
	size_t count;
	const struct code_line *lines = lines_of(code, &count);
	struct code_range range = {code->first_line, code->first_line};

	for (size_t i = 0; i < count; i++) {
		if (lines[i].line && lines[i].line < range.first)
			range.first = lines[i].line;
		if (lines[i].line > range.last)
			range.last = lines[i].line;
	}
	if (range.last - range.first > LINES_SPAN)
		range.first = range.last = code->first_line;
	return range;
}

bool interpreted_code_line(const struct interpreted_code *code, uint64_t index, uint32_t *line)
{
	const uint64_t at = (index - code->base) & INTERPRETED_INDEX_MASK;
	size_t count, low = 0;
	const struct code_line *lines = lines_of(code, &count);

	*line = 0;
	if (!code->size || (!code->base && index == INTERPRETED_INDEX_NONE))
		return true;
	if (at >= code->size)
		return false;
	for (size_t high = count; high - low > 1;) {
		const size_t middle = low + (high - low) / 2;

		*(lines[middle].start <= at ? &low : &high) = middle;
	}
	if (count && lines[low].start <= at)
		*line = lines[low].line;
	return true;
}

void interpreted_code_free(struct interpreted_code *code)
{
	free(code->file.data);
	free(code->name.data);
	free(code->lines.data);
	*code = (struct interpreted_code){0};
}
