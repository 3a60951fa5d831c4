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

/* The program's name for messages; verbosity counts -v, and is negative under -q. Called once by
 * main. */
void pk_cli_init(const char *program);
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
 * Where binary output goes: path (created or emptied), or stdout for NULL or "-". A terminal is
 * refused, with next_stage named as what belongs behind the pipe. -1 after a message.
 */
int pk_output_open(const char *path, const char *next_stage);
/* An operand to read; "-" is stdin, a terminal is refused. -1 after a message. */
int pk_input_open(const char *path);
/* Flushes and closes stdout; returns status, or PK_EXIT_FAILED after a message if that failed. */
int pk_finish(int status);

#endif
