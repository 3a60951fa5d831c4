// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "machine.h"

/* If several kinds have the same number, the most common kind comes first, because
 * pk_machine_of_elf() returns the first kind. */
static const struct pk_machine_kind kinds[] = {
	{EM_X86_64, 8, ELFDATA2LSB, {"x86_64"}},
	{EM_386, 4, ELFDATA2LSB, {"i386", "i486", "i586", "i686"}},
	{EM_AARCH64, 8, ELFDATA2LSB, {"aarch64", "arm64"}},
	{EM_AARCH64, 8, ELFDATA2MSB, {"aarch64_be"}},
	{EM_ARM,
	 4,
	 ELFDATA2LSB,
	 {"arm", "armv4l", "armv4tl", "armv5l", "armv5tl", "armv5tel", "armv5tejl", "armv6l",
	  "armv7l", "armv7ml", "armv8l"}},
	{EM_ARM,
	 4,
	 ELFDATA2MSB,
	 {"armeb", "armv4b", "armv4tb", "armv5b", "armv5tb", "armv5teb", "armv5tejb", "armv6b",
	  "armv7b", "armv8b"}},
	{EM_S390, 8, ELFDATA2MSB, {"s390x"}},
	{EM_S390, 4, ELFDATA2MSB, {"s390"}},
	{EM_PPC64, 8, ELFDATA2LSB, {"ppc64le"}},
	{EM_PPC64, 8, ELFDATA2MSB, {"ppc64"}},
	{EM_PPC, 4, ELFDATA2MSB, {"ppc"}},
	{EM_RISCV, 8, ELFDATA2LSB, {"riscv64"}},
	{EM_RISCV, 4, ELFDATA2LSB, {"riscv32"}},
	{EM_LOONGARCH, 8, ELFDATA2LSB, {"loongarch64"}},
	{EM_LOONGARCH, 4, ELFDATA2LSB, {"loongarch32"}},
	{EM_MIPS, 8, ELFDATANONE, {"mips64"}},
	{EM_MIPS, 4, ELFDATANONE, {"mips"}},
	{EM_SPARCV9, 8, ELFDATA2MSB, {"sparc64"}},
	{EM_SPARC, 4, ELFDATA2MSB, {"sparc"}},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const struct pk_machine_kind *pk_machine_named(const char *name, size_t size)
{
	const size_t length = strnlen(name, size);

	for (size_t i = 0; i < KINDS; i++)
		for (const char *const *known = kinds[i].names; *known; known++)
			if (strlen(*known) == length && !memcmp(*known, name, length))
				return &kinds[i];
	return NULL;
}

const struct pk_machine_kind *pk_machine_of_elf(uint32_t elf)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].elf == elf)
			return &kinds[i];
	return NULL;
}
