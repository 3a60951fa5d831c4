// SPDX-License-Identifier: BSD-2-Clause
/* The running kernel's memory, as an ELF file that is as large as the address space. */
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "object_code_internal.h"

#define PATH "/proc/kcore"

static bool read_all(int fd, uint64_t offset, void *to, size_t size, struct pk_failures *failures)
{
	const ssize_t n = pread(fd, to, size, (off_t)offset);

	if (n < 0 && pk_is_failure(errno))
		pk_failed(failures, PATH, errno);
	return n == (ssize_t)size;
}

static bool read_segments(struct pk_kcore *kcore, const Elf64_Ehdr *head,
			  struct pk_failures *failures)
{
	for (size_t i = 0; i < head->e_phnum && kcore->count < PK_KCORE_SEGMENTS; i++) {
		Elf64_Phdr phdr;

		if (!read_all(kcore->fd, head->e_phoff + i * sizeof(phdr), &phdr, sizeof(phdr),
			      failures))
			return false;
		if (phdr.p_type == PT_LOAD)
			kcore->segments[kcore->count++] = (struct pk_elf_segment){
				.offset = phdr.p_offset,
				.vaddr = phdr.p_vaddr,
				.filesz = phdr.p_filesz,
			};
	}
	return kcore->count;
}

bool pk_kcore_open(struct pk_kcore *kcore, struct pk_machine *machine, struct pk_failures *failures)
{
	const uint16_t one = 1;
	const bool big = !*(const uint8_t *)&one;
	Elf64_Ehdr head;
	int error;

	kcore->count = 0;
	error = pk_file_open(PATH, &kcore->fd);
	if (error) {
		if (pk_is_failure(error))
			pk_failed(failures, PATH, error);
		kcore->fd = -1;
		return false;
	}
	if (read_all(kcore->fd, 0, &head, sizeof(head), failures) &&
	    !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_ident[EI_CLASS] == ELFCLASS64 &&
	    head.e_phentsize == sizeof(Elf64_Phdr) && read_segments(kcore, &head, failures)) {
		*machine = (struct pk_machine){head.e_machine, true, big};
		return true;
	}
	close(kcore->fd);
	kcore->fd = -1;
	return false;
}

size_t pk_kcore_read(const struct pk_kcore *kcore, uint64_t address, void *to, size_t size,
		     struct pk_failures *failures)
{
	for (size_t i = 0; i < kcore->count; i++) {
		const struct pk_elf_segment *s = &kcore->segments[i];
		const uint64_t at = address - s->vaddr;
		ssize_t n;

		if (address < s->vaddr || at >= s->filesz)
			continue;
		if (size > s->filesz - at)
			size = s->filesz - at;
		n = pread(kcore->fd, to, size, (off_t)(s->offset + at));
		/* EFAULT: the kernel has nothing there, or does not show it. */
		if (n < 0 && errno != EFAULT && pk_is_failure(errno))
			pk_failed(failures, PATH, errno);
		return n > 0 ? (size_t)n : 0;
	}
	return 0;
}
