/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CHILD_H
#define PK_CHILD_H

/* Starts the program that the user gives on the command line. pk-record records this program, and
 * pk-stat counts its events. */

#include <stdbool.h>
#include <sys/types.h>

#include "signals.h"
#include "status.h"

/* ---- Children ---- */

/* The name (comm) of the new process until it executes the command. */
#define CHILD_COMM "pk-exec"

/* The process that executes the command of the user. */
struct child {
	pid_t pid;  /* 0 if there is no command, or if the command has ended and its status was read
		     */
	int go;	    /* A pipe to the child. The child executes the command when it reads a byte. It
		     * exits when the pipe is closed. */
	int report; /* A pipe from the child. If exec fails, the child writes errno as one byte.
		     * After a successful exec, the parent reads end of file. */
	int status; /* the status from waitpid(2); valid when pid is 0 again */
};

/* Forks a process for the command. If quiet_stdout is true, the stdout of the command is the stderr
 * of this program, because the stdout of this program is the stream. The command gets the signal
 * handling that was set before pk_signals_catch(). If it fails, prints a message and returns
 * PK_FAILED. */
PK_MUST_CHECK enum pk_status pk_child_fork(struct child *child, char *const *command,
					   bool quiet_stdout, const struct signals *signals);
/* Lets the process execute the command. Returns 0 if the command was started. Otherwise prints a
 * message and returns an exit status. As in a shell, it is 127 if the command was not found, and
 * 126 if exec failed for another reason. It is PK_EXIT_FAILED if it is unknown whether the command
 * was started. */
int pk_child_go(struct child *child, char *const *command);
/* Returns true if the command has ended, or if there is no command. If the command has ended, reads
 * its status. Never waits. */
bool pk_child_ended(struct child *child);
/* Ends the process without executing the command, and waits for its end. Call it if you do not call
 * pk_child_go(). */
void pk_child_cancel(struct child *child);
/* Returns the exit status of the command, or 128 + N if signal N ended the command. */
int pk_child_exit_status(const struct child *child);

/* Call it at the end of the recording. If the command still runs, sends SIGTERM to it, and waits
 * until it ends. Another signal to this program ends the wait. Returns the exit status of the
 * command, or PK_EXIT_OK if this function has ended it. */
int pk_child_end(struct child *child, const struct signals *signals);

/* ---- Programs of PATH ---- */

/* Finds a program. If the name has a slash, it is the path of the program. A name that starts with
 * "pk-" is first searched in the folder of the running program. All other names, and names that are
 * not found there, are searched in PATH. Returns a path that the caller frees. If there is no such
 * program, returns NULL with errno ENOENT, EACCES or ENOMEM. */
char *pk_find_program(const char *name);

#endif
