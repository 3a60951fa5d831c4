// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "machine.h"
#include "stream_builder.h"

static void expect(const char *name, uint16_t elf, uint8_t word, uint8_t byte_order)
{
	const struct pk_machine_kind *kind = pk_machine_named(name, SIZE_MAX);

	ck_assert_msg(kind && kind->elf == elf && kind->word == word &&
			      kind->byte_order == byte_order,
		      "%s", name);
}

START_TEST(names)
{
	expect("x86_64", EM_X86_64, 8, ELFDATA2LSB);
	expect("i386", EM_386, 4, ELFDATA2LSB);
	expect("i686", EM_386, 4, ELFDATA2LSB);
	expect("armv7l", EM_ARM, 4, ELFDATA2LSB);
	expect("armv7b", EM_ARM, 4, ELFDATA2MSB);
	expect("aarch64", EM_AARCH64, 8, ELFDATA2LSB);
	expect("arm64", EM_AARCH64, 8, ELFDATA2LSB);
	expect("s390x", EM_S390, 8, ELFDATA2MSB);
	expect("s390", EM_S390, 4, ELFDATA2MSB);
	expect("ppc64", EM_PPC64, 8, ELFDATA2MSB);
	expect("ppc64le", EM_PPC64, 8, ELFDATA2LSB);
	expect("mips64", EM_MIPS, 8, ELFDATANONE);
	expect("loongarch64", EM_LOONGARCH, 8, ELFDATA2LSB);
}
END_TEST

/* A prefix of a name does not match. */
START_TEST(unknown)
{
	static const char *const wrong[] = {"",	   "i",	       "ia64",	"x86_64-mine",
					    "x86", "arm-mine", "X86_64"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(!pk_machine_named(wrong[i], SIZE_MAX), "%s", wrong[i]);
	ck_assert_ptr_null(pk_machine_named("x86_64", 5));
	ck_assert_ptr_nonnull(pk_machine_named("x86_64/", 6));
	ck_assert_ptr_nonnull(pk_machine_named("s390x\0\0", 7));
}
END_TEST

START_TEST(numbers)
{
	ck_assert_str_eq(pk_machine_of_elf(EM_X86_64)->names[0], "x86_64");
	ck_assert_str_eq(pk_machine_of_elf(EM_386)->names[0], "i386");
	ck_assert_str_eq(pk_machine_of_elf(EM_AARCH64)->names[0], "aarch64");
	ck_assert_str_eq(pk_machine_of_elf(EM_S390)->names[0], "s390x");
	ck_assert_uint_eq(pk_machine_of_elf(EM_RISCV)->word, 8);
	ck_assert_ptr_null(pk_machine_of_elf(EM_NONE));
	ck_assert_ptr_null(pk_machine_of_elf(UINT32_MAX));
}
END_TEST

RUN_TESTS("machine", names, unknown, numbers)
