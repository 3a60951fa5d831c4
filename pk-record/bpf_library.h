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

/* The owner of an object, for messages. */
struct bpf_owner {
	const char *option;  /* the option that needs the object */
	const char *label;   /* the user's name of the object; NULL if it belongs to pk-record */
	const char *instead; /* what can be recorded without the object */
};

/* Reads an object. Copies the data, but not the texts of the owner. Returns NULL after it has added
 * a message. */
struct bpf_library *bpf_library_open(const void *data, size_t size, const struct bpf_owner *owner,
				     struct pk_messages *messages);
/* Reads the object of pk-record/bpf/NAME.bpf.c (bpf_own.c). Returns NULL after it has added a
 * message. */
struct bpf_library *bpf_library_open_own(const char *name, const struct bpf_owner *owner,
					 struct pk_messages *messages);
void bpf_library_close(struct bpf_library *object);

struct bpf_library_map {
	const char *name;
	uint32_t type; /* enum bpf_map_type */
	uint32_t key_size, value_size, entries;
	uint32_t key_type, value_type; /* numbers of types; 0 if unknown */
	int fd;			       /* -1 before the map is loaded */
};
/* Sets *map to the map with this index, which starts at 0. Maps of sections are not counted.
 * Returns false if there is no map with this index. */
bool bpf_library_map_at(const struct bpf_library *object, size_t index,
			struct bpf_library_map *map);
/* Returns the initial content of a section with variables, such as ".rodata". The caller can change
 * it before the object is loaded. Returns NULL if there is no such section. */
uint8_t *bpf_library_section(const struct bpf_library *object, const char *section, size_t *size);
/* Returns the descriptor of the map of a section. Returns -1 if there is no such map. */
int bpf_library_section_map(const struct bpf_library *object, const char *section);

/* ---- Types of the user's objects, from the BTF that clang -g adds ---- */

/* Returns the number of the type of a struct. Returns 0 if the object has no struct with this name.
 */
uint32_t bpf_library_find_struct(const struct bpf_library *object, const char *name);

/* A global variable, and its place in a section, such as ".rodata". */
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

/* Reads the types with this number from the kernel. If it fails, sets errno and returns NULL. */
struct bpf_types *bpf_types_open(uint32_t number);
void bpf_types_close(struct bpf_types *types);
/* The name of a function, by the number of its type. Returns NULL if there is none. It is valid as
 * long as the types. */
const char *bpf_types_function(const struct bpf_types *types, uint32_t type);

/* ---- Objects of pk-record itself: their maps and programs have these names ---- */

/* Sets the variable `settings`, which must be the whole section .rodata. Call it before the object
 * is loaded. */
void bpf_library_set(struct bpf_library *object, const void *settings, size_t size);
/* Sets the sizes and flags of a map. If value_size is 0, keeps the size of values that the program
 * gives. Call it before the object is loaded. */
void bpf_library_shape_map(struct bpf_library *object, const char *map, uint32_t value_size,
			   uint32_t entries, uint32_t flags);
/* Excludes a program, so that it is not loaded. Call it before the object is loaded. */
void bpf_library_leave_out(struct bpf_library *object, const char *program);
/* These functions return the descriptor of a map or of a program. Call them after the object was
 * loaded. */
int bpf_library_map(const struct bpf_library *object, const char *map);
int bpf_library_program(const struct bpf_library *object, const char *program);

/* ---- Loading ---- */

/* Loads the programs and maps. Returns PK_FAILED after it has added a message. */
PK_MUST_CHECK enum pk_status bpf_library_start(struct bpf_library *object,
					       struct pk_messages *messages);
/* Attaches all programs to the targets that their sections name. Leaves out programs of pk-record
 * that run for perf events. Returns PK_FAILED after it has added a message. */
PK_MUST_CHECK enum pk_status bpf_library_attach(struct bpf_library *object,
						struct pk_messages *messages);
/* Detaches all programs that bpf_library_attach() attached. */
void bpf_library_detach(struct bpf_library *object);

#endif
