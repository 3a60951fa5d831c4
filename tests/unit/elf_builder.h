/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds small ELF files of any class and byte order, byte by byte. */
#ifndef ELF_BUILDER_H
#define ELF_BUILDER_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct built_symbol {
	const char *name;
	uint64_t value, size;
	uint8_t bind, type, visibility;
	uint16_t section; /* index of the section (enum below), or one of SHN_* */
};

struct built_segment {
	uint64_t offset, vaddr, filesz, memsz;
};

/* The sections of every file that is built, by index. */
enum {
	BUILT_TEXT = 1, /* 0x1000 bytes from the start of the first segment */
	BUILT_OTHER,	/* ".other", with the same addresses as BUILT_TEXT */
	BUILT_COMMENT,	/* not loaded into memory */
	BUILT_SYMTAB,
	BUILT_STRTAB,
	BUILT_NAMES,
	BUILT_NOTE,
	BUILT_LINK, /* .gnu_debuglink */
	BUILT_SECTIONS,
};

struct built {
	bool is32, big, dynamic; /* `dynamic`: the symbols are in .dynsym */
	uint16_t machine;
	uint8_t build_id[20]; /* all bytes are 0 if there is no build-id */
	const char *debug_link;
	struct built_segment segments[4];
	struct built_symbol symbols[16];

	uint8_t bytes[16384];
	size_t used;
};

static inline void built_put(struct built *b, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		b->bytes[b->used++] = (uint8_t)(value >> 8 * (b->big ? size - 1 - i : i));
}

static inline void built_word(struct built *b, uint64_t value)
{
	built_put(b, value, b->is32 ? 4 : 8);
}

static inline void built_text(struct built *b, const char *s)
{
	memcpy(b->bytes + b->used, s, strlen(s) + 1);
	b->used += strlen(s) + 1;
}

static inline void built_header(struct built *b, uint64_t sections)
{
	unsigned segments = 0;

	while (segments < 4 && b->segments[segments].memsz)
		segments++;
	memcpy(b->bytes, ELFMAG, SELFMAG);
	b->bytes[EI_CLASS] = b->is32 ? ELFCLASS32 : ELFCLASS64;
	b->bytes[EI_DATA] = b->big ? ELFDATA2MSB : ELFDATA2LSB;
	b->bytes[EI_VERSION] = EV_CURRENT;
	b->used = EI_NIDENT;
	built_put(b, ET_DYN, 2);
	built_put(b, b->machine, 2);
	built_put(b, EV_CURRENT, 4);
	built_word(b, 0);
	built_word(b, b->is32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr));
	built_word(b, sections);
	built_put(b, 0, 4);
	built_put(b, b->is32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr), 2);
	built_put(b, b->is32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr), 2);
	built_put(b, segments, 2);
	built_put(b, b->is32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr), 2);
	built_put(b, BUILT_SECTIONS, 2);
	built_put(b, BUILT_NAMES, 2);
	for (unsigned i = 0; i < segments; i++) {
		const struct built_segment *s = &b->segments[i];

		built_put(b, PT_LOAD, 4);
		if (!b->is32)
			built_put(b, PF_R | PF_X, 4);
		built_word(b, s->offset);
		built_word(b, s->vaddr);
		built_word(b, s->vaddr);
		built_word(b, s->filesz);
		built_word(b, s->memsz);
		if (b->is32)
			built_put(b, PF_R | PF_X, 4);
		built_word(b, 0x1000);
	}
}

static inline void built_symbols(struct built *b, uint64_t *strings)
{
	uint32_t name = 1;

	b->used += b->is32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	for (unsigned i = 0; b->symbols[i].name; i++) {
		const struct built_symbol *s = &b->symbols[i];
		uint8_t info = (uint8_t)(s->bind << 4 | s->type);

		built_put(b, *s->name ? name : 0, 4);
		if (b->is32) {
			built_put(b, s->value, 4);
			built_put(b, s->size, 4);
		}
		built_put(b, info, 1);
		built_put(b, s->visibility, 1);
		built_put(b, s->section, 2);
		if (!b->is32) {
			built_put(b, s->value, 8);
			built_put(b, s->size, 8);
		}
		name += *s->name ? (uint32_t)strlen(s->name) + 1 : 0;
	}
	*strings = b->used++;
	for (unsigned i = 0; b->symbols[i].name; i++)
		if (*b->symbols[i].name)
			built_text(b, b->symbols[i].name);
}

static inline void built_section(struct built *b, unsigned name, uint32_t type, uint64_t flags,
				 uint64_t addr, uint64_t offset, uint64_t size, uint32_t link,
				 uint64_t entsize)
{
	built_put(b, name, 4);
	built_put(b, type, 4);
	built_word(b, flags);
	built_word(b, addr);
	built_word(b, offset);
	built_word(b, size);
	built_put(b, link, 4);
	built_put(b, 0, 4);
	built_word(b, 1);
	built_word(b, entsize);
}

/* Builds the file: fills `bytes` and sets `used`. Other members are unchanged. */
static inline void built_build(struct built *b)
{
	static const char names[] = "\0.text\0.other\0.comment\0.symtab\0.strtab\0.shstrtab\0"
				    ".note.gnu.build-id\0.gnu_debuglink\0.dynsym";
	static const uint8_t none[20];
	const struct built_segment *first = &b->segments[0];
	const uint64_t alloc = SHF_ALLOC | SHF_EXECINSTR;
	uint64_t symbols = 0x400, strings, strings_end, name_table, note, link, sections;

	b->used = symbols;
	built_symbols(b, &strings);
	strings_end = name_table = b->used;
	memcpy(b->bytes + b->used, names, sizeof(names));
	note = b->used = (name_table + sizeof(names) + 7) & ~UINT64_C(7);
	built_put(b, 4, 4);
	built_put(b, 20, 4);
	built_put(b, memcmp(b->build_id, none, 20) ? NT_GNU_BUILD_ID : 99, 4);
	built_text(b, "GNU");
	memcpy(b->bytes + b->used, b->build_id, 20);
	link = b->used += 20;
	built_text(b, b->debug_link ? b->debug_link : "");
	sections = b->used = (b->used + 15) & ~UINT64_C(7);
	b->used += b->is32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr);
	built_section(b, 1, SHT_PROGBITS, alloc, first->vaddr, first->offset, 0x1000, 0, 0);
	built_section(b, 7, SHT_PROGBITS, alloc, first->vaddr, first->offset, 0x1000, 0, 0);
	built_section(b, 14, SHT_PROGBITS, 0, 0, 0, 0x10, 0, 0);
	built_section(b, b->dynamic ? 83 : 23, b->dynamic ? SHT_DYNSYM : SHT_SYMTAB, 0, 0, symbols,
		      strings - symbols, BUILT_STRTAB,
		      b->is32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym));
	built_section(b, 31, SHT_STRTAB, 0, 0, strings, strings_end - strings, 0, 0);
	built_section(b, 39, SHT_STRTAB, 0, 0, name_table, sizeof(names), 0, 0);
	built_section(b, 49, SHT_NOTE, SHF_ALLOC, 0, note, 36, 0, 0);
	built_section(b, b->debug_link ? 68 : 14, SHT_PROGBITS, 0, 0, link, sections - link, 0, 0);
	strings_end = b->used;
	built_header(b, sections);
	b->used = strings_end;
}

#endif
