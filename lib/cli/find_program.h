/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIND_PROGRAM_H
#define FIND_PROGRAM_H

/* Finds a program: a name with a slash is its path. Programs of pk are first looked up in the
 * folder of the running program, all others in PATH. Returns a path to free, or NULL with errno:
 * ENOENT, EACCES, ENOMEM. */
char *pk_find_program(const char *name);

#endif
