/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHILD_H
#define PK_CHILD_H

/* The command of the command line, which pk-record records and pk-stat counts. */

#include <stdbool.h>
#include <sys/types.h>

#include "signals.h"
#include "status.h"

/* ---- Children ---- */

/* The comm of the command's process before exec. */
#define CHILD_COMM "pk-exec"

struct child {
	pid_t pid; /* 0: no command, or it was waited for */
	int go; /* pipe to the child: after a byte it execs the command; when the pipe is closed it
		 * exits */
	int report; /* pipe from the child: a byte with the errno of a failed exec; end of file
		     * after a successful exec */
	int status; /* from waitpid(2); valid when pid is 0 again */
};

/* Forks a process for the command. With quiet_stdout, the command's stdout is our stderr, because
 * our stdout is the stream. The command gets the signal handling from before pk_signals_catch().
 * Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_child_fork(struct child *child, char *const *command,
					   bool quiet_stdout, const struct signals *signals);
/* Lets the process exec the command. Returns 0, or an exit status after a message: 127 if the
 * command was not found, 126 if exec failed otherwise (as in a shell), PK_EXIT_FAILED if it is
 * unknown whether it was started. */
int pk_child_go(struct child *child, char *const *command);
/* Whether the command has ended, or there is none. Reads its status when it has ended. Never waits.
 */
bool pk_child_ended(struct child *child);
/* Ends the process without exec, and waits for its end. Call it instead of pk_child_go(). */
void pk_child_cancel(struct child *child);
/* The command's exit status, or 128 + N if signal N ended it. */
int pk_child_exit_status(const struct child *child);

/* ---- Programs of PATH ---- */

/* Finds a program. A name with a slash is its path. Programs of pk are first looked up in the
 * folder of the running program, all others in PATH. Returns a path to free, or NULL with errno:
 * ENOENT, EACCES, ENOMEM. */
char *pk_find_program(const char *name);

#endif
