// SPDX-License-Identifier: BSD-2-Clause
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "demangle.h"
#include "file.h"
#include "second.h"
#include "second_load.h"
#include "vector.h"

/* clang-format off */
#define FUNCTIONS(use) \
	use(dwarf_attr) use(dwarf_attr_integrate) use(dwarf_begin) use(dwarf_cu_info) \
	use(dwarf_diename) use(dwarf_dieoffset) use(dwarf_end) use(dwarf_entrypc) \
	use(dwarf_filesrc) use(dwarf_formstring) use(dwarf_formudata) use(dwarf_get_units) \
	use(dwarf_getscopes) use(dwarf_getscopes_die) use(dwarf_getsrc_die) \
	use(dwarf_getsrcfiles) use(dwarf_linecol) use(dwarf_lineno) use(dwarf_linesrc) \
	use(dwarf_offdie) use(dwarf_ranges) use(dwarf_tag)
/* clang-format on */

static struct {
#define POINTER(name) typeof(name) *name;
	FUNCTIONS(POINTER)
} libdw;

/* ---- A file ---- */

struct unit_range {
	Dwarf_Addr from, to;
	Dwarf_Off unit; /* of its root entry */
};

/* libdw finds units by .debug_aranges, which clang does not write. So the ranges of all units are
 * collected here. */
struct debug {
	int fd;
	Dwarf *dwarf;
	bool demangle;
	struct unit_range *ranges; /* sorted */
	size_t count, capacity;
	uint64_t budget;	    /* of demangling */
	char *made[PK_SOURCES_MAX]; /* names of the last answer that were demangled */
};

static bool add_ranges(struct debug *debug, Dwarf_Die *unit)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while ((at = libdw.dwarf_ranges(unit, at, &base, &from, &to)) > 0) {
		if (!pk_reserve(&debug->ranges, &debug->capacity, debug->count, 1,
				sizeof(*debug->ranges)))
			return false;
		debug->ranges[debug->count++] =
			(struct unit_range){from, to, libdw.dwarf_dieoffset(unit)};
	}
	return true;
}

static int by_start(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static bool add_units(struct debug *debug)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (!libdw.dwarf_get_units(debug->dwarf, unit, &unit, NULL, NULL, &die, NULL))
		if (!add_ranges(debug, &die))
			return false;
	if (debug->count)
		qsort(debug->ranges, debug->count, sizeof(*debug->ranges), by_start);
	return true;
}

static void forget_names(struct debug *debug)
{
	for (size_t i = 0; i < PK_SOURCES_MAX; i++) {
		free(debug->made[i]);
		debug->made[i] = NULL;
	}
}

static void close_file(void *reader)
{
	struct debug *debug = reader;

	forget_names(debug);
	if (debug->dwarf)
		libdw.dwarf_end(debug->dwarf);
	if (debug->fd >= 0)
		close(debug->fd);
	free(debug->ranges);
	free(debug);
}

static void *open_file(const char *path, bool demangle)
{
	struct debug *debug = calloc(1, sizeof(*debug));

	if (!debug)
		return NULL;
	debug->demangle = demangle;
	debug->budget = 32 << 20;
	if (pk_file_open(path, &debug->fd))
		debug->fd = -1;
	else
		debug->dwarf = libdw.dwarf_begin(debug->fd, DWARF_C_READ);
	if (debug->dwarf && add_units(debug))
		return debug;
	close_file(debug);
	return NULL;
}

/* ---- Functions and lines ---- */

static bool find_unit(const struct debug *debug, uint64_t address, Dwarf_Die *unit)
{
	const struct unit_range *ranges = debug->ranges;
	size_t low = 0, high = debug->count;

	while (low < high) { /* the first one that starts after the address */
		const size_t middle = low + (high - low) / 2;

		if (ranges[middle].from <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < ranges[low - 1].to &&
	       libdw.dwarf_offdie(debug->dwarf, ranges[low - 1].unit, unit);
}

static uint32_t number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value = 0;

	if (libdw.dwarf_attr(die, name, &attr))
		libdw.dwarf_formudata(&attr, &value);
	return (uint32_t)value;
}

static const char *name_of(struct debug *debug, Dwarf_Die *function, char **made)
{
	Dwarf_Attribute attr;
	const char *linkage = NULL;

	if (libdw.dwarf_attr_integrate(function, DW_AT_linkage_name, &attr) ||
	    libdw.dwarf_attr_integrate(function, DW_AT_MIPS_linkage_name, &attr))
		linkage = libdw.dwarf_formstring(&attr);
	if (!linkage)
		return libdw.dwarf_diename(function);
	if (debug->demangle)
		*made = pk_demangle(linkage, &debug->budget);
	return *made ? *made : linkage;
}

static void set_line(Dwarf_Die *unit, uint64_t address, struct pk_source *source)
{
	Dwarf_Line *row = libdw.dwarf_getsrc_die(unit, address);
	int line = 0, column = 0;

	if (!row)
		return;
	libdw.dwarf_lineno(row, &line);
	libdw.dwarf_linecol(row, &column);
	source->file = libdw.dwarf_linesrc(row, NULL, NULL);
	source->line = (uint32_t)line;
	source->column = (uint32_t)column;
}

/* The place of the call of an inlined function. */
static void set_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct pk_source *source)
{
	Dwarf_Files *files;
	size_t count;

	source->line = number_of(inlined, DW_AT_call_line);
	source->column = number_of(inlined, DW_AT_call_column);
	if (!libdw.dwarf_getsrcfiles(unit, &files, &count))
		source->file =
			libdw.dwarf_filesrc(files, number_of(inlined, DW_AT_call_file), NULL, NULL);
}

/* The functions in a chain of entries, the innermost first. The lines are those of the unit. */
static size_t add_functions(struct debug *debug, Dwarf_Die *chain, int entries, Dwarf_Die *lines,
			    struct pk_source *found, size_t room)
{
	size_t count = 0;

	for (int i = 0; i < entries && count < room; i++) {
		const int tag = libdw.dwarf_tag(&chain[i]);
		struct pk_source *source = &found[count];
		Dwarf_Addr start = 0;

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		libdw.dwarf_entrypc(&chain[i], &start);
		source->function = name_of(debug, &chain[i], &debug->made[count]);
		source->start = start;
		source->inlined = tag == DW_TAG_inlined_subroutine;
		count++;
		if (!source->inlined)
			break;
		if (lines && count < room)
			set_call(lines, &chain[i], &found[count]);
	}
	return count;
}

static size_t find_sources(void *reader, uint64_t address, bool lines, struct pk_source *found,
			   size_t room)
{
	struct debug *debug = reader;
	Dwarf_Die unit, split, *scopes = NULL, *chain = NULL;
	size_t count = 0;
	int entries;

	forget_names(debug);
	if (!find_unit(debug, address, &unit))
		return 0;
	if (room > PK_SOURCES_MAX)
		room = PK_SOURCES_MAX;
	memset(found, 0, room * sizeof(*found));
	if (lines)
		set_line(&unit, address, &found[0]);
	memset(&split, 0, sizeof(split));
	libdw.dwarf_cu_info(unit.cu, NULL, NULL, NULL, &split, NULL, NULL, NULL);
	entries = libdw.dwarf_getscopes(split.addr ? &split : &unit, address, &scopes);
	if (entries > 0)
		entries = libdw.dwarf_getscopes_die(&scopes[0], &chain);
	if (entries > 0)
		count = add_functions(debug, chain, entries, lines ? &unit : NULL, found, room);
	free(scopes);
	free(chain);
	return count || !found[0].file ? count : 1;
}

const struct pk_debug_reader *pk_second_libdw(struct pk_messages *messages)
{
	static const struct pk_debug_reader reader = {open_file, find_sources, close_file};
#define WANTED(name) {#name, &libdw.name},
	static const struct pk_wanted wanted[] = {FUNCTIONS(WANTED)};

	return pk_second_load("libdw.so.1", "libdw1", wanted, sizeof(wanted) / sizeof(*wanted),
			      messages)
		       ? &reader
		       : NULL;
}
