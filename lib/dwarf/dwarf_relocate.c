// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>

#include "dwarf_relocate.h"

enum operation { SET, ADD, SUBTRACT };

struct rule {
	uint16_t machine;
	uint8_t type, size; /* bytes; 0: no rule */
	enum operation operation;
};

/* The processor supplements of the ELF specification. R_AARCH64_ABS64 and _ABS32 do not fit into 8
 * bits: see rule_of(). */
static const struct rule rules[] = {
	{EM_X86_64, R_X86_64_64, 8, SET},
	{EM_X86_64, R_X86_64_32, 4, SET},
	{EM_X86_64, R_X86_64_32S, 4, SET},
	{EM_386, R_386_32, 4, SET},
	{EM_ARM, R_ARM_ABS32, 4, SET},
	{EM_S390, R_390_64, 8, SET},
	{EM_S390, R_390_32, 4, SET},
	{EM_PPC64, R_PPC64_ADDR64, 8, SET},
	{EM_PPC64, R_PPC64_ADDR32, 4, SET},
	{EM_RISCV, R_RISCV_64, 8, SET},
	{EM_RISCV, R_RISCV_32, 4, SET},
	{EM_RISCV, R_RISCV_SET32, 4, SET},
	{EM_RISCV, R_RISCV_SET16, 2, SET},
	{EM_RISCV, R_RISCV_SET8, 1, SET},
	{EM_RISCV, R_RISCV_ADD64, 8, ADD},
	{EM_RISCV, R_RISCV_ADD32, 4, ADD},
	{EM_RISCV, R_RISCV_ADD16, 2, ADD},
	{EM_RISCV, R_RISCV_ADD8, 1, ADD},
	{EM_RISCV, R_RISCV_SUB64, 8, SUBTRACT},
	{EM_RISCV, R_RISCV_SUB32, 4, SUBTRACT},
	{EM_RISCV, R_RISCV_SUB16, 2, SUBTRACT},
	{EM_RISCV, R_RISCV_SUB8, 1, SUBTRACT},
};

static struct rule rule_of(unsigned machine, uint32_t type)
{
	if (machine == EM_AARCH64 && (type == R_AARCH64_ABS64 || type == R_AARCH64_ABS32))
		return (struct rule){.size = type == R_AARCH64_ABS64 ? 8 : 4};
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].machine == machine && rules[i].type == type)
			return rules[i];
	return (struct rule){0};
}

static uint64_t get(const uint8_t *p, unsigned size, bool big)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value = value << 8 | p[big ? i : size - 1 - i];
	return value;
}

static void put(uint8_t *p, unsigned size, bool big, uint64_t value)
{
	for (unsigned i = 0; i < size; i++, value >>= 8)
		p[big ? size - 1 - i : i] = (uint8_t)value;
}

static void apply(const struct pk_elf *elf, const struct pk_elf_section *list,
		  const struct pk_elf_records *symbols, uint8_t *bytes, uint64_t size)
{
	const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != pk_elf_swapped(elf);
	const struct pk_elf_records records = pk_elf_relocations(elf, list);
	const unsigned machine = pk_elf_machine(elf);

	for (size_t i = 0; i < records.count; i++) {
		const struct pk_elf_relocation r = pk_elf_relocation(&records, i);
		const struct rule rule = rule_of(machine, r.type);
		uint64_t value = r.addend, before;

		if (!rule.size || r.offset > size || rule.size > size - r.offset ||
		    r.symbol >= symbols->count)
			continue;
		value += pk_elf_symbol(elf, symbols, r.symbol).value;
		before = get(bytes + r.offset, rule.size, big);
		if (rule.operation == ADD || (rule.operation == SET && !records.addends))
			value += before;
		else if (rule.operation == SUBTRACT)
			value = before - value;
		put(bytes + r.offset, rule.size, big, value);
	}
}

void pk_dwarf_relocate(const struct pk_elf *elf, const struct pk_elf_section *section,
		       uint8_t *bytes, uint64_t size)
{
	const struct pk_elf_section *sections;
	struct pk_elf_records symbols;
	size_t count;

	sections = pk_elf_sections(elf, &count);
	for (size_t i = 1; i < count; i++) {
		const struct pk_elf_section *s = &sections[i];

		if ((s->type != SHT_RELA && s->type != SHT_REL) || s->info >= count ||
		    &sections[s->info] != section || s->link >= count)
			continue;
		symbols = pk_elf_symbols(elf, &sections[s->link]);
		apply(elf, s, &symbols, bytes, size);
	}
}
