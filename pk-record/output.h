/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OUTPUT_H
#define PK_RECORD_OUTPUT_H

/* The output of the stream. Bytes that the reader does not accept at once are queued in memory,
 * compressed or not. While it is corked, all bytes are queued: nothing is written before the
 * command has started. */

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
	const struct signals *signals; /* with the mask for waiting */
};

#define PATIENCE_FOREVER UINT64_MAX

struct output {
	struct output_options options;
	int fd;	  /* -1: none */
	int twin; /* the same pipe, non-blocking; or -1 */
	bool corked, pipe;
	int error;	  /* later writes fail with this errno */
	uint64_t written; /* bytes after compression */
	struct pk_compressor *compressor;
	uint8_t *data; /* queued bytes: from start to end */
	size_t start, end, capacity;
};

/* Takes ownership of the descriptor. False: out of memory. */
bool output_init(struct output *output, const struct output_options *options, int fd, bool corked);
/* Drops queued bytes, and closes. */
void output_free(struct output *output);
/* A pk_writer_options.write; arg is the output. Accepts all bytes, unless it fails. */
ssize_t output_write(void *arg, const void *data, size_t size);
/* The bytes that can be queued now without waiting for the reader. */
size_t output_room(const struct output *output);
/* Writes what the reader accepts now, including everything that is in the compressor. */
void output_flush(struct output *output);
/* The descriptor to poll while bytes are queued; -1: none are. */
int output_waits_for(const struct output *output);
/* From now on, bytes are written to the reader. */
void output_uncork(struct output *output);
/* Ends the compression, and waits until everything is written. False with output->error. */
bool output_finish(struct output *output);

#endif
