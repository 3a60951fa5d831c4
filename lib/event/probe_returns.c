// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf_image.h"
#include "probe_object.h"

#define PART_MOST (UINT64_C(1) << 26) /* bytes that are searched, from the start of a part */

static bool has_section(const struct pk_elf *elf, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (pk_elf_section(elf, names[i]))
			return true;
	return false;
}

static bool contains(const struct pk_elf *elf, uint64_t offset, uint64_t size, const char *what,
		     size_t length)
{
	char *bytes;
	bool found;

	if (size > PART_MOST)
		size = PART_MOST;
	bytes = pk_elf_bytes(elf, offset, size);
	found = bytes && memmem(bytes, size, what, length);
	free(bytes);
	return found;
}

/* Without section headers, the mark of the build information is still in the data. */
static bool has_go_mark(const struct pk_elf *elf)
{
	static const char mark[] = "\xff Go buildinf:";
	struct pk_elf_segment segment;

	for (size_t next = 0; pk_elf_segment(elf, PT_LOAD, &next, &segment);)
		if (!(segment.flags & PF_X) &&
		    contains(elf, segment.offset, segment.filesz, mark, sizeof(mark) - 1))
			return true;
	return false;
}

static bool is_go(const struct pk_elf *elf)
{
	static const char *const names[] = {".go.buildinfo", ".gopclntab", ".data.rel.ro.gopclntab",
					    ".note.go.buildid"};
	size_t sections;

	pk_elf_sections(elf, &sections);
	return has_section(elf, names, sizeof(names) / sizeof(names[0])) ||
	       (sections <= 1 && has_go_mark(elf));
}

/* Code that throws, or that is linked with what throws, need not have a table of its own: only
 * functions that catch or clean up are in it. */
static bool has_exceptions(const struct pk_elf *elf)
{
	static const char *const names[] = {".gcc_except_table", ".ARM.extab"};
	static const char *const texts[] = {"__cxa_throw",	    "_Unwind_RaiseException",
					    "__gxx_personality_v0", "rust_eh_personality",
					    "libstdc++.so",	    "libc++.so"};
	const struct pk_elf_section *strings = pk_elf_section(elf, ".dynstr");

	if (has_section(elf, names, sizeof(names) / sizeof(names[0])))
		return true;
	for (size_t i = 0; strings && i < sizeof(texts) / sizeof(texts[0]); i++)
		if (contains(elf, strings->offset, strings->size, texts[i], strlen(texts[i])))
			return true;
	return false;
}

enum probe_returns pk_probe_returns_of(const struct pk_elf *elf)
{
	if (is_go(elf))
		return PROBE_RETURNS_GO;
	return has_exceptions(elf) ? PROBE_RETURNS_EXCEPTIONS : PROBE_RETURNS_SAFE;
}

bool pk_probe_returns_without_exceptions(const char *function)
{
	static const char *const names[] = {
		"malloc",   "calloc",	     "realloc",		  "reallocarray",
		"memalign", "aligned_alloc", "posix_memalign",	  "valloc",
		"pvalloc",  "free",	     "malloc_usable_size"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(function, names[i]))
			return true;
	return false;
}
