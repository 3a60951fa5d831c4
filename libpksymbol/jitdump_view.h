/* SPDX-License-Identifier: BSD-2-Clause */
/* A window on a file that is read from its beginning to its end, with jumps over what nobody wants
 * to see. */
#ifndef PK_JITDUMP_VIEW_H
#define PK_JITDUMP_VIEW_H

#include <stdint.h>

struct pk_jit_view;

/* Of the file as long as it was. NULL: out of memory. */
struct pk_jit_view *pk_jit_view_new(int fd, uint64_t size);
void pk_jit_view_free(struct pk_jit_view *view);
/* n bytes at an offset, at most 64 KiB, valid until the next call; NULL: there are not so many. */
const uint8_t *pk_jit_view_at(struct pk_jit_view *view, uint64_t offset, uint64_t n);

#endif
