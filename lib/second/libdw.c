// SPDX-License-Identifier: BSD-2-Clause
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
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
	use(dwarf_offdie) use(dwarf_ranges) use(dwarf_tag) \
	use(dwfl_addrmodule) use(dwfl_attach_state) use(dwfl_begin) use(dwfl_end) \
	use(dwfl_frame_pc) use(dwfl_getthread_frames) use(dwfl_module_info) \
	use(dwfl_report_elf) use(dwfl_thread_state_register_pc) \
	use(dwfl_thread_state_registers)
/* clang-format on */

static struct {
#define POINTER(name) typeof(name) *name;
	FUNCTIONS(POINTER)
} libdw;

/* ---- A file ---- */

/* A range of addresses that belongs to a unit. */
struct unit_range {
	Dwarf_Addr from, to;
	Dwarf_Off unit; /* the offset of the root entry of the unit */
};

/* A file that is open in libdw. It contains the ranges of all units, because libdw finds units only
 * by .debug_aranges, which clang does not write. */
struct debug {
	int fd;
	Dwarf *dwarf;
	bool demangle;
	struct unit_range *ranges; /* sorted by address */
	size_t count, capacity;
	uint64_t budget;	    /* limits the work for demangling */
	char *made[PK_SOURCES_MAX]; /* the demangled names of the last answer */
};

static enum pk_status add_ranges(struct debug *debug, Dwarf_Die *unit)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while ((at = libdw.dwarf_ranges(unit, at, &base, &from, &to)) > 0) {
		PK_TRY(pk_reserve(&debug->ranges, &debug->capacity, debug->count, 1,
				  sizeof(*debug->ranges)));
		debug->ranges[debug->count++] =
			(struct unit_range){from, to, libdw.dwarf_dieoffset(unit)};
	}
	return PK_OK;
}

static int by_start(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static enum pk_status add_units(struct debug *debug)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (!libdw.dwarf_get_units(debug->dwarf, unit, &unit, NULL, NULL, &die, NULL))
		PK_TRY(add_ranges(debug, &die));
	if (debug->count)
		qsort(debug->ranges, debug->count, sizeof(*debug->ranges), by_start);
	return PK_OK;
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
	if (debug->dwarf && add_units(debug) == PK_OK)
		return debug;
	close_file(debug);
	return NULL;
}

/* ---- Functions and lines ---- */

static bool find_unit(const struct debug *debug, uint64_t address, Dwarf_Die *unit)
{
	const struct unit_range *ranges = debug->ranges;
	size_t low = 0, high = debug->count;

	while (low < high) { /* finds the first range that starts after the address */
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

/* Sets the file, line and column where an inlined function is called. */
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

/* Adds the functions in a chain of debugging entries, from the innermost function to the outermost.
 * lines is the unit that has the file names of the calls. */
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

static const struct pk_debug_reader reader = {"libdw", open_file, find_sources, close_file};

/* ---- Unwinding ---- */

#define ROUNDS_MAX 64 /* the highest number of modules in one stack */

/* The state of libdw's unwinder. */
struct unwinder {
	Dwfl *dwfl; /* has the modules of this address space that were needed so far */
	const void *space;
	const struct pk_cfi_machine *machine;
	struct pk_second_stack *stack;
	bool attached;
	bool added; /* a module was added */
	bool stale; /* another object is now mapped at the addresses of a module */
};

static void *open_unwinder(void)
{
	return calloc(1, sizeof(struct unwinder));
}

static void forget_modules(struct unwinder *u)
{
	if (u->dwfl)
		libdw.dwfl_end(u->dwfl);
	u->dwfl = NULL;
	u->attached = false;
}

static void close_unwinder(void *unwinder)
{
	forget_modules(unwinder);
	free(unwinder);
}

/* Tells libdw which object is mapped at an address. Returns false if there is no object, or libdw
 * cannot read it. */
static bool report(struct unwinder *u, uint64_t address)
{
	struct pk_second_module found;
	const struct pk_elf_segment *first;
	Dwfl_Module *module = libdw.dwfl_addrmodule(u->dwfl, address);
	void **data;

	if (!u->stack->find(u->stack->arg, address, &found) || !found.info->path ||
	    !found.info->load_count)
		return false;
	if (!module) {
		first = &found.info->loads[0];
		module = libdw.dwfl_report_elf(u->dwfl, found.info->path, found.info->path, -1,
					       found.bias + (first->vaddr & ~UINT64_C(0xfff)),
					       false);
		if (!module)
			return false;
		libdw.dwfl_module_info(module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
		*data = (void *)(uintptr_t)found.info;
		u->added = true;
	}
	libdw.dwfl_module_info(module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
	u->stale |= *data != (const void *)found.info;
	return true;
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = arg;
	return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread)
{
	(void)dwfl;
	(void)tid;
	*thread = arg;
	return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *arg)
{
	const struct unwinder *u = arg;

	(void)dwfl;
	*word = 0;
	return pk_second_read(u->stack, address, word, u->machine->word);
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct unwinder *u = arg;
	const struct pk_frame_state *state = &u->stack->state;
	const unsigned pc = u->machine->pc;
	Dwarf_Word value;

	for (unsigned reg = 0; reg < PK_CFI_REGISTERS; reg++) {
		value = state->value[reg];
		if (reg != pc && state->known >> reg & 1)
			libdw.dwfl_thread_state_registers(thread, (int)reg, 1, &value);
	}
	value = state->pc;
	if (pc < PK_CFI_REGISTERS)
		return libdw.dwfl_thread_state_registers(thread, (int)pc, 1, &value);
	libdw.dwfl_thread_state_register_pc(thread, value);
	return true;
}

static int add_frame(Dwfl_Frame *frame, void *arg)
{
	struct unwinder *u = arg;
	struct pk_second_stack *stack = u->stack;
	Dwarf_Addr pc;
	bool exact;

	if (!libdw.dwfl_frame_pc(frame, &pc, &exact) || !pc ||
	    stack->count == PK_SECOND_FRAMES_MAX || !report(u, pc - !exact) || u->stale || u->added)
		return DWARF_CB_ABORT;
	stack->frames[stack->count++] = (struct pk_second_frame){pc, exact};
	return DWARF_CB_OK;
}

static int find_no_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		       char **file, Elf **elf)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)file;
	(void)elf;
	return -1;
}

static int find_no_debug(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			 const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)file;
	(void)link;
	(void)crc;
	(void)found;
	return -1;
}

static void walk(struct unwinder *u)
{
	static const Dwfl_Callbacks callbacks = {.find_elf = find_no_elf,
						 .find_debuginfo = find_no_debug};
	static const Dwfl_Thread_Callbacks threads = {.next_thread = next_thread,
						      .get_thread = get_thread,
						      .memory_read = read_memory,
						      .set_initial_registers = set_registers};
	struct pk_second_stack *stack = u->stack;

	stack->count = 0;
	stack->faulted = false;
	u->stale = u->added = false;
	if (!u->dwfl)
		u->dwfl = libdw.dwfl_begin(&callbacks);
	if (!u->dwfl || !report(u, stack->state.pc) || u->stale)
		return;
	if (!u->attached)
		u->attached = libdw.dwfl_attach_state(u->dwfl, NULL, 1, &threads, u);
	u->added = false;
	if (u->attached)
		stack->complete = !libdw.dwfl_getthread_frames(u->dwfl, 1, add_frame, u);
}

static void unwind(void *unwinder, struct pk_second_stack *stack)
{
	struct unwinder *u = unwinder;

	if (u->space != stack->space || u->machine != stack->machine)
		forget_modules(u);
	u->space = stack->space;
	u->machine = stack->machine;
	u->stack = stack;
	walk(u);
	/* If a module was added, libdw has tried to unwind a frame before it knew that module. So
	 * the stack is unwound again. */
	for (int round = 0; (u->stale || u->added) && round < ROUNDS_MAX; round++) {
		if (u->stale)
			forget_modules(u);
		walk(u);
	}
}

static const struct pk_second_unwinder unwinder = {open_unwinder, unwind, close_unwinder};

enum pk_status pk_second_libdw(struct pk_second *second, struct pk_messages *messages)
{
#define WANTED(name) {#name, &libdw.name},
	static const struct pk_wanted wanted[] = {FUNCTIONS(WANTED)};

	PK_TRY(pk_second_load("libdw.so.1", "libdw1", wanted, sizeof(wanted) / sizeof(*wanted),
			      messages));
	second->reader = &reader;
	second->unwinder = &unwinder;
	return PK_OK;
}
