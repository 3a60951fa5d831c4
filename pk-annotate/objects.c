// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_code.h"
#include "cli.h"
#include "lookups.h"
#include "machine.h"
#include "objects.h"
#include "resolve.h"
#include "texts.h"
#include "vector.h"

struct objects {
	struct pk_symbols *symbols;
	struct resolver *resolver;
	const struct pk_session *session;
	bool intel, vmlinux, told_unpatched; /* vmlinux: the user says where it is */
	/* The session's: */
	struct pk_machine machine;
	struct bpf_code bpf;
	struct pk_texts names;	 /* of modules */
	struct pk_table modules; /* uint64_t by name: what makes its addresses virtual ones */
	struct entry {
		struct code_object is;
		bool met, opened;
		uint64_t reference;	   /* where the kernel was */
		struct pk_machine machine; /* that was recorded */
	} * entries;			   /* by number */
	size_t capacity;
};

struct objects *objects_new(struct pk_symbols *symbols, const struct pk_symbols_options *options,
			    bool intel)
{
	struct objects *objects = calloc(1, sizeof(*objects));
	struct pk_symbols_options names = *options;

	if (!objects)
		return NULL;
	objects->symbols = symbols;
	objects->intel = intel;
	objects->vmlinux = names.vmlinux && *names.vmlinux;
	names.no_inlines = names.no_lines = true;
	objects->resolver = resolver_new(symbols, &names);
	if (objects->resolver)
		return objects;
	objects_free(objects);
	return NULL;
}

struct pk_failures *objects_failures(const struct objects *objects)
{
	return pk_symbols_failures(objects->symbols);
}

void objects_free(struct objects *objects)
{
	if (!objects)
		return;
	for (size_t i = 0; i < objects->capacity; i++) {
		pk_machine_code_free(objects->entries[i].is.code);
		disasm_free(objects->entries[i].is.disasm);
	}
	free(objects->entries);
	bpf_code_clear(&objects->bpf);
	pk_table_free_all(&objects->modules);
	pk_texts_free(&objects->names);
	resolver_free(objects->resolver);
	free(objects);
}

void objects_begin(struct objects *objects, const struct pk_session *session)
{
	objects->session = session;
	objects->machine = (struct pk_machine){0};
	bpf_code_clear(&objects->bpf);
	pk_table_free_all(&objects->modules);
	pk_texts_clear(&objects->names);
	resolver_start_session(objects->resolver, session);
}

void objects_machine(struct objects *objects, const struct pk_session_info *info)
{
	objects->machine =
		(struct pk_machine){info->e_machine, info->word_size == 8, info->byte_order == 2};
}

bool objects_feature(struct objects *objects, const struct pk_feature_content *feature)
{
	return feature->id != PERF_FEATURE_BPF_PROG_INFO || bpf_code_read(&objects->bpf, feature);
}

bool objects_map(struct objects *objects, const struct pk_record *record)
{
	const struct perf_record_mmap *map = (const void *)record->data; /* MMAP2 begins as MMAP */
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

static struct entry *entry_of(struct objects *objects, uint32_t number)
{
	return pk_extend(&objects->entries, &objects->capacity, number) ? &objects->entries[number]
									: NULL;
}

/* ---- Meeting ---- */

/* Addresses of a module that has a map of its own are offsets in that. */
static uint64_t module_shift(struct objects *objects, const struct first_sight *first)
{
	const char *path = first->object.path;
	uint32_t id;
	uint64_t *shift;

	if (first->object.kind != PK_DSO_MODULE || first->address >> 63)
		return 0;
	id = pk_texts_add(&objects->names, path, strlen(path));
	if (!id)
		pk_failed(objects_failures(objects), NULL, ENOMEM);
	shift = id ? pk_table_get(&objects->modules, id) : NULL;
	return shift ? *shift : 0;
}

/* The kernel proper and its modules: one object has the symbols of all. */
static void meet_kernel(struct objects *objects, const struct first_sight *first,
			struct entry *entry, uint64_t *reference)
{
	const uint64_t shift = module_shift(objects, first);
	const struct pk_map *map =
		pk_space_find(pk_session_kernel(objects->session), first->address);
	struct pk_location location = {
		.address = first->address + shift,
		.ip = first->address + shift,
		.flags = PK_FRAME_KERNEL,
	};
	uint64_t address;

	if (map && map->image->kind == PK_DSO_KERNEL) {
		location.image = map->image;
		*reference = map->image->reference_address;
	}
	if (!entry->met)
		entry->is.symbols = resolver_named_by(objects->resolver, &location, &address);
}

static void meet_file(struct objects *objects, const struct first_sight *first, struct entry *entry)
{
	struct pk_image image = {
		.index = pk_session_images(objects->session) + first->number,
		.kind = first->object.kind,
		.pid = first->pid,
		.dump = pk_is_jitdump(first->object.path),
		.path = first->object.path,
		.build_id_size = first->object.build_id.size,
	};

	memcpy(image.build_id, first->object.build_id.bytes, sizeof(image.build_id));
	entry->is.symbols = resolver_object(objects->resolver, &image);
}

/* Its code is in the session, if anywhere. */
static void meet_bpf(struct objects *objects, const struct first_sight *first, struct entry *entry)
{
	const struct bpf_piece *piece = bpf_code_at(&objects->bpf, first->address);
	struct pk_failures *failures = objects_failures(objects);
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

/* All zero: unknown. */
static struct pk_machine recorded_machine(const struct pk_session *session)
{
	const struct pk_machine_kind *kind =
		pk_machine_named(pk_session_machine(session)->machine, SIZE_MAX);

	if (!kind)
		return (struct pk_machine){0};
	return (struct pk_machine){kind->elf, kind->word == 8, kind->byte_order == ELFDATA2MSB};
}

bool objects_meet(struct objects *objects, const struct first_sight *first, uint64_t *shift)
{
	struct entry *entry = entry_of(objects, first->number);
	uint64_t reference = 0;

	*shift = 0;
	if (!entry)
		return false;
	switch (first->object.kind) {
	case PK_DSO_KERNEL:
	case PK_DSO_MODULE: meet_kernel(objects, first, entry, &reference); break;
	case PK_DSO_FILE:
	case PK_DSO_VDSO:
	case PK_DSO_JIT:
		if (!entry->met)
			meet_file(objects, first, entry);
		break;
	case PK_DSO_BPF: meet_bpf(objects, first, entry); break;
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
	return true;
}

void objects_resolve(struct objects *objects, const struct pk_location *location,
		     struct pk_resolved *resolved)
{
	resolver_resolve(objects->resolver, location, resolved);
}

/* ---- Opening ---- */

static const char *why_none(enum pk_dso_kind kind)
{
	switch (kind) {
	case PK_DSO_JIT: return "written by a compiler as it ran: only a jitdump would have it";
	case PK_DSO_BPF: return "of a BPF program, and not in the recording";
	case PK_DSO_ANON: return "in memory that stands for no file";
	default: return "of nothing that may be looked up here";
	}
}

static const char *why_no_kernel(const struct objects *objects)
{
	return objects->vmlinux
		       ? "--vmlinux is of another build, or cannot be read"
		       : "no vmlinux of its build, and /proc/kcore is not its, or may not be read "
			 "(--vmlinux)";
}

static void end_without_memory(void)
{
	exit(pk_no_memory());
}

static void open_code(struct objects *objects, struct entry *entry, bool kernel)
{
	struct disasm_options options = {.intel = objects->intel, .no_memory = end_without_memory};
	struct code_object *is = &entry->is;
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
	if (!machine.number) /* nobody says it of the code alone */
		machine = entry->machine;
	options.machine = machine.number;
	options.is_64 = machine.is_64;
	options.big_endian = machine.big_endian;
	is->disasm = disasm_new(&options, &is->reason);
	if (is->disasm)
		is->reason = NULL;
	else if (errno == ENOMEM)
		pk_failed(objects_failures(objects), NULL, ENOMEM);
}

/* Said once: where there is one such kernel, there may be more. */
static void tell_unpatched(struct objects *objects, const struct code_object *is)
{
	if (objects->told_unpatched || !is->code || !pk_machine_code_unpatched(is->code))
		return;
	objects->told_unpatched = true;
	pk_warn("%s: the kernel's code before it patches itself: alternatives, static keys, calls "
		"of ftrace may have been others",
		pk_machine_code_source(is->code));
}

static void tell_no_code(const struct heat_object *object, const char *reason)
{
	char hex[PK_BUILD_ID_HEX];

	pk_build_id_format(&object->build_id, hex);
	if (object->build_id.size)
		pk_warn("%s: no code: %s (of build-id %s)", object->path, reason, hex);
	else
		pk_warn("%s: no code: %s", object->path, reason);
}

const struct code_object *objects_open(struct objects *objects, const struct heat *heat,
				       uint32_t number)
{
	struct heat_object object = heat_object_at(heat, number);
	struct entry *entry = entry_of(objects, number);

	if (!entry)
		return NULL;
	if (entry->opened)
		return &entry->is;
	entry->opened = true;
	if (entry->is.symbols || entry->is.code)
		open_code(objects, entry,
			  object.kind == PK_DSO_KERNEL || object.kind == PK_DSO_MODULE);
	else
		entry->is.reason = why_none(object.kind);
	tell_unpatched(objects, &entry->is);
	if (entry->is.reason)
		tell_no_code(&object, entry->is.reason);
	else
		pk_info("%s: code from %s", object.path, pk_machine_code_source(entry->is.code));
	return &entry->is;
}
