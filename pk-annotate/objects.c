// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "objects.h"
#include "resolve.h"

struct objects {
	struct pk_symbols *symbols;
	struct resolver *resolver;
	const struct pk_session *session;
	bool intel, told_unpatched;
	struct entry {
		struct code_object is;
		bool met, opened;
		uint64_t reference; /* where the kernel, or the module, was */
	} * entries;		    /* by number */
	uint32_t room;
};

struct objects *objects_new(struct pk_symbols *symbols, const struct pk_symbols_options *options,
			    bool intel)
{
	struct objects *objects = calloc(1, sizeof(*objects));

	if (!objects)
		return NULL;
	objects->symbols = symbols;
	objects->intel = intel;
	objects->resolver = resolver_new(symbols, options);
	if (objects->resolver)
		return objects;
	free(objects);
	return NULL;
}

void objects_free(struct objects *objects)
{
	if (!objects)
		return;
	for (uint32_t i = 0; i < objects->room; i++) {
		pk_machine_code_free(objects->entries[i].is.code);
		disasm_free(objects->entries[i].is.disasm);
	}
	free(objects->entries);
	resolver_free(objects->resolver);
	free(objects);
}

void objects_begin(struct objects *objects, const struct pk_session *session)
{
	objects->session = session;
	resolver_begin(objects->resolver, session);
}

static struct entry *entry_of(struct objects *objects, uint32_t number)
{
	uint32_t room = objects->room ? objects->room : 64;
	struct entry *entries;

	while (room <= number)
		room *= 2;
	if (room == objects->room)
		return &objects->entries[number];
	entries = realloc(objects->entries, room * sizeof(*entries));
	if (!entries)
		return NULL;
	memset(entries + objects->room, 0, (room - objects->room) * sizeof(*entries));
	objects->entries = entries;
	objects->room = room;
	return &entries[number];
}

/* ---- Meeting ---- */

/* The kernel proper and its modules: one object has the symbols of all. */
static void meet_kernel(struct objects *objects, const struct first_sight *first,
			struct entry *entry, uint64_t *reference)
{
	const struct pk_map *map =
		pk_space_find(pk_session_kernel(objects->session), first->address);
	struct pk_location location = {
		.address = first->address,
		.ip = first->address,
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
	default: break;
	}
	if (!entry->met)
		entry->reference = reference;
	else if (reference && entry->reference)
		*shift = entry->reference - reference;
	entry->met = true;
	return true;
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

static void open_code(struct objects *objects, struct code_object *is)
{
	struct disasm_options options = {.intel = objects->intel};
	enum pk_object_state state;

	is->code = pk_machine_code_new(is->symbols);
	state = is->code ? pk_machine_code_state(is->code) : PK_OBJECT_NO_MEMORY;
	if (state != PK_OBJECT_READY) {
		is->reason = pk_state_text(state);
		return;
	}
	options.machine = pk_machine_code_machine(is->code).number;
	options.is_64 = pk_machine_code_machine(is->code).is_64;
	options.big_endian = pk_machine_code_machine(is->code).big_endian;
	is->disasm = disasm_new(&options, &is->reason);
	if (is->disasm)
		is->reason = NULL;
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
	if (entry->is.symbols && object.kind != PK_DSO_BPF)
		open_code(objects, &entry->is);
	else
		entry->is.reason = why_none(object.kind);
	tell_unpatched(objects, &entry->is);
	if (entry->is.reason)
		pk_warn("%s: no code: %s", object.path, entry->is.reason);
	else
		pk_info("%s: code from %s", object.path, pk_machine_code_source(entry->is.code));
	return &entry->is;
}
