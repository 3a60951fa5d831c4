/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_FILE_IDS_H
#define PK_RECORD_FILE_IDS_H

/* The build-ids of mapped files, each read once. */

#include "symbols.h"
#include "synthesize.h"

struct file_ids;

/* NULL: out of memory; the other functions accept NULL and find nothing. */
struct file_ids *file_ids_new(void);
void file_ids_free(struct file_ids *ids);
/* The build-id of the file that a process has mapped. NULL: it has none, or cannot be read. Valid
 * until the next call. */
const struct pk_build_id *file_ids_get(struct file_ids *ids, pid_t pid, const struct map_line *map);

#endif
