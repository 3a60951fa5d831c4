/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CLI_H
#define PK_CLI_H

/* What all pk programs do in the same way: messages, numbers, opening, finishing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number.h"
#include "safe_text.h"

enum pk_exit {
	PK_EXIT_OK = 0,
	PK_EXIT_FAILED = 1, /* also: the input was damaged or cut short */
	PK_EXIT_USAGE = 2,
};

/*
 * The first call of main: the program's name for messages. Descriptors 0 to 2 that are closed are
 * replaced by some that can be neither read nor written, so that no file that is opened later is
 * taken for one of them. A file that would exceed RLIMIT_FSIZE is a failed write, not a signal.
 */
void pk_cli_init(const char *program);
/* Verbosity counts -v, and is negative under -q. */
void pk_cli_verbosity(int level);
int pk_cli_verbose(void);
const char *pk_cli_program(void);

/* One line on stderr, "PROGRAM: " before it. What comes from the input is made harmless for a
 * terminal. */
void pk_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, but not under -q. */
void pk_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, only with -v. */
void pk_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The message, a pointer to --help, and PK_EXIT_USAGE to return. */
int pk_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Only the pointer to --help, where the message has been given. PK_EXIT_USAGE. */
int pk_usage_hint(void);

/*
 * Every file that is read is declared before the output is opened: by its name as it is given to
 * pk_input_open. An output that is the same file is refused. None: stdin.
 */
void pk_protect_input(const char *path);
void pk_protect_inputs(char *const *paths, int count);
/* Whether an output with this name or descriptor is one of these. PK_EXIT_OK: it is not; else the
 * exit status after a message, PK_EXIT_USAGE if it is. */
int pk_refuse_input(const char *path);
int pk_refuse_input_fd(int fd, const char *name);

/*
 * All outputs with a name are opened by these. A file is created with mode 0600, or gets this mode
 * and is emptied. The last part of the path may be a symbolic link only if it is ours or root's.
 * Another user's file is replaced by a new one where the folder allows that, and else refused.
 * A descriptor or, after a message, the exit status with a minus: -PK_EXIT_USAGE for an output that
 * is an input. append: the file keeps its content.
 */
int pk_create(const char *path, bool append);
/* Mode 0600 for a regular file that was opened otherwise; a warning where that cannot be. */
void pk_make_private(int fd, const char *name);
/*
 * The same for binary output; stdout for NULL or "-". A terminal is refused, and next_stage is
 * named as what belongs behind the pipe.
 */
int pk_output_open(const char *path, const char *next_stage);
/* For text: stdout becomes the file, if it is one. PK_EXIT_OK, or the exit status. */
int pk_output_text(const char *path);
/* An operand to read; "-" is stdin, a terminal is refused. -1 after a message. */
int pk_input_open(const char *path);
/* Flushes and closes stdout; returns status, or PK_EXIT_FAILED after a message if that failed. */
int pk_finish(int status);

#endif
