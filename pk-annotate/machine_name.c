// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <string.h>

#include "machine_name.h"

struct pk_machine machine_of_name(const char *name)
{
	static const struct {
		const char *prefix;
		struct pk_machine machine;
	} known[] = {
		{"x86_64", {EM_X86_64, true, false}}, {"aarch64", {EM_AARCH64, true, false}},
		{"arm", {EM_ARM, false, false}},      {"s390x", {EM_S390, true, true}},
		{"ppc64le", {EM_PPC64, true, false}}, {"ppc64", {EM_PPC64, true, true}},
		{"riscv64", {EM_RISCV, true, false}}, {"riscv32", {EM_RISCV, false, false}},
		{"i", {EM_386, false, false}},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strncmp(name, known[i].prefix, strlen(known[i].prefix)))
			return known[i].machine;
	return (struct pk_machine){0};
}
