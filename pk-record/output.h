/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OUTPUT_H
#define PK_RECORD_OUTPUT_H

/*
 * Where the stream goes. Corked, it keeps everything in memory: nothing is to be written before it
 * is known that the command can be started.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct output {
	int fd;
	bool corked;
	int error; /* of writing what was corked; later writes fail with it */
	uint8_t *data;
	size_t size, capacity;
};

void output_init(struct output *output, int fd, bool corked);
/* Forgets what is still corked. */
void output_free(struct output *output);
/* A pk_writer_options.write; arg is the output. */
ssize_t output_write(void *arg, const void *data, size_t size);
void output_uncork(struct output *output);

#endif
