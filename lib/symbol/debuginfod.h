/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DEBUGINFOD_H
#define PK_DEBUGINFOD_H

#include "build_id.h"
#include "symbols.h"

struct pk_debuginfod;

/* Requests a file of that build from the servers of DEBUGINFOD_URLS, as libdebuginfod does, with
 * its cache and its other variables. executable: the mapped file; else the file with its debugging
 * information. *client is created if it is NULL. Returns 0: *fd is open, *path is the file's path,
 * for free(). Else returns an errno; ENOSYS: libdebuginfod is not installed, or there are no
 * servers. After a request that timed out, or a server that cannot be reached, no more requests are
 * made: ETIMEDOUT. */
int pk_debuginfod_find(struct pk_debuginfod **client, const struct pk_symbols_options *options,
		       const struct pk_build_id *id, bool executable, int *fd, char **path);
void pk_debuginfod_free(struct pk_debuginfod *client);

#endif
