/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_KEEP_H
#define PK_ARCHIVE_KEEP_H

#include "archive.h"

/* Operations on the build-id cache without recordings: lists its objects, or removes the operands
 * from it. Returns the exit status. */
int keep(const struct archive_options *options, char *const *operands, int count);

#endif
