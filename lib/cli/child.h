/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHILD_H
#define PK_CHILD_H

/* The command that is recorded, or counted. */

#include <stdbool.h>
#include <sys/types.h>

#include "signals.h"

/* What the command's process is called until it has become the command. */
#define CHILD_COMM "pk-exec"

struct child {
	pid_t pid;  /* 0: none, or waited for */
	int go;	    /* written to: exec now; closed: do not */
	int report; /* read from: errno of the exec that failed, or the end of file */
	int status; /* of waitpid, once that has returned it */
};

/*
 * Forks a process that will become the command. Its stdout is our stderr if quiet_stdout: ours is
 * the stream. It gets the signals as they were. False after a message.
 */
bool child_fork(struct child *child, char *const *command, bool quiet_stdout,
		const struct signals *signals);
/* Lets it exec. 0, or after a message the exit status of a shell: 127 not found, 126 not to be
 * executed. */
int child_go(struct child *child, char *const *command);
/* Takes the status of a child that has ended; true if it has (or there is none). */
bool child_ended(struct child *child);
/* Before child_go: ends it without exec. */
void child_cancel(struct child *child);
/* The exit status to pass on: the command's, 128 + N if signal N ended it. */
int child_exit_status(const struct child *child);

#endif
