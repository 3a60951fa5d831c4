/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests files from servers by their build-id.
 *
 * libdebuginfod and its HTTP client run in a process of their own, the helper. It reads requests
 * from a pipe, puts the files into libdebuginfod's cache, and answers with their paths. So the
 * process that parses the files needs no sockets, and the process with the sockets parses no files.
 * lib/cli starts and confines the helper.
 */
#ifndef PK_DEBUGINFOD_H
#define PK_DEBUGINFOD_H

#include <stdbool.h>
#include <stdint.h>

#include "build_id.h"
#include "symbols.h"

/* The largest file that is accepted, unless DEBUGINFOD_MAXSIZE sets another limit. */
#define PK_DEBUGINFOD_SIZE_MAX (UINT64_C(1) << 30)

/* ---- The process that wants files ---- */

/* The two descriptors of the helper's pipes are closed by pk_debuginfod_free(). A request ends
 * after so many seconds. NULL: out of memory. */
struct pk_debuginfod *pk_debuginfod_new(int requests, int answers, unsigned seconds);
void pk_debuginfod_free(struct pk_debuginfod *d);

/* Requests a file of that build from the servers of DEBUGINFOD_URLS. With executable, it is the
 * mapped file, otherwise the file with its debugging information. Progress is reported through
 * options->tried. Returns 0 and sets *path to the file's path, for free(). Its content is
 * unchecked. Otherwise returns an errno. It is ENOSYS if libdebuginfod is not installed or there
 * are no servers, and EFBIG if the answer was too large. After a request that timed out, or a
 * server that cannot be reached, no more requests are made, and the result is ETIMEDOUT. */
int pk_debuginfod_find(struct pk_debuginfod *d, const struct pk_symbols_options *options,
		       const struct pk_build_id *id, bool executable, char **path);

/* ---- The helper ---- */

/* Answers requests until their pipe ends. */
void pk_debuginfod_serve(int requests, int answers, unsigned seconds, uint64_t size_max);

#endif
