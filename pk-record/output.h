/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OUTPUT_H
#define PK_RECORD_OUTPUT_H

/* The output of the stream. Bytes that the reader does not accept at once are queued in memory;
 * with compress, they are compressed before. While the output is corked, all bytes are queued:
 * nothing is written before the command has started. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pkprivate.h"
#include "pkstream.h"
#include "signals.h"

struct output_options {
	size_t buffer;	   /* limit for queued bytes */
	uint64_t patience; /* how long, in ns, to wait for a reader that accepts nothing */
	bool compress;
	int level;		       /* of zstd */
	const struct signals *signals; /* signals that end a wait */
};

#define PATIENCE_FOREVER UINT64_MAX

struct output {
	struct output_options options;
	int fd;	  /* -1: none */
	int twin; /* the same pipe, opened again in non-blocking mode; -1: not possible, or not a
		   * pipe */
	/* pipe: fd is a pipe or a socket. */
	bool corked, pipe;
	int error;	  /* errno of the first failure: all later writes fail with it; 0: none */
	uint64_t written; /* number of bytes, written or queued, after compression */
	struct pk_compressor *compressor;
	uint8_t *data; /* queued bytes: from start to end */
	size_t start, end, capacity;
};

/* Initializes the output, which then owns fd. */
PK_MUST_CHECK enum pk_status output_init(struct output *output,
					 const struct output_options *options, int fd, bool corked);
/* Drops the queued bytes, and closes the descriptors. */
void output_free(struct output *output);
/* A pk_writer_options.write; arg is the output. Accepts all bytes or fails. If more than
 * options.buffer bytes are queued then, waits for the reader. */
ssize_t output_write(void *arg, const void *data, size_t size);
/* The number of bytes that fit into the queue without waiting. It is SIZE_MAX if any number fits,
 * or nothing is queued. */
size_t output_room(const struct output *output);
/* Flushes the compressor, and writes as many queued bytes as the reader accepts now. */
void output_flush(struct output *output);
/* The descriptor to poll while bytes are queued, or -1 if none are, or the output has failed. */
int output_waits_for(const struct output *output);
/* Ends the corked state: writes the queued bytes as far as the reader accepts them now. */
void output_uncork(struct output *output);
/* Ends the compression, and waits until all bytes are written. False with output->error, for
 * example if the reader accepts nothing for `patience` ns. */
bool output_finish(struct output *output);

#endif
