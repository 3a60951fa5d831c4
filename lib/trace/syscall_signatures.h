/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_SIGNATURES_H
#define PK_SYSCALL_SIGNATURES_H

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

#endif
