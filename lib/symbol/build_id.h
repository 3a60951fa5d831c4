/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BUILD_ID_H
#define PK_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

#define PK_BUILD_ID_MAX 20
#define PK_BUILD_ID_HEX (2 * PK_BUILD_ID_MAX + 1)

struct pk_build_id {
	uint8_t size; /* 0: none */
	uint8_t bytes[PK_BUILD_ID_MAX];
};

/* The GNU build-id in a sequence of ELF notes: /sys/kernel/notes,
 * /sys/module/X/notes/.note.gnu.build-id, a section or segment of type NOTE. Either byte order.
 * False: none. */
bool pk_build_id_of_notes(const void *notes, size_t size, struct pk_build_id *id);

/* The build-id of a regular file: an ELF object of any machine, or a file of notes in /sys. Returns
 * false if it has none, does not exist, or could not be read. A failed read is counted in failures,
 * which may be NULL. */
bool pk_build_id_of_file(const char *path, struct pk_build_id *id, struct pk_failures *failures);

struct pk_elf;

/* The build-id of an ELF file, cut to 20 bytes. Returns false if it has none. id->size is 0
 * then. */
bool pk_elf_build_id(const struct pk_elf *elf, struct pk_build_id *id);

/* Old streams pad build-ids of less than 20 bytes with zeros: trailing zeros do not matter. An
 * unknown build-id (size 0) is not equal to any. */
bool pk_build_id_equal(const struct pk_build_id *a, const struct pk_build_id *b);

/* Formats as lower-case hexadecimal. */
void pk_build_id_format(const struct pk_build_id *id, char hex[PK_BUILD_ID_HEX]);

#endif
