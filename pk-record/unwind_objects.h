/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_OBJECTS_H
#define PK_RECORD_UNWIND_OBJECTS_H

/* The tables of --call-graph unwind, made from the call frame information of mapped files. All
 * processes that map a file share its table. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "synthesize.h"
#include "table.h"
#include "unwind_arena.h"

struct unwind_object;
struct pk_build_id;

struct unwind_objects {
	struct unwind_arenas *arenas;
	struct unwind_object *items;
	size_t count, capacity;
	struct pk_table numbers; /* indexes plus 1, by hash of the key */
};

void unwind_objects_free(struct unwind_objects *objects);

/* Finds the table for a line of the maps of a process, and makes it if it is new. Sets the chunk
 * and the offset of *map, whose chunk becomes UNWIND_NO_CHUNK if there is no call frame
 * information. False: out of memory. */
bool unwind_objects_find(struct unwind_objects *objects, pid_t pid, const struct map_line *line,
			 struct unwind_map *map);
/* The same for a map of a process that has ended, whose file is still at its path. A file of
 * another build-id has no information. */
bool unwind_objects_find_path(struct unwind_objects *objects, struct map_line *line,
			      const struct pk_build_id *id, struct unwind_map *map);

#endif
