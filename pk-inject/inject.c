// SPDX-License-Identifier: BSD-2-Clause
/* Writes the records of the input unchanged and in their order. The records are also evaluated in
 * the order of their times, and their addresses are resolved as in pk-symbolize. The names of new
 * addresses are written as definitions. A definition is written before the FINISHED_ROUND after
 * which the next program needs it (pk_order_tee). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "define.h"
#include "inject.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "resolve.h"
#include "session.h"
#include "stream_symbols.h"
#include "symbols.h"

/* ---- Records ---- */

/* These functions write records of perf. */

/* Writes a HEADER_BUILD_ID record for an image, and evaluates the record in the session. Returns
 * the first status that is not PK_OK. */
static enum pk_status inject_build_id(struct pk_writer *writer, struct pk_session *session,
				      const struct pk_image *image, const struct pk_build_id *id)
{
	const bool kernel = image->kind == PK_DSO_KERNEL || image->kind == PK_DSO_MODULE;
	const uint16_t mode = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	struct perf_record_build_id *written = pk_writer_with_text(
		writer, PERF_RECORD_HEADER_BUILD_ID, mode | PERF_RECORD_MISC_BUILD_ID_SIZE,
		sizeof(*written), image->path, 0);
	struct pk_record record;

	if (!written)
		return pk_writer_status(writer);
	written->pid =
		UINT32_MAX; /* this pid means that the kernel belongs to the host, not to a guest */
	memcpy(written->build_id, id->bytes, id->size);
	written->size = id->size;
	record = pk_record_at((const uint8_t *)written);
	return pk_session_record(session, &record);
}

/* Writes an MMAP2 for the code of a jitdump (SPEC 9.12). time is in ns. If it is 0, the record has
 * no time. The trailer of the record has the layout of the event `first`. */
static void inject_code_map(struct pk_writer *writer, const struct pk_event *first,
			    const struct pk_code_map *code, uint64_t time)
{
	enum { PROT_READ_EXEC = 5, PRIVATE = 2 };
	const struct pk_layout *layout = &first->layout;
	struct perf_record_mmap2 *map =
		pk_writer_with_text(writer, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(*map),
				    code->path, layout->trailer.size);

	if (!map)
		return;
	map->pid = map->tid = code->pid;
	map->addr = code->start;
	map->len = code->size;
	map->pgoff = code->offset;
	map->prot = PROT_READ_EXEC;
	map->flags = PRIVATE;
	if (layout->trailer.time)
		pk_store_u64((uint8_t *)map + map->header.size - layout->trailer.time, time);
}

/* ---- The stage ---- */

/* Limits. The first two are sizes in bytes: of the definitions and of the stacks in memory. The
 * third is the number of entries in `deferred`. What exceeds its limit is cleared. */
#define DEFINITIONS_MAX ((uint64_t)64 << 20)
#define STACKS_MAX	((size_t)64 << 20)
#define DEFERRED_MAX	((size_t)1 << 20)

struct injector {
	struct pk_run *run;
	const struct inject_options *options;
	struct pk_failures *failures;
	struct pk_session *session;
	struct resolver *resolver;
	struct pk_dictionary *dictionary;
	struct pk_stacks *stacks;
	struct define *define;
	struct pk_table whole;	  /* objects whose symbols are all written */
	struct pk_table known;	  /* images whose build-id was already searched */
	struct pk_table deferred; /* hashes of locations in CALLCHAIN_DEFERRED records that were
				   * already resolved */
	bool foreign; /* another program has already added names of functions to the stream */
	bool warned;
	uint32_t interpreted; /* the last id of images of interpreted code, which the recorder
			       * defines; 0 if there is none */
	uint64_t secret;      /* secret of the hash function */
	uint32_t pid;	      /* pid of the current sample */
	/* now is the time of the current sample in ns. settled is also a time in ns: later programs
	 * may already have evaluated all records up to this time. */
	uint64_t now, settled;
};

/* Adds a key to the table of things that are done. If this fails, the thing is only done again
 * later. */
static void note(struct injector *in, struct pk_table *table, uint64_t key)
{
	if (pk_table_set(table, key, in) != PK_OK)
		pk_failed(in->failures, NULL, ENOMEM);
}

static bool may_write(struct injector *in)
{
	return pk_stage_open(in->run->stage, in->run->input.swapped);
}

/* ---- Build-ids ---- */

static void add_build_id(struct injector *in, const struct pk_image *image)
{
	struct pk_build_id id;

	if (image->build_id_size || pk_table_get(&in->known, image->index))
		return;
	note(in, &in->known, image->index);
	if (!pk_resolver_build_id(in->resolver, image, &id) || !may_write(in))
		return;
	if (inject_build_id(in->run->writer, in->session, image, &id) == PK_NOMEM)
		pk_failed(in->failures, NULL, ENOMEM);
}

/* ---- Symbols ---- */

static uint64_t key_of_text(const struct injector *in, const char *text)
{
	return pk_hash(text, strlen(text), in->secret) | UINT64_C(1) << 63;
}

/* Returns the image of the kernel, or of a kernel module. module is the name of the module without
 * brackets, or NULL. */
static struct define_image kernel_image(const struct injector *in, const struct pk_image *image,
					const char *module, char *path, size_t size)
{
	struct define_image result = {.info.kind = PK_DSO_KERNEL};

	if (module)
		snprintf(path, size, "[%s]", module);
	else
		snprintf(path, size, "%s", image ? image->path : "[kernel.kallsyms]");
	if (module || (image && image->kind == PK_DSO_MODULE))
		result.info.kind = PK_DSO_MODULE;
	result.info.path = path;
	result.key = key_of_text(in, path);
	return result;
}

/* Returns the image for the perf map of a process. Its addresses are virtual addresses. */
static struct define_image perf_map_image(const struct injector *in, uint32_t pid, char *path,
					  size_t size)
{
	snprintf(path, size, "/tmp/perf-%u.map", pid);
	return (struct define_image){.key = key_of_text(in, path),
				     .info = {.kind = PK_DSO_JIT, .pid = pid, .path = path}};
}

static struct define_image user_image(const struct pk_image *image)
{
	struct define_image result = {.key = image->index,
				      .info = {.kind = image->kind,
					       .pid = image->kind == PK_DSO_JIT ? image->pid : 0,
					       .path = image->path,
					       .build_id_size = image->build_id_size}};

	memcpy(result.info.build_id, image->build_id, PK_BUILD_ID_MAX);
	return result;
}

static enum inject_what wanted(const struct injector *in, const struct pk_location *location)
{
	if (location->flags & PK_FRAME_KERNEL)
		return in->options->kernel;
	if (location->image && location->image->kind == PK_DSO_JIT)
		return in->options->jit;
	return in->options->symbols;
}

/* Defines all symbols of the object that contains the location. */
static void define_whole(struct injector *in, const struct pk_location *location)
{
	const bool kernel = location->flags & PK_FRAME_KERNEL;
	struct pk_object *object;
	struct pk_symbol symbol;
	uint64_t address;
	char path[256];

	object = pk_resolver_named_by(in->resolver, location, &address);
	if (!object || pk_table_get(&in->whole, (uintptr_t)object))
		return;
	note(in, &in->whole, (uintptr_t)object);
	for (size_t i = 0; pk_object_symbol(object, i, &symbol); i++) {
		const struct pk_symbol_info info = {.start = symbol.start,
						    .size = symbol.end - symbol.start,
						    .name = symbol.name,
						    .name_size = strlen(symbol.name)};
		struct define_image image =
			kernel ? kernel_image(in, NULL, symbol.module, path, sizeof(path))
			       : user_image(location->image);

		define_symbol(in->define, &image, &info);
	}
}

/* Returns the image of a location. `path` is a buffer of `size` bytes for the path of the image. */
static struct define_image image_of(const struct injector *in, const struct pk_location *location,
				    const struct pk_resolved *resolved, char *path, size_t size)
{
	if (location->flags & PK_FRAME_KERNEL)
		return kernel_image(in, location->image, resolved->module, path, size);
	if (resolved->local)
		return perf_map_image(in, location->pid, path, size);
	return user_image(location->image);
}

static struct pk_source_info source_of(const char *function, const char *file, uint32_t line,
				       uint32_t column)
{
	return (struct pk_source_info){.function = function,
				       .file = file,
				       .function_size = function ? strlen(function) : 0,
				       .file_size = file ? strlen(file) : 0,
				       .line = line,
				       .column = column};
}

/* Defines the inlined functions and the source line of a location. */
static void define_lines(struct injector *in, const struct pk_location *location,
			 const struct pk_resolved *resolved)
{
	struct pk_source_info sources[PK_SOURCES_MAX + 1];
	const uint64_t address =
		location->flags & PK_FRAME_KERNEL ? location->ip : location->address;
	struct define_image image;
	size_t count = 0;
	char path[256];

	if (!resolved->inlined_count && !resolved->file && !resolved->line)
		return;
	for (; count < resolved->inlined_count && count < PK_SOURCES_MAX; count++) {
		const struct pk_inlined *inlined = &resolved->inlined[count];

		sources[count] =
			source_of(inlined->function, inlined->file, inlined->line, inlined->column);
		sources[count].flags = PK_SOURCE_INLINED;
	}
	sources[count++] = source_of(NULL, resolved->file, resolved->line, resolved->column);
	image = image_of(in, location, resolved, path, sizeof(path));
	/* For a caller, define the return address minus 1, because the source line was looked up
	 * for the call instruction. */
	define_source(in->define, &image,
		      address - (location->called && resolved->symbol_start != location->address),
		      sources, count);
}

/* Writes an MMAP2 for code of a jitdump. Its time is 1 ns before the current sample. If later
 * programs may already have evaluated records up to that time, the MMAP2 has no time. */
static void write_code_map(void *arg, const struct pk_code_map *code)
{
	struct injector *in = arg;
	const bool timed = in->now != PK_NO_TIME && in->now > in->settled + 1;

	if (in->options->jit != INJECT_NONE && !in->foreign && may_write(in))
		inject_code_map(in->run->writer, pk_events_at(pk_reader_events(in->run->reader), 0),
				code, timed ? in->now - 1 : 0);
}

/* Defines the symbol of a location. If the symbol comes from a jitdump, also writes an MMAP2 with
 * the place of its code in memory. */
static void define_touched(struct injector *in, const struct pk_location *location,
			   const struct pk_resolved *resolved)
{
	const bool kernel = location->flags & PK_FRAME_KERNEL;
	const struct pk_image *image = location->image;
	const uint64_t to_virtual =
		kernel || resolved->local ? location->ip - location->address : 0;
	const struct pk_symbol_info info = {.start = resolved->symbol_start + to_virtual,
					    .size = resolved->symbol_end - resolved->symbol_start,
					    .name = resolved->function,
					    .name_size = resolved->function_size};
	struct define_image like;
	char path[256];

	like = image_of(in, location, resolved, path, sizeof(path));
	if (!define_symbol(in->define, &like, &info) || !image || !image->dump)
		return;
	write_code_map(in, &(struct pk_code_map){
				   .pid = in->pid,
				   .path = image->path,
				   .start = location->ip - (location->address - info.start),
				   .size = info.size,
				   .offset = info.start,
			   });
}

/* Defines the symbol of a location in a file, if the perf map of the process has a symbol there. */
static void define_from_perf_map(struct injector *in, const struct pk_location *location,
				 struct pk_resolved *resolved)
{
	struct pk_location at = *location;

	if (location->called && location->ip && location->address) {
		at.ip--;
		at.address--;
	}
	pk_resolver_in_perf_map(in->resolver, &at, resolved);
	if (!resolved->function || !may_write(in))
		return;
	define_touched(in, &at, resolved);
	define_flush(in->define);
}

/* A pk_resolve_fn. It is called once for every location, and writes the definitions of the
 * location. */
static void resolve(void *arg, const struct pk_location *location, struct pk_resolved *resolved)
{
	const struct pk_image *image = location->image;
	struct injector *in = arg;
	enum inject_what what = wanted(in, location);
	const bool jit = image && image->kind == PK_DSO_JIT;
	/* Later programs find the lines of a jitdump through the maps that --jit adds. So without
	 * --jit, such lines are not written. */
	const bool lines =
		in->options->lines != INJECT_NONE && !(jit && in->options->jit == INJECT_NONE);

	if (location->flags & (PK_FRAME_GUEST | PK_FRAME_HYPERVISOR) ||
	    (image && in->interpreted && pk_interpreted_image(image->path)))
		return;
	if (image && in->options->build_ids != INJECT_NONE)
		add_build_id(in, image);
	if (what == INJECT_NONE && !lines) {
		if (in->options->jit != INJECT_NONE && image && image->kind == PK_DSO_FILE)
			define_from_perf_map(in, location, resolved);
		return;
	}
	pk_resolver_resolve(in->resolver, location, resolved);
	if (!resolved->function || (image && image->kind == PK_DSO_BPF) || !may_write(in))
		return;
	if (what == INJECT_WHOLE && !jit)
		define_whole(in, location);
	if (what != INJECT_NONE) {
		define_touched(in, location, resolved);
		define_flush(in->define);
	}
	if (lines)
		define_lines(in, location, resolved);
}

/* ---- Records ---- */

static void forget_stacks(struct injector *in)
{
	pk_table_free(&in->deferred);
	pk_stacks_forget(in->stacks);
	pk_dictionary_clear(in->dictionary);
}

static enum pk_status start_session(struct injector *in)
{
	pk_session_free(in->session);
	in->session = pk_session_new();
	if (!in->session)
		return PK_NOMEM;
	forget_stacks(in);
	define_start_session(in->define, in->run->writer);
	pk_table_free(&in->whole);
	pk_table_free(&in->known);
	pk_resolver_start_session(in->resolver, in->session);
	in->foreign = false;
	in->interpreted = 0;
	in->now = in->settled = 0;
	return PK_OK;
}

/* Returns true if pk-record has written the definition. pk-record defines the frames of
 * interpreters. The image of these frames must come before the images of this program. */
static bool is_of_recorder(struct injector *in, const struct pk_record *record, unsigned int kind)
{
	struct pk_offsite_list list;
	struct pk_image_info info;

	if (kind == PK_SYMBOLS || kind == PK_SOURCE)
		return pk_offsite_entries(record, &list) == PK_OK && list.image &&
		       list.image <= in->interpreted;
	if (kind != PK_IMAGE || pk_image_info_decode(record, &info) != PK_OK ||
	    info.id != in->interpreted + 1 || info.kind != PK_DSO_ANON ||
	    !pk_interpreted_image(info.path))
		return false;
	in->interpreted = info.id;
	define_continue_ids(in->define, info.id);
	return true;
}

/* Returns true if the input already has names. Then this program adds no names: they are not
 * needed, and the ids of the two programs would conflict. */
static bool is_foreign(struct injector *in, const struct pk_record *record)
{
	const unsigned int kind = pk_definition_of(record);
	const bool symbolized = pk_stage_input(in->run->stage)->trailers & PK_TRAILER_STACK;

	in->foreign |= symbolized ||
		       (kind >= PK_IMAGE && kind <= PK_FORGET && !is_of_recorder(in, record, kind));
	if (in->foreign && !in->warned) {
		in->warned = true;
		pk_warn("%s: has symbols already; passed on unchanged", in->run->input.name);
	}
	return in->foreign;
}

/* Returns the image that the record maps. Returns NULL if there is no such image, or if the record
 * belongs neither to the kernel nor to user mode. */
static const struct pk_image *mapped_image(struct injector *in, const struct pk_record *record)
{
	const uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	const struct perf_record_mmap *map =
		(const void *)
			record->data; /* an MMAP2 record starts with the fields of an MMAP record */
	struct pk_thread *thread = NULL;

	if (mode != PERF_RECORD_MISC_KERNEL && mode != PERF_RECORD_MISC_USER)
		return NULL;
	if (mode == PERF_RECORD_MISC_USER)
		thread = pk_session_thread(in->session, map->pid, map->tid);
	if (mode == PERF_RECORD_MISC_USER && !thread) {
		pk_failed(in->failures, NULL, ENOMEM);
		return NULL;
	}
	return pk_session_locate(in->session, thread, map->addr, mode).image;
}

/* Returns true if this program cannot find the file at its path. There are two cases: the process
 * is in another mount namespace (a container, for example), or the file was deleted. */
static bool sees_other_files(struct injector *in, const struct pk_mapped *by, const char *file)
{
	struct stat ours, theirs;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)by->pid);
	if (!stat("/proc/self/ns/mnt", &ours) && !stat(path, &theirs))
		return ours.st_ino != theirs.st_ino || access(file, F_OK);
	if (pk_is_failure(errno))
		pk_failed(in->failures, path, errno);
	return false;
}

/* Reads the symbols of a file that this program cannot find at its path. They are read now, because
 * the file can become inaccessible when the process ends. */
static void read_while_it_lives(struct injector *in, const struct pk_image *image)
{
	const struct pk_mapped by = pk_resolver_mapped(in->resolver, image);
	struct pk_object *object;

	if ((in->options->symbols == INJECT_NONE && in->options->lines == INJECT_NONE) ||
	    image->kind != PK_DSO_FILE || by.pid <= 0 || !sees_other_files(in, &by, image->path))
		return;
	object = pk_resolver_object(in->resolver, image);
	if (object)
		pk_object_state(object);
}

static void inject_map(struct injector *in, const struct pk_record *record)
{
	const struct pk_image *image = mapped_image(in, record);

	if (!image)
		return;
	if (in->options->build_ids == INJECT_WHOLE)
		add_build_id(in, image);
	read_while_it_lives(in, image);
}

static void note_sample(struct injector *in, const struct pk_record *record)
{
	const struct pk_layout *layout = &record->event->layout;

	if (layout->tid && record->size >= layout->fixed_size)
		in->pid = pk_record_task(record, layout->tid)->pid;
	in->now = record->time;
}

static enum pk_status inject_sample(struct injector *in, const struct pk_record *record)
{
	struct pk_stacks_count before, after;

	pk_stacks_counted(in->stacks, &before);
	if (!pk_stacks_of(in->stacks, in->session, record->event, record)) {
		pk_stacks_counted(in->stacks, &after);
		return before.samples_bad == after.samples_bad ? PK_NOMEM : PK_OK;
	}
	if (pk_unlikely(pk_dictionary_memory(in->dictionary) > STACKS_MAX))
		forget_stacks(in);
	return PK_OK;
}

/* Resolves a location of a deferred user callchain unless it was resolved before. For samples,
 * pk_stacks_of() does the same. */
static void resolve_once(struct injector *in, const struct pk_location *location)
{
	const bool code = location->image && location->image->code;
	/* `code` is in the key because an image has symbols only from its first executable map on.
	 */
	const uint64_t words[] = {(uintptr_t)location->image, location->address,
				  (uint64_t)code << 1 | location->called};
	const uint64_t key = pk_hash(words, sizeof(words), in->secret);
	const uint64_t own =
		pk_mix64(key, location->pid); /* a key that is used only for this process */
	struct pk_resolved resolved = {0};

	if (pk_table_get(&in->deferred, key) || pk_table_get(&in->deferred, own))
		return;
	resolve(in, location, &resolved);
	if (resolved.appeared)
		pk_table_clear(&in->deferred);
	if (!resolved.retry)
		note(in, &in->deferred, resolved.local ? own : key);
}

/* Resolves the deferred user callchains that are not merged with their samples yet (SPEC 5.3). */
static void resolve_deferred(struct injector *in, const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	const struct pk_layout *layout = record->event ? &record->event->layout : NULL;
	const struct perf_task *task;
	struct pk_thread *thread;
	uint64_t room;

	if (!layout || !layout->trailer.tid || record->size < sizeof(*half) + layout->trailer.size)
		return;
	task = pk_record_task(record, record->size - layout->trailer.tid);
	room = (record->size - sizeof(*half) - layout->trailer.size) / sizeof(half->ips[0]);
	thread = pk_session_thread(in->session, task->pid, task->tid);
	if (!thread)
		pk_failed(in->failures, NULL, ENOMEM);
	for (uint64_t i = 0; thread && i < half->nr && i < room; i++) {
		struct pk_location location =
			pk_session_locate(in->session, thread, half->ips[i], PERF_RECORD_MISC_USER);

		location.called = i > 0;
		resolve_once(in, &location);
	}
	if (in->deferred.count > DEFERRED_MAX)
		pk_table_free(&in->deferred);
}

static enum pk_status inject_record(struct pk_run *run, const struct pk_record *record)
{
	struct injector *in = run->arg;
	enum pk_status status;

	if (record->type == PK_RECORD_BEGIN)
		return start_session(in);
	if (pk_unlikely(is_foreign(in, record)))
		return PK_OK;
	if (record->type == PERF_RECORD_SAMPLE)
		note_sample(in, record);
	PK_TRY(pk_resolver_record(in->resolver, in->session, record));
	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		return inject_sample(in, record);
	status = pk_session_record(in->session, record);
	if (status == PK_CORRUPT)
		pk_run_complain(run, record, "malformed; passed on, but not used");
	else if (status)
		return status;
	if (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2)
		inject_map(in, record);
	else if (record->type == PERF_RECORD_CALLCHAIN_DEFERRED)
		resolve_deferred(in, record);
	return PK_OK;
}

/* This function is called after a record was written. The definitions for all records that later
 * programs evaluate because of this record come before this record. So definitions can be cleared
 * now if they are too large. If pk-record has also written definitions, nothing is cleared, because
 * pk-record would not write its definitions again. */
static void passed(struct pk_run *run, const struct pk_record *record)
{
	struct injector *in = run->arg;

	(void)record;
	if (in->now != PK_NO_TIME && in->now > in->settled)
		in->settled = in->now;
	if (pk_likely(define_size(in->define) < DEFINITIONS_MAX) || in->interpreted ||
	    !may_write(in))
		return;
	define_forget(in->define);
	pk_table_free(&in->whole);
	forget_stacks(in);
}

/* ---- The program ---- */

static void report(struct pk_run *run)
{
	const struct injector *in = run->arg;
	struct pk_stacks_count count;

	pk_stacks_counted(in->stacks, &count);
	if (in->options->symbols != INJECT_NONE)
		pk_report_missing_stages(&count.partial, 0);
}

static int run_injector(struct injector *in)
{
	const struct inject_options *opts = in->options;
	const struct pk_stage_options options = {
		.program = pk_cli_program(), .argc = opts->argc, .argv = opts->argv};

	pk_resolver_on_moves(in->resolver, write_code_map, in);
	in->run->ordered = in->run->tee = true;
	in->run->record = inject_record;
	in->run->passed = passed;
	in->run->report = report;
	in->run->arg = in;
	return pk_run_stage(in->run, &options, opts->output, "pk-symbolize");
}

int inject(struct pk_run *run, struct pk_symbols *symbols, const struct inject_options *options)
{
	struct injector in = {.run = run,
			      .options = options,
			      .failures = pk_symbols_failures(symbols),
			      .secret = pk_secret()};
	int result = PK_EXIT_FAILED;

	in.resolver = pk_resolver_new(symbols, options->files, &run->messages);
	in.dictionary = pk_dictionary_new(NULL);
	in.define = define_new(in.failures);
	if (in.dictionary)
		in.stacks = pk_stacks_new(in.dictionary, PK_FRAMES_OF_ADDRESSES, resolve, &in);
	if (in.resolver && in.stacks && in.define)
		result = run_injector(&in);
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	pk_stacks_free(in.stacks);
	pk_dictionary_free(in.dictionary);
	define_free(in.define);
	pk_table_free(&in.whole);
	pk_table_free(&in.known);
	pk_table_free(&in.deferred);
	pk_resolver_free(in.resolver);
	pk_session_free(in.session);
	return result;
}
