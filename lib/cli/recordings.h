/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORDINGS_H
#define PK_RECORDINGS_H

/* Which operands are recordings, for programs that also take other words as operands. */

#include <stdbool.h>

/* Whether the path is a file that starts like a recording of pk or perf in either byte order, or is
 * compressed with zstd, or a folder of perf record --threads. No program starts with these bytes.
 * Counts a file that cannot be read as a failed lookup. */
bool pk_is_recording(const char *path);

#endif
