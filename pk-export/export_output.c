// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "lookups.h"
#include "export_output.h"
#include "pkutil.h"

static bool is_gzip_name(const char *path)
{
	const size_t size = path ? strlen(path) : 0;

	return size > 3 && !strcmp(path + size - 3, ".gz");
}

static int open_text(struct export_output *out, const char *path)
{
	const int result = pk_output_text(path);

	out->fd = STDOUT_FILENO;
	return result;
}

static int open_binary(struct export_output *out, const char *path, const char *next)
{
	out->fd = pk_output_open(path, next, PK_CREATE_REPLACE);
	return out->fd < 0 ? -out->fd : PK_EXIT_OK;
}

static int open_file(struct export_output *out, const char *path)
{
	out->fd = pk_create(path, PK_CREATE_REPLACE);
	return out->fd < 0 ? -out->fd : PK_EXIT_OK;
}

static int open_fd(struct export_output *out, enum output_kind kind, const char *path,
		   const char *next)
{
	switch (kind) {
	case OUTPUT_TEXT: return open_text(out, path);
	case OUTPUT_FILE: return open_file(out, path);
	default: return open_binary(out, path, next);
	}
}

int output_open(struct export_output *out, enum output_kind kind, const char *path,
		const char *next)
{
	const bool packed = kind == OUTPUT_GZIP || (kind != OUTPUT_FILE && is_gzip_name(path));
	int result;

	*out = (struct export_output){.name = path ? path : "stdout"};
	result = open_fd(out, kind, path, next);
	if (result || !packed)
		return result;
	out->gzip = gzip_stream_new();
	return out->gzip ? PK_EXIT_OK : pk_no_memory();
}

/* Reports the first failure only. */
static void fail(struct export_output *out)
{
	if (!out->failed && errno != EPIPE)
		pk_error("%s: %s", out->name, strerror(errno));
	out->failed = true;
	pk_outputs_drop();
}

static void write_bytes(struct export_output *out, bool last)
{
	const struct buffer *from = &out->text;

	if (out->gzip) {
		out->packed.size = 0;
		gzip_stream_add(out->gzip, out->text.data, out->text.size, last, &out->packed);
		from = &out->packed;
	}
	if (out->text.failed || from->failed) {
		errno = ENOMEM;
		fail(out);
	}
	if (!out->failed && from->size && !pk_write_all(out->fd, from->data, from->size))
		fail(out);
	out->text.size = 0;
}

void output_write(struct export_output *out)
{
	write_bytes(out, false);
}

int output_close(struct export_output *out, int result)
{
	write_bytes(out, true);
	if (out->fd != STDOUT_FILENO && close(out->fd))
		fail(out);
	gzip_stream_free(out->gzip);
	free(out->text.data);
	free(out->packed.data);
	if (out->failed && !result)
		result = PK_EXIT_FAILED;
	return out->fd == STDOUT_FILENO ? pk_finish(result) : result;
}
