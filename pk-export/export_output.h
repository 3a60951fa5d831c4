/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_OUTPUT_H
#define EXPORT_OUTPUT_H

/* The output of a format: a file or stdout, written in large pieces, and compressed if wanted. A
 * format adds to `text`, and calls output_part() from time to time. */

#include <stdbool.h>
#include <stddef.h>

#include "json.h"

/* ---- gzip ---- */

/* Compresses bytes in pieces to one gzip stream, without a time in it. */

struct gzip_stream;

/* ---- Output ---- */

struct export_output {
	struct buffer text; /* not yet written */
	struct json json;   /* writes to `text`, of the driver's output */
	/* Private to the output: */
	int fd;
	const char *name;
	struct gzip_stream *gzip; /* NULL: not compressed */
	struct buffer packed;
	bool failed; /* a message was printed */
};

enum output_kind {
	OUTPUT_TEXT,   /* compressed if the name of the file ends with ".gz" */
	OUTPUT_BINARY, /* the same, refused on a terminal */
	OUTPUT_GZIP,   /* refused on a terminal, always compressed */
	OUTPUT_FILE,   /* text in a file of this name, which is not stdout */
	OUTPUT_NONE,   /* the format has other outputs */
};

/* All but the text is zero. A path of NULL or "-" means stdout. `next` is a program to pipe to, for
 * a message. Returns PK_EXIT_OK, or an exit status after a message. Then the output must not be
 * closed. */
int output_open(struct export_output *out, enum output_kind kind, const char *path,
		const char *next);
/* Writes `text` if it is large. */
void output_write(struct export_output *out);
static inline void output_part(struct export_output *out)
{
	if (out->text.size >= (size_t)256 << 10)
		output_write(out);
}
/* Writes the rest and closes the output. Returns result, or PK_EXIT_FAILED if writing failed. */
int output_close(struct export_output *out, int result);

#endif
