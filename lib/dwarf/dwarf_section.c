// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dwarf_section.h"
#include "elf_image.h"
#include "inflate.h"
#include "pkutil.h"

/* ---- Relocations ---- */

enum operation { SET, ADD, SUBTRACT };

/* How a type of relocation changes the bytes. */
struct rule {
	uint16_t machine;
	uint8_t type, size; /* size: the number of bytes that the relocation changes, or 0 if the
			     * type is unknown */
	enum operation operation;
};

/* The types of relocations, from the processor supplements of the ELF specification.
 * R_AARCH64_ABS64 and R_AARCH64_ABS32 do not fit into 8 bits. They are in rule_of(). */
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

/* Applies the relocations of a relocatable file to the bytes of a section. Before the call, the
 * bytes are as in the file, but decompressed. Relocations of unknown types are ignored. For x86-64,
 * i386, arm64, arm, s390, ppc64 and riscv, all types are known that compilers use for debugging
 * information, except ULEB128 of riscv. */
static void dwarf_relocate(const struct pk_elf *elf, const struct pk_elf_section *section,
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

/* ---- Sections ---- */

enum {
	BLOCK = 4 << 10,
	WHOLE = 64 << 10, /* a section up to this size in bytes is read at once */
	STRING_MAX = 64 << 10,
};

/* Makes room for the whole section. If it is read in blocks, only address space is reserved: pages
 * that are never used need no memory. If all bytes are written, memory of the heap is better,
 * because it has large pages and memory of earlier sections. */
static bool make_room(struct pk_dwarf_section *s, bool in_blocks)
{
	void *data;

	if (s->size >= SIZE_MAX) {
		pk_failed(pk_elf_failures(s->elf), NULL, EFBIG);
		return false;
	}
	if (!in_blocks) {
		s->data = pk_need(pk_elf_failures(s->elf), malloc(s->size + 1));
		return s->data;
	}
	data = mmap(NULL, s->size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (data == MAP_FAILED) {
		pk_failed(pk_elf_failures(s->elf), NULL, errno);
		return false;
	}
	s->data = data;
	s->mapped = s->size;
	return true;
}

void pk_dwarf_section_close(struct pk_dwarf_section *s)
{
	if (s->mapped)
		munmap(s->data, s->mapped);
	else
		free(s->data);
	free(s->blocks);
	*s = (struct pk_dwarf_section){0};
}

enum packing { PLAIN, ZLIB, ZSTD, UNKNOWN };

/* Reads the header of a compressed section. If `gnu` is true, the section is a ".zdebug_" section,
 * which has another header. Sets *size to the decompressed size. */
static enum packing read_compressed_header(struct pk_cursor *c, bool is_64, bool gnu,
					   uint64_t *size)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint32_t type;

	if (gnu) {
		if (!pk_cursor_has(c, 4) || memcmp(c->p, "ZLIB", 4))
			return UNKNOWN;
		c->p += 4;
		c->swap = !big;
		*size = pk_cursor_u64(c);
		return ZLIB;
	}
	type = pk_cursor_u32(c);
	if (is_64)
		pk_cursor_skip(c, 4);
	*size = pk_cursor_uint(c, is_64 ? 8 : 4);
	pk_cursor_skip(c, is_64 ? 8 : 4); /* skips the alignment */
	return type == ELFCOMPRESS_ZLIB ? ZLIB : type == 2 ? ZSTD : UNKNOWN;
}

/* Returns true if the decompressed size is plausible. A wrong number in the file must not cause a
 * large allocation. Compression never shrinks debugging information to less than 1/200 of its size.
 */
static bool is_credible(uint64_t size, uint64_t packed)
{
	return size && size / 200 <= packed + 4096;
}

static bool unzstd(const uint8_t *in, size_t size, struct pk_dwarf_section *s,
		   struct pk_failures *failures)
{
	if (pk_unzstd(in, size, s->data, s->size))
		return true;
	if (errno == ENOMEM)
		pk_failed(failures, NULL, ENOMEM);
	return false;
}

static bool unpack(struct pk_dwarf_section *s, uint64_t packed_size, bool gnu)
{
	struct pk_failures *failures = pk_elf_failures(s->elf);
	uint8_t *packed = pk_elf_bytes(s->elf, s->offset, packed_size);
	enum packing packing;
	struct pk_cursor c;
	bool ok = false;
	size_t left;

	if (!packed)
		return false;
	c = (struct pk_cursor){packed, packed + packed_size, pk_elf_swapped(s->elf), false};
	packing = read_compressed_header(&c, pk_elf_is_64(s->elf), gnu, &s->size);
	left = (size_t)(c.end - c.p);
	if (!c.bad && packing != UNKNOWN && is_credible(s->size, left) && make_room(s, false))
		ok = packing == ZLIB ? pk_inflate(c.p, left, s->data, s->size, failures)
				     : unzstd(c.p, left, s, failures);
	free(packed);
	return ok;
}

static enum pk_status prepare(struct pk_dwarf_section *s)
{
	if (s->offset > pk_elf_size(s->elf) || s->size > pk_elf_size(s->elf) - s->offset)
		return PK_FAILED;
	if (!s->size || !make_room(s, s->size > WHOLE))
		return PK_FAILED;
	if (s->size <= WHOLE)
		return pk_elf_read(s->elf, s->offset, s->data, s->size) ? PK_OK : PK_FAILED;
	s->blocks = pk_need(pk_elf_failures(s->elf), calloc(s->size / BLOCK + 1, 1));
	return s->blocks ? PK_OK : PK_NOMEM;
}

/* Reads the blocks from `first` to `last` that were not read yet. Uses as few reads as possible. */
static bool read_blocks(struct pk_dwarf_section *s, uint64_t first, uint64_t last)
{
	while (first <= last) {
		uint64_t from = first, size;

		if (s->blocks[first++])
			continue;
		while (first <= last && !s->blocks[first])
			first++;
		size = (first - from) * BLOCK;
		if (size > s->size - from * BLOCK)
			size = s->size - from * BLOCK;
		if (!pk_elf_read(s->elf, s->offset + from * BLOCK, s->data + from * BLOCK, size))
			return false;
		memset(s->blocks + from, 1, first - from);
	}
	return true;
}

const uint8_t *pk_dwarf_section_need(struct pk_dwarf_section *s, uint64_t offset, uint64_t size)
{
	if (offset > s->size || size > s->size - offset)
		return NULL;
	if (s->blocks && size && !read_blocks(s, offset / BLOCK, (offset + size - 1) / BLOCK))
		return NULL;
	return s->data ? s->data + offset : NULL;
}

/* Applies relocations to the whole section. Before that, the bytes of a relocatable file are not
 * complete. */
static bool relocate(struct pk_dwarf_section *s, const struct pk_elf_section *section)
{
	if (!pk_dwarf_section_need(s, 0, s->size))
		return false;
	free(s->blocks);
	s->blocks = NULL;
	dwarf_relocate(s->elf, section, s->data, s->size);
	return true;
}

void pk_dwarf_section_open(struct pk_dwarf_section *s, const struct pk_elf *elf, const char *name,
			   bool split)
{
	const char *end = split ? ".dwo" : "";
	const struct pk_elf_section *found;
	bool gnu = false, ok;
	char full[64];

	*s = (struct pk_dwarf_section){.elf = elf};
	snprintf(full, sizeof(full), ".debug_%s%s", name, end);
	found = pk_elf_section(elf, full);
	if (!found) {
		snprintf(full, sizeof(full), ".zdebug_%s%s", name, end);
		found = pk_elf_section(elf, full);
		gnu = true;
	}
	if (!found || found->type == SHT_NOBITS)
		return;
	s->offset = found->offset;
	s->size = found->size;
	ok = gnu || found->flags & SHF_COMPRESSED ? unpack(s, found->size, gnu)
						  : prepare(s) == PK_OK;
	if (ok && pk_elf_relocatable(elf))
		ok = relocate(s, found);
	if (!ok)
		pk_dwarf_section_close(s);
}

struct pk_cursor pk_dwarf_section_cursor(struct pk_dwarf_section *s, uint64_t offset, uint64_t size)
{
	static const uint8_t nothing[1];
	const uint64_t left = offset <= s->size ? s->size - offset : 0;
	const uint8_t *p;

	if (size > left)
		size = left;
	p = size ? pk_dwarf_section_need(s, offset, size) : NULL;
	if (!p)
		return (struct pk_cursor){nothing, nothing, false, true};
	return (struct pk_cursor){p, p + size, pk_elf_swapped(s->elf), false};
}

const char *pk_dwarf_section_string(struct pk_dwarf_section *s, uint64_t offset)
{
	for (uint64_t size = 256; size <= STRING_MAX; size *= 4) {
		struct pk_cursor c = pk_dwarf_section_cursor(s, offset, size);

		if (c.bad)
			return NULL;
		if (memchr(c.p, 0, (size_t)(c.end - c.p)))
			return (const char *)c.p;
	}
	return NULL;
}
