/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MACHINE_H
#define PK_MACHINE_H

/* The kinds of machines. Each kind has the number that ELF uses, and the names that uname(2) and
 * perf use. Data that only one module needs for a machine is in that module, with the ELF number as
 * its key. */

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

/* A kind of machine: its ELF number, its word size, and its names. */
struct pk_machine_kind {
	uint16_t elf;	       /* a constant EM_* */
	uint8_t word;	       /* size of an address in bytes */
	uint8_t byte_order;    /* ELFDATA2LSB or ELFDATA2MSB. It is ELFDATANONE if machines of both
				* byte orders have these names. */
	const char *names[12]; /* The last item is NULL. */
};

/* Finds a machine by one of its names. The name ends after `size` bytes or at a NUL. Returns NULL
 * if the name is unknown. */
const struct pk_machine_kind *pk_machine_named(const char *name, size_t size);
/* Returns the kind with this number. If several kinds have this number (ppc64le and ppc64), returns
 * the most common kind. Returns NULL if the number is unknown. */
const struct pk_machine_kind *pk_machine_of_elf(uint32_t elf);

#endif
