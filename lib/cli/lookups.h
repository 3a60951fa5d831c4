/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LOOKUPS_H
#define LOOKUPS_H

/*
 * What a whole program has failed to look up outside of a store of symbols: files of /proc, /sys
 * and tracefs, and memory for what they say. "Could not look" is not "has none": a program that
 * goes on without counts the failure here, and pk_exit_status() reports all of them at its end.
 * Libraries leave such failures and their messages in a struct pk_messages.
 */

#include "messages.h"

/* The program's failures. */
struct pk_failures *pk_lookups(void);
/* After an open, a read or the like has failed: counts errno for this path, unless it means that
 * there is no such thing, or that it is not for this user. Keeps errno. */
void pk_lookup_failed(const char *path);
/* Reports "out of memory". PK_EXIT_FAILED. */
int pk_no_memory(void);
/* For libraries that cannot go on: reports it and exits. */
_Noreturn void pk_exit_no_memory(void);
/* Reports failures in one line. */
void pk_report_failures(const struct pk_failures *failures);
/* Prints what a library has left in messages, counts its failures as the program's, and empties
 * messages. */
void pk_print_messages(struct pk_messages *messages);
/* The same after a call, whose result it returns: pk_printed(events_parse(...), &messages). */
bool pk_printed(bool result, struct pk_messages *messages);
/* The last step of main(): reports the program's failures. PK_EXIT_OK, and PK_EXIT_USAGE that only
 * came of exhausted memory or a failure, become PK_EXIT_FAILED. */
int pk_exit_status(int status);

#endif
