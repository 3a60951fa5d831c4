/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SIGNALS_H
#define PK_SIGNALS_H

/* SIGINT, SIGTERM and SIGHUP end a recording regularly. SIGUSR2 requests a new stream. They and
 * SIGCHLD are blocked except while the program waits, so that they never interrupt a write. SIGPIPE
 * is ignored. */

#include <signal.h>

/* Called by pk_cli_init: ignores SIGXFSZ, so that writing beyond RLIMIT_FSIZE fails with EFBIG. */
void signals_init(void);

struct signals {
	sigset_t mask;			   /* the original mask; for waiting, and for the command */
	struct sigaction actions[5], pipe; /* the original actions */
};

void signals_catch(struct signals *signals);
/* Restores the original state: in the child, before exec. */
void signals_restore(const struct signals *signals);
/* How many SIGUSR2 were received. */
int signals_snapshots(void);
/* How many signals requested the end. */
int signals_stops(void);

#endif
