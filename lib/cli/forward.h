/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FORWARD_H
#define PK_FORWARD_H

/* Copies bytes from pipe to pipe without reading unchanged bytes: tee(2) fills a second pipe with
 * the same pages, and the program reads from there. The original bytes stay in the input until the
 * program has decided: then splice(2) moves them to the output, or they are dropped. The program
 * never writes to the pages. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pk_forward {
	int in, out, look[2];
	bool verbatim;
	const uint8_t *at; /* where the bytes that remain in the pipe were read to, if they are
			    * unchanged there */
	size_t left;
};

/* The caller sets out. False: one of them is not a pipe, or no pipe can be created; pk_forward_end
 * need not be called. */
bool pk_forward_start(struct pk_forward *forward, int in);
void pk_forward_end(struct pk_forward *forward);
/* Drops the bytes that were read and are still in the pipe: they have been written, or will not be
 * written from there. True if the next read will block. */
bool pk_forward_drop(struct pk_forward *forward);
/* Like read(2), on in. Call it after pk_forward_drop. */
ssize_t pk_forward_read(struct pk_forward *forward, void *buffer, size_t size);
/* Whether bytes stay unchanged where they were read to; initially true. */
void pk_forward_verbatim(struct pk_forward *forward, bool verbatim);
/* Writes bytes to out; bytes that are still in the pipe come from there. False with errno. */
bool pk_forward_write(struct pk_forward *forward, const uint8_t *data, size_t size);

#endif
