/* SPDX-License-Identifier: BSD-2-Clause */
/* A segment is one stream, from its header to its end. A recording has one segment or, with
 * --split, several segments. */
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

/* The names of the output files, if each stream is a separate file. */
struct rotation {
	const char *pattern; /* path of the output files; its last component is a format of
			      * strftime(3) */
	size_t keep;	     /* number of complete files to keep; 0 to keep all */
	/* Paths of the current output file. `part` is its name while it is incomplete, and `final`
	 * is its name when it is complete. `part` is "" if there is no file. */
	char part[PATH_MAX], final[PATH_MAX];
};

struct ring_list;
struct unwind;

/* The state of the stream that is written now. */
struct segment {
	const struct options *options;
	const struct signals *signals;
	struct event_list *events;
	const struct targets *targets;
	const struct ring_list *rings;
	struct output output;
	struct pk_writer *writer;
	struct pk_stage *stage;
	struct unwind *unwind; /* state of --call-graph unwind, see unwind_bpf.h */
	struct rotation rotation;
	bool open;     /* an output is open */
	uint64_t lost; /* Number of lost samples of all segments, according to the counters of the
			* events. It includes the lost blocks of --off-cpu. */
};

/* Opens the output, which is stdout or a file. If the name of the file is a pattern
 * (rotation.pattern), opens the next file. `corked` is described in output.h. Returns PK_EXIT_OK,
 * or prints a message and returns the exit status. */
int segment_open_output(struct segment *segment, bool corked);
/* Writes the records at the start of a stream, up to FINISHED_INIT. `later` has the processes whose
 * tasks and maps are written. It is NULL for the first segment, which writes those of the targets.
 * If the recording is system-wide, the tasks and maps of all processes are written. Returns
 * PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status segment_start(struct segment *segment, struct process_set *later);
/* Writes the records at the end of a stream: LOST_SAMPLES, FINISHED_ROUND, and the end of the
 * stage. */
void segment_end(struct segment *segment);
/* Writes the queued bytes, and closes the output. If the name of the file is a pattern, the file
 * gets its final name. Returns PK_EXIT_OK, or prints a message and returns another exit status.
 * Prints no message if the reader has closed the pipe. */
int segment_close(struct segment *segment);
/* Frees the writer. If an output is still open, closes it. If its name is a pattern, removes the
 * incomplete file. */
void segment_free(struct segment *segment);

#endif
