/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SANDBOX_CALLS_H
#define PK_SANDBOX_CALLS_H

#include <stdbool.h>

struct sandbox_calls {
	bool writes;  /* files may be opened for writing, and be created and removed */
	bool network; /* sockets, and threads, which the HTTP client needs */
};

/* Limits the process and its children to the listed system calls. Others fail with EPERM, those
 * that Linux has got since 5.3 with ENOSYS, so that libc uses older ones instead. Needs
 * PR_SET_NO_NEW_PRIVS. False with errno: EINVAL or ENOSYS: not supported here. */
bool pk_sandbox_limit_calls(const struct sandbox_calls *calls);

#endif
