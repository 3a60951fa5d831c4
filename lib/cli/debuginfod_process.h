/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DEBUGINFOD_PROCESS_H
#define PK_DEBUGINFOD_PROCESS_H

#include "debuginfod.h"

/* Starts the helper process that requests files from servers. It is confined, also with
 * --no-sandbox: it can open sockets, read the system's configuration, and write below the cache of
 * libdebuginfod. It ignores SIGINT, and ends with this process. A request ends after so many
 * seconds. NULL after a message. */
struct pk_debuginfod *pk_debuginfod_start(unsigned seconds);

#endif
