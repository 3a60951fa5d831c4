/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_LIBRARY_H
#define PK_RECORD_BPF_LIBRARY_H

/* Objects of BPF programs. libbpf reads an object, loads its programs and maps into the kernel, and
 * attaches the programs. An object belongs to the user, or to pk-record itself. The objects of
 * pk-record are compiled from pk-record/bpf. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages.h"
#include "raw_format.h"

struct bpf_library; /* an object */

/* The owner of an object: the user or pk-record. Messages about the object use these texts. */
struct bpf_owner {
	const char *option; /* the option of pk-record that needs the object */
	/* The user's name of the object; NULL if the object belongs to pk-record. */
	const char *label;
	/* What the user can record without the object; messages recommend it. */
	const char *instead;
};

/* Reads an object from memory. Copies `data`, but not the texts of the owner, which must stay
 * valid. If this fails, adds a message and returns NULL. */
struct bpf_library *bpf_library_open(const void *data, size_t size, const struct bpf_owner *owner,
				     struct pk_messages *messages);
/* Reads the object that was compiled from pk-record/bpf/NAME.bpf.c, and that is a part of this
 * program. If this fails, adds a message and returns NULL. */
struct bpf_library *bpf_library_open_own(const char *name, const struct bpf_owner *owner,
					 struct pk_messages *messages);
void bpf_library_close(struct bpf_library *object);

/* A BPF map of an object. */
struct bpf_library_map {
	const char *name;
	uint32_t type; /* enum bpf_map_type */
	uint32_t key_size, value_size, entries;
	uint32_t key_type,
		value_type; /* BTF type ids of the keys and values; 0 if they are unknown */
	int fd;		    /* file descriptor of the map; -1 before the map is loaded */
};
/* Sets *map to a map of the object. `index` counts from 0, and does not count the maps that libbpf
 * creates for sections such as ".rodata". Returns false if there is no map with this index. */
bool bpf_library_map_at(const struct bpf_library *object, size_t index,
			struct bpf_library_map *map);
/* Returns the initial content of a section with variables, such as ".rodata". The caller can change
 * it before the object is loaded. Returns NULL if there is no such section. */
uint8_t *bpf_library_section(const struct bpf_library *object, const char *section, size_t *size);
/* Returns the file descriptor of the map that has the variables of a section. Returns -1 if there
 * is no such map. */
int bpf_library_section_map(const struct bpf_library *object, const char *section);

/* ---- Types of the user's objects, from the BTF that clang -g adds ---- */

/* Returns the BTF type id of a struct. Returns 0 if the object has no struct with this name. */
uint32_t bpf_library_find_struct(const struct bpf_library *object, const char *name);

/* A global variable of an object: its section, such as ".rodata", its place and size in the section
 * in bytes, and its BTF type id. */
struct bpf_library_variable {
	const char *section;
	uint32_t offset, size;
	uint32_t type;
};
/* Returns false if the object has no variable with this name. */
bool bpf_library_find_variable(const struct bpf_library *object, const char *name,
			       struct bpf_library_variable *variable);

/* Describes a type as a layout of fields. The fields of a struct or union are its members, and the
 * members of its members, whose names are joined by "_". Any other type becomes one field with the
 * name `name`. Bit-fields, members without a size and floating-point numbers are left out. Returns
 * false if the type is malformed, or larger than BPF_TYPE_SIZE_MAX. */
#define BPF_TYPE_SIZE_MAX 65535
bool bpf_library_describe(const struct bpf_library *object, uint32_t type, const char *name,
			  struct pk_raw_layout *layout);

/* ---- Types of loaded programs ---- */

struct bpf_types;

/* Reads a set of BTF types from the kernel. `number` is the BTF id of the set, which the
 * information about a loaded program contains. If this fails, sets errno and returns NULL. */
struct bpf_types *bpf_types_open(uint32_t number);
void bpf_types_close(struct bpf_types *types);
/* Returns the name of the function whose BTF type id is `type`. Returns NULL if there is no such
 * function. The name is valid until bpf_types_close(). */
const char *bpf_types_function(const struct bpf_types *types, uint32_t type);

/* ---- Objects of pk-record itself. Callers know the names of their maps and programs. ---- */

/* Sets the variable `settings`, which must be the whole section .rodata. Call it before the object
 * is loaded. */
void bpf_library_set(struct bpf_library *object, const void *settings, size_t size);
/* Sets the value size, the number of entries and the flags of a map. If value_size is 0, keeps the
 * value size that the source of the BPF program gives. Call it before the object is loaded. */
void bpf_library_shape_map(struct bpf_library *object, const char *map, uint32_t value_size,
			   uint32_t entries, uint32_t flags);
/* Excludes a program, so that it is not loaded. Call it before the object is loaded. */
void bpf_library_leave_out(struct bpf_library *object, const char *program);
/* These functions return the descriptor of a map or of a program. Call them after the object was
 * loaded. */
int bpf_library_map(const struct bpf_library *object, const char *map);
int bpf_library_program(const struct bpf_library *object, const char *program);

/* ---- Loading ---- */

/* Loads the programs and maps into the kernel. If this fails, adds a message and returns PK_FAILED.
 */
PK_MUST_CHECK enum pk_status bpf_library_start(struct bpf_library *object,
					       struct pk_messages *messages);
/* Attaches all programs to the targets that their sections name. Does not attach the programs of
 * pk-record that run for perf events, because their callers attach them to the events. If this
 * fails, adds a message and returns PK_FAILED. */
PK_MUST_CHECK enum pk_status bpf_library_attach(struct bpf_library *object,
						struct pk_messages *messages);
/* Detaches all programs that bpf_library_attach() attached. */
void bpf_library_detach(struct bpf_library *object);

#endif
