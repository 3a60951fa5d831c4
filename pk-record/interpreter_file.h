/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_INTERPRETER_FILE_H
#define PK_RECORD_INTERPRETER_FILE_H

/* Reads the ELF files of interpreters. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf_image.h"

/* Copies the bytes at a virtual address of the file. Returns false if they are not in the file. */
bool interpreter_file_read(const struct pk_elf *elf, uint64_t address, void *to, size_t size);

/* The addresses at which functions start, or parts of functions, in ascending order. They are from
 * .eh_frame_hdr, because many files have no symbols of internal functions. */
struct interpreter_starts {
	uint8_t *header; /* .eh_frame_hdr */
	const uint8_t
		*table; /* pairs of 4 bytes: the address relative to `base`, and another one */
	uint64_t base;
	size_t count;
};

/* Reads the starts. If there are none, the count is 0. The caller must free starts->header. */
void interpreter_starts_read(const struct pk_elf *elf, struct interpreter_starts *starts);
uint64_t interpreter_start(const struct interpreter_starts *starts, size_t i);
/* Returns the number of starts at or before an address. */
size_t interpreter_starts_before(const struct interpreter_starts *starts, uint64_t address);

/* A range of addresses in the file. */
struct interpreter_range {
	uint64_t start, size;
};

/* Returns the range from start number `number`, minus 1, to the next start. */
struct interpreter_range interpreter_range_of(const struct interpreter_starts *starts,
					      size_t number);
/* Finds the part of a function that the compiler has moved away from it, because it rarely runs.
 * The function jumps into the middle of this part. Returns a range of size 0 if there is none. */
struct interpreter_range interpreter_cold_part(const struct pk_elf *elf, uint64_t function,
					       uint64_t size);

#endif
