/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SIGNALS_H
#define PK_SIGNALS_H

/* SIGINT, SIGTERM and SIGHUP end a recording regularly (SIGHUP not under nohup(1)). SIGUSR2
 * requests the next output file. They and SIGCHLD are blocked except while the program waits in
 * ppoll(2), so that they never interrupt a write. SIGPIPE is ignored. */

#include <signal.h>

/* Called by pk_cli_init: ignores SIGXFSZ, so that writing beyond RLIMIT_FSIZE fails with EFBIG. */
void pk_signals_init(void);

/* For programs that map their input: if the file becomes shorter while it is read, reports that as
 * a message of the program and ends it with PK_EXIT_FAILED. */
void pk_signals_catch_shrinking(const char *program);

/* For programs that read a pipe. Ctrl-C sends SIGINT to all programs of a pipeline. The recorder
 * ends then, and the others must read its output. The first SIGINT has no effect, unless it already
 * was ignored, and system calls are restarted. The second one has the original effect. */
void pk_signals_survive_interrupt(void);
/* Sets what a signal does that would end the program. Call it while the signal is blocked. */
void pk_signals_before_end(int signal, const struct sigaction *action);

struct signals {
	sigset_t mask; /* the original mask: used by ppoll(2), and restored for the command */
	struct sigaction actions[5], pipe; /* the original actions */
};

void pk_signals_catch(struct signals *signals);
/* Restores the original state. Called in the child before exec. */
void pk_signals_restore(const struct signals *signals);
/* How many SIGUSR2 were received. */
int pk_signals_snapshots(void);
/* How many signals requested the end. */
int pk_signals_stops(void);

#endif
