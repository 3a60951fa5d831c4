/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OUTPUT_H
#define PK_RECORD_OUTPUT_H

/* The output of the stream. Bytes that the reader of the output does not accept at once are queued
 * in memory. If output_options.compress is true, the bytes are compressed first. While
 * output.corked is true, all bytes are queued. The output is corked until the command has started,
 * so that nothing is written before. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pkprivate.h"
#include "pkstream.h"
#include "signals.h"

/* The settings of an output. */
struct output_options {
	size_t buffer;	   /* limit for the number of queued bytes */
	uint64_t patience; /* how long output functions wait for a reader that accepts nothing, in
			    * ns */
	bool compress;
	int level;		       /* compression level of zstd */
	const struct signals *signals; /* the signals that make output functions stop waiting */
};

#define PATIENCE_FOREVER UINT64_MAX

/* An output of a stream: its descriptors, and the bytes that are queued. */
struct output {
	struct output_options options;
	int fd;	  /* file descriptor of the output; -1 if there is no output */
	int twin; /* A second file descriptor of the pipe `fd`, which is in non-blocking mode. It is
		   * -1 if `fd` is not a pipe, or if the pipe could not be opened again. */
	/* `pipe` is set if fd is a pipe or a socket. */
	bool corked, pipe;
	int error; /* errno of the first error, or 0; after an error, all writes fail with this
		    * errno */
	uint64_t written; /* number of bytes that were written or queued, after compression */
	struct pk_compressor *compressor;
	uint8_t *data; /* the queued bytes are data[start] to data[end - 1] */
	size_t start, end, capacity;
};

/* Initializes the output, and takes over the ownership of fd. */
PK_MUST_CHECK enum pk_status output_init(struct output *output,
					 const struct output_options *options, int fd, bool corked);
/* Drops the queued bytes, and closes the descriptors. */
void output_free(struct output *output);
/* Writes bytes to the output `arg`. It is used as pk_writer_options.write. It accepts all bytes, or
 * fails. If more than options.buffer bytes are queued afterwards, it waits for the reader. */
ssize_t output_write(void *arg, const void *data, size_t size);
/* Returns the number of bytes that can be queued before output_write() waits. Returns SIZE_MAX if
 * there is no limit, or if no bytes are queued. */
size_t output_room(const struct output *output);
/* Flushes the compressor, and writes as many queued bytes as the reader accepts now. */
void output_flush(struct output *output);
/* Returns the descriptor to poll while bytes are queued. Returns -1 if no bytes are queued, or if
 * the output has failed. */
int output_waits_for(const struct output *output);
/* Ends the corked state. Writes as many queued bytes as the reader accepts now. */
void output_uncork(struct output *output);
/* Ends the compression, and waits until all bytes are written. If this fails, sets output->error
 * and returns false. One reason is that the reader has accepted nothing for options.patience ns. */
bool output_finish(struct output *output);

#endif
