/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_BUILD_ID_H
#define PK_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failures.h"

#define PK_BUILD_ID_MAX 20
#define PK_BUILD_ID_HEX (2 * PK_BUILD_ID_MAX + 1)

/* A build-id, and its size in bytes. */
struct pk_build_id {
	uint8_t size; /* 0 if there is no build-id */
	uint8_t bytes[PK_BUILD_ID_MAX];
};

/* Finds the GNU build-id in a sequence of ELF notes. ELF notes are in /sys/kernel/notes, in
 * /sys/module/X/notes/.note.gnu.build-id, and in a section or segment of type NOTE. The byte order
 * of the notes can be either one. Returns false if there is no build-id. */
bool pk_build_id_of_notes(const void *notes, size_t size, struct pk_build_id *id);

/* Finds the build-id of a regular file, which is an ELF object of any machine, or a file of notes
 * in /sys. Returns false if the file has no build-id, does not exist, or could not be read. A
 * failed read is counted in `failures`, which may be NULL. */
bool pk_build_id_of_file(const char *path, struct pk_build_id *id, struct pk_failures *failures);

struct pk_elf;

/* Finds the build-id of an ELF file. A longer build-id is cut to 20 bytes. If the file has none,
 * returns false, and id->size is 0. */
bool pk_elf_build_id(const struct pk_elf *elf, struct pk_build_id *id);

/* Compares two build-ids. Trailing zeros do not matter, because old streams pad build-ids of less
 * than 20 bytes with zeros. An unknown build-id (of size 0) is not equal to any other. */
bool pk_build_id_equal(const struct pk_build_id *a, const struct pk_build_id *b);

/* Formats a build-id as lower-case hexadecimal. */
void pk_build_id_format(const struct pk_build_id *id, char hex[PK_BUILD_ID_HEX]);

#endif
