/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PYTHON_FRAMES_H
#define PK_RECORD_PYTHON_FRAMES_H

/*
 * Frames of Python in a recording. Each function gets a range of addresses that no code has, with
 * 16 addresses for each of its lines. All processes share these addresses. A process with frames of
 * Python gets a map of them, with the name PK_INTERPRETED_IMAGE. Symbols and lines of this image
 * are in the stream (SPEC 9.11).
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/unwind_shapes.h"
#include "pkprivate.h"
#include "python_layout.h"
#include "table.h"
#include "texts.h"

struct python_known;
struct python_function;

struct python_frames {
	int map;				/* `pythons`; 0: frames are not read */
	const struct unwind_object_code *codes; /* of files, by number */
	const struct python_layouts *layouts;
	struct pk_table processes;  /* by pid: struct python_process_frames */
	struct python_known *known; /* code objects */
	size_t known_count, known_capacity;
	struct pk_table known_index;	   /* indexes plus 1, by pid and address */
	size_t lines_bytes;		   /* of their tables of lines */
	struct pk_texts names;		   /* of functions: name, file and lines */
	struct python_function *functions; /* by number in `names`, less one */
	size_t functions_capacity;
	uint64_t next;	       /* first unused address */
	uint64_t round, now;   /* of reading the rings, and its time in ns of CLOCK_MONOTONIC */
	uint32_t stream;       /* number of streams so far */
	struct pk_table lines; /* by address: the last stream that has its line */
	struct pk_offsite *offsite;
	uint64_t frames, unread; /* counts: all, and those without a name */
};

/* The sample in which a word is. */
struct python_use {
	struct pk_writer *writer;
	const struct perf_attr *attr; /* of records that are not samples */
	uint32_t pid;
	uint64_t time, id; /* id: of its event */
	uint64_t stamp;	   /* see struct unwind_half */
	uint64_t when;	   /* in ns of CLOCK_MONOTONIC; 0: unknown, but before this round */
};

/* Writes the IMAGE of the frames, at the start of a stream. */
void python_frames_start(struct python_frames *frames, struct pk_writer *writer);
/* Call it before the rings are read. */
void python_frames_round(struct python_frames *frames);
/* The address of a word, whose definitions it writes if they are not in the stream yet. 0: the
 * frame is one of the interpreter's own code. */
uint64_t python_frames_address(struct python_frames *frames, const struct python_use *use,
			       uint64_t word);
void python_frames_free(struct python_frames *frames);

#endif
