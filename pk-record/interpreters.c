// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <fcntl.h>
#include <string.h>

#include "bpf_call.h"
#include "elf_image.h"
#include "interpreter_file.h"
#include "interpreters.h"
#include "lookups.h"

const struct interpreter *const interpreters[INTERPRETERS] = {
	[INTERPRETER_PYTHON] = &python_interpreter,
	[INTERPRETER_RUBY] = &ruby_interpreter,
	[INTERPRETER_PHP] = &php_interpreter,
};

const struct interpreter *interpreter_of_file(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pk_elf *elf = fd >= 0 ? pk_elf_open(fd, path, pk_lookups()) : NULL;
	const struct interpreter *found = NULL;

	for (uint32_t kind = 0; elf && !found && kind < INTERPRETERS; kind++) {
		struct interpreter_layout layout = {0};
		struct interpreter_places places = {0};

		if (interpreters[kind]->find(elf, &layout, &places) != INTERPRETER_NONE)
			found = interpreters[kind];
	}
	pk_elf_close(elf);
	return found;
}

static uint32_t number_of(struct interpreter_layouts *layouts,
			  const struct interpreter_layout *layout)
{
	uint32_t i = 0;

	while (i < layouts->count && memcmp(&layouts->items[i], layout, sizeof(*layout)) != 0)
		i++;
	if (i == INTERPRETER_LAYOUTS_MAX ||
	    (i == layouts->count && layouts->map > 0 &&
	     bpf_access_map(BPF_MAP_UPDATE_ELEM, layouts->map, &i, &layout->offsets)))
		return 0;
	if (i == layouts->count)
		layouts->items[layouts->count++] = *layout;
	return i + 1;
}

/* Changes addresses of the file to offsets from the address at which the start of the file is
 * mapped. */
static void make_relative(const struct pk_elf *elf, struct interpreter_places *places)
{
	size_t count, i = 0;
	const struct pk_elf_segment *loads = pk_elf_loads(elf, &count);
	uint64_t difference;

	while (i < count && !(loads[i].flags & PF_X))
		i++;
	difference = i < count ? loads[i].offset - loads[i].vaddr : 0;
	places->state += difference;
	places->evaluator += difference;
	places->cold += difference;
	places->inner += difference;
}

static void find_cold_part(const struct pk_elf *elf, struct interpreter_places *places)
{
	const struct interpreter_range cold =
		interpreter_cold_part(elf, places->evaluator, places->evaluator_size);

	places->cold = cold.start;
	places->cold_size = cold.size;
}

static uint32_t find(struct interpreter_layouts *layouts, const struct pk_elf *elf,
		     struct interpreter_places *places)
{
	for (uint32_t kind = 0; kind < INTERPRETERS; kind++) {
		struct interpreter_layout layout;
		enum interpreter_finding finding;
		uint32_t number = 0;

		memset(&layout, 0, sizeof(layout)); /* number_of() compares padding, too */
		*places = (struct interpreter_places){0};
		finding = interpreters[kind]->find(elf, &layout, places);
		layout.offsets.kind = kind;
		if (finding == INTERPRETER_FOUND && places->evaluator_size)
			find_cold_part(elf, places);
		if (finding == INTERPRETER_FOUND)
			number = number_of(layouts, &layout);
		if (finding != INTERPRETER_NONE && !number) {
			layouts->unknown[kind].count++;
			layouts->unknown[kind].version = layout.version;
		}
		if (finding != INTERPRETER_NONE)
			return number;
	}
	return 0;
}

uint32_t interpreter_layouts_find(struct interpreter_layouts *layouts, const char *path,
				  struct interpreter_places *places)
{
	const int fd = layouts->map ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct pk_elf *elf = fd >= 0 ? pk_elf_open(fd, path, pk_lookups()) : NULL;
	uint32_t number;

	*places = (struct interpreter_places){0};
	if (!elf)
		return 0;
	number = find(layouts, elf, places);
	make_relative(elf, places);
	pk_elf_close(elf);
	return number;
}
