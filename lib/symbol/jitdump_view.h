/* SPDX-License-Identifier: BSD-2-Clause */
/* A window on a file that is read from its beginning to its end, with jumps over what nobody wants
 * to see. */
#ifndef PK_JITDUMP_VIEW_H
#define PK_JITDUMP_VIEW_H

#include <stdint.h>

#include "failures.h"

struct pk_jit_view;

/* Of the file as long as it was, of that name in failures (which may be NULL). NULL: out of memory.
 */
struct pk_jit_view *pk_jit_view_new(int fd, uint64_t size, const char *path,
				    struct pk_failures *failures);
void pk_jit_view_free(struct pk_jit_view *view);
/* n bytes at an offset, at most 64 KiB, valid until the next call; NULL: there are not so many, or
 * a failure. */
const uint8_t *pk_jit_view_at(struct pk_jit_view *view, uint64_t offset, uint64_t n);

#endif
