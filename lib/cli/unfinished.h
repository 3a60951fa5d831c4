/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNFINISHED_H
#define PK_UNFINISHED_H

/* Temporary files that are renamed when they are complete. If a signal ends the program before
 * that, the files are removed. The program itself or a keeper (create.c) removes them. The signals
 * are SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU and SIGVTALRM,
 * if they are not ignored. Use these functions only in programs that do not handle these signals
 * themselves. */

#include <stdbool.h>
#include <sys/types.h>

#include "status.h"

/* A keeper is a process that removes a file when its channel is closed. */
struct keeper {
	pid_t pid; /* 0 if there is no keeper */
	int channel;
};

/* Call this function before you create a file. It blocks the signals until pk_unfinished_add() or
 * pk_unfinished_cancel() is called. So a signal cannot end the program while a created file is not
 * registered yet. */
void pk_unfinished_block(void);
/* Registers the created file, and unblocks the signals. Returns PK_NOMEM if memory is exhausted.
 * The signals are also unblocked in this case. */
PK_MUST_CHECK enum pk_status pk_unfinished_add(const char *path);
/* Call this function instead of pk_unfinished_add() if the file was not created. Does not change
 * errno. */
void pk_unfinished_cancel(void);
/* Registers a keeper. Call it while the signals are blocked. The struct must stay at the same
 * address until pk_unfinished_forget_keeper() is called. */
PK_MUST_CHECK enum pk_status pk_unfinished_keeper(const struct keeper *keeper);
void pk_unfinished_forget_keeper(const struct keeper *keeper);
/* Closes the channel, and waits until the keeper has ended. */
void pk_keeper_end(struct keeper *keeper);
/* Unregisters all files, but not the keepers. Call it after the files were renamed or removed. */
void pk_unfinished_forget(void);

#endif
