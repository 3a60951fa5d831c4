// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "characters.h"
#include "demangle.h"
#include "jit_follow.h"
#include "object_debug.h"
#include "resolve.h"
#include "stream_symbols.h"
#include "table.h"
#include "texts.h"
#include "vector.h"

/* The state of a resolver. */
struct resolver {
	struct pk_symbols *symbols;
	bool symfs, kallsyms; /* symfs is true if --symfs is given; kallsyms is true if --kallsyms
			       * or --vmlinux is given */
	bool guests;	      /* true if an option names symbols for the kernels of guests */
	bool inlines, lines, no_files;
	struct pk_inlined inlined[PK_SOURCES_MAX]; /* the inlined functions at the last address */
	const struct pk_session *session;
	struct pk_messages *messages;
	/* Each of the following members is true if the warning about this fact was already
	 * reported: */
	unsigned int missing; /* the number of files that are of another build or gone */
	bool full;	      /* the stream has more symbols than the session stores */
	bool guestless; /* code of guests has no names, because no option names their symbols */
	bool moved;	/* code was moved to anonymous memory */
	bool unproven;	/* a file was used that may differ from the recorded one */
	struct pk_object **objects; /* the object of each image of the session; the index is the
				     * index of the image */
	size_t capacity;
	struct pk_object *kernel; /* the object for kernel addresses that are in no map */
	uint32_t perf_map_pid; /* the process to which perf_map belongs; 0 if there is none yet */
	struct pk_object *perf_map;
	struct pk_table perf_maps; /* The key is a pid. The value is the struct pk_object of the
				    * perf map of this process. */
	struct jit_follow jit;
	/* `mangled` has the mangled names of the stream; each name gets a number in this set.
	 * `shown` has the demangled names; the index is the number of the mangled name. */
	struct pk_texts mangled;
	char **shown;
	size_t shown_capacity;
	struct pk_name_budget budget;
	bool demangle;
	struct utsname here; /* this machine; the release is "" if it is unknown */
};

static void clear_shown(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->shown_capacity; i++)
		free(resolver->shown[i]);
	free(resolver->shown);
	resolver->shown = NULL;
	resolver->shown_capacity = 0;
	pk_texts_free(&resolver->mangled);
	resolver->budget = (struct pk_name_budget){.failures = resolver->budget.failures};
}

/* Returns the demangled form of a name of the stream. Recorders on small machines, such as
 * simpleperf, do not demangle names. */
static const char *shown_name(struct resolver *resolver, const char *name)
{
	uint32_t id;
	char **shown;

	if (!resolver->demangle || name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
		return name;
	id = pk_texts_add(&resolver->mangled, name, strlen(name));
	if (pk_need_room(resolver->budget.failures,
			 id ? pk_extend(&resolver->shown, &resolver->shown_capacity, id)
			    : PK_NOMEM) != PK_OK)
		return name;
	shown = &resolver->shown[id];
	if (!*shown) {
		resolver->budget.paid += strlen(name);
		*shown = pk_name_demangle(&resolver->budget, name);
	}
	if (!*shown)
		*shown = pk_need_text(resolver->budget.failures, "%s", name);
	return *shown ? *shown : name;
}

struct resolver *pk_resolver_new(struct pk_symbols *symbols,
				 const struct pk_symbols_options *options,
				 struct pk_messages *messages)
{
	struct resolver *resolver = calloc(1, sizeof(*resolver));
	uint32_t pid;

	if (!resolver)
		return NULL;
	if (uname(&resolver->here))
		resolver->here.release[0] = 0;
	resolver->symbols = symbols;
	resolver->messages = messages;
	resolver->symfs = options->symfs && *options->symfs;
	resolver->kallsyms = (options->kallsyms && *options->kallsyms) ||
			     (options->vmlinux && *options->vmlinux);
	resolver->guests = pk_symbols_guest(symbols, 0, &pid);
	resolver->inlines = !options->no_inlines;
	resolver->lines = !options->no_lines;
	resolver->no_files = options->no_files;
	resolver->demangle = !options->no_demangle;
	resolver->budget.failures = pk_symbols_failures(symbols);
	return resolver;
}

void pk_resolver_free(struct resolver *resolver)
{
	if (!resolver)
		return;
	pk_jit_follow_clear(&resolver->jit);
	clear_shown(resolver);
	pk_table_free(&resolver->perf_maps);
	free(resolver->objects);
	free(resolver);
}

struct guest {
	struct pk_session *session;
	uint32_t pid;
	bool failed;
};

static bool add_module(void *arg, const char *name, uint64_t start, uint64_t size)
{
	struct guest *guest = arg;

	guest->failed =
		pk_session_map_guest_module(guest->session, guest->pid, name, start, size) != PK_OK;
	return !guest->failed;
}

static void add_guests(struct resolver *resolver, struct pk_session *session)
{
	struct guest guest = {.session = session};

	for (size_t i = 0; pk_symbols_guest(resolver->symbols, i, &guest.pid); i++) {
		guest.failed = guest.pid && pk_session_add_guest(session, guest.pid) != PK_OK;
		if (!guest.failed)
			pk_symbols_guest_modules(resolver->symbols, guest.pid, add_module, &guest);
		pk_need_room(pk_symbols_failures(resolver->symbols),
			     guest.failed ? PK_NOMEM : PK_OK);
	}
}

void pk_resolver_start_session(struct resolver *resolver, struct pk_session *session)
{
	pk_jit_follow_clear(&resolver->jit);
	clear_shown(resolver);
	free(resolver->objects);
	resolver->objects = NULL;
	resolver->capacity = 0;
	resolver->kernel = NULL;
	resolver->perf_map_pid = 0;
	pk_table_free(&resolver->perf_maps);
	resolver->session = session;
	add_guests(resolver, session);
}

/* ---- The recorded machine, whose features precede the first sample ---- */

/* Where the session was recorded, compared with this machine, from the most different to the same.
 */
enum origin {
	ELSEWHERE_OTHER, /* The session was recorded on another kind of machine. */
	ELSEWHERE,	 /* The session was recorded under another kernel release, or the release is
			  * unknown. */
	SAME_KERNEL, /* The session was recorded on another machine, but with the kernel release of
		      * this machine. */
	HERE,
};

static enum origin origin_of(const struct resolver *resolver)
{
	const struct pk_machine_names *names = pk_session_machine(resolver->session);
	const struct utsname *here = &resolver->here;

	if (!*here->release)
		return ELSEWHERE;
	if (*names->machine && strcmp(names->machine, here->machine))
		return ELSEWHERE_OTHER;
	if (strcmp(names->release, here->release))
		return ELSEWHERE;
	return strcmp(names->host, here->nodename) ? SAME_KERNEL : HERE;
}

/* Warns if the object of an image that has no build-id was found on this machine, because it may
 * differ from the recorded one. */
static void warn_unproven(struct resolver *resolver, const struct pk_image *image,
			  struct pk_object *object)
{
	enum pk_object_state state;

	if (resolver->unproven || !object)
		return;
	state = pk_object_state(object);
	if (state != PK_OBJECT_READY && state != PK_OBJECT_STRIPPED)
		return;
	resolver->unproven = true;
	pk_messages_warn(resolver->messages,
			 "%s: recorded on another machine and without a build-id: the file of this "
			 "name here is used, also for other such files (--symfs selects the right "
			 "ones)",
			 image->path);
}

static struct pk_build_id build_id_of(const struct pk_image *image)
{
	struct pk_build_id id = {.size = (uint8_t)image->build_id_size};

	memcpy(id.bytes, image->build_id, sizeof(id.bytes));
	return id;
}

/* The number of files that are reported if they are of another build or gone. If packages were
 * upgraded or containers ended since the recording, there can be hundreds of such files. */
#define MISSING_MOST 5

/* Reports an object that is of another build or gone. */
static void report_missing(struct resolver *resolver, struct pk_object *object)
{
	const unsigned int before = resolver->missing++;

	if (before == MISSING_MOST)
		pk_messages_warn(resolver->messages,
				 "more files are of another build or gone (-v prints them)");
	(before < MISSING_MOST ? pk_messages_warn : pk_messages_info)(
		resolver->messages, "%s: %s", pk_object_path(object), pk_object_reason(object));
}

/* Reports the state of an object. It is called once for each object. */
static void report_state(struct resolver *resolver, struct pk_object *object)
{
	switch (pk_object_state(object)) {
	case PK_OBJECT_READY:
		pk_messages_info(resolver->messages, "%s: symbols from %s", pk_object_path(object),
				 pk_object_source(object));
		break;
	case PK_OBJECT_NOT_A_FILE:
	case PK_OBJECT_UNREAD: break;
	case PK_OBJECT_OTHER_BUILD:
	case PK_OBJECT_GONE: report_missing(resolver, object); break;
	case PK_OBJECT_UNUSABLE:
	case PK_OBJECT_HIDDEN:
		pk_messages_warn(resolver->messages, "%s: %s", pk_object_path(object),
				 pk_object_reason(object));
		break;
	default:
		pk_messages_info(resolver->messages, "%s: %s", pk_object_path(object),
				 pk_object_reason(object));
		break;
	}
}

struct pk_mapped pk_resolver_mapped(const struct resolver *resolver, const struct pk_image *image)
{
	const bool live = !resolver->symfs && origin_of(resolver) == HERE;

	return (struct pk_mapped){live ? (pid_t)image->pid : 0, image->major, image->minor,
				  live ? image->inode : 0};
}

struct pk_object *pk_resolver_kernel(const struct resolver *resolver)
{
	return resolver->kernel;
}

/* Returns the kernel of a guest. Returns NULL if no option names its symbols, or if memory is
 * exhausted. */
static struct pk_object *guest_kernel(struct resolver *resolver, uint32_t pid,
				      const char *reference, uint64_t address)
{
	if (resolver->guests)
		return pk_symbols_guest_kernel(resolver->symbols, pid, reference, address);
	if (!resolver->guestless)
		pk_messages_warn(resolver->messages, "kernels of virtual machines have no names "
						     "without --guest-kallsyms or --guest-symfs");
	resolver->guestless = true;
	return NULL;
}

struct pk_object *pk_resolver_open(struct resolver *resolver, const struct pk_image *image)
{
	const enum origin origin = origin_of(resolver);
	const bool live = origin == HERE && !resolver->symfs;
	const struct pk_mapped by = pk_resolver_mapped(resolver, image);
	struct pk_build_id id = build_id_of(image);
	struct pk_object *object = NULL;

	if (image->guest && image->kind == PK_DSO_KERNEL)
		return guest_kernel(resolver, image->pid, image->reference_symbol,
				    image->reference_address);
	if (image->guest)
		return resolver->guests
			       ? pk_symbols_guest_module(resolver->symbols, image->pid, image->name)
			       : NULL;
	switch (image->kind) {
	case PK_DSO_KERNEL:
		if (!id.size && !resolver->kallsyms && origin < SAME_KERNEL)
			return NULL;
		object = pk_symbols_kernel(resolver->symbols, &id, image->reference_symbol,
					   image->reference_address);
		resolver->kernel = object;
		break;
	case PK_DSO_JIT:
		if (!live && !resolver->symfs)
			return NULL;
		if (!image->dump)
			return pk_symbols_perf_map(resolver->symbols, (pid_t)image->pid);
		object = pk_symbols_jitdump(resolver->symbols, image->path, (pid_t)image->pid);
		break;
	case PK_DSO_MODULE:
		if (!id.size && !resolver->symfs && origin < SAME_KERNEL)
			return NULL;
		object = pk_symbols_module(resolver->symbols, image->path, &id);
		break;
	case PK_DSO_VDSO:
		if (!id.size && !resolver->symfs && origin < SAME_KERNEL)
			return NULL;
		object = pk_symbols_file(resolver->symbols, image->path, &id, NULL);
		break;
	case PK_DSO_FILE:
		if (!id.size && !resolver->symfs && origin == ELSEWHERE_OTHER)
			return NULL;
		object = pk_symbols_file(resolver->symbols, image->path, &id, live ? &by : NULL);
		if (!id.size && !resolver->symfs && origin == ELSEWHERE)
			warn_unproven(resolver, image, object);
		break;
	default: return NULL;
	}
	return object;
}

static enum pk_status reserve(struct resolver *resolver, uint32_t index)
{
	const size_t before = resolver->capacity, size = sizeof(*resolver->objects);

	if (index < before)
		return PK_OK;
	PK_TRY(pk_need_room(pk_symbols_failures(resolver->symbols),
			    pk_reserve(&resolver->objects, &resolver->capacity, before,
				       index + 1 - before, size)));
	memset(resolver->objects + before, 0, (resolver->capacity - before) * size);
	return PK_OK;
}

struct pk_object *pk_resolver_object(struct resolver *resolver, const struct pk_image *image)
{
	/* A file that is mapped only as data, such as a cache or a database, is not an object with
	 * code. */
	if (image->kind == PK_DSO_FILE && !image->code)
		return NULL;
	if (reserve(resolver, image->index) != PK_OK)
		return NULL;
	if (!resolver->objects[image->index])
		resolver->objects[image->index] = pk_resolver_open(resolver, image);
	return resolver->objects[image->index];
}

static struct pk_object *object_of(struct resolver *resolver, const struct pk_image *image)
{
	const bool known = image->index < resolver->capacity && resolver->objects[image->index];
	struct pk_object *object = pk_resolver_object(resolver, image);

	if (object && !known && image->kind != PK_DSO_JIT)
		report_state(resolver, object);
	return object;
}

/* Returns the object for kernel code in modules and outside of all maps. kallsyms has the symbols
 * of the whole kernel. */
static struct pk_object *kernel_object(struct resolver *resolver)
{
	if (!resolver->kernel && (resolver->kallsyms || origin_of(resolver) >= SAME_KERNEL))
		resolver->kernel = pk_symbols_kernel(resolver->symbols, NULL, NULL, 0);
	return resolver->kernel;
}

/* A BPF program is the symbol of all its code. Its map is the range of the symbol. */
static void resolve_bpf(const struct pk_location *location, struct pk_resolved *resolved)
{
	resolved->function = location->image->path;
	resolved->function_size = strlen(location->image->path);
	resolved->symbol_start = location->map_start;
	resolved->symbol_end = location->map_end;
}

struct pk_object *pk_resolver_named_by(struct resolver *resolver,
				       const struct pk_location *location, uint64_t *address)
{
	const struct pk_image *image = location->image;

	*address = location->address;
	if (pk_kernel_name(location->flags) && (!image || image->kind == PK_DSO_MODULE)) {
		*address = location->ip;
		return location->flags == PK_FRAME_KERNEL
			       ? kernel_object(resolver)
			       : guest_kernel(resolver, image ? image->pid : 0, NULL, 0);
	}
	return image ? object_of(resolver, image) : NULL;
}

bool pk_resolver_interrupts(const char *function, uint32_t flags)
{
	static const char *const user[] = {"__restore_rt",
					   "__restore",
					   "__kernel_rt_sigreturn",
					   "__kernel_sigreturn",
					   "__default_rt_sa_restorer",
					   "__default_sa_restorer"};
	/* for x86, arm64, arm and s390 */
	static const char *const kernel[] = {
		"asm_exc_",	   "asm_sysvec_",    "asm_common_interrupt", "el1h_64_",
		"el1t_64_",	   "__irq_svc",	     "__dabt_svc",	     "__pabt_svc",
		"ext_int_handler", "io_int_handler", "pgm_check_handler"};

	for (size_t i = 0; flags & PK_FRAME_USER && i < sizeof(user) / sizeof(user[0]); i++)
		if (!strcmp(function, user[i]))
			return true;
	for (size_t i = 0; flags & PK_FRAME_KERNEL && i < sizeof(kernel) / sizeof(kernel[0]); i++)
		if (pk_starts_with(function, kernel[i]))
			return true;
	return false;
}

/* ---- Sources ---- */

/* Adds the debugging information about an address in an object. It consists of the file and line,
 * the inlined functions, and the name of the function if there is no symbol. inlined has room for
 * PK_SOURCES_MAX functions. shift is the address of the location minus the address in the object.
 */
static void resolve_sources(struct pk_object *object, uint64_t address, uint64_t shift,
			    bool inlines, struct pk_inlined *inlined, struct pk_resolved *resolved)
{
	const struct pk_source *sources, *function;
	struct pk_range same;
	size_t count = pk_object_sources_range(object, address, &sources, &same);

	same = pk_range_move(&same, address, address + shift);
	pk_range_clip(&resolved->same, same.from, same.to);
	if (!count)
		return;
	function = &sources[count - 1];
	resolved->file = function->file;
	resolved->line = function->line;
	resolved->column = function->column;
	if (!resolved->function && function->function) {
		resolved->function = function->function;
		resolved->function_size = strlen(function->function);
		resolved->symbol_start = function->start + shift;
		resolved->symbol_end = address + 1 + shift;
	}
	if (!inlines) {
		/* The line of the address is in the innermost inlined function. */
		resolved->file = sources[0].file;
		resolved->line = sources[0].line;
		resolved->column = sources[0].column;
		return;
	}
	resolved->inlined = inlined;
	for (size_t i = 0; i + 1 < count; i++)
		if (sources[i].function)
			inlined[resolved->inlined_count++] =
				(struct pk_inlined){sources[i].function, sources[i].file,
						    sources[i].line, sources[i].column};
}

/* Adds the debugging information of a SOURCE record of the stream. */
static void resolve_stream_source(const struct pk_stream_source *source, bool inlines, bool lines,
				  struct pk_inlined *inlined, struct pk_resolved *resolved)
{
	/* If inlined functions are not wanted, the line in the innermost inlined function is used.
	 */
	const struct pk_stream_frame *frames = source->frames,
				     *function = &frames[inlines ? source->count - 1 : 0];

	if (lines) {
		resolved->file = function->file;
		resolved->line = function->line;
		resolved->column = function->column;
	}
	if (!inlines)
		return;
	resolved->inlined = inlined;
	for (uint32_t i = 0; i + 1 < source->count && i < PK_SOURCES_MAX; i++)
		if (frames[i].function)
			inlined[resolved->inlined_count++] = (struct pk_inlined){
				frames[i].function, lines ? frames[i].file : NULL,
				lines ? frames[i].line : 0, lines ? frames[i].column : 0};
}

/* ---- Locations ---- */

/* Looks up the location in the symbols of the stream. They have precedence, because they were
 * looked up on the recorded machine. Returns true if the stream has the symbol. Sets *sources to
 * false if the stream also has the debugging information. */
static bool resolve_from_stream(struct resolver *resolver, const struct pk_location *location,
				bool *sources, struct pk_resolved *resolved)
{
	struct pk_stream_place place;
	bool found;

	resolved->same = PK_RANGE_ALL;
	if (!resolver->session)
		return false;
	if (pk_session_stream_symbols_full(resolver->session) && !resolver->full) {
		resolver->full = true;
		pk_messages_warn(resolver->messages,
				 "too many symbols in the stream; some are not used");
	}
	found = pk_session_stream_symbol(resolver->session, location, &place);
	resolved->same = place.same;
	if (found) {
		resolved->function = shown_name(resolver, place.function);
		resolved->function_size = strlen(resolved->function);
		resolved->symbol_start = place.symbol_start;
		resolved->symbol_end = place.symbol_end;
		if (!location->image || location->image->kind == PK_DSO_KERNEL)
			resolved->module = place.module;
	}
	if (*sources && place.source) {
		resolve_stream_source(place.source, resolver->inlines, resolver->lines,
				      resolver->inlined, resolved);
		*sources = false;
	}
	return found;
}

/* Marks a result from a perf map or jitdump, which can still grow. `before` is the state of the
 * object before the lookup. `unknown` means that a later lookup may find the symbol. */
static void note_growing(struct pk_object *object, enum pk_object_state before, bool unknown,
			 struct pk_resolved *resolved)
{
	if (pk_object_state(object) != PK_OBJECT_READY)
		return;
	resolved->retry = unknown;
	resolved->appeared = before != PK_OBJECT_READY && before != PK_OBJECT_UNREAD;
}

static void set_function(const struct pk_symbol *symbol, uint64_t shift,
			 struct pk_resolved *resolved)
{
	resolved->function = symbol->name;
	resolved->function_size = strlen(symbol->name);
	resolved->symbol_start = symbol->start + shift;
	resolved->symbol_end = symbol->end + shift;
}

/* Looks up a location in a memfd file that is a program or library without a build-id. */
static void resolve_memfd(struct resolver *resolver, const struct pk_location *location,
			  struct pk_resolved *resolved)
{
	const struct pk_mapped by = pk_resolver_mapped(resolver, location->image);
	struct pk_object *object =
		by.pid ? pk_symbols_file(resolver->symbols, location->image->path, NULL, &by)
		       : NULL;
	struct pk_symbol symbol;

	if (object && pk_object_lookup(object, location->offset, &symbol))
		set_function(&symbol, location->address - location->offset, resolved);
	if (resolved->function)
		resolved->retry = false;
}

/* Looks up the symbol of the location in its object. */
static void resolve_symbol(struct resolver *resolver, const struct pk_location *location,
			   bool sources, struct pk_resolved *resolved)
{
	const struct pk_image *image = location->image;
	struct pk_symbol symbol;
	enum pk_object_state state;
	struct pk_object *object;
	uint64_t address, shift;
	struct pk_range same;
	bool found;

	object = pk_resolver_named_by(resolver, location, &address);
	if (!object)
		return;
	state = pk_object_state(object);
	shift = location->address - address;
	found = pk_object_lookup_range(object, address, &symbol, &same);
	same = pk_range_move(&same, address, location->address);
	pk_range_clip(&resolved->same, same.from, same.to);
	if (found) {
		set_function(&symbol, shift, resolved);
		if (pk_kernel_name(location->flags) && symbol.module &&
		    (!image || image->kind == PK_DSO_KERNEL))
			resolved->module = symbol.module;
	}
	if (sources)
		resolve_sources(object, address, shift, resolver->inlines, resolver->inlined,
				resolved);
	if (image && image->kind == PK_DSO_JIT) {
		note_growing(object, state, !resolved->function, resolved);
		if (!resolved->function && pk_starts_with(image->path, "/memfd:"))
			resolve_memfd(resolver, location, resolved);
	}
}

/* Adds the information from the file of a module. The names of its code are in the list of the
 * kernel's symbols. The file has the lines, and the names if there is no list. The position of the
 * code is only assumed, from the rules of the kernel's loader. So the file is not used if its name
 * for the address differs from the name in the list. */
static void resolve_module(struct resolver *resolver, const struct pk_location *location,
			   bool sources, struct pk_resolved *resolved)
{
	struct pk_object *module = object_of(resolver, location->image);
	struct pk_symbol symbol;
	struct pk_range same;

	if (!module || !pk_object_lookup_range(module, location->address, &symbol, &same))
		return;
	if (resolved->function &&
	    (resolved->function_size != strlen(symbol.name) ||
	     memcmp(resolved->function, symbol.name, resolved->function_size)))
		return;
	pk_range_clip(&resolved->same, same.from, same.to);
	if (!resolved->function) {
		resolved->function = symbol.name;
		resolved->function_size = strlen(symbol.name);
		resolved->symbol_start = symbol.start;
		resolved->symbol_end = symbol.end;
	}
	if (sources)
		resolve_sources(module, location->address, 0, resolver->inlines, resolver->inlined,
				resolved);
}

/* ---- Code in a file whose names are in a perf map ---- */

/* Returns the perf map of a process. Returns NULL if it may not be read, or if memory is exhausted.
 */
static struct pk_object *perf_map_of(struct resolver *resolver, uint32_t pid)
{
	if (resolver->perf_map_pid == pid)
		return resolver->perf_map;
	resolver->perf_map_pid = pid;
	resolver->perf_map = pk_table_get(&resolver->perf_maps, pid);
	if (resolver->perf_map || resolver->no_files ||
	    (!resolver->symfs && origin_of(resolver) != HERE))
		return resolver->perf_map;
	resolver->perf_map = pk_symbols_perf_map(resolver->symbols, (pid_t)pid);
	if (resolver->perf_map) /* If pk_table_set() fails, this perf map is looked up again later.
				 */
		(void)pk_table_set(&resolver->perf_maps, pid, resolver->perf_map);
	return resolver->perf_map;
}

bool pk_resolver_awaits_perf_map(struct resolver *resolver, uint32_t pid)
{
	struct pk_object *map = perf_map_of(resolver, pid);

	return map && pk_object_is_awaited(map);
}

void pk_resolver_perf_map_is_final(struct resolver *resolver, uint32_t pid)
{
	struct pk_object *map = perf_map_of(resolver, pid);

	if (map)
		pk_object_is_final(map);
}

void pk_resolver_in_perf_map(struct resolver *resolver, const struct pk_location *location,
			     struct pk_resolved *resolved)
{
	struct pk_object *map = location->pid ? perf_map_of(resolver, location->pid) : NULL;
	enum pk_object_state before;
	struct pk_symbol symbol;

	if (!map)
		return;
	before = pk_object_state(map);
	resolved->local = pk_object_lookup(map, location->ip, &symbol);
	if (resolved->local)
		set_function(&symbol, location->address - location->ip, resolved);
	note_growing(map, before,
		     !resolved->function &&
			     pk_object_covers(map, location->map_start, location->map_end),
		     resolved);
}

/* Looks up the location in the stream's symbols from the perf map of the process. They are stored
 * as an image of JIT code (SPEC 9.11). */
static void perf_map_in_stream(struct resolver *resolver, const struct pk_location *location,
			       struct pk_resolved *resolved)
{
	char path[64];
	const struct pk_image image = {.kind = PK_DSO_JIT, .pid = location->pid, .path = path};
	struct pk_location in_map = *location;
	struct pk_stream_place place;

	if (!resolver->session || !pk_session_has_stream_symbols(resolver->session))
		return;
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", location->pid);
	in_map.image = &image;
	in_map.address = location->ip;
	if (!pk_session_stream_symbol(resolver->session, &in_map, &place))
		return;
	resolved->local = true;
	resolved->function = place.function;
	resolved->function_size = strlen(place.function);
	resolved->symbol_start = place.symbol_start + location->address - location->ip;
	resolved->symbol_end = place.symbol_end + location->address - location->ip;
}

static void resolve_in_file(struct resolver *resolver, const struct pk_location *location,
			    struct pk_resolved *resolved)
{
	if (!location->image || location->image->kind != PK_DSO_FILE || !location->image->code ||
	    !location->pid)
		return;
	perf_map_in_stream(resolver, location, resolved);
	if (!resolved->function)
		pk_resolver_in_perf_map(resolver, location, resolved);
}

static bool is_in_module(const struct pk_location *location)
{
	return location->flags & PK_FRAME_KERNEL && location->image &&
	       location->image->kind == PK_DSO_MODULE;
}

/* Looks up code in anonymous memory that was probably moved there from a file. The code can also be
 * generated by a compiler. So the perf map of the process has precedence over the file. Returns
 * true if the perf map has a name. */
static bool resolve_moved(struct resolver *resolver, const struct pk_location *location,
			  struct pk_resolved *resolved)
{
	if (!location->moved)
		return false;
	resolved->same = pk_range_of_one(location->address);
	perf_map_in_stream(resolver, location, resolved);
	if (!resolved->function)
		pk_resolver_in_perf_map(resolver, location, resolved);
	if (!resolved->function && !resolver->moved)
		pk_messages_warn(resolver->messages,
				 "%s: a part of its code seems to be moved to anonymous memory: "
				 "names there are those of the file at the same addresses",
				 location->image->path);
	resolver->moved |= !resolved->function;
	resolved->retry = false;
	return resolved->function;
}

static void resolve_at(struct resolver *resolver, const struct pk_location *location, bool sources,
		       struct pk_resolved *resolved)
{
	if (resolve_moved(resolver, location, resolved))
		return;
	resolved->local = false;
	if (resolve_from_stream(resolver, location, &sources, resolved))
		;
	else if (location->image && location->image->kind == PK_DSO_BPF)
		resolve_bpf(location, resolved);
	else if (!resolver->no_files)
		resolve_symbol(resolver, location, sources && !is_in_module(location), resolved);
	if (is_in_module(location) && !resolver->no_files && (sources || !resolved->function))
		resolve_module(resolver, location, sources, resolved);
	if (!resolved->function)
		resolve_in_file(resolver, location, resolved);
	if (resolved->function)
		resolved->interrupts = pk_resolver_interrupts(resolved->function, location->flags);
}

/* Returns true if the address is the start of a function and not a return address. In user code, it
 * is the trampoline to which a signal handler returns. In the kernel, the function was interrupted
 * at its start, or assembler code has stored its address on the stack. The address cannot follow a
 * call in the kernel, because functions that end with a call have padding after them. */
static bool starts_there(struct resolver *resolver, const struct pk_location *location)
{
	struct pk_resolved resolved = {0};

	resolve_at(resolver, location, false, &resolved);
	return resolved.function && resolved.symbol_start == location->address &&
	       (resolved.interrupts || location->flags & PK_FRAME_KERNEL);
}

/* Sets *resolved if a function starts at the address. Otherwise does not change it, and returns
 * false. */
static bool resolve_function_start(struct resolver *resolver, const struct pk_location *location,
				   struct pk_resolved *resolved)
{
	struct pk_resolved start = {0};

	resolve_at(resolver, location, resolver->inlines || resolver->lines, &start);
	if (!start.function || start.symbol_start != location->address)
		return false;
	*resolved = start;
	resolved->same = pk_range_of_one(location->address);
	return true;
}

/* Looks up a location that has no names except those of a perf map. First tries the address itself,
 * because it can be the start of a function even if it follows a call (see starts_there). */
static void resolve_nameless(struct resolver *resolver, const struct pk_location *location,
			     struct pk_resolved *resolved)
{
	struct pk_location at = *location;

	resolve_in_file(resolver, &at, resolved);
	if (resolved->function || !location->called || !location->ip || !location->address)
		return;
	at.ip--;
	at.address--;
	resolve_in_file(resolver, &at, resolved);
}

void pk_resolver_resolve(void *arg, const struct pk_location *location,
			 struct pk_resolved *resolved)
{
	struct pk_location at = *location;
	struct resolver *resolver = arg;

	if (location->nameless) {
		resolve_nameless(resolver, location, resolved);
		return;
	}
	if (location->called && location->ip && location->address &&
	    !starts_there(resolver, location)) {
		at.ip--;
		at.address--;
	}
	resolve_at(resolver, &at, resolver->inlines || resolver->lines, resolved);
	/* A return address was looked up at the address before it. So the range of addresses with
	 * the same result moves up by one. There is no address before 0. */
	if (location->called && resolved->same.from)
		resolved->same.from++;
	if (!pk_range_has(&resolved->same, location->address))
		resolved->same = pk_range_of_one(location->address);
	/* If the address before this address is in no function, it is padding and not a call. So a
	 * function must start at this address. Such a function is the trampoline of a signal
	 * handler whose name is not known, such as the trampoline of Go. */
	if (!resolved->function && at.address != location->address)
		resolve_function_start(resolver, location, resolved);
	/* Unwinders subtract one from return addresses. So the function can also start at the next
	 * address: a function that was never called, to which a coroutine or a goroutine returns.
	 */
	if (!resolved->function && at.address != location->address) {
		at.ip = location->ip + 1;
		at.address = location->address + 1;
		if (resolve_function_start(resolver, &at, resolved))
			resolved->same = pk_range_of_one(location->address);
	}
}

/* Finds the build-id of the vDSO. With --symfs, it is read from the vDSO file below that directory.
 * Otherwise it is the build-id of the running kernel's vDSO, if the session was recorded under this
 * kernel. */
static bool vdso_build_id(struct resolver *resolver, const char *path, struct pk_build_id *id)
{
	struct pk_files files;

	if (!resolver->symfs)
		return origin_of(resolver) >= SAME_KERNEL &&
		       pk_running_build_id(resolver->symbols, path, id);
	pk_symbols_files(resolver->symbols, path, id, NULL, &files);
	*id = files.build_id;
	pk_files_release(&files);
	return id->size;
}

bool pk_resolver_build_id(struct resolver *resolver, const struct pk_image *image,
			  struct pk_build_id *id)
{
	const enum origin origin = origin_of(resolver);
	struct pk_mapped by;

	id->size = 0;
	switch (image->kind) {
	case PK_DSO_VDSO: return vdso_build_id(resolver, image->path, id);
	case PK_DSO_KERNEL:
	case PK_DSO_MODULE:
		return origin >= SAME_KERNEL && !resolver->symfs && !resolver->kallsyms &&
		       pk_running_build_id(resolver->symbols, image->path, id);
	case PK_DSO_FILE:
		if (origin != HERE && !resolver->symfs)
			return false;
		by = pk_resolver_mapped(resolver, image);
		return pk_symbols_build_id(resolver->symbols, image->path, &by, id);
	default: return false;
	}
}

/* ---- jitdumps ---- */

void pk_resolver_on_moves(struct resolver *resolver,
			  void (*moved)(void *arg, const struct pk_code_map *code), void *arg)
{
	resolver->jit.moved = moved;
	resolver->jit.arg = arg;
}

/* Adds a jitdump. A process announces its jitdump by mapping it at offset 0. Maps with another
 * offset contain its code (SPEC 9.12). */
static enum pk_status follow_jitdump(struct resolver *resolver, const struct pk_record *record)
{
	const struct perf_record_mmap *map =
		(const void *)record->data; /* MMAP2 has the same first members */
	const char *path = pk_record_text(record, pk_mmap_name_at(record));

	if (!path || !pk_is_jitdump(path) || map->pgoff || resolver->no_files)
		return PK_OK;
	if (!resolver->symfs && origin_of(resolver) != HERE)
		return PK_OK;
	return pk_jit_follow_add(&resolver->jit, resolver->symbols, map->pid, path);
}

static enum pk_status follow(struct resolver *resolver, struct pk_session *session,
			     const struct pk_record *record)
{
	const struct pk_event *event = record->event;
	bool monotonic = event && event->attr.flags & PERF_ATTR_USE_CLOCKID &&
			 event->attr.clockid == CLOCK_MONOTONIC;
	uint64_t time = monotonic ? record->time : PK_NO_TIME;

	if (!event || !event->layout.tid || record->size < event->layout.fixed_size)
		return PK_OK;
	return pk_jit_follow_to(&resolver->jit, session,
				pk_record_task(record, event->layout.tid)->pid, time);
}

enum pk_status pk_resolver_record(struct resolver *resolver, struct pk_session *session,
				  const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return follow_jitdump(resolver, record);
	case PERF_RECORD_SAMPLE:
		return resolver->jit.dumps.count ? follow(resolver, session, record) : PK_OK;
	default: return PK_OK;
	}
}
