/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SIGNALS_H
#define PK_SIGNALS_H

/*
 * SIGINT, SIGTERM and SIGHUP end a recording in order. SIGUSR2 asks for a new
 * stream. They and SIGCHLD are blocked but for the
 * moments of waiting, so that no write is ever interrupted. SIGPIPE is ignored.
 */

#include <signal.h>

/* By pk_cli_init: SIGXFSZ is ignored, and writing beyond RLIMIT_FSIZE fails with EFBIG. */
void signals_init(void);

struct signals {
	sigset_t mask;			   /* as it was; for waiting, and for the command */
	struct sigaction actions[5], pipe; /* as they were */
};

void signals_catch(struct signals *signals);
/* As they were: in the child, ahead of exec. */
void signals_restore(const struct signals *signals);
/* How often SIGUSR2 came. */
int signals_snapshots(void);
/* How many signals have asked for the end. */
int signals_stops(void);

#endif
