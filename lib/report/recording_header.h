/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RECORDING_HEADER_H
#define RECORDING_HEADER_H

/* Prints the header of a recording, which consists of its features, stages and events. The format
 * is as in perf script --header and perf report --header. */

#include "buffer.h"
#include "options.h"
#include "run.h"

/* Whether the header is printed before the output, or alone. */
enum header_wanted { HEADER_NONE, HEADER_SHOWN, HEADER_ONLY };

/* Which lines of the header are printed. */
struct header_options {
	enum header_wanted wanted;
	bool whole;	  /* -I was given: also print the lines that perf prints only with -I */
	bool only_events; /* print only the list of events */
};

/* The options --header, --header-only and -I. They set members of a struct header_options. */
extern const struct pk_option pk_header_rows[];

struct recording_header;

/* Creates a header whose lines are appended to `out`. `options` and `out` still belong to the
 * caller. Returns NULL if memory is exhausted. */
struct recording_header *pk_recording_header_new(struct pk_run *run,
						 const struct header_options *options,
						 struct buffer *out);
void pk_recording_header_free(struct recording_header *header);
/* Call it for each record, including PK_RECORD_BEGIN, before the record itself is printed. If
 * memory is exhausted, sets out->failed. */
void pk_recording_header_record(struct recording_header *header, const struct pk_record *record);
/* Appends the header if it was not appended before. Call it at the end of a session. */
void pk_recording_header_end(struct recording_header *header);

#endif
