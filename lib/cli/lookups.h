/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LOOKUPS_H
#define LOOKUPS_H

/* Failed lookups of a whole program outside of a symbol store: files of /proc, /sys and tracefs,
 * and memory for their content. "The lookup failed" and "there is none" are different answers: a
 * program that continues without the answer counts the failure here, and pk_exit_status() reports
 * all failures at the end. Libraries leave such failures and their messages in a struct
 * pk_messages. */

#include "messages.h"

/* The failures of the whole program. */
struct pk_failures *pk_lookups(void);
/* Call after a failed open, read or similar: counts errno for this path if pk_is_failure(). Keeps
 * errno. */
void pk_lookup_failed(const char *path);
/* Prints "out of memory", only the first time. Returns PK_EXIT_FAILED. */
int pk_no_memory(void);
/* Whether pk_no_memory() was called. */
bool pk_memory_exhausted(void);
/* A callback for libraries that cannot continue: does the same, and exits with PK_EXIT_FAILED. */
_Noreturn void pk_exit_no_memory(void);
/* Prints the number of failures and the first one in one line. Prints nothing if there are none. */
void pk_report_failures(const struct pk_failures *failures);
/* Prints the messages of a library, adds its failures to those of the program, and empties
 * messages. */
void pk_print_messages(struct pk_messages *messages);
/* The same after a call, whose status it returns. The use is pk_printed(events_parse(...),
 * &messages). */
PK_MUST_CHECK enum pk_status pk_printed(enum pk_status status, struct pk_messages *messages);
/* The last step of main(): reports the program's failures, and returns the exit status. If there
 * was a failure or memory was exhausted, PK_EXIT_OK and PK_EXIT_USAGE become PK_EXIT_FAILED: the
 * failure can be the only reason why an argument was refused. */
int pk_exit_status(int status);

#endif
