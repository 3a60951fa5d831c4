/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_INTERPRETED_FRAMES_H
#define PK_RECORD_INTERPRETED_FRAMES_H

/*
 * The frames of interpreted programs in a recording. Each function gets a range of addresses that
 * no native code has, with 16 addresses for each of its lines. All processes share these addresses.
 * A process with such frames gets a map of them, with the name of the interpreter's image. The
 * stream contains the symbols and lines of these images (SPEC 9.11).
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/unwind_shapes.h"
#include "interpreters.h"
#include "pkprivate.h"
#include "table.h"
#include "texts.h"

struct interpreted_known;
struct interpreted_function;

/* The state of recording frames of interpreters. */
struct interpreted_frames {
	int map; /* descriptor of the BPF map `interpreted`; -1 if there is no such map, but
		  * interpreted_frames_process() is called; 0 if frames of interpreters are not read
		  */
	/* What is known of files with code; the index is the number of the file. */
	const struct unwind_object_code *codes;
	const struct interpreter_layouts *layouts;
	struct pk_table processes;	 /* struct process_frames by pid */
	struct interpreted_known *known; /* the code objects that were read */
	size_t known_count, known_capacity;
	struct pk_table known_index; /* index in `known` plus 1, by pid and address */
	size_t lines_bytes;	     /* size of the line tables of these objects, in bytes */
	/* The functions; a text consists of the file, the name and the lines. */
	struct pk_texts names;
	struct interpreted_function *functions; /* the index is the number in `names` minus 1 */
	size_t functions_capacity;
	uint64_t next; /* the first address that no function has yet */
	uint64_t round,
		now;	 /* `round` increases each time the rings are read, and at the start of each
			  * stream; `now` is the time of the last read, in ns of CLOCK_MONOTONIC */
	uint32_t stream; /* number of streams so far */
	struct pk_table lines; /* for each address, the number of the last stream to which its line
				* was written */
	struct pk_offsite *offsite;
	uint64_t frames, unread; /* number of frames of interpreters, and number of those whose name
				  * is unknown */
};

/* The sample that contains a word (interpreted_is_word()). */
struct interpreted_use {
	struct pk_writer *writer;
	/* attr of the records that are not samples, for their trailers. */
	const struct perf_attr *attr;
	uint32_t pid;
	uint64_t time, id; /* time of the sample, and id of its event */
	uint64_t stamp;	   /* see struct unwind_half */
	uint64_t when;	   /* time of the sample in ns of CLOCK_MONOTONIC; 0 if it is unknown, which
			    * means that it was before this round */
};

/* Writes the IMAGE records of interpreted code. Call it at the start of each stream. */
void interpreted_frames_start(struct interpreted_frames *frames, struct pk_writer *writer);
/* Call it before the rings are read. */
void interpreted_frames_round(struct interpreted_frames *frames);
/* Sets the interpreter of a process, until the next round. `stamp_at` is the address of its stamp,
 * or 0. */
void interpreted_frames_process(struct interpreted_frames *frames, uint32_t pid,
				const struct interpreter_layout *layout, uint64_t stamp_at);
/* Returns the address that stands for a word in the stream. If the symbol, the line or the map of
 * the address is not in the stream yet, writes it. Returns 0 if the frame is code of the
 * interpreter itself. */
uint64_t interpreted_frames_address(struct interpreted_frames *frames,
				    const struct interpreted_use *use, uint64_t word);
/* Reports frames that are missing, and interpreters whose layout is unknown. `torn` is the number
 * of stacks that lack frames. */
void interpreted_frames_report(const struct interpreted_frames *frames,
			       const struct interpreter_layouts *layouts, uint64_t torn);
void interpreted_frames_free(struct interpreted_frames *frames);

#endif
