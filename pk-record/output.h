/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OUTPUT_H
#define PK_RECORD_OUTPUT_H

/*
 * Where the stream goes. What a reader does not take at once waits in memory, compressed or not.
 * Corked, all of it does: nothing is to be written before it is known that the command can be
 * started.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pkprivate.h"
#include "pkstream.h"
#include "signals.h"

struct output_options {
	size_t buffer;	   /* so many bytes may wait */
	uint64_t patience; /* ns that a reader may take nothing while it is waited for */
	bool compress;
	int level;		       /* of zstd */
	const struct signals *signals; /* with the mask to wait with */
};

#define PATIENCE_FOREVER UINT64_MAX

struct output {
	struct output_options options;
	int fd;	  /* -1: none */
	int twin; /* the same pipe, not blocking; or -1 */
	bool corked, pipe;
	int error;	  /* later writes fail with it */
	uint64_t written; /* bytes, as they come out */
	struct pk_compressor *compressor;
	uint8_t *data; /* what waits: from start to end */
	size_t start, end, capacity;
};

/* Takes the descriptor over. False without memory. */
bool output_init(struct output *output, const struct output_options *options, int fd, bool corked);
/* Forgets what still waits, and closes. */
void output_free(struct output *output);
/* A pk_writer_options.write; arg is the output. Takes everything, unless it fails. */
ssize_t output_write(void *arg, const void *data, size_t size);
/* So many bytes can be taken now without waiting for the reader. */
size_t output_room(const struct output *output);
/* Hands on what the reader takes now; of what is compressed, all that was written so far. */
void output_flush(struct output *output);
/* The descriptor to wait for while something waits; -1: nothing does. */
int output_waits_for(const struct output *output);
/* From now on to the reader. */
void output_uncork(struct output *output);
/* Ends what is compressed, and waits until everything is written. False with output->error. */
bool output_finish(struct output *output);

#endif
