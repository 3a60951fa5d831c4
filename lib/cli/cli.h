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
	/* Functions that read or check options return this if the program does not exit, but
	 * continues. Other values are its exit status, after a message. */
	PK_CONTINUE = -1,
	PK_EXIT_OK = 0,
	PK_EXIT_FAILED = 1, /* also: the input was damaged or cut */
	PK_EXIT_USAGE = 2,
};

/* The first call of main: sets the program's name for messages. If one of the descriptors 0 to 2 is
 * closed, opens a replacement, so that no file opened later gets this number. Reading the
 * replacement of stdin fails, and so does writing that of stdout or stderr. Writing a file beyond
 * RLIMIT_FSIZE fails with EFBIG, and does not raise SIGXFSZ. */
void pk_cli_init(const char *program);
/* Sets the verbosity: the number of -v options. It is negative with -q. */
void pk_cli_verbosity(int level);
int pk_cli_verbose(void);
const char *pk_cli_program(void);

/* Prints one line on stderr: "PROGRAM: " and the text, cut to 4095 bytes. Bytes that could harm a
 * terminal are replaced, so the text can contain strings of the input. */
void pk_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, except with -q. */
void pk_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, only with -v. */
void pk_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One of them. */
typedef void (*pk_message_fn)(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the message and a reference to --help. Returns PK_EXIT_USAGE. */
int pk_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints only the reference to --help. The caller has printed a message. Returns PK_EXIT_USAGE. */
int pk_usage_hint(void);

/* Declares a file that will be read. "-" is stdin. Of a directory, all files are inputs. All inputs
 * must be declared before the output is opened: an output that is the same file as an input is
 * refused. */
void pk_protect_input(const char *path);
/* Declares the operands of a program. A count of 0 means stdin. */
void pk_protect_inputs(char *const *paths, int count);
/* Check an output, by its path or its descriptor. Return PK_EXIT_OK if it is no input. Otherwise
 * they print a message, and return PK_EXIT_USAGE if it is an input, and PK_EXIT_FAILED if not all
 * inputs are known, because memory was exhausted or a directory could not be read. */
int pk_refuse_input(const char *path);
int pk_refuse_input_fd(int fd, const char *name);

enum pk_create_mode {
	PK_CREATE_REPLACE,
	PK_CREATE_LIVE,	  /* the same for an output that is worth something before it is complete */
	PK_CREATE_APPEND, /* keeps the content of a file */
};

/* Opens an output file; every output that has a name is opened here. A regular file is written
 * beside its name, as .NAME.part, and pk_outputs_keep() gives it the name: until then, an existing
 * file stays as it is. With LIVE, a file that does not exist gets its name at once, so that it can
 * be read while it grows. The content of other files (devices, FIFOs, descriptors such as
 * /dev/stdout, files in folders without permission to create one) is replaced in place.
 *
 * A file gets mode 0600, unless the path names an open descriptor. If root creates it under sudo,
 * in a folder where the user of sudo could have created it, it belongs to that user. The last part
 * of the path may be a symbolic link only if the link belongs to this user or root; the target of
 * the link is replaced. A file of another user is replaced by an own one; with APPEND, or if the
 * folder does not allow that, it is refused, and so is a FIFO of a user who is not root. Returns a
 * descriptor or, after a message, a negative exit status: -PK_EXIT_USAGE if the output is an input,
 * else -PK_EXIT_FAILED. */
int pk_create(const char *path, enum pk_create_mode mode);
/* Gives all files of pk_create() their names. Files to which nothing was written do not replace
 * others. Returns status or, if it is 0 and that fails, PK_EXIT_FAILED after a message. Programs
 * call it through pk_finish(), pk_run_stage() or pk_exit_status(). */
int pk_outputs_keep(int status);
/* Removes the outputs instead, because they are not complete, or shall not replace other files.
 * With LIVE, what was written stays, under the name that it has. exit(3) calls this, too. */
void pk_outputs_drop(void);
/* Sets mode 0600 if fd is a regular file that other users can access, and warns if that fails. For
 * files that were not opened by pk_create(). */
void pk_make_private(int fd, const char *name);
/* Opens a binary output. A path of NULL or "-" means stdout. If stdout is a terminal, it is refused
 * with -PK_EXIT_USAGE, and the message names next_stage as a program to pipe to. Otherwise returns
 * like pk_create(). */
int pk_output_open(const char *path, const char *next_stage, enum pk_create_mode mode);
/* For text: redirects stdout to the file. With a path of NULL or "-", stdout stays. Returns
 * PK_EXIT_OK, or an exit status after a message. */
int pk_output_text(const char *path);
/* Opens an operand for reading; "-" is stdin, which is refused if it is a terminal. If it is a
 * pipe, the program survives its first SIGINT from now on (signals.h). Returns -1 after a
 * message. */
int pk_input_open(const char *path);
/* Flushes and closes stdout, waits for the pager if there is one (pager.h), and returns status. If
 * writing fails without a pager, prints a message (not for EPIPE), and returns PK_EXIT_FAILED
 * instead of 0. */
int pk_finish(int status);

#endif
