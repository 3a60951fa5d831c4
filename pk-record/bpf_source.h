/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_SOURCE_H
#define PK_RECORD_BPF_SOURCE_H

#include <stddef.h>

#include "messages.h"

/* Reads a BPF object. If the name of the file ends with .c, it is compiled by clang first, whose
 * messages go to stderr. The result must be freed. NULL after a message. */
char *bpf_source_read(const char *path, size_t *size, struct pk_messages *messages);

#endif
