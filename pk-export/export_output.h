/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_OUTPUT_H
#define EXPORT_OUTPUT_H

/* The output of a format. It is a file or stdout. It is written in large pieces, and can be
 * compressed. A format adds bytes to `text`, and calls output_part() from time to time. */

#include <stdbool.h>
#include <stddef.h>

#include "json.h"

/* ---- gzip ---- */

/* Compresses bytes piece by piece into one gzip stream. The stream contains no time, so equal bytes
 * have equal streams. */

struct gzip_stream;

/* ---- Output ---- */

/* An output that is being written. */
struct export_output {
	struct buffer text; /* bytes that were not written to the output yet */
	struct json json;   /* writes to `text`; used by formats that are JSON */
	/* Only export_output.c uses these members: */
	int fd;
	const char *name;
	struct gzip_stream *gzip; /* NULL if the output is not compressed */
	struct buffer packed;
	bool failed; /* an error message was printed */
};

/* How an output is written, and where it may be written. */
enum output_kind {
	OUTPUT_TEXT,   /* compressed if the name of the file ends with ".gz" */
	OUTPUT_BINARY, /* like OUTPUT_TEXT, but refused on a terminal */
	OUTPUT_GZIP,   /* always compressed, and refused on a terminal */
	OUTPUT_FILE,   /* like OUTPUT_TEXT, but in a file that must have a name; "-" does not select
			* stdout */
	OUTPUT_NONE,   /* not used, because the format writes its output itself */
};

/* Opens the output. All members of *out but `text` must be 0. If path is NULL or "-", the output is
 * stdout. An error message can advise to pipe the output to the program `next`. Returns PK_EXIT_OK,
 * or an exit status after an error message. After an error, the output must not be closed. */
int output_open(struct export_output *out, enum output_kind kind, const char *path,
		const char *next);
/* output_write() writes `text` to the output. output_part() does so only if `text` has at least 256
 * KiB. */
void output_write(struct export_output *out);
static inline void output_part(struct export_output *out)
{
	if (out->text.size >= (size_t)256 << 10)
		output_write(out);
}
/* Writes the rest of `text` and closes the output. Returns result, or PK_EXIT_FAILED if writing
 * failed. */
int output_close(struct export_output *out, int result);

#endif
