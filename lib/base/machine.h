/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_MACHINE_H
#define PK_MACHINE_H

/* The kinds of machines, by the numbers of ELF and the names of uname(2), which perf also uses.
 * Data of a machine that only one module needs is in that module, by ELF number. */

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

struct pk_machine_kind {
	uint16_t elf;	       /* EM_* */
	uint8_t word;	       /* bytes of an address */
	uint8_t byte_order;    /* ELFDATA2LSB, ELFDATA2MSB; ELFDATANONE: the name does not determine
				* it */
	const char *names[12]; /* ends with NULL */
};

/* Finds a machine by one of its names, which ends after size bytes or at a NUL. Returns NULL if it
 * is unknown. */
const struct pk_machine_kind *pk_machine_named(const char *name, size_t size);
/* The kind with this number. If there are several (ppc64le, ppc64), the most common one. Returns
 * NULL if it is unknown. */
const struct pk_machine_kind *pk_machine_of_elf(uint32_t elf);

#endif
