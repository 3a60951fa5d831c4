/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_LIBRARY_H
#define PK_RECORD_BPF_LIBRARY_H

/* libbpf, which is loaded when it is needed: it reads a BPF object, loads its programs and maps
 * into the kernel, and attaches the programs. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages.h"

struct bpf_library; /* an object */

/* Loads libbpf itself. False after a message. */
bool bpf_library_load(struct pk_messages *messages);

/* Reads an object. The data is copied. label: its name in messages. NULL after a message. */
struct bpf_library *bpf_library_open(const void *data, size_t size, const char *label,
				     struct pk_messages *messages);
void bpf_library_close(struct bpf_library *object);

/* The BTF of the object, borrowed. NULL: it has none. */
const void *bpf_library_types(const struct bpf_library *object, size_t *size);

struct bpf_library_map {
	const char *name;
	uint32_t type; /* enum bpf_map_type */
	uint32_t key_size, value_size, entries;
	uint32_t key_type, value_type; /* in the BTF; 0: unknown */
	int fd;			       /* -1: not loaded yet */
};
/* The map at this index, 0, 1 ..., without those of sections. False: there are no more. */
bool bpf_library_map_at(const struct bpf_library *object, size_t index,
			struct bpf_library_map *map);
/* The initial content of a section with variables, such as ".rodata", which can be changed before
 * the object is loaded. NULL: there is none. */
uint8_t *bpf_library_section(const struct bpf_library *object, const char *section, size_t *size);
/* The descriptor of the map of a section; -1: there is none. */
int bpf_library_section_map(const struct bpf_library *object, const char *section);

/* Loads the programs and maps. False after a message. */
bool bpf_library_start(struct bpf_library *object, struct pk_messages *messages);
/* Attaches all programs by their sections. False after a message. */
bool bpf_library_attach(struct bpf_library *object, struct pk_messages *messages);

#endif
