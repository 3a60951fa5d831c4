/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SIGNALS_H
#define PK_SIGNALS_H

/* The signals of the recorders. SIGINT, SIGTERM and SIGHUP end a recording normally. Under
 * nohup(1), SIGHUP is ignored. SIGUSR2 requests the next output file. These signals and SIGCHLD are
 * blocked, except while the program waits in ppoll(2). So they never interrupt a write. SIGPIPE is
 * ignored. */

#include <signal.h>

/* pk_cli_init() calls this function. Ignores SIGXFSZ, so that write(2) fails with EFBIG if a file
 * would become larger than RLIMIT_FSIZE. */
void pk_signals_init(void);

/* For programs that map their input. If the file becomes shorter while the program reads it, the
 * program prints a message and ends with PK_EXIT_FAILED. */
void pk_signals_catch_shrinking(const char *program);

/* For programs that read a pipe. Ctrl-C sends SIGINT to all programs of a pipeline. The recorder
 * ends, and the other programs must still read its output. So the first SIGINT has no effect, and
 * interrupted system calls are restarted. The second SIGINT has the original effect. If SIGINT was
 * ignored before, nothing changes. */
void pk_signals_survive_interrupt(void);
/* If the signal would end the program, sets the action for the signal. Call it while the signal is
 * blocked. */
void pk_signals_before_end(int signal, const struct sigaction *action);

/* The signal handling before pk_signals_catch(), to restore it for the command. */
struct signals {
	sigset_t mask; /* The mask of blocked signals before pk_signals_catch(). It is used in
			* ppoll(2), and restored for the command. */
	struct sigaction actions[5],
		pipe; /* the actions before pk_signals_catch(); `pipe` is the action of SIGPIPE */
};

void pk_signals_catch(struct signals *signals);
/* Restores the original state. The child calls this function before exec. */
void pk_signals_restore(const struct signals *signals);
/* Returns how many SIGUSR2 signals were received. */
int pk_signals_snapshots(void);
/* Returns how many signals requested the end of the recording. */
int pk_signals_stops(void);

#endif
