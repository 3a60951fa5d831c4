/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests files from servers by their build-id.
 *
 * libdebuginfod and its HTTP client run in a separate process, the helper. The helper reads
 * requests from a pipe. It puts the files into the cache of libdebuginfod, and answers with their
 * paths. So the process that parses the files needs no sockets, and the process with the sockets
 * parses no files. lib/cli starts and confines the helper. */
#ifndef PK_DEBUGINFOD_H
#define PK_DEBUGINFOD_H

#include <stdbool.h>
#include <stdint.h>

#include "build_id.h"
#include "symbols.h"

/* The size of the largest file that is accepted, in bytes. DEBUGINFOD_MAXSIZE can set another
 * limit. */
#define PK_DEBUGINFOD_SIZE_MAX (UINT64_C(1) << 30)

/* ---- The process that wants files ---- */

/* `requests` and `answers` are the descriptors of the helper's pipes. pk_debuginfod_free() closes
 * them. Each request ends after `seconds` seconds. Returns NULL if memory is exhausted. */
struct pk_debuginfod *pk_debuginfod_new(int requests, int answers, unsigned seconds);
void pk_debuginfod_free(struct pk_debuginfod *d);

/* Requests a file of this build from the servers in DEBUGINFOD_URLS. With `executable`, it is the
 * mapped file, otherwise the file with its debugging information. Progress is reported through
 * options->tried. If the function succeeds, it returns 0 and sets *path to the path of the file,
 * which the caller frees. The content of the file is not checked.
 *
 * Otherwise it returns an errno. ENOSYS means that libdebuginfod is not installed or that there are
 * no servers. EFBIG means that the answer was too large. After a request that timed out, or if a
 * server cannot be reached, no more requests are made, and the result is ETIMEDOUT. */
int pk_debuginfod_find(struct pk_debuginfod *d, const struct pk_symbols_options *options,
		       const struct pk_build_id *id, bool executable, char **path);

/* ---- The helper ---- */

/* Answers requests until the other end of the pipe `requests` is closed. */
void pk_debuginfod_serve(int requests, int answers, unsigned seconds, uint64_t size_max);

#endif
