/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHILD_H
#define PK_CHILD_H

/* The command that is recorded or counted. */

#include <stdbool.h>
#include <sys/types.h>

#include "signals.h"

/* The comm of the command's process before exec. */
#define CHILD_COMM "pk-exec"

struct child {
	pid_t pid;  /* 0: no command, or it was waited for */
	int go;	    /* pipe to the child: a byte: exec; closed: do not */
	int report; /* pipe from the child: errno of a failed exec, or end of file */
	int status; /* from waitpid, after it has returned */
};

/* Forks a process for the command. If quiet_stdout, its stdout is our stderr: our stdout is the
 * stream. Its signal handling is that before signals_catch(). False after a message. */
bool child_fork(struct child *child, char *const *command, bool quiet_stdout,
		const struct signals *signals);
/* Lets the process exec the command. 0, or after a message the exit status of a shell: 127 not
 * found, 126 not executable. */
int child_go(struct child *child, char *const *command);
/* Reads the status of a child that has ended; true if it has ended, or there is none. */
bool child_ended(struct child *child);
/* Ends the process without exec. Call it before child_go. */
void child_cancel(struct child *child);
/* The exit status to return: the command's, 128 + N if signal N ended it. */
int child_exit_status(const struct child *child);

#endif
