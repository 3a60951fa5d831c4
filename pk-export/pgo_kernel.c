// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "elf_image.h"
#include "kallsyms.h"
#include "lookups.h"
#include "pgo_kernel.h"

struct pgo_kernel {
	struct pk_elf *elf;
	/* The last symbol that was looked up, its address in memory, and what is added to an
	 * address in memory to get the address in the file. */
	char symbol[64];
	uint64_t address, shift;
	bool missing; /* the file does not have `symbol`, or one before it */
};

/* Returns whether the code of the file is in the upper half of the address space. */
static bool is_kernel(const struct pk_elf *elf)
{
	size_t count;
	const struct pk_elf_segment *loads = pk_elf_loads(elf, &count);

	for (size_t i = 0; i < count; i++)
		if (loads[i].flags & PF_X)
			return loads[i].vaddr >> 63;
	return false;
}

struct pgo_kernel *pgo_kernel_open(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pk_elf *elf = fd < 0 ? NULL : pk_elf_open(fd, path, pk_lookups());
	struct pgo_kernel *kernel = elf && is_kernel(elf) ? calloc(1, sizeof(*kernel)) : NULL;

	if (kernel)
		kernel->elf = elf;
	else
		pk_elf_close(elf);
	return kernel;
}

void pgo_kernel_close(struct pgo_kernel *kernel)
{
	if (kernel)
		pk_elf_close(kernel->elf);
	free(kernel);
}

/* Finds how far the kernel was moved. Without a symbol in the recording, it is not moved. */
static void find_shift(struct pgo_kernel *kernel, const struct pk_image *image)
{
	const char *symbol = image->reference_symbol ? image->reference_symbol : "";
	uint64_t value;

	if (kernel->missing ||
	    (kernel->address == image->reference_address && !strcmp(kernel->symbol, symbol)))
		return;
	snprintf(kernel->symbol, sizeof(kernel->symbol), "%s", symbol);
	kernel->address = image->reference_address;
	kernel->shift = 0;
	if (!*symbol)
		return;
	kernel->missing = !pk_vmlinux_symbol(kernel->elf, kernel->symbol, &value);
	if (!kernel->missing)
		kernel->shift = value - kernel->address;
}

bool pgo_kernel_place(struct pgo_kernel *kernel, const struct pk_image *image, uint64_t address,
		      struct pgo_place *place)
{
	size_t count;
	const struct pk_elf_segment *loads = pk_elf_loads(kernel->elf, &count);

	find_shift(kernel, image);
	for (size_t i = 0; i < count; i++) {
		const struct pk_elf_segment *load = &loads[i];

		if (address + kernel->shift - load->vaddr >= load->filesz)
			continue;
		place->start = load->vaddr - kernel->shift;
		place->end = place->start + load->filesz;
		place->shift = load->offset - place->start;
		return true;
	}
	return false;
}

bool pgo_kernel_check(const struct pgo_kernel *kernel, const char *path)
{
	if (kernel->missing)
		pk_error("%s has no symbol %s, which tells how far the kernel was moved at boot",
			 path, kernel->symbol);
	return !kernel->missing;
}
