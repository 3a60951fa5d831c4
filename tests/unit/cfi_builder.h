/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CFI_BUILDER_H
#define CFI_BUILDER_H

/* Builds little-endian sections of call frame information byte by byte. */

#include <check.h>
#include <string.h>

#include "cfi.h"

#define SECTION_ADDRESS 0x10000
#define CODE		0x1000 /* address of the function that FUNCTION() describes */
#define CODE_SIZE	0x100

static uint8_t section[4096];
static size_t section_size, entry_at;
static struct pk_cfi *cfi;
static struct pk_cfi_section header; /* .eh_frame_hdr */

static inline void put(const void *bytes, size_t size)
{
	ck_assert_uint_le(section_size + size, sizeof(section));
	memcpy(section + section_size, bytes, size);
	section_size += size;
}

static inline void put_uint(uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		uint8_t byte = (uint8_t)(value >> (8 * i));

		put(&byte, 1);
	}
}

static inline void begin_entry(void)
{
	entry_at = section_size;
	put_uint(0, 4);
}

static inline void end_entry(void)
{
	uint32_t length;

	while ((section_size - entry_at) % 4)
		put_uint(0, 1); /* DW_CFA_nop */
	length = (uint32_t)(section_size - entry_at - 4);
	for (int i = 0; i < 4; i++)
		section[entry_at + (size_t)i] = (uint8_t)(length >> (8 * i));
}

/* Starts .eh_frame with a CIE: code alignment 1, data alignment -8, the letters and the data of its
 * augmentation, and its instructions. */
static inline void cie(const char *letters, const char *data, size_t data_size, uint8_t ra,
		       const void *code, size_t code_size)
{
	section_size = 0;
	begin_entry();
	put_uint(0, 4);
	put_uint(1, 1);
	put(letters, strlen(letters) + 1);
	put("\x01\x78", 2);
	put_uint(ra, 1);
	if (*letters == 'z') {
		put_uint(data_size, 1);
		put(data, data_size);
	}
	put(code, code_size);
	end_entry();
}

/* Adds an FDE that refers to the CIE at the start of the section. Its addresses are absolute and
 * have 8 bytes. */
static inline void fde_at(uint64_t address, bool augmented, const void *code, size_t code_size)
{
	begin_entry();
	put_uint(section_size, 4);
	put_uint(address, 8);
	put_uint(CODE_SIZE, 8);
	if (augmented)
		put_uint(0, 1);
	put(code, code_size);
	end_entry();
}

static inline void finish_with(const char *machine, uint64_t abi, bool debug_frame)
{
	const struct pk_cfi_section there = {section, section_size, SECTION_ADDRESS};
	struct pk_cfi_sections sections = {.header = header};

	*(debug_frame ? &sections.debug_frame : &sections.eh_frame) = there;
	pk_cfi_free(cfi);
	cfi = pk_cfi_new(pk_cfi_machine_find(machine, abi), &sections);
	ck_assert_ptr_nonnull(cfi);
}

static inline void finish_section(void)
{
	finish_with("x86_64", 2, false);
}

/* CFA = rsp + 8, and the return address is at CFA - 8. These rules are true at the start of every
 * function on x86-64. */
#define X86_64_CODE "\x0c\x07\x08\x90\x01"

/* Builds .eh_frame with one function, whose FDE has these instructions. */
#define FUNCTION(code)                                                                             \
	do {                                                                                       \
		cie("", "", 0, 16, X86_64_CODE, 5);                                                \
		fde_at(CODE, false, code, sizeof(code) - 1);                                       \
		finish_section();                                                                  \
	} while (0)

static inline struct pk_cfi_row row_at(uint64_t address)
{
	struct pk_cfi_row row;

	ck_assert_int_eq(pk_cfi_find(cfi, address, &row), PK_CFI_OK);
	return row;
}

static inline void expect_bad(uint64_t address)
{
	struct pk_cfi_row row;

	ck_assert_int_eq(pk_cfi_find(cfi, address, &row), PK_CFI_BAD);
}

static inline void expect_none(uint64_t address)
{
	struct pk_cfi_row row;

	ck_assert_int_eq(pk_cfi_find(cfi, address, &row), PK_CFI_NONE);
}

static inline void expect_cfa(const struct pk_cfi_row *row, unsigned int reg, int n)
{
	ck_assert_int_eq(row->cfa.kind, PK_CFI_VAL_OFFSET);
	ck_assert_uint_eq(row->cfa.reg, reg);
	ck_assert_int_eq(row->cfa.n, n);
}

/* Checks the rule of the register. If there must be no rule, `kind` is PK_CFI_SAME. */
static inline void expect_rule(const struct pk_cfi_row *row, unsigned int reg,
			       enum pk_cfi_rule_kind kind, int n)
{
	struct pk_cfi_rule rule = {(uint8_t)reg, PK_CFI_SAME, 0};

	for (unsigned int i = 0; i < row->count; i++)
		if (row->rules[i].reg == reg)
			rule = row->rules[i];
	ck_assert_int_eq(rule.kind, kind);
	if (kind != PK_CFI_SAME && kind != PK_CFI_UNDEFINED)
		ck_assert_int_eq(rule.n, n);
}

static inline void free_cfi(void)
{
	pk_cfi_free(cfi);
	cfi = NULL;
}

#endif
