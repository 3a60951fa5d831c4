/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/symbol/jitdump.c */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jitdump.h"
#include "symtable_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_codes(const struct pk_jitdump *j, size_t size)
{
	for (size_t i = 0; i < j->code_count; i++) {
		const struct pk_code *code = &j->codes[i];

		check_that(code->size && code->start + code->size > code->start);
		check_that(code->offset < size && code->size <= size - code->offset);
	}
}

static void check_lines(const struct pk_jitdump *j)
{
	struct pk_source source;

	for (size_t i = 0; i < j->lines.count; i++) {
		const struct pk_jit_line *line = &j->lines.list[i];

		check_that(!i || j->lines.list[i - 1].at <= line->at);
		check_that(line->file < j->symbols.names_size);
		if (pk_jitdump_line(j, line->at, &source) && source.file)
			check_that(strlen(source.file) < (16u << 10));
	}
}

static void check_unwindings(const struct pk_jitdump *j, int fd, size_t size)
{
	for (size_t i = 0; i < j->unwinding_count; i++) {
		const struct pk_jit_unwinding *u = &j->unwindings[i];

		check_that(!i || u[-1].code + u[-1].code_size <= u->code);
		check_that(u->size && u->size <= PK_JIT_UNWINDING_MAX && u->header_size <= u->size);
		check_that(u->at < u->code && u->size <= size - u->at);
		check_that(pk_jitdump_unwinding(j, u->code + u->code_size - 1) == u);
		if (i < 8)
			free(pk_jitdump_bytes(j, fd, u));
	}
}

/* Reads the file in parts while it grows. The result must be the same as if the file is read at
 * once. */
static void check_growth(int fd, const uint8_t *data, size_t size, const struct pk_jitdump *whole)
{
	struct pk_jitdump j = {0};
	bool ok = true;

	for (size_t part = size / 3; ok && part <= size; part += size - part ? size - part : 1) {
		check_that(!ftruncate(fd, 0) && pwrite(fd, data, part, 0) == (ssize_t)part);
		ok = pk_jitdump_read(&j, fd) == PK_OK;
	}
	check_that(j.code_count == whole->code_count);
	check_that(j.unwinding_count == whole->unwinding_count);
	pk_jitdump_clear(&j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct pk_jitdump j = {0};
	bool ok;

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	check_that(fd >= 0 && !ftruncate(fd, 0));
	check_that(pwrite(fd, data, size, 0) == (ssize_t)size);
	ok = pk_jitdump_read(&j, fd) == PK_OK;
	check_that(j.position || !j.code_count);
	if (ok)
		check_that(pk_jitdump_read(&j, fd) == PK_OK); /* there is nothing new to read */
	check_symtable(&j.symbols);
	check_codes(&j, size);
	check_lines(&j);
	check_unwindings(&j, fd, size);
	check_growth(fd, data, size, &j);
	pk_jitdump_clear(&j);
	return 0;
}
