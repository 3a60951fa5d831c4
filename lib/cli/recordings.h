/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORDINGS_H
#define PK_RECORDINGS_H

/* Finds out which operands are recordings. This is for programs that also accept other words as
 * operands. */

#include <stdbool.h>
#include <stddef.h>

/* Returns true if a file that starts with these bytes is a recording of pk or perf, in either byte
 * order, or a zstd file. No program and no text starts with such bytes. */
bool pk_starts_recording(const char *head, size_t size);

/* Returns true if the path is a file that starts like a recording, or a folder of perf record
 * --threads. If a file cannot be read, counts a failed lookup. */
bool pk_is_recording(const char *path);

#endif
