/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNFINISHED_H
#define PK_UNFINISHED_H

/* Temporary files that are renamed when they are complete. If a signal ends the program earlier,
 * the files are removed, by the program or by a keeper (create.c): SIGHUP, SIGINT, SIGQUIT,
 * SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU or SIGVTALRM, unless it is ignored. For
 * programs that do not handle these signals themselves. */

#include <stdbool.h>
#include <sys/types.h>

#include "status.h"

/* A process that removes a file when its channel is closed. */
struct keeper {
	pid_t pid; /* 0: none */
	int channel;
};

/* Call this before a file is created. Such signals are delayed until pk_unfinished_add() or
 * pk_unfinished_cancel(), so that no created file remains unregistered. */
void pk_unfinished_block(void);
/* Registers the created file. Returns PK_NOMEM if memory is exhausted. The signals are no longer
 * delayed then either. */
PK_MUST_CHECK enum pk_status pk_unfinished_add(const char *path);
/* Call this instead of pk_unfinished_add() if the file was not created. Keeps errno. */
void pk_unfinished_cancel(void);
/* Registers a keeper, while signals are delayed. It must stay where it is until it is
 * unregistered. */
PK_MUST_CHECK enum pk_status pk_unfinished_keeper(const struct keeper *keeper);
void pk_unfinished_forget_keeper(const struct keeper *keeper);
/* Closes the channel, and waits until the keeper has ended. */
void pk_keeper_end(struct keeper *keeper);
/* Unregisters all files, but not the keepers. Call it after they have been renamed or removed. */
void pk_unfinished_forget(void);

#endif
