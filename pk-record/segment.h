/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SEGMENT_H
#define PK_RECORD_SEGMENT_H

/* One stream from its header to its end. A recording is one stream or, with --split, several. */

#include "event.h"
#include "output.h"
#include "pkstream.h"
#include "processes.h"
#include "record_options.h"
#include "rotation.h"

struct segment {
	const struct options *options;
	const struct signals *signals;
	struct event_list *events;
	const struct targets *targets;
	struct output output;
	struct pk_writer *writer;
	struct pk_stage *stage;
	struct rotation rotation;
	bool open;     /* an output is open */
	uint64_t lost; /* samples, by the counters of the events, in all segments */
};

/* Opens the output: stdout, the file, or the next file. PK_EXIT_OK, or the exit status after a
 * message. */
int segment_open_output(struct segment *segment, bool corked);
/* Writes the records before those of the kernel. later: the processes to list, unless all are; NULL
 * for the first segment, which lists the targets. False after a message. */
bool segment_start(struct segment *segment, struct process_set *later);
/* Writes the records after those of the kernel. */
void segment_end(struct segment *segment);
/* Writes the queued bytes, and closes the output unless it continues. Returns the exit status,
 * after a message. */
int segment_close(struct segment *segment);
/* For an output without content: removes the file. */
void segment_free(struct segment *segment);

#endif
