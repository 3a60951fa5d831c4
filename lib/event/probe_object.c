// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cfi.h"
#include "elf_image.h"
#include "module_name.h"
#include "object_debug.h"
#include "probe_object.h"
#include "procfs.h"
#include "vector.h"

#define PART_MOST (UINT64_C(1) << 26) /* contains() searches at most this number of bytes */

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

/* Returns true if the data of the file contains the mark of Go's build information. The mark is
 * there even if the file has no section headers. */
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

/* Returns true if exceptions can pass the code of the file. Code that throws exceptions, or that is
 * linked with such code, need not have an exception table. The table contains only functions that
 * catch exceptions or clean up. */
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
	static const char *const names[] = {"malloc",
					    "calloc",
					    "realloc",
					    "reallocarray",
					    "memalign",
					    "aligned_alloc",
					    "posix_memalign",
					    "valloc",
					    "pvalloc",
					    "free",
					    "malloc_usable_size",
					    "pthread_mutex_lock",
					    "pthread_rwlock_rdlock",
					    "pthread_rwlock_wrlock"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(function, names[i]))
			return true;
	return false;
}

/* ---- Objects ---- */

/* Returns the address of _stext in the running kernel, or 0 if it is unknown. The line of _stext is
 * one of the first lines of the file. */
static uint64_t kernel_start(struct pk_failures *failures)
{
	struct line_reader reader;
	uint64_t start = 0;
	char *line;

	if (!pk_line_reader_open(&reader, "/proc/kallsyms", failures))
		return 0;
	while (!start && (line = pk_line_reader_next(&reader)))
		if (strlen(line) > 7 && !strcmp(line + strlen(line) - 7, " _stext"))
			start = strtoull(line, NULL, 16);
	pk_line_reader_close(&reader);
	return start;
}

/* Opens the running kernel. Its symbols are in kallsyms. Its debugging information is in the
 * vmlinux file with its build-id, if there is one. The address of _stext shows how far the kernel
 * was moved at boot. */
static void open_kernel(struct probe_object *object)
{
	struct pk_failures *failures = pk_symbols_failures(object->symbols);
	const uint64_t start = kernel_start(failures);
	struct pk_build_id id = {0};

	pk_build_id_of_file("/sys/kernel/notes", &id, failures);
	object->object = pk_symbols_kernel(object->symbols, &id, start ? "_stext" : NULL, start);
}

bool pk_probe_in_kernel(const char *path)
{
	return !path || pk_module_suffix(path);
}

/* Opens a module. If the module is loaded, its file must have the build-id of the loaded module. */
static void open_module(struct probe_object *object)
{
	struct pk_failures *failures = pk_symbols_failures(object->symbols);
	struct pk_build_id id = {0};
	char notes[256];

	if (snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id",
		     object->module) < (int)sizeof(notes) &&
	    !access(notes, R_OK))
		pk_build_id_of_file(notes, &id, failures);
	object->object = pk_symbols_module(object->symbols, object->path, &id);
}

static void read_file(struct probe_object *object)
{
	const char *path = object->in_kernel ? "/proc/self/exe" : object->path;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pk_elf *elf = fd < 0 ? NULL : pk_elf_open(fd, path, NULL);

	if (!elf)
		return;
	object->machine = pk_elf_machine(elf);
	object->big_endian = pk_elf_swapped(elf) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (!object->in_kernel)
		object->returns = pk_probe_returns_of(elf);
	pk_elf_close(elf);
}

static void read_frames(struct probe_object *object)
{
	enum pk_object_state why;
	const struct pk_unwind_info *info = pk_object_unwind_info(object->object, &why);
	const struct pk_cfi_machine *machine = info ? pk_cfi_machine_by_elf(info->machine) : NULL;

	if (machine && !info->swapped)
		object->cfi = pk_unwind_cfi(info, machine);
}

enum pk_status pk_probe_object_open(struct probe_object *object, const char *path,
				    struct pk_messages *messages)
{
	char name[NAME_MAX];

	*object = (struct probe_object){.path = path ? strdup(path) : NULL,
					.in_kernel = pk_probe_in_kernel(path)};
	if (path && pk_module_name(path, name, sizeof(name)))
		object->module = strdup(name);
	if (path && (!object->path || (object->in_kernel && !object->module)))
		return pk_messages_no_memory(messages);
	object->symbols = pk_symbols_new(&(struct pk_symbols_options){.no_demangle = true});
	if (!object->symbols)
		return pk_messages_no_memory(messages);
	if (object->module)
		open_module(object);
	else if (path)
		object->object = pk_symbols_file(object->symbols, path, NULL, 0);
	else
		open_kernel(object);
	if (!object->object)
		return pk_messages_no_memory(messages);
	if (path && pk_object_state(object->object) != PK_OBJECT_READY &&
	    pk_object_state(object->object) != PK_OBJECT_STRIPPED)
		return pk_messages_error(messages, "-x %s: %s", path,
					 pk_object_reason(object->object));
	object->types = pk_object_types(object->object);
	read_file(object);
	if (object->types)
		read_frames(object);
	return PK_OK;
}

void pk_probe_object_close(struct probe_object *object)
{
	pk_cfi_free(object->cfi);
	pk_symbols_free(object->symbols);
	pk_symbols_free(object->all_symbols);
	free(object->path);
	free(object->module);
	*object = (struct probe_object){0};
}

static bool has_path(const struct probe_object *object, const char *path)
{
	return path && object->path ? !strcmp(path, object->path) : path == object->path;
}

struct probe_object *pk_probe_object_keep(struct probe_object **kept, const char *path,
					  struct pk_messages *messages)
{
	if (*kept && has_path(*kept, path))
		return *kept;
	pk_probe_object_free(*kept);
	*kept = calloc(1, sizeof(**kept));
	if (!*kept) {
		pk_messages_no_memory(messages);
		return NULL;
	}
	if (pk_probe_object_open(*kept, path, messages) == PK_OK)
		return *kept;
	pk_probe_object_free(*kept);
	*kept = NULL;
	return NULL;
}

void pk_probe_object_free(struct probe_object *object)
{
	if (!object)
		return;
	pk_probe_object_close(object);
	free(object);
}

/* ---- Places ---- */

void pk_probe_places_free(struct probe_places *places)
{
	for (size_t i = 0; i < places->count; i++) {
		free(places->items[i].function);
		free(places->items[i].symbol);
	}
	free(places->items);
	*places = (struct probe_places){0};
}

/* The state while the places of a probe are searched. */
struct finding {
	struct probe_object *object;
	const struct probe_text *text;
	struct probe_places *places;
	struct pk_messages *messages;
	const struct pk_instance *instance; /* the function whose statements are visited */
	uint32_t line;			    /* the wanted line, in the file of instance */
	bool shared; /* true if statements are also used whose address belongs to several lines */
	bool found_function, failed;
};

/* The highest number of places. It is limited because each place becomes at least one open file. */
enum { PLACES_MOST = 1 << 16 };

static bool is_known(const struct probe_places *places, uint64_t lookup)
{
	for (size_t i = 0; i < places->count; i++)
		if (places->items[i].lookup == lookup)
			return true;
	return false;
}

/* Returns the size of the name of a symbol without its version, as in "fopen@@GLIBC_2.2.5". */
static size_t unversioned(const char *name)
{
	return *name == '@' ? strlen(name) : strcspn(name, "@");
}

static bool matches(const char *pattern, const char *name)
{
	const size_t size = unversioned(name);
	char *plain = name[size] ? strndup(name, size) : NULL;
	const bool match = !fnmatch(pattern, name, 0) || (plain && !fnmatch(pattern, plain, 0));

	free(plain);
	return match;
}

/* Returns the name of a symbol in the form that the kernel expects. */
static char *kernel_name(const struct probe_object *object, const char *name, size_t size)
{
	char *text = NULL;

	if (!object->module)
		return strndup(name, size);
	return asprintf(&text, "%s:%.*s", object->module, (int)size, name) < 0 ? NULL : text;
}

static void set_symbol(struct finding *f, struct probe_place *place)
{
	struct pk_symbol symbol;

	if (!pk_object_lookup(f->object->object, place->lookup, &symbol))
		return;
	place->symbol = kernel_name(f->object, symbol.name, unversioned(symbol.name));
	place->distance = place->lookup - symbol.start;
}

/* Adds a place if it is not in the list. The result stays valid until the next place is added.
 * Returns NULL if the place is already in the list, or after a failure. */
static struct probe_place *add_place(struct finding *f, const char *function, uint64_t lookup)
{
	struct probe_place *place;

	if (is_known(f->places, lookup))
		return NULL;
	if (f->places->count == PLACES_MOST || pk_vector_reserve(f->places, 1) != PK_OK) {
		f->failed = true;
		pk_messages_error(f->messages, "--probe: more than %d places", PLACES_MOST);
		return NULL;
	}
	place = &f->places->items[f->places->count++];
	*place = (struct probe_place){.lookup = lookup,
				      .function = strndup(function, unversioned(function))};
	set_symbol(f, place);
	return place;
}

/* Adds a place in a function or in an inlined copy of a function. */
static void add_address(struct finding *f, const struct pk_instance *instance, uint64_t address,
			const char *file, uint32_t line)
{
	struct probe_place *place;
	uint64_t lookup;

	if (!pk_types_lookup(f->object->types, address, &lookup))
		return;
	place = add_place(f, instance->name, lookup);
	if (!place)
		return;
	place->address = address;
	place->described = true;
	place->instance = *instance;
	place->file = file;
	place->line = line;
}

/* ---- Lines ---- */

static bool add_statement(void *arg, const struct pk_statement *statement)
{
	struct finding *f = arg;

	if (statement->line == f->line && statement->shared <= f->shared &&
	    (!f->instance->file || !strcmp(statement->file, f->instance->file)))
		add_address(f, f->instance, statement->address, statement->file, statement->line);
	return !f->failed;
}

/* Adds the addresses of a line. Prefers addresses that belong only to this line. At a shared
 * address, the compiler has merged statements of several lines. */
static bool add_line(void *arg, const struct pk_instance *instance)
{
	struct finding *f = arg;
	const size_t before = f->places->count;

	f->found_function = true;
	f->instance = instance;
	f->line = instance->line + (uint32_t)f->text->line;
	for (int shared = 0; shared < 2 && f->places->count == before; shared++) {
		f->shared = shared;
		pk_dwarf_places_statements(instance, add_statement, f);
	}
	return !f->failed;
}

static bool add_of_file(void *arg, const struct pk_statement *statement)
{
	struct finding *f = arg;
	struct pk_instance instance;

	if (statement->line == f->text->line && statement->shared <= f->shared &&
	    pk_dwarf_places_of_line(f->object->types, statement, &instance))
		add_address(f, &instance, statement->address, statement->file, statement->line);
	return !f->failed;
}

static enum pk_status find_lines(struct finding *f)
{
	const struct probe_text *text = f->text;
	const char *name = text->file ? text->file : text->function;

	if (!f->object->types)
		return pk_messages_error(
			f->messages, "--probe %s:%" PRIu64 ": %s: no debugging information%s", name,
			text->line, f->object->path ? f->object->path : "the kernel",
			f->object->path ? ": compile with -g, or install its debug package"
					: ": install the vmlinux of this kernel");
	if (text->file)
		for (int shared = 0; shared < 2 && !f->places->count; shared++) {
			f->shared = shared;
			pk_dwarf_places_file(f->object->types, text->file, add_of_file, f);
		}
	else
		pk_dwarf_places_functions(f->object->types, text->function, add_line, f);
	if (f->places->count || f->failed)
		return f->failed ? PK_FAILED : PK_OK;
	return pk_messages_error(
		f->messages, "--probe %s:%" PRIu64 ": %s", name, text->line,
		!text->file && !f->found_function
			? "no function of the debugging information has this name"
			: "this line has no code: --list-lines shows the lines that "
			  "have");
}

/* ---- Functions ---- */

static bool add_instance(void *arg, const struct pk_instance *instance)
{
	struct finding *f = arg;

	f->found_function = true;
	if (instance->inlined && f->text->is_return)
		f->places->inlined_left_out++;
	else if (!instance->inlined || !f->text->offset)
		add_address(f, instance, instance->entry + f->text->offset, instance->file,
			    f->text->offset ? 0 : instance->line);
	return !f->failed;
}

/* Adds a function that was found by its symbol. The debugging information can have another name for
 * it, such as __libc_malloc for malloc. */
static void add_symbol(struct finding *f, const struct pk_symbol *symbol)
{
	struct probe_place *place = add_place(f, symbol->name, symbol->start + f->text->offset);
	struct pk_instance *instance;

	if (!place || !f->object->types ||
	    !pk_types_address(f->object->types, place->lookup, &place->address))
		return;
	instance = &place->instance;
	place->described = pk_dwarf_places_at(f->object->types, place->address, instance);
	while (place->described && instance->inlined && pk_dwarf_places_around(instance, instance))
		;
	if (place->described && !f->text->offset) {
		place->file = instance->file;
		place->line = instance->line;
	}
}

static void add_symbols(struct finding *f, struct pk_object *object)
{
	struct pk_symbol symbol;
	uint64_t last = UINT64_MAX;

	for (size_t i = 0; object && !f->failed && pk_object_symbol(object, i, &symbol); i++) {
		if (symbol.start == last || symbol.flags & (PK_SYMBOL_PLT | PK_SYMBOL_DATA) ||
		    !matches(f->text->function, symbol.name))
			continue;
		last = symbol.start;
		add_symbol(f, &symbol);
	}
}

/* Opens the object with all names of each function, instead of only the preferred name. */
static struct pk_object *with_all_names(struct probe_object *object)
{
	if (!object->all_symbols)
		object->all_symbols = pk_symbols_new(
			&(struct pk_symbols_options){.no_demangle = true, .all_names = true});
	return object->all_symbols ? pk_symbols_file(object->all_symbols, object->path, NULL, 0)
				   : NULL;
}

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/* Adds a function of the kernel by its name only. Without debugging information, the kernel itself
 * finds its functions. It also finds functions that kallsyms does not show to this user. */
static bool find_by_kernel(struct finding *f)
{
	struct probe_place *place = add_place(f, f->text->function, 0);

	if (!place)
		return false;
	free(place->symbol);
	place->symbol = kernel_name(f->object, f->text->function, strlen(f->text->function));
	place->distance = f->text->offset;
	return true;
}

static enum pk_status find_functions(struct finding *f)
{
	const char *path = f->object->path;
	const bool in_kernel = f->object->in_kernel;

	if (in_kernel && !f->object->types && !is_pattern(f->text->function))
		return find_by_kernel(f) ? PK_OK : PK_FAILED;
	if (f->object->types)
		pk_dwarf_places_functions(f->object->types, f->text->function, add_instance, f);
	add_symbols(f, f->object->object);
	if (!f->places->count && !f->failed && !in_kernel)
		add_symbols(f, with_all_names(f->object));
	if (!f->places->count && !f->failed && in_kernel && !is_pattern(f->text->function))
		return find_by_kernel(f) ? PK_OK : PK_FAILED;
	if (f->places->count || f->failed)
		return f->failed ? PK_FAILED : PK_OK;
	if (path && pk_object_state(f->object->object) != PK_OBJECT_READY)
		return pk_messages_error(f->messages, "-x %s: %s", path,
					 pk_object_reason(f->object->object));
	if (f->places->inlined_left_out)
		return pk_messages_error(f->messages,
					 "--probe %s%%return: the function is inlined everywhere: "
					 "inlined copies do not return",
					 f->text->function);
	return pk_messages_error(f->messages, "%s%s: no function is called %s", path ? "-x " : "",
				 path ? path : "kernel", f->text->function);
}

/* ---- The start of functions without optimization ---- */

/* Code that is compiled without optimization first stores the parameters of a function in its stack
 * frame. The debugging information gives this location from the first instruction on, although it
 * is not yet written. So the parameters can be read only from the second statement on. */

static bool reads_variables(const struct probe_text *text)
{
	for (size_t i = 0; i < text->argument_count; i++) {
		const enum probe_root root = text->arguments[i].root;

		if (root == PROBE_VARIABLE || root == PROBE_ALL || root == PROBE_PARAMETERS)
			return true;
	}
	return false;
}

/* Returns true if the location of a variable is in the frame of the function. At the entry of the
 * function, this frame does not exist yet. */
static bool is_in_frame(const struct probe_object *object, const struct pk_variable *v)
{
	const unsigned frame_pointer = object->machine == EM_X86_64    ? 6
				       : object->machine == EM_AARCH64 ? 29
								       : UINT16_MAX;

	return (v->where == PK_WHERE_CFA && v->offset < 0) ||
	       (v->where == PK_WHERE_MEMORY && v->reg == frame_pointer);
}

static bool has_frame_parameters(const struct probe_object *object, const struct probe_place *place)
{
	const struct pk_variable *list;
	const size_t count =
		pk_dwarf_places_variables(object->types, &place->instance, place->address, &list);

	for (size_t i = 0; i < count; i++)
		if (list[i].parameter && is_in_frame(object, &list[i]))
			return true;
	return false;
}

static bool after_entry(void *arg, const struct pk_statement *statement)
{
	struct probe_place *place = arg;

	if (statement->address <= place->address)
		return true;
	place->address = statement->address;
	place->file = statement->file;
	place->line = statement->line;
	return false;
}

static void skip_prologue(struct probe_object *object, struct probe_place *place)
{
	const uint64_t entry = place->address;

	if (!place->described || place->instance.inlined || entry != place->instance.entry ||
	    !has_frame_parameters(object, place))
		return;
	pk_dwarf_places_statements(&place->instance, after_entry, place);
	place->lookup += place->address - entry;
	place->distance += place->address - entry;
}

static int compare_places(const void *a, const void *b)
{
	const struct probe_place *x = a, *y = b;

	return x->lookup < y->lookup ? -1 : x->lookup > y->lookup;
}

enum pk_status pk_probe_places_find(struct probe_object *object, const struct probe_text *text,
				    struct probe_places *places, struct pk_messages *messages)
{
	struct finding f = {.object = object, .text = text, .places = places, .messages = messages};
	enum pk_status status;

	*places = (struct probe_places){0};
	if (text->has_line)
		status = find_lines(&f);
	else if (text->function)
		status = find_functions(&f);
	else
		status = add_place(&f, "offset", text->offset) ? PK_OK : PK_FAILED;
	for (size_t i = 0; i < places->count && !text->is_return && reads_variables(text); i++)
		skip_prologue(object, &places->items[i]);
	if (places->count)
		qsort(places->items, places->count, sizeof(*places->items), compare_places);
	for (size_t i = 0; i < places->count; i++)
		if (!places->items[i].function)
			return pk_messages_no_memory(messages);
	return status;
}
