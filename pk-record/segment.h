/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SEGMENT_H
#define PK_RECORD_SEGMENT_H

/* One stream from its header to its end. A recording is one, or with --split several. */

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
	bool open;     /* there is an output */
	uint64_t lost; /* samples, by the counters of the events, in all segments */
};

/* Opens the output: stdout, the file, or the next file. PK_EXIT_OK, or the exit status after a
 * message. */
int segment_open_output(struct segment *segment, bool corked);
/* Everything that stands ahead of the kernel's records. later: those to be listed, unless
 * everything is; NULL at the beginning, when the targets are all there is. False after a message.
 */
bool segment_start(struct segment *segment, struct process_set *later);
/* What stands behind the kernel's records. */
void segment_end(struct segment *segment);
/* Writes what still waits, and closes the output unless it goes on. The exit status, after a
 * message. */
int segment_close(struct segment *segment);
/* If the output has nothing to begin with any more: the file will not be. */
void segment_free(struct segment *segment);

#endif
