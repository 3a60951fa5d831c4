/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_OBJECTS_H
#define PK_RECORD_UNWIND_OBJECTS_H

/* The files with code, for --call-graph unwind. All processes that map a file share its unwind
 * rules. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "interpreters.h"
#include "pkstream.h"
#include "synthesize.h"
#include "table.h"
#include "unwind_arena.h"

struct unwind_object;
struct pk_build_id;

/* All files with code that were found so far. */
struct unwind_objects {
	struct unwind_arenas *arenas;
	struct interpreter_layouts layouts;
	struct unwind_object *items;
	size_t count, capacity;
	struct pk_table by_key; /* index in `items` plus 1, by the hash of the file's key (struct
				 * unwind_file) */
	struct unwind_object_code *codes; /* memory of the BPF map `objects` */
	struct unwind_numbers *numbers;	  /* memory of the BPF map `numbers` */
	int files;			  /* descriptor of the BPF map `files` */
};

/* Maps the memory of the BPF maps `objects` (codes) and `numbers`, and makes the table of the vDSO.
 * The parameters are descriptors of BPF maps. Returns false and sets errno if this fails. */
bool unwind_objects_init(struct unwind_objects *objects, struct unwind_arenas *arenas, int codes,
			 int numbers, int files);
void unwind_objects_free(struct unwind_objects *objects);

/* Sets *object to the object for a line of /proc/PID/maps. Reads the file if it is new. The object
 * is valid until the next call of this function or the next one. */
enum pk_status unwind_objects_find(struct unwind_objects *objects, pid_t pid,
				   const struct map_line *line, struct unwind_object **object);
/* Like unwind_objects_find(), for a process that has ended. Reads the file from its path. Sets
 * *object to NULL if there is no file, or if the file has another build-id than `id`. */
enum pk_status unwind_objects_find_path(struct unwind_objects *objects, struct map_line *line,
					const struct pk_build_id *id,
					struct unwind_object **object);

/* Returns true if the file with this number is not loaded yet. */
bool unwind_objects_needs(const struct unwind_objects *objects, uint32_t number);
/* If the file with this number is not loaded, lets the BPF programs request it again. */
void unwind_objects_ask_again(struct unwind_objects *objects, uint32_t number);
/* Tells the BPF programs that the file with this number is `object`. From then on, they use its
 * rules. */
void unwind_objects_link(struct unwind_objects *objects, uint32_t number,
			 struct unwind_object *object);
/* Returns the number that identifies an object. If the object has no number, gives it the next one.
 * Returns 0 if there are no more numbers. */
uint32_t unwind_objects_number(struct unwind_objects *objects, struct unwind_object *object);
/* Makes the chunk with this number, which can belong to any object. */
void unwind_objects_make(struct unwind_objects *objects, uint32_t chunk);
/* Makes all chunks of an object. */
void unwind_objects_make_all(struct unwind_objects *objects, struct unwind_object *object);
/* Returns the rule for an address in a map. If the chunk of the address is not made yet, makes it.
 */
const struct pk_unwind_rule *unwind_objects_rule(struct unwind_objects *objects,
						 const struct unwind_map *map, uint64_t address);

#endif
