/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/dwarf/dwarf.c lib/dwarf/dwarf_file.c lib/dwarf/dwarf_unit.c */
/* covers: lib/dwarf/dwarf_form.c */
/* covers: lib/dwarf/dwarf_line.c lib/dwarf/dwarf_section.c */
/* Reads functions, lines and inlined functions of an ELF file with debugging information. Separate
 * files of debugging information (.dwo, .dwp, and those of dwz) are read from the same bytes. */
#include <stdlib.h>

#include "check_that.h"
#include "dwarf_unit.h"

struct image {
	const uint8_t *data;
	size_t size;
	unsigned opened;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct pk_elf *open_part(void *arg, const char *path, const struct pk_build_id *build_id)
{
	struct image *image = arg;

	(void)build_id;
	check_that(path && *path);
	return image->opened++ < 8 ? pk_elf_open_memory(image->data, image->size, NULL) : NULL;
}

static void look_up(struct pk_dwarf *d, uint64_t address)
{
	struct pk_source sources[PK_SOURCES_MAX];
	struct pk_range same;
	size_t count = pk_dwarf_sources(d, address, true, sources, PK_SOURCES_MAX, &same);

	check_that(count <= PK_SOURCES_MAX);
	/* No range can end after the last address. */
	check_that(address == UINT64_MAX || pk_range_has(&same, address));
	for (size_t i = 0; i < count; i++) {
		check_that(!sources[i].function || strlen(sources[i].function) < 1 << 20);
		check_that(!sources[i].file || *sources[i].file || !sources[i].file[0]);
		check_that(sources[i].inlined == (i + 1 < count));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* With this segment, any address can be code. */
	static const struct pk_elf_segment all = {0, 0, UINT64_MAX, UINT64_MAX, 1};
	struct image image = {data, size, 0};
	const struct pk_dwarf_options options = {
		.demangle = true, .declarations = true, .open = open_part, .arg = &image};
	struct pk_elf *elf = pk_elf_open_memory(data, size, NULL);
	struct pk_dwarf *d;

	if (!elf)
		return 0;
	d = pk_dwarf_new(elf, "/dir/file", &all, 1, &options);
	if (!d)
		return 0;
	look_up(d, 0);
	look_up(d, UINT64_MAX);
	for (size_t i = 0; i < d->ranges.count && i < 64; i++) {
		const struct pk_symtable_entry *e = &d->ranges.entries[i];

		for (uint64_t k = 0; k < 16; k++)
			look_up(d, e->at + e->size * k / 16);
		look_up(d, e->at + e->size);
	}
	pk_dwarf_free(d);
	return 0;
}
