/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_INTERPRETER_FILE_H
#define PK_RECORD_INTERPRETER_FILE_H

/* Reads the ELF files of interpreters. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf_image.h"

/* Calls note() for the symbols of a type (STT_*) that a section with symbols defines. */
void interpreter_file_symbols(const struct pk_elf *elf, const char *section, unsigned int type,
			      void (*note)(void *arg, const char *name,
					   const struct pk_elf_symbol *symbol),
			      void *arg);
/* Copies the bytes at a virtual address of the file. Returns false if they are not in the file. */
bool interpreter_file_read(const struct pk_elf *elf, uint64_t address, void *to, size_t size);

#endif
