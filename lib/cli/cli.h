/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CLI_H
#define PK_CLI_H

/* What all pk programs share: messages, numbers, opening, finishing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number.h"
#include "safe_text.h"

enum pk_exit {
	PK_EXIT_OK = 0,
	PK_EXIT_FAILED = 1, /* also: the input was damaged or cut */
	PK_EXIT_USAGE = 2,
};

/* The first call of main: sets the program's name for messages. Closed descriptors 0 to 2 are
 * replaced by descriptors that can be neither read nor written, so that no file opened later gets
 * such a number. Writing more than RLIMIT_FSIZE fails, and does not raise a signal. */
void pk_cli_init(const char *program);
/* Sets the verbosity: the number of -v; negative with -q. */
void pk_cli_verbosity(int level);
int pk_cli_verbose(void);
const char *pk_cli_program(void);

/* Prints one line on stderr, after "PROGRAM: ". Text of the input is made safe for a terminal. */
void pk_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, except with -q. */
void pk_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, only with -v. */
void pk_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the message and a reference to --help. Returns PK_EXIT_USAGE. */
int pk_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints only the reference to --help; the message was printed before. PK_EXIT_USAGE. */
int pk_usage_hint(void);

/* Declares a file that will be read, by the name for pk_input_open. All inputs must be declared
 * before the output is opened: an output that is one of them is refused. No declaration: stdin. */
void pk_protect_input(const char *path);
void pk_protect_inputs(char *const *paths, int count);
/* Whether an output with this name or descriptor is an input. PK_EXIT_OK: it is not; else the exit
 * status after a message, PK_EXIT_USAGE if it is. */
int pk_refuse_input(const char *path);
int pk_refuse_input_fd(int fd, const char *name);

/* Open all outputs that have a name. The file is created with mode 0600, or gets this mode and is
 * emptied. The last part of the path may be a symbolic link only if the link belongs to this user
 * or root. A file of another user is replaced by a new one if the folder allows it, and else
 * refused. Returns a descriptor or, after a message, the negative exit status: -PK_EXIT_USAGE if
 * the output is an input. append: the file keeps its content. */
int pk_create(const char *path, bool append);
/* Sets mode 0600 for a regular file that was opened in another way; warns if that fails. */
void pk_make_private(int fd, const char *name);
/* Opens a binary output; stdout for NULL or "-". A terminal is refused; the message names
 * next_stage as the program to pipe to. */
int pk_output_open(const char *path, const char *next_stage);
/* For text: redirects stdout to the file, if path is one. PK_EXIT_OK, or the exit status. */
int pk_output_text(const char *path);
/* Opens an operand for reading; "-" is stdin; a terminal is refused. -1 after a message. */
int pk_input_open(const char *path);
/* Flushes and closes stdout; returns status, or PK_EXIT_FAILED after a message if that fails. */
int pk_finish(int status);

#endif
