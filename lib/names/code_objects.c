// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_code.h"
#include "code_objects.h"
#include "machine.h"
#include "resolve.h"
#include "texts.h"
#include "vector.h"

struct pk_code_objects {
	struct pk_code_options options;
	struct resolver *resolver;
	const struct pk_session *session;
	bool warned_unpatched;
	/* The following members belong to the current session. */
	struct pk_machine machine;
	struct bpf_code bpf;
	/* The names of kernel modules; each name gets a number in this set. */
	struct pk_texts names;
	/* The key is the number of a module's name. The value is a uint64_t. An offset in the map
	 * of the module plus this value is the virtual address. */
	struct pk_table modules;
	struct entry {
		struct pk_code_object is;
		bool met, opened;
		/* For a kernel: the address of its reference symbol in the first session that had
		 * this object. It is 0 if the address is unknown. */
		uint64_t reference;
		struct pk_machine machine; /* the machine of the recording */
	} * entries; /* an array with an item for each object; the index is the number of the object
		      */
	size_t capacity;
};

struct pk_code_objects *pk_code_objects_new(const struct pk_code_options *options)
{
	struct pk_code_objects *objects = calloc(1, sizeof(*objects));
	struct pk_symbols_options names = *options->names;

	if (!objects)
		return NULL;
	objects->options = *options;
	names.no_inlines = names.no_lines = true;
	objects->resolver = pk_resolver_new(options->symbols, &names, options->messages);
	if (objects->resolver)
		return objects;
	pk_code_objects_free(objects);
	return NULL;
}

struct pk_failures *pk_code_objects_failures(const struct pk_code_objects *objects)
{
	return pk_symbols_failures(objects->options.symbols);
}

void pk_code_objects_free(struct pk_code_objects *objects)
{
	if (!objects)
		return;
	for (size_t i = 0; i < objects->capacity; i++) {
		pk_machine_code_free(objects->entries[i].is.code);
		pk_disasm_free(objects->entries[i].is.disasm);
	}
	free(objects->entries);
	pk_bpf_code_clear(&objects->bpf);
	pk_table_free_all(&objects->modules);
	pk_texts_free(&objects->names);
	pk_resolver_free(objects->resolver);
	free(objects);
}

/* ---- Records ---- */

void pk_code_objects_start_session(struct pk_code_objects *objects, struct pk_session *session)
{
	objects->session = session;
	objects->machine = (struct pk_machine){0};
	pk_bpf_code_clear(&objects->bpf);
	pk_table_free_all(&objects->modules);
	pk_texts_clear(&objects->names);
	pk_resolver_start_session(objects->resolver, session);
}

void pk_code_objects_machine(struct pk_code_objects *objects, const struct pk_session_info *info)
{
	objects->machine =
		(struct pk_machine){info->e_machine, info->word_size == 8, info->byte_order == 2};
}

static enum pk_status read_feature(struct pk_code_objects *objects, const struct pk_reader *reader,
				   const struct pk_record *record)
{
	struct pk_feature_content feature;

	return !pk_reader_feature(reader, record, &feature) ||
			       feature.id != PERF_FEATURE_BPF_PROG_INFO
		       ? PK_OK
		       : pk_bpf_code_read(&objects->bpf, &feature);
}

static bool read_map(struct pk_code_objects *objects, const struct pk_record *record)
{
	const struct perf_record_mmap *map =
		(const void *)record->data; /* MMAP2 has the same first members */
	const char *name = pk_record_text(record, pk_mmap_name_at(record));
	uint64_t *shift;
	uint32_t id;

	if (!name)
		return true;
	id = pk_texts_add(&objects->names, name, strlen(name));
	shift = id ? pk_table_get_or_add(&objects->modules, id, sizeof(*shift)) : NULL;
	if (shift)
		*shift = map->addr - map->pgoff;
	return shift;
}

enum pk_status pk_code_objects_record(struct pk_code_objects *objects,
				      const struct pk_reader *reader,
				      const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_HEADER_FEATURE:
	case PERF_RECORD_EVENT_UPDATE: return read_feature(objects, reader, record);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_KERNEL ||
				       read_map(objects, record)
			       ? PK_OK
			       : PK_NOMEM;
	default: return PK_OK;
	}
}

static struct entry *entry_of(struct pk_code_objects *objects, uint32_t number)
{
	return pk_extend(&objects->entries, &objects->capacity, number) == PK_OK
		       ? &objects->entries[number]
		       : NULL;
}

/* ---- Registering objects ---- */

/* Addresses in a module that has a map of its own are offsets in that map. Returns the number that
 * must be added to get virtual addresses. Returns 0 if the addresses are already virtual. */
static uint64_t module_shift(struct pk_code_objects *objects, const struct pk_code_use *use)
{
	const char *path = use->file.path;
	uint32_t id;
	uint64_t *shift;

	if (use->file.kind != PK_DSO_MODULE || use->address >> 63)
		return 0;
	id = pk_texts_add(&objects->names, path, strlen(path));
	if (!id)
		pk_failed(pk_code_objects_failures(objects), NULL, ENOMEM);
	shift = id ? pk_table_get(&objects->modules, id) : NULL;
	return shift ? *shift : 0;
}

/* Registers the kernel or a module. One object has the symbols of the kernel and all its modules.
 */
static void meet_kernel(struct pk_code_objects *objects, const struct pk_code_use *use,
			struct entry *entry, uint64_t *reference)
{
	const uint64_t shift = module_shift(objects, use);
	const struct pk_map *map = pk_space_find(pk_session_kernel(objects->session), use->address);
	struct pk_location location = {
		.address = use->address + shift,
		.ip = use->address + shift,
		.flags = PK_FRAME_KERNEL,
	};
	uint64_t address;

	if (map && map->image->kind == PK_DSO_KERNEL) {
		location.image = map->image;
		*reference = map->image->reference_address;
	}
	if (!entry->met)
		entry->is.symbols = pk_resolver_named_by(objects->resolver, &location, &address);
}

static void meet_file(struct pk_code_objects *objects, const struct pk_code_use *use,
		      struct entry *entry)
{
	struct pk_image image = {
		.kind = use->file.kind,
		.pid = use->pid,
		.dump = pk_is_jitdump(use->file.path),
		.path = use->file.path,
		.build_id_size = use->file.build_id.size,
	};

	memcpy(image.build_id, use->file.build_id.bytes, sizeof(image.build_id));
	entry->is.symbols = pk_resolver_open(objects->resolver, &image);
}

/* Registers a BPF program. Its code is in the features of the session if perf recorded it. */
static void meet_bpf(struct pk_code_objects *objects, const struct pk_code_use *use,
		     struct entry *entry)
{
	const struct bpf_piece *piece = pk_bpf_code_at(&objects->bpf, use->address);
	struct pk_failures *failures = pk_code_objects_failures(objects);
	uint8_t *bytes;

	if (!piece || entry->is.code)
		return;
	bytes = pk_need(failures, malloc(piece->size + 1));
	if (!bytes)
		return;
	memcpy(bytes, piece->bytes, piece->size);
	entry->is.code =
		pk_need(failures, pk_machine_code_of_bytes(&objects->machine, piece->address, bytes,
							   piece->size));
}

/* Returns the machine from the feature ARCH of the session. All members are zero if it is unknown.
 */
static struct pk_machine recorded_machine(const struct pk_session *session)
{
	const struct pk_machine_kind *kind =
		pk_machine_named(pk_session_machine(session)->machine, SIZE_MAX);

	if (!kind)
		return (struct pk_machine){0};
	return (struct pk_machine){kind->elf, kind->word == 8, kind->byte_order == ELFDATA2MSB};
}

enum pk_status pk_code_objects_meet(struct pk_code_objects *objects, const struct pk_code_use *use,
				    uint64_t *shift)
{
	struct entry *entry = entry_of(objects, use->number);
	uint64_t reference = 0;

	*shift = 0;
	if (!entry)
		return PK_NOMEM;
	switch (use->file.kind) {
	case PK_DSO_KERNEL:
	case PK_DSO_MODULE: meet_kernel(objects, use, entry, &reference); break;
	case PK_DSO_FILE:
	case PK_DSO_VDSO:
	case PK_DSO_JIT:
		if (!entry->met)
			meet_file(objects, use, entry);
		break;
	case PK_DSO_BPF: meet_bpf(objects, use, entry); break;
	default: break;
	}
	if (!entry->met)
		entry->reference = reference;
	else if (reference && entry->reference)
		*shift = entry->reference - reference;
	if (!entry->met)
		entry->machine = objects->machine.number ? objects->machine
							 : recorded_machine(objects->session);
	entry->met = true;
	return PK_OK;
}

void pk_code_objects_resolve(struct pk_code_objects *objects, const struct pk_location *location,
			     struct pk_resolved *resolved)
{
	pk_resolver_resolve(objects->resolver, location, resolved);
}

/* ---- Opening ---- */

static const char *why_none(enum pk_dso_kind kind)
{
	switch (kind) {
	case PK_DSO_JIT: return "generated code, which needs a jitdump";
	case PK_DSO_BPF: return "code of a BPF program that is not in the recording";
	case PK_DSO_ANON: return "memory that is not mapped from a file";
	default: return "its file cannot be identified on this machine";
	}
}

static const char *why_no_kernel(const struct pk_code_objects *objects)
{
	const char *vmlinux = objects->options.names->vmlinux;

	return vmlinux && *vmlinux ? "--vmlinux is of another build, or cannot be read"
				   : "no vmlinux of its build, and /proc/kcore is of another "
				     "kernel or not readable (--vmlinux)";
}

static void open_code(struct pk_code_objects *objects, struct entry *entry, bool kernel)
{
	struct disasm_options options = {.intel = objects->options.intel,
					 .no_memory = objects->options.no_memory};
	struct pk_code_object *is = &entry->is;
	enum pk_object_state state;
	struct pk_machine machine;

	if (!is->code)
		is->code = pk_machine_code_new(is->symbols);
	state = is->code ? pk_machine_code_state(is->code) : PK_OBJECT_NO_MEMORY;
	if (state != PK_OBJECT_READY) {
		is->reason = kernel ? why_no_kernel(objects) : pk_state_text(state);
		return;
	}
	machine = pk_machine_code_machine(is->code);
	if (!machine.number) /* Bytes without a file header do not show their machine, so it is the
			      * machine of the recording. */
		machine = entry->machine;
	options.machine = machine.number;
	options.is_64 = machine.is_64;
	options.big_endian = machine.big_endian;
	is->disasm = pk_disasm_new(&options, &is->reason);
	if (is->disasm)
		is->reason = NULL;
	else if (errno == ENOMEM)
		pk_failed(pk_code_objects_failures(objects), NULL, ENOMEM);
}

/* Warns only once, even if several kernels are unpatched. */
static void warn_unpatched(struct pk_code_objects *objects, const struct pk_code_object *is)
{
	if (objects->warned_unpatched || !is->code || !pk_machine_code_unpatched(is->code))
		return;
	objects->warned_unpatched = true;
	pk_messages_warn(objects->options.messages,
			 "%s: the kernel's code before it patched itself: alternatives, static "
			 "keys and ftrace calls can differ",
			 pk_machine_code_source(is->code));
}

static void report(const struct pk_code_objects *objects, const struct pk_code_file *file,
		   const struct pk_code_object *is)
{
	struct pk_messages *messages = objects->options.messages;
	char hex[PK_BUILD_ID_HEX];

	pk_build_id_format(&file->build_id, hex);
	if (!is->reason)
		pk_messages_info(messages, "%s: code from %s", file->path,
				 pk_machine_code_source(is->code));
	else if (file->build_id.size)
		pk_messages_warn(messages, "%s: no code: %s (of build-id %s)", file->path,
				 is->reason, hex);
	else
		pk_messages_warn(messages, "%s: no code: %s", file->path, is->reason);
}

const struct pk_code_object *pk_code_objects_open(struct pk_code_objects *objects, uint32_t number,
						  const struct pk_code_file *file)
{
	struct entry *entry = entry_of(objects, number);

	if (!entry)
		return NULL;
	if (entry->opened)
		return &entry->is;
	entry->opened = true;
	if (entry->is.symbols || entry->is.code)
		open_code(objects, entry,
			  file->kind == PK_DSO_KERNEL || file->kind == PK_DSO_MODULE);
	else
		entry->is.reason = why_none(file->kind);
	warn_unpatched(objects, &entry->is);
	report(objects, file, &entry->is);
	return &entry->is;
}

/* ---- Names of addresses that are not in stacks ---- */

/* An address whose symbol was looked up. */
struct place {
	uint64_t address;
	uint32_t image, flags; /* image: the index of the image plus 1, or 0 if there is no image */
};

struct pk_address_names {
	struct pk_code_objects *objects;
	struct pk_texts *texts;
	struct pk_texts places;
	struct pk_address_name *names; /* an array with an item for each place; the index is the
					* number of the place */
	size_t names_count;
};

/* Looks up the symbol at a location. */
static enum pk_status resolve(struct pk_address_names *names, const struct pk_location *location,
			      struct pk_address_name *name)
{
	struct pk_resolved resolved = {0};

	*name = (struct pk_address_name){0};
	pk_code_objects_resolve(names->objects, location, &resolved);
	name->known = !resolved.retry && !resolved.local;
	if (!resolved.function)
		return PK_OK;
	name->start = resolved.symbol_start;
	name->number = pk_texts_add(names->texts, resolved.function, resolved.function_size);
	return name->number ? PK_OK : PK_NOMEM;
}

const struct pk_address_name *pk_address_names_at(struct pk_address_names *names,
						  const struct pk_location *location)
{
	const struct place place = {location->address,
				    location->image ? location->image->index + 1 : 0,
				    location->flags};
	const uint32_t number = pk_texts_add(&names->places, (const char *)&place, sizeof(place));
	struct pk_address_name *name;

	if (!number || pk_extend(&names->names, &names->names_count, number) != PK_OK)
		return NULL;
	name = &names->names[number];
	return name->known || resolve(names, location, name) == PK_OK ? name : NULL;
}

struct pk_address_names *pk_address_names_new(struct pk_code_objects *objects,
					      struct pk_texts *texts)
{
	struct pk_address_names *names = calloc(1, sizeof(*names));

	if (names)
		*names = (struct pk_address_names){.objects = objects, .texts = texts};
	return names;
}

void pk_address_names_clear(struct pk_address_names *names)
{
	pk_texts_free(&names->places);
	free(names->names);
	names->names = NULL;
	names->names_count = 0;
}

void pk_address_names_free(struct pk_address_names *names)
{
	if (names)
		pk_address_names_clear(names);
	free(names);
}
