/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LOOKUPS_H
#define LOOKUPS_H

/* Counts the failed lookups of the whole program, except the failed lookups of a symbol store.
 * Lookups read files in /proc, /sys and tracefs, and allocate memory for what they read. A lookup
 * that fails is different from a lookup that finds nothing. A program that continues after a failed
 * lookup counts the failure here. pk_exit_status() reports all failures at the end. A library
 * stores its failures and messages in a struct pk_messages. */

#include "messages.h"

/* Returns the failures of the whole program. */
struct pk_failures *pk_lookups(void);
/* Call this function after a failed open(), read() or similar function. If pk_is_failure(errno), it
 * counts errno as a failure for this path. It does not change errno. */
void pk_lookup_failed(const char *path);
/* Prints "out of memory", but only on the first call. Returns PK_EXIT_FAILED. */
int pk_no_memory(void);
/* Returns true if pk_no_memory() was called. */
bool pk_memory_exhausted(void);
/* Calls pk_no_memory(), and exits with PK_EXIT_FAILED. This is a callback for libraries that cannot
 * continue. */
_Noreturn void pk_exit_no_memory(void);
/* Prints the number of failures and the first failure in one line. Prints nothing if there are no
 * failures. */
void pk_report_failures(const struct pk_failures *failures);
/* Prints the messages of a library, and adds its failures to the failures of the program. Then
 * empties `messages`. */
void pk_print_messages(struct pk_messages *messages);
/* Like pk_print_messages(), and returns `status`, which is the result of a call. Example:
 * pk_printed(events_parse(...), &messages). */
PK_MUST_CHECK enum pk_status pk_printed(enum pk_status status, struct pk_messages *messages);
/* The last step of main(). Reports the failures of the program, and returns the exit status. If
 * there was a failure or memory was exhausted, PK_EXIT_OK and PK_EXIT_USAGE become PK_EXIT_FAILED.
 * PK_EXIT_USAGE is changed because the failed lookup can be the reason why an argument was refused.
 */
int pk_exit_status(int status);

#endif
