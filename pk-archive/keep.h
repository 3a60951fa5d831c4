/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ARCHIVE_KEEP_H
#define PK_ARCHIVE_KEEP_H

#include "archive.h"

/* What concerns the build-id cache alone: prints its list, or removes the operands from it. The
 * exit status. */
int keep(const struct archive_options *options, char *const *operands, int count);

#endif
