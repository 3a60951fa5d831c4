/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_OBJECTS_H
#define PK_RECORD_UNWIND_OBJECTS_H

/* The files with code for --call-graph unwind. All processes that map a file share its rows. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "pkstream.h"
#include "python_layout.h"
#include "synthesize.h"
#include "table.h"
#include "unwind_arena.h"

struct unwind_object;
struct pk_build_id;

struct unwind_objects {
	struct unwind_arenas *arenas;
	struct python_layouts layouts;
	struct unwind_object *items;
	size_t count, capacity;
	struct pk_table by_key;		  /* indexes plus 1, by hash of the key */
	struct unwind_object_code *codes; /* memory of the map `objects` */
	struct unwind_numbers *numbers;	  /* that of the map `numbers` */
	int files;			  /* the map `files` */
};

/* Maps the memory of these maps, and makes the table of the vDSO. Returns false with errno. */
bool unwind_objects_init(struct unwind_objects *objects, struct unwind_arenas *arenas, int codes,
			 int numbers, int files);
void unwind_objects_free(struct unwind_objects *objects);

/* Finds the object for a line of the maps of a process, and reads the file if it is new. It is
 * valid until the next call. */
enum pk_status unwind_objects_find(struct unwind_objects *objects, pid_t pid,
				   const struct map_line *line, struct unwind_object **object);
/* The same for a map of a process that has ended, whose file is still at its path. *object becomes
 * NULL if there is none, or one of another build-id. */
enum pk_status unwind_objects_find_path(struct unwind_objects *objects, struct map_line *line,
					const struct pk_build_id *id,
					struct unwind_object **object);

/* Whether a number has no object yet. */
bool unwind_objects_needs(const struct unwind_objects *objects, uint32_t number);
/* Lets the programs ask for the object of a number again, if it has none. */
void unwind_objects_ask_again(struct unwind_objects *objects, uint32_t number);
/* Tells the programs the object of a number. */
void unwind_objects_link(struct unwind_objects *objects, uint32_t number,
			 struct unwind_object *object);
/* The number of an object, which it gets if it has none. 0: there are no more. */
uint32_t unwind_objects_number(struct unwind_objects *objects, struct unwind_object *object);
/* Makes the rows of a chunk, of any object. */
void unwind_objects_make(struct unwind_objects *objects, uint32_t chunk);
/* Makes all rows of an object. */
void unwind_objects_make_all(struct unwind_objects *objects, struct unwind_object *object);
/* The rule of an address in a map. */
const struct pk_unwind_rule *unwind_objects_rule(struct unwind_objects *objects,
						 const struct unwind_map *map, uint64_t address);

#endif
