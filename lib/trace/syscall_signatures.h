/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_SIGNATURES_H
#define PK_SYSCALL_SIGNATURES_H

#include <stdbool.h>
#include <stddef.h>

/* The arguments of a system call: "fd:d buf:p count:U", names and kinds. NULL: unknown. A kind is
 *	d u	int, unsigned int
 *	l U	long, unsigned long
 *	p s	pointer, pointer to a text
 *	buf	pointer to bytes, whose number is the next argument
 *	sockaddr	the same, to the address of a socket
 *	argv	pointer to pointers to texts
 *	x o	a number in hexadecimal, in octal
 *	fcntlarg	the argument of fcntl(2), which depends on its command
 * or one of pk_syscall_word(). */
const char *pk_syscall_signature(const char *name);

/* An argument in a signature. */
struct pk_signature_part {
	const char *name, *kind; /* not NUL-terminated */
	size_t name_size, kind_size;
};

/* Reads the next argument, and moves *signature after it. Returns false if there is none. */
bool pk_signature_next(const char **signature, struct pk_signature_part *part);

/* What an argument points to, if that can be read. */
enum pk_target {
	PK_TARGET_NONE,
	PK_TARGET_TEXT,
	PK_TARGET_BYTES,
	PK_TARGET_ADDRESS,
	PK_TARGET_ARGV
};

enum pk_target pk_target_of(const char *kind, size_t size);

#endif
