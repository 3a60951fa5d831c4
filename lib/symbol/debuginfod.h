/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DEBUGINFOD_H
#define PK_DEBUGINFOD_H

#include "build_id.h"
#include "symbols.h"

struct pk_debuginfod;

/* Requests a file of that build from the servers of DEBUGINFOD_URLS, as libdebuginfod does, with
 * its cache and its other variables: the mapped program, or its debugging information. *client
 * is created if it is NULL. 0: *fd and *path, for free(), are the result; else an errno: ENOSYS
 * if libdebuginfod is not installed. After a server did not answer in time, no more requests are
 * made. */
int pk_debuginfod_find(struct pk_debuginfod **client, const struct pk_symbols_options *options,
		       const struct pk_build_id *id, bool executable, int *fd, char **path);
void pk_debuginfod_free(struct pk_debuginfod *client);

#endif
