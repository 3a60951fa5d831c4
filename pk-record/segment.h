/* SPDX-License-Identifier: BSD-2-Clause */
/* One stream from its header to its end. A recording is one stream or, with --split, several. */
#ifndef PK_RECORD_SEGMENT_H
#define PK_RECORD_SEGMENT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "event.h"
#include "output.h"
#include "pkstream.h"
#include "record_options.h"
#include "synthesize.h"

struct rotation {
	const char *pattern; /* path of the files; its last component is a format of strftime(3) */
	size_t keep;	     /* number of complete files to keep; 0: all */
	/* Paths of the current file: incomplete, complete. part is "" without a file. */
	char part[PATH_MAX], final[PATH_MAX];
};

struct unwind;

struct segment {
	const struct options *options;
	const struct signals *signals;
	struct event_list *events;
	const struct targets *targets;
	struct output output;
	struct pk_writer *writer;
	struct pk_stage *stage;
	struct unwind *unwind; /* --call-graph unwind */
	struct rotation rotation;
	bool open;     /* an output is open */
	uint64_t lost; /* number of lost samples in all segments, by the counters of the events;
			* with --off-cpu, also lost blocks */
};

/* Opens the output: stdout, the file or, if its name is a pattern, the next file. output.h explains
 * corked. Returns PK_EXIT_OK, or the exit status after a message. */
int segment_open_output(struct segment *segment, bool corked);
/* Writes the records at the start of a stream, up to FINISHED_INIT. later has the processes whose
 * tasks and maps are listed. It is NULL for the first segment, which lists the targets. When
 * system-wide, all processes are listed. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status segment_start(struct segment *segment, struct process_set *later);
/* Writes the records at the end of a stream: LOST_SAMPLES, FINISHED_ROUND, and the end of the
 * stage. */
void segment_end(struct segment *segment);
/* Writes the queued bytes, and closes the output. A file whose name is a pattern gets its final
 * name. Returns PK_EXIT_OK, or another exit status after a message. If the reader has closed the
 * pipe, there is no message. */
int segment_close(struct segment *segment);
/* Frees the writer. If an output is still open, closes it, and removes its incomplete file if its
 * name is a pattern. */
void segment_free(struct segment *segment);

#endif
