/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FORWARD_H
#define PK_FORWARD_H

/* Passes bytes from an input pipe to an output pipe without write(2): tee(2) fills a second
 * pipe with the same pages, and the program reads the bytes from there. The original bytes stay in
 * the input pipe until the program has decided: then splice(2) moves them to the output, or they
 * are dropped. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pk_forward {
	int in, out, look[2]; /* look: the second pipe */
	bool verbatim;
	const uint8_t *at; /* the buffer with the bytes that are still in the input pipe; NULL: not
			    * verbatim */
	size_t left;	   /* number of bytes that were read and are still in the input pipe */
};

/* The caller has set forward->out. False: in or out is not a pipe, or no pipe can be created; then
 * pk_forward_end must not be called. */
bool pk_forward_start(struct pk_forward *forward, int in);
void pk_forward_end(struct pk_forward *forward);
/* Drops the bytes that were read and are still in the input pipe. The program has written them
 * itself, or does not want them. True if the next read will block. */
bool pk_forward_drop(struct pk_forward *forward);
/* Like read(2) from in. Call it after pk_forward_drop. */
ssize_t pk_forward_read(struct pk_forward *forward, void *buffer, size_t size);
/* Whether the caller leaves the bytes in its buffer as they were read; initially true. If not (it
 * swaps their byte order), pk_forward_write writes the buffer. */
void pk_forward_verbatim(struct pk_forward *forward, bool verbatim);
/* Writes bytes to out. data: bytes that are still in the input pipe are moved from there; those
 * before them are dropped. False with errno. */
bool pk_forward_write(struct pk_forward *forward, const uint8_t *data, size_t size);

#endif
