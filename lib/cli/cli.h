/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CLI_H
#define PK_CLI_H

/* Functions that all pk programs use: they print messages, open files, and finish the program. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number.h"
#include "safe_text.h"

/* The exit statuses of the programs. */
enum pk_exit {
	/* Functions that read or check options return PK_CONTINUE if the program shall continue. If
	   they return another value, it is the exit status of the program, and they have printed a
	   message. */
	PK_CONTINUE = -1,
	PK_EXIT_OK = 0,
	PK_EXIT_FAILED = 1, /* the program has failed, or the input was damaged or cut */
	PK_EXIT_USAGE = 2,
	PK_EXIT_FINDING = 3, /* --fail-if or --fail-on regression has found something */
};

/* The program pk sets this variable for all programs of a pipeline but the first one. The messages
 * of the programs before them are then on the same stderr. */
#define PK_PIPELINE_VARIABLE "PK_PIPELINE"

/* main() calls this function first. Sets the name of the program for messages.
 *
 * If one of the descriptors 0 to 2 is closed, opens a replacement, so that no file gets this number
 * later. Reading from the replacement of stdin fails. Writing to the replacement of stdout or
 * stderr fails.
 *
 * If a file would become larger than RLIMIT_FSIZE, write(2) fails with EFBIG, and does not raise
 * SIGXFSZ. */
void pk_cli_init(const char *program);
/* Sets how much the program prints. The level is the number of -v options, or negative for -q. */
void pk_cli_verbosity(int level);
int pk_cli_verbose(void);
const char *pk_cli_program(void);

/* Prints one line on stderr: "PROGRAM: " and the text. The text is cut to 4095 bytes. Bytes that
 * could harm a terminal are replaced, so the text can contain strings of the input. */
void pk_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Like pk_error(), but prints nothing with -q. */
void pk_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Like pk_error(), but prints only with -v. */
void pk_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The type of pk_error(), pk_warn() and pk_info(). */
typedef void (*pk_message_fn)(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the message, and a hint to call the program with --help. Returns PK_EXIT_USAGE. */
int pk_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints only the hint to --help, because the caller has printed the message. Returns
 * PK_EXIT_USAGE. */
int pk_usage_hint(void);

/* Declares a file that the program will read. "-" means stdin. If the path is a directory, all
 * files in it are inputs. Declare all inputs before you open the output: the program refuses an
 * output that is the same file as an input. */
void pk_protect_input(const char *path);
/* Declares the operands of a program as inputs. If the count is 0, the input is stdin. */
void pk_protect_inputs(char *const *paths, int count);
/* These functions check that an output is not an input. The output is given by its path or its
 * descriptor. They return PK_EXIT_OK if the output is not an input. Otherwise they print a message.
 * They return PK_EXIT_USAGE if the output is an input. They return PK_EXIT_FAILED if some inputs
 * are unknown, because memory was exhausted or a directory could not be read. */
int pk_refuse_input(const char *path);
int pk_refuse_input_fd(int fd, const char *name);

/* How pk_create() handles an existing file, and when the new file gets its name. */
enum pk_create_mode {
	PK_CREATE_REPLACE,
	PK_CREATE_LIVE, /* like PK_CREATE_REPLACE, for an output that other programs read before it
			 * is complete */
	PK_CREATE_APPEND, /* writes after the content of an existing file, and keeps this content */
};

/* Opens an output file. The programs use this function for every output that has a name.
 *
 * REPLACE writes a regular file under a temporary name, .NAME.part, in the same folder.
 * pk_outputs_keep() renames this file to NAME. Until then, an existing file NAME does not change.
 * LIVE also does this if a file NAME exists. If it does not exist, LIVE creates it with its name at
 * once, so that other programs can read it while it grows.
 *
 * Some files are not renamed, and their content is replaced in place. These are devices, FIFOs,
 * descriptors such as /dev/stdout, and files in folders where this user cannot create files.
 *
 * A file gets mode 0600, unless the path names an open descriptor. If root creates a file under
 * sudo, and the user of sudo could have created it in this folder, the file belongs to that user.
 *
 * The last component of the path can be a symbolic link if the link belongs to this user or root.
 * The target of the link is then replaced. If an existing file belongs to another user, it is
 * replaced by a file of this user. Such a file is refused with APPEND, or if the folder does not
 * allow the replacement. A FIFO is refused if it belongs to another user who is not root.
 *
 * Returns a descriptor, or a negative exit status after a message. It is -PK_EXIT_USAGE if the
 * output is an input, and otherwise -PK_EXIT_FAILED. */
int pk_create(const char *path, enum pk_create_mode mode);
/* Renames all files of pk_create() to their final names. If nothing was written to a file, it does
 * not replace another file that has content. Returns `status`. If `status` is 0 and a file cannot
 * get its name, prints a message and returns PK_EXIT_FAILED. Programs call this function through
 * pk_finish(), pk_run_stage() or pk_exit_status(). */
int pk_outputs_keep(int status);
/* Removes the files of pk_create(), because they are not complete or must not replace other files.
 * A file that was opened with LIVE and is not empty is not removed, and keeps its current name.
 * exit(3) also calls this function. */
void pk_outputs_drop(void);
/* If fd is a regular file that other users can access, sets its mode to 0600. Prints a warning if
 * that fails. Programs call it for files that pk_create() did not open. */
void pk_make_private(int fd, const char *name);
/* Opens a binary output. If the path is NULL or "-", the output is stdout. If the output is a
 * terminal, returns -PK_EXIT_USAGE after a message that names next_stage as a program to pipe to.
 * Otherwise returns the same values as pk_create(). */
int pk_output_open(const char *path, const char *next_stage, enum pk_create_mode mode);
/* Opens an output for text: redirects stdout to the file. If the path is NULL or "-", stdout does
 * not change. Returns PK_EXIT_OK, or an exit status after a message. */
int pk_output_text(const char *path);
/* Opens an operand for reading. "-" means stdin, which is refused if it is a terminal. If the input
 * is a pipe, the first SIGINT does not end the program any more (signals.h). Returns -1 after a
 * message. */
int pk_input_open(const char *path);
/* Flushes and closes stdout, waits for the pager if there is one (terminal.h), and returns
 * `status`. If writing has failed and there is no pager, prints a message (but not for EPIPE). It
 * then returns PK_EXIT_FAILED if `status` is 0. */
int pk_finish(int status);

#endif
