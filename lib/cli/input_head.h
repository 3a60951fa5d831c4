/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_INPUT_HEAD_H
#define PK_INPUT_HEAD_H

/* The first bytes of an input, for programs that read several formats. */

#include <stddef.h>
#include <sys/types.h>

#define PK_INPUT_HEAD 4096

struct pk_input_head {
	int fd;
	size_t size, taken; /* of data */
	char data[PK_INPUT_HEAD];
};

/* Reads the first bytes of fd; less than PK_INPUT_HEAD only if it ends, or reading fails: then the
 * next read fails, too. */
void pk_input_head_read(struct pk_input_head *head, int fd);
/* Like read(2) of the whole input, for pk_reader_options: first the head, then the rest of fd. arg
 * is the head. */
ssize_t pk_input_head_then(void *arg, void *buffer, size_t size);

#endif
