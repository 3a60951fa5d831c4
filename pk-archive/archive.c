// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "archive.h"
#include "cli.h"
#include "lookups.h"
#include "members.h"
#include "pkprivate.h"
#include "resolve.h"
#include "traces.h"
#include "vector.h"

/* ---- The archive ---- */

#define STACKS_MAX ((size_t)64 << 20)

struct archiver {
	struct pk_run *run;
	const struct archive_options *options;
	struct pk_symbols *symbols;
	struct pk_session *session;
	struct resolver *resolver;
	struct pk_dictionary *dictionary;
	struct pk_stacks *stacks;
	struct members *members;
	/* Images that were handled already; the key is the index of the image. */
	struct pk_table seen;
	struct images {
		const struct pk_image *
			*items; /* the images of the session whose objects are listed */
		size_t count, capacity;
	} images;
	struct build_id_list listing;
	bool kernel; /* the kernel's symbols were already searched */
	bool traced; /* the session has a hardware trace whose decoder reads the code */
	uint64_t missing, unreadable;
	bool failed; /* an operand could not be added */
};

/* ---- Selecting objects ---- */

static void report_member(struct archiver *a, const char *path, enum member_status status,
			  const char *why)
{
	static const char *const reasons[] = {
		[MEMBER_NO_BUILD_ID] = "has no build-id",
		[MEMBER_BAD_PATH] = "its path is not allowed in an archive",
		[MEMBER_UNREADABLE] = "cannot be read",
		[MEMBER_NO_MEMORY] = "out of memory",
	};

	if (status == MEMBER_ADDED || status == MEMBER_THERE_ALREADY)
		return;
	a->missing++;
	pk_warn("%s: %s", path, why ? why : reasons[status]);
}

static struct pk_build_id known_build_id(const struct pk_image *image)
{
	struct pk_build_id id = {.size = (uint8_t)image->build_id_size};

	memcpy(id.bytes, image->build_id, sizeof(id.bytes));
	return id;
}

static void add_object(struct archiver *a, const struct pk_image *image)
{
	struct pk_object *object = pk_resolver_object(a->resolver, image);
	const struct pk_mapped by = pk_resolver_mapped(a->resolver, image);
	struct pk_build_id id = known_build_id(image);
	struct pk_files files;
	const char *why = NULL;

	pk_print_messages(&a->run->messages);
	if (!object) {
		report_member(a, image->path, MEMBER_UNREADABLE,
			      "was recorded on another machine (--symfs)");
		return;
	}
	pk_symbols_files(a->symbols, image->path, &id, &by, &files);
	if (!files.file)
		why = pk_object_reason(object);
	report_member(a, image->path,
		      why ? MEMBER_UNREADABLE : members_add_object(a->members, image->path, &files),
		      why);
	pk_files_release(&files);
}

/* Adds the kernel's list of symbols. This list contains the symbols of the kernel modules, too. */
static void add_kernel(struct archiver *a, const struct pk_image *image)
{
	struct pk_build_id id = known_build_id(image), running;
	enum pk_object_state state;
	int fd;

	if (a->kernel)
		return;
	a->kernel = true;
	if (!id.size && pk_resolver_build_id(a->resolver, image, &running))
		id = running;
	if (!id.size) {
		report_member(a, image->path, MEMBER_NO_BUILD_ID, NULL);
		return;
	}
	state = pk_symbols_kallsyms(a->symbols, &id, &fd);
	report_member(a, image->path,
		      state == PK_OBJECT_READY ? members_add_kallsyms(a->members, &id, fd)
					       : MEMBER_UNREADABLE,
		      NULL);
}

/* ---- The list ---- */

static void list_one(struct archiver *a, const struct pk_build_id *id, const char *path)
{
	char hex[PK_BUILD_ID_HEX];

	pk_build_id_format(id, hex);
	pk_need_room(pk_symbols_failures(a->symbols), build_id_list_add(&a->listing, hex, path));
}

static void list_image(struct archiver *a, const struct pk_image *image)
{
	if (pk_need_room(pk_symbols_failures(a->symbols), pk_vector_reserve(&a->images, 1)) !=
	    PK_OK)
		return;
	a->images.items[a->images.count++] = image;
}

/* Adds the images of the session to the list. Call this at the end of the session, because the
 * build-ids may come later than the maps. */
static void list_images(struct archiver *a)
{
	for (size_t i = 0; i < a->images.count; i++) {
		const struct pk_image *image = a->images.items[i];
		const struct pk_build_id id = known_build_id(image);

		list_one(a, &id, image->name);
	}
	a->images.count = 0;
}

/* Adds the object of a HEADER_BUILD_ID to the list. The object need not be mapped. */
static void list_build_id(struct archiver *a, const struct pk_record *record)
{
	const struct perf_record_build_id *from = (const void *)record->data;
	const char *path = pk_record_text(record, sizeof(*from));
	struct pk_build_id id = {.size = PK_BUILD_ID_MAX};

	if (record->misc & PERF_RECORD_MISC_BUILD_ID_SIZE && from->size < PK_BUILD_ID_MAX)
		id.size = from->size;
	memcpy(id.bytes, from->build_id, id.size);
	if (path)
		list_one(a, &id, path);
}

static void add_image(struct archiver *a, const struct pk_image *image)
{
	if (!image->code || pk_table_get(&a->seen, image->index))
		return;
	if (pk_table_set(&a->seen, image->index, a) != PK_OK)
		pk_failed(pk_symbols_failures(a->symbols), NULL, ENOMEM);
	if (a->options->mode == ARCHIVE_LIST) {
		if (image->kind >= PK_DSO_FILE && image->kind <= PK_DSO_VDSO)
			list_image(a, image);
		return;
	}
	switch (image->kind) {
	case PK_DSO_KERNEL: add_kernel(a, image); break;
	case PK_DSO_FILE:
	case PK_DSO_VDSO: add_object(a, image); break;
	default: break;
	}
}

/* A callback (pk_resolve_fn) that is called once for every location. Adds the image of the
 * location. */
static void touch(void *arg, const struct pk_location *location, struct pk_resolved *resolved)
{
	(void)resolved;
	if (location->image)
		add_image(arg, location->image);
}

/* ---- Records ---- */

static enum pk_status start_session(struct archiver *a)
{
	list_images(a);
	pk_session_free(a->session);
	a->session = pk_session_new();
	if (!a->session)
		return PK_NOMEM;
	pk_stacks_forget(a->stacks);
	pk_dictionary_clear(a->dictionary);
	pk_table_free(&a->seen);
	pk_resolver_start_session(a->resolver, a->session);
	a->kernel = a->traced = false;
	return PK_OK;
}

static void add_mapped(struct archiver *a, const struct pk_record *record)
{
	const uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	const struct perf_record_mmap *map =
		(const void *)
			record->data; /* an MMAP2 record starts with the fields of an MMAP record */
	struct pk_thread *thread = pk_session_thread(a->session, map->pid, map->tid);
	struct pk_location location;

	if (!thread) {
		pk_failed(pk_symbols_failures(a->symbols), NULL, ENOMEM);
		return;
	}
	location = pk_session_locate(a->session, thread, map->addr, mode);
	if (location.image)
		add_image(a, location.image);
}

static enum pk_status archive_sample(struct archiver *a, const struct pk_record *record)
{
	struct pk_stacks_count before, after;

	pk_stacks_counted(a->stacks, &before);
	if (pk_stacks_of(a->stacks, a->session, record->event, record))
		return PK_OK;
	pk_stacks_counted(a->stacks, &after);
	return before.samples_bad == after.samples_bad ? PK_NOMEM : PK_OK;
}

/* Adds the objects of a deferred user callchain. */
static enum pk_status archive_deferred(struct archiver *a, const struct pk_record *record)
{
	const struct perf_record_callchain_deferred *half = (const void *)record->data;
	const uint64_t room = (record->size - sizeof(*half)) / sizeof(half->ips[0]);
	struct pk_thread *thread;
	struct pk_sample_id id;

	if (!record->event)
		return PK_OK;
	pk_sample_id_decode(record->event, record, &id);
	thread = pk_session_thread(a->session, id.pid, id.tid);
	if (!thread)
		return PK_NOMEM;
	for (uint64_t i = 0; i < half->nr && i < room; i++) {
		const struct pk_location location = pk_session_locate(
			a->session, thread, pk_load_u64(&half->ips[i]), PERF_RECORD_MISC_USER);

		if (location.image)
			add_image(a, location.image);
	}
	return PK_OK;
}

/* Returns true if the record introduces a hardware trace whose decoder reads all code that was
 * executed. */
static bool needs_code(const struct pk_record *record)
{
	const struct perf_record_auxtrace_info *info = (const void *)record->data;

	return record->type == PERF_RECORD_AUXTRACE_INFO &&
	       (info->type == PK_TRACE_INTEL_PT || info->type == PK_TRACE_CORESIGHT);
}

static enum pk_status archive_record(struct pk_run *run, const struct pk_record *record)
{
	struct archiver *a = run->arg;
	enum pk_status status;

	if (record->type == PK_RECORD_BEGIN)
		return start_session(a);
	if (record->type == PERF_RECORD_SAMPLE) {
		PK_TRY(archive_sample(a, record));
		if (pk_dictionary_memory(a->dictionary) <= STACKS_MAX)
			return PK_OK;
		pk_stacks_forget(a->stacks);
		pk_dictionary_clear(a->dictionary);
		return PK_OK;
	}
	if (record->type == PERF_RECORD_CALLCHAIN_DEFERRED)
		return archive_deferred(a, record);
	status = pk_session_record(a->session, record);
	if (status == PK_CORRUPT)
		pk_run_complain(run, record, "malformed; not used");
	else if (status)
		return status;
	a->traced |= needs_code(record);
	if (!a->options->all && (!a->traced || a->options->mode == ARCHIVE_LIST))
		return PK_OK;
	if (a->options->mode == ARCHIVE_LIST && record->type == PERF_RECORD_HEADER_BUILD_ID)
		list_build_id(a, record);
	if (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2)
		add_mapped(a, record);
	return PK_OK;
}

/* ---- The program ---- */

static void unreadable(void *arg, const char *path, const struct tar_unreadable *why)
{
	struct archiver *a = arg;

	a->unreadable++;
	pk_error("%s: offset %llu: %s; %s", path, (unsigned long long)why->offset,
		 pk_failure_text(why->error), why->cut ? "the archive ends there" : "skipped");
}

static int write_archive(struct archiver *a, int fd)
{
	const char *name = a->options->output ? a->options->output : "stdout";
	int result = PK_EXIT_OK;
	struct tar *tar;

	tar = tar_new(fd, a->options->zstd);
	if (!tar || members_write(a->members, &(struct members_output){.tar = tar}, unreadable,
				  a) != PK_OK) {
		if (!tar || tar_error(tar))
			pk_error("%s: %s", name, strerror(tar ? tar_error(tar) : ENOMEM));
		pk_outputs_drop();
		result = PK_EXIT_FAILED;
	}
	if (a->unreadable)
		result = PK_EXIT_FAILED;
	tar_free(tar);
	if (close(fd) && result == PK_EXIT_OK) {
		pk_error("%s: %s", name, strerror(errno));
		result = PK_EXIT_FAILED;
	}
	return result;
}

/* Raises the limit for open files, because the files of all members are open until they are
 * written. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Adds an object that is given as an operand. */
static void add_operand(struct archiver *a, const char *file)
{
	char *path = realpath(file, NULL);
	struct pk_files files = {0};
	struct pk_build_id id;
	enum member_status status = MEMBER_UNREADABLE;

	if (path && !pk_build_id_of_file(path, &id, pk_symbols_failures(a->symbols)))
		status = MEMBER_NO_BUILD_ID;
	else if (path && pk_symbols_files(a->symbols, path, &id, NULL, &files) == PK_OBJECT_READY)
		status = members_add_object(a->members, path, &files);
	report_member(a, file, status, path ? NULL : strerror(errno));
	if (status != MEMBER_ADDED && status != MEMBER_THERE_ALREADY)
		a->failed = true;
	pk_files_release(&files);
	free(path);
}

static int install(struct archiver *a)
{
	const struct archive_options *options = a->options;
	const struct members_output to = {.cache = options->cache};
	const size_t count = members_count(a->members);
	char number[32];

	if (members_write(a->members, &to, unreadable, a) != PK_OK)
		return PK_EXIT_FAILED;
	pk_info("%s objects added to the cache", pk_number(number, count));
	return a->unreadable || a->failed ? PK_EXIT_FAILED : PK_EXIT_OK;
}

static int print_list(struct archiver *a)
{
	list_images(a);
	build_id_list_print(&a->listing);
	return pk_finish(PK_EXIT_OK);
}

/* Opens the output. Call this before the inputs are read, so that an output that is also an input
 * is rejected. Returns a descriptor. On failure, returns the exit status as a negative number. */
static int open_output(const struct archiver *a)
{
	const struct archive_options *options = a->options;

	pk_protect_inputs(a->run->files, a->run->files_count);
	switch (options->mode) {
	case ARCHIVE_TAR:
		return pk_output_open(options->output, "tar -x -C ~/.debug", PK_CREATE_REPLACE);
	case ARCHIVE_LIST: return -pk_output_text(options->output);
	default: return 0;
	}
}

static int run_archiver(struct archiver *a)
{
	const struct archive_options *options = a->options;
	struct pk_stacks_count count;
	int result = PK_EXIT_OK, written, fd;

	fd = open_output(a);
	if (fd < 0)
		return -fd;
	a->run->ordered = true;
	a->run->record = archive_record;
	a->run->arg = a;
	allow_files();
	for (int i = 0; i < options->objects_count; i++)
		add_operand(a, options->objects[i]);
	if (a->run->files_count || !options->objects_count)
		result = pk_run(a->run);
	pk_stacks_counted(a->stacks, &count);
	if (!options->all)
		pk_report_missing_stages(&count.partial, 0);
	if (a->missing)
		pk_warn("%llu of %llu objects could not be archived",
			(unsigned long long)a->missing,
			(unsigned long long)(a->missing + members_count(a->members)));
	switch (options->mode) {
	case ARCHIVE_LIST: written = print_list(a); break;
	case ARCHIVE_INSTALL: written = install(a); break;
	default: written = write_archive(a, fd);
	}
	return pk_outputs_keep(result ? result : written);
}

int archive(struct pk_run *run, struct pk_symbols *symbols, const struct archive_options *options)
{
	struct archiver a = {.run = run, .options = options, .symbols = symbols};
	int result = PK_EXIT_FAILED;

	a.resolver = pk_resolver_new(symbols, options->files, &run->messages);
	a.dictionary = pk_dictionary_new(NULL);
	a.members = members_new(symbols, options->cache);
	if (a.dictionary)
		a.stacks = pk_stacks_new(a.dictionary, PK_FRAMES_OF_ADDRESSES, touch, &a);
	if (a.resolver && a.stacks && a.members)
		result = run_archiver(&a);
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	pk_stacks_free(a.stacks);
	pk_dictionary_free(a.dictionary);
	members_free(a.members);
	build_id_list_free(&a.listing);
	free(a.images.items);
	pk_table_free(&a.seen);
	pk_resolver_free(a.resolver);
	pk_session_free(a.session);
	return result;
}

/* ---- The cache ---- */

static enum pk_status remove_one(struct cache *cache, const char *hex, uint64_t *removed)
{
	bool found;
	const enum pk_status status = cache_remove(cache, hex, &found);

	*removed += status == PK_OK && found;
	return status;
}

static bool report_removed(const char *operand, bool good, uint64_t removed)
{
	char number[32];

	if (good && !removed)
		pk_error("%s is not in the cache", operand);
	else if (good)
		pk_info("%s: %s removed", operand, pk_number(number, removed));
	return good && removed;
}

/* Removes a build from the cache. The operand is the file of an object, or a build-id as --list
 * prints it. */
static bool remove_operand(struct cache *cache, const char *operand)
{
	char hex[PK_BUILD_ID_HEX];
	struct pk_build_id id = {0};
	uint64_t removed = 0;
	bool good;

	if (pk_build_id_of_file(operand, &id, NULL))
		pk_build_id_format(&id, hex);
	good = remove_one(cache, id.size ? hex : operand, &removed) == PK_OK;
	return report_removed(operand, good, removed);
}

/* Removes all builds of the object `operand` from the cache. If operand is NULL, removes all builds
 * of all objects. */
static bool purge(struct cache *cache, const struct build_id_list *listing, const char *operand)
{
	char *path = operand ? realpath(operand, NULL) : NULL;
	uint64_t removed = 0;
	bool good = true;

	for (size_t i = 0; i < listing->count && good; i++) {
		const struct listed *item = &listing->items[i];

		if (!operand || !strcmp(item->path, operand) || (path && !strcmp(item->path, path)))
			good = remove_one(cache, item->hex, &removed) == PK_OK;
	}
	free(path);
	return operand ? report_removed(operand, good, removed) : good;
}

static enum pk_status purge_all(struct cache *cache, char *const *operands, int count, bool all)
{
	struct build_id_list listing = {0};
	bool good = cache_list(cache, &listing) == PK_OK;

	if (good && all)
		good = purge(cache, &listing, NULL);
	else
		for (int i = 0; i < count; i++)
			good &= purge(cache, &listing, operands[i]);
	build_id_list_free(&listing);
	return good ? PK_OK : PK_FAILED;
}

static int print_cache(const struct archive_options *options)
{
	struct build_id_list listing = {0};
	int result = pk_output_text(options->output);

	if (result)
		return result;
	result = cache_list(options->cache, &listing) == PK_OK ? PK_EXIT_OK : PK_EXIT_FAILED;
	build_id_list_print(&listing);
	build_id_list_free(&listing);
	return pk_finish(result);
}

int keep(const struct archive_options *options, char *const *operands, int count)
{
	bool good = true;

	if (options->mode == ARCHIVE_LIST)
		return print_cache(options);
	if (options->mode == ARCHIVE_PURGE)
		good = purge_all(options->cache, operands, count, options->all) == PK_OK;
	else
		for (int i = 0; i < count; i++)
			good &= remove_operand(options->cache, operands[i]);
	return good ? PK_EXIT_OK : PK_EXIT_FAILED;
}
