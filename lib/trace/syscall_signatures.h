/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_SIGNATURES_H
#define PK_SYSCALL_SIGNATURES_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the names and kinds of the arguments of a system call, such as "fd:d buf:p count:U".
 * Returns NULL if the call is unknown. The kinds are:
 *
 *   - d: int
 *   - u: unsigned int
 *   - l: long
 *   - U: unsigned long
 *   - p: pointer
 *   - s: pointer to a text
 *   - buf: pointer to bytes; the next argument is the number of bytes
 *   - sockaddr: pointer to the address of a socket; the next argument is its size
 *   - argv: pointer to an array of pointers to texts
 *   - x: a number in hexadecimal
 *   - o: a number in octal
 *   - fcntlarg: the argument of fcntl(2), which depends on its command
 *   - the kinds that pk_syscall_words() knows */
const char *pk_syscall_signature(const char *name);

/* An argument in a signature. */
struct pk_signature_part {
	const char *name, *kind; /* not NUL-terminated */
	size_t name_size, kind_size;
};

/* Reads the next argument, and moves *signature to the argument after it. Returns false if there is
 * none. */
bool pk_signature_next(const char **signature, struct pk_signature_part *part);

/* What an argument points to, if this can be read. */
enum pk_target {
	PK_TARGET_NONE,
	PK_TARGET_TEXT,
	PK_TARGET_BYTES,
	PK_TARGET_ADDRESS,
	PK_TARGET_ARGV
};

enum pk_target pk_target_of(const char *kind, size_t size);

#endif
