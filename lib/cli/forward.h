/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FORWARD_H
#define PK_FORWARD_H

/*
 * From pipe to pipe without a copy of what passes as it is: the input is looked at through a second
 * pipe, which tee(2) fills with the same pages, and stays where it is until it is known what
 * becomes of it. Then splice(2) moves it on, or it is thrown away. The pages are not ours and never
 * written to.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pk_forward {
	int in, out, look[2];
	bool verbatim;
	const uint8_t
		*at; /* where what is still in the pipe was read to, if it is the same there */
	size_t left;
};

/* out is the caller's to set. False: one of them is no pipe, or there is none to be had; nothing is
 * to be ended. */
bool pk_forward_start(struct pk_forward *forward, int in);
void pk_forward_end(struct pk_forward *forward);
/* Throws away what was read and is still in the pipe: it is written by now, or will not be taken
 * from there. True if the next read will have to wait. */
bool pk_forward_drop(struct pk_forward *forward);
/* Like read(2), on in, after that. */
ssize_t pk_forward_read(struct pk_forward *forward, void *buffer, size_t size);
/* Whether what is read stays as it is where it was read to; at first it does. */
void pk_forward_verbatim(struct pk_forward *forward, bool verbatim);
/* Writes bytes to out, those that are still in the pipe from there. False with errno. */
bool pk_forward_write(struct pk_forward *forward, const uint8_t *data, size_t size);

#endif
