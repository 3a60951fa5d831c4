/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <byteswap.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_id.h"
#include "elf_image.h"
#include "file.h"
#include "glibc_macros.h"

static uint32_t load32(const uint8_t *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_32(v) : v;
}

static uint64_t padded(uint32_t size)
{
	return ((uint64_t)size + 3) & ~UINT64_C(3);
}

static bool find_in_notes(const uint8_t *p, uint64_t left, bool swap, struct pk_build_id *id)
{
	while (left >= 12) {
		const uint32_t name_size = load32(p, swap), size = load32(p + 4, swap);
		const uint64_t whole = 12 + padded(name_size) + padded(size);

		if (12 + padded(name_size) + size > left)
			return false;
		if (load32(p + 8, swap) == NT_GNU_BUILD_ID && name_size == 4 &&
		    !memcmp(p + 12, "GNU", 4) && size) {
			id->size = size < PK_BUILD_ID_MAX ? (uint8_t)size : PK_BUILD_ID_MAX;
			memset(id->bytes, 0, sizeof(id->bytes));
			memcpy(id->bytes, p + 16, id->size);
			return true;
		}
		if (whole > left)
			return false;
		p += whole;
		left -= whole;
	}
	return false;
}

bool pk_build_id_of_notes(const void *notes, size_t size, struct pk_build_id *id)
{
	return find_in_notes(notes, size, false, id) || find_in_notes(notes, size, true, id);
}

/* Real files have a few notes of a few hundred bytes each. The limits bound the time for a
 * malformed file. */
enum {
	NOTES_MAX = 64 << 10,
	NOTE_PARTS_MAX = 64,
};

static bool find_in_file(const struct pk_elf *elf, uint64_t offset, uint64_t size,
			 struct pk_build_id *id)
{
	void *notes = size <= NOTES_MAX ? pk_elf_bytes(elf, offset, size) : NULL;
	bool found = notes && pk_build_id_of_notes(notes, size, id);

	free(notes);
	return found;
}

bool pk_elf_build_id(const struct pk_elf *elf, struct pk_build_id *id)
{
	const struct pk_elf_section *sections;
	struct pk_elf_segment segment;
	size_t count, next = 0, parts = 0;

	/* Sections are read before segments, because the segments of a file with only debugging
	 * information are invalid. */
	sections = pk_elf_sections(elf, &count);
	for (size_t i = 0; i < count && parts < NOTE_PARTS_MAX; i++)
		if (sections[i].type == SHT_NOTE && ++parts &&
		    find_in_file(elf, sections[i].offset, sections[i].size, id))
			return true;
	while (parts++ < 2 * NOTE_PARTS_MAX && pk_elf_segment(elf, PT_NOTE, &next, &segment))
		if (find_in_file(elf, segment.offset, segment.filesz, id))
			return true;
	id->size = 0;
	return false;
}

bool pk_build_id_of_file(const char *path, struct pk_build_id *id, struct pk_failures *failures)
{
	uint8_t magic[SELFMAG];
	struct pk_elf *elf;
	size_t size;
	char *notes;
	ssize_t got;
	bool found;
	int fd, error;

	id->size = 0;
	error = pk_file_open(path, &fd);
	if (error) {
		if (pk_is_failure(error))
			pk_failed(failures, path, error);
		return false;
	}
	got = TEMP_FAILURE_RETRY(pread(fd, magic, SELFMAG, 0));
	if (got == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG)) {
		elf = pk_elf_open(fd, path, failures);
		found = elf && pk_elf_build_id(elf, id);
		pk_elf_close(elf);
		return found;
	}
	notes = got < 0 ? NULL : pk_file_read(fd, NOTES_MAX, &size);
	/* A file larger than NOTES_MAX is not a file of notes. This is not a failure. */
	if (!notes && errno != EFBIG)
		pk_failed(failures, path, errno);
	found = notes && pk_build_id_of_notes(notes, size, id);
	free(notes);
	close(fd);
	return found;
}

static bool all_zero(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

bool pk_build_id_equal(const struct pk_build_id *a, const struct pk_build_id *b)
{
	const size_t common = a->size < b->size ? a->size : b->size;

	return common && !memcmp(a->bytes, b->bytes, common) &&
	       all_zero(a->bytes + common, a->size - common) &&
	       all_zero(b->bytes + common, b->size - common);
}

void pk_build_id_format(const struct pk_build_id *id, char hex[PK_BUILD_ID_HEX])
{
	static const char digits[] = "0123456789abcdef";
	size_t size = id->size < PK_BUILD_ID_MAX ? id->size : PK_BUILD_ID_MAX;

	for (size_t i = 0; i < size; i++) {
		*hex++ = digits[id->bytes[i] >> 4];
		*hex++ = digits[id->bytes[i] & 15];
	}
	*hex = 0;
}
