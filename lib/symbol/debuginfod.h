/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DEBUGINFOD_H
#define PK_DEBUGINFOD_H

#include "build_id.h"
#include "symbols.h"

struct pk_debuginfod;

/*
 * Asks the servers of DEBUGINFOD_URLS for a file of that build, as libdebuginfod does, with its
 * cache and its other variables; the program that was mapped, or its debugging information. *client
 * is made when it is NULL. 0: *fd and *path, for free(), are it; else an errno: ENOSYS if there is
 * no libdebuginfod here. After a server did not answer in time nothing is asked any more.
 */
int pk_debuginfod_find(struct pk_debuginfod **client, const struct pk_symbols_options *options,
		       const struct pk_build_id *id, bool executable, int *fd, char **path);
void pk_debuginfod_free(struct pk_debuginfod *client);

#endif
