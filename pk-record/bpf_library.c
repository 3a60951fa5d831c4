// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_call.h"
#include "bpf_library.h"
#include "cli.h"
#include "vector.h"

#define MESSAGE_SIZE 512

/* The messages of libbpf since the last error was reported. They are global because the callback of
 * libbpf has no argument for them. */
static struct {
	char first[MESSAGE_SIZE]; /* the first warning of libbpf */
	char cause[MESSAGE_SIZE]; /* the last line of the verifier's log, not counting its
				   * statistics */
} printed;

/* Copies `size` bytes of the text, which are a line without its newline. */
static void copy_line(char *to, const char *text, size_t size)
{
	snprintf(to, MESSAGE_SIZE, "%.*s", (int)(size < MESSAGE_SIZE ? size : MESSAGE_SIZE - 1),
		 text);
}

static void note_line(const char *line, size_t size)
{
	static const char prefix[] = "libbpf: ", statistics[] = "processed ";

	if (size >= strlen(prefix) && !strncmp(line, prefix, strlen(prefix))) {
		line += strlen(prefix);
		size -= strlen(prefix);
	} else if (size > strlen(statistics) &&
		   strncmp(line, statistics, strlen(statistics)) != 0 && line[0] != '-') {
		copy_line(printed.cause, line, size); /* a line of the verifier's log */
	}
	if (size && !printed.first[0])
		copy_line(printed.first, line, size);
	if (size && pk_cli_verbose() > 0)
		pk_info("bpf: %.*s", (int)size, line);
}

__attribute__((format(printf, 2, 0))) static int print(enum libbpf_print_level level,
						       const char *format, va_list arguments)
{
	char *text, *line;

	if (level == LIBBPF_DEBUG || vasprintf(&text, format, arguments) < 0)
		return 0;
	line = text;
	while (*line) {
		const size_t size = strcspn(line, "\n");

		if (level == LIBBPF_WARN)
			note_line(line, size);
		line += size + (line[size] == '\n');
	}
	free(text);
	return 0;
}

/* ---- Objects ---- */

struct bpf_library {
	struct bpf_object *object;
	struct bpf_owner owner;
	struct bpf_link **links;
	size_t links_count, links_capacity;
};

/* Adds the message for an error. It has the messages of libbpf, or the text of errno. */
static enum pk_status explain(const struct bpf_library *library, const char *what, int error,
			      struct pk_messages *messages)
{
	const struct bpf_owner *owner = &library->owner;

	if (error == ENOMEM)
		pk_messages_no_memory(messages);
	else if (!owner->label && printed.cause[0])
		pk_messages_error(messages,
				  "%s: bpf: %s: %s (-v prints the verifier's log): record %s "
				  "instead",
				  owner->option, printed.first, printed.cause, owner->instead);
	else if (!owner->label || error == EPERM || error == ENOSYS ||
		 (error == EACCES && !printed.cause[0]))
		bpf_explain(messages, owner->option, owner->instead, error);
	else if (!printed.first[0])
		pk_messages_error(messages, "%s %s: %s: %s", owner->option, owner->label, what,
				  strerror(error));
	else if (printed.cause[0])
		pk_messages_error(messages, "%s %s: %s: %s (-v prints the verifier's log)",
				  owner->option, owner->label, printed.first, printed.cause);
	else
		pk_messages_error(messages, "%s %s: %s", owner->option, owner->label,
				  printed.first);
	return PK_FAILED;
}

static void start_printing(void)
{
	libbpf_set_print(print);
	printed.first[0] = printed.cause[0] = '\0';
}

struct bpf_library *bpf_library_open(const void *data, size_t size, const struct bpf_owner *owner,
				     struct pk_messages *messages)
{
	struct bpf_library *library = calloc(1, sizeof(*library));

	if (!library) {
		pk_messages_no_memory(messages);
		return NULL;
	}
	library->owner = *owner;
	start_printing();
	library->object = bpf_object__open_mem(data, size, NULL);
	if (library->object)
		return library;
	explain(library, "not a BPF object", errno, messages);
	free(library);
	return NULL;
}

void bpf_library_close(struct bpf_library *library)
{
	if (!library)
		return;
	bpf_library_detach(library);
	bpf_object__close(library->object);
	free(library->links);
	free(library);
}

bool bpf_library_map_at(const struct bpf_library *library, size_t index,
			struct bpf_library_map *map)
{
	struct bpf_map *at = NULL;

	while ((at = bpf_object__next_map(library->object, at))) {
		if (bpf_map__is_internal(at) || index--)
			continue;
		*map = (struct bpf_library_map){
			.name = bpf_map__name(at),
			.type = bpf_map__type(at),
			.key_size = bpf_map__key_size(at),
			.value_size = bpf_map__value_size(at),
			.entries = bpf_map__max_entries(at),
			.key_type = bpf_map__btf_key_type_id(at),
			.value_type = bpf_map__btf_value_type_id(at),
			.fd = bpf_map__fd(at),
		};
		return true;
	}
	return false;
}

/* libbpf gives the map of a section the name OBJECT.SECTION, and may shorten OBJECT. */
static struct bpf_map *find_section(const struct bpf_library *library, const char *section)
{
	struct bpf_map *at = NULL;

	while ((at = bpf_object__next_map(library->object, at))) {
		const char *name = bpf_map__name(at);
		const size_t size = strlen(name), tail = strlen(section);

		if (bpf_map__is_internal(at) && size >= tail &&
		    !strcmp(name + size - tail, section))
			break;
	}
	return at;
}

uint8_t *bpf_library_section(const struct bpf_library *library, const char *section, size_t *size)
{
	struct bpf_map *map = find_section(library, section);

	/* The cast is needed because later versions of libbpf return a pointer to const. */
	return map ? (uint8_t *)(uintptr_t)bpf_map__initial_value(map, size) : NULL;
}

int bpf_library_section_map(const struct bpf_library *library, const char *section)
{
	const struct bpf_map *map = find_section(library, section);

	return map ? bpf_map__fd(map) : -1;
}

/* ---- Types of the user's objects ---- */

#define DEPTH_MAX 16 /* limit for the depth of nested structs */

uint32_t bpf_library_find_struct(const struct bpf_library *library, const char *name)
{
	const struct btf *types = bpf_object__btf(library->object);
	const int id = types ? btf__find_by_name_kind(types, name, BTF_KIND_STRUCT) : 0;

	return id > 0 ? (uint32_t)id : 0;
}

/* Returns the place of a variable in a section. Returns NULL if the variable is in another section.
 */
static const struct btf_var_secinfo *find_place(const struct btf_type *section, uint32_t variable)
{
	const struct btf_var_secinfo *places = btf_var_secinfos(section);

	for (uint32_t i = 0; i < btf_vlen(section); i++)
		if (places[i].type == variable)
			return &places[i];
	return NULL;
}

bool bpf_library_find_variable(const struct bpf_library *library, const char *name,
			       struct bpf_library_variable *variable)
{
	const struct btf *types = bpf_object__btf(library->object);
	const int id = types ? btf__find_by_name_kind(types, name, BTF_KIND_VAR) : 0;
	const struct btf_var_secinfo *place;
	const struct btf_type *section;

	for (uint32_t i = 1; id > 0 && (section = btf__type_by_id(types, i)); i++) {
		place = btf_is_datasec(section) ? find_place(section, (uint32_t)id) : NULL;
		if (!place)
			continue;
		*variable = (struct bpf_library_variable){
			.section = btf__name_by_offset(types, section->name_off),
			.offset = place->offset,
			.size = place->size,
			.type = btf__type_by_id(types, (uint32_t)id)->type};
		return variable->section;
	}
	return false;
}

struct walk {
	const struct btf *types;
	struct pk_raw_layout *layout;
};

/* Follows typedefs and qualifiers to the type itself. Returns NULL if there is no such type. */
static const struct btf_type *resolve(const struct btf *types, uint32_t id)
{
	const int resolved = btf__resolve_type(types, id);

	return resolved > 0 ? btf__type_by_id(types, (uint32_t)resolved) : NULL;
}

/* Sets the kind and size of a field that is a number, a pointer or an enum. Returns false if it has
 * another type. */
static bool scalar(const struct btf *types, const struct btf_type *type, struct pk_raw_field *field)
{
	const char *name = btf__name_by_offset(types, type->name_off);

	field->size = type->size;
	field->kind = PK_RAW_UNSIGNED;
	if (btf_is_ptr(type)) {
		field->kind = PK_RAW_POINTER;
		field->size = 8; /* the size of pointers in BPF */
	} else if (btf_is_int(type)) {
		if (btf_int_encoding(type) & BTF_INT_SIGNED)
			field->kind = PK_RAW_SIGNED;
		if (type->size == 1 && name && !strcmp(name, "char"))
			field->kind = PK_RAW_TEXT;
		if (btf_int_bits(type) != type->size * 8 || btf_int_offset(type))
			return false; /* bit-fields cannot be described */
	} else if (!btf_is_any_enum(type)) {
		return false;
	} else if (btf_kflag(type)) {
		field->kind = PK_RAW_SIGNED;
	}
	return field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
}

static bool add_field(const struct walk *walk, const char *name, struct pk_raw_field *field,
		      uint64_t offset)
{
	const uint64_t elements = field->count ? field->count : 1;

	if (offset + field->size * elements > walk->layout->size)
		return false;
	field->offset = (uint32_t)offset;
	if (!pk_raw_layout_add(walk->layout, name, field))
		walk->layout->left_out++;
	return true;
}

/* Adds a field for an array. An array of arrays becomes one array. An array of structs becomes an
 * array of bytes. */
static bool walk_array(const struct walk *walk, uint32_t id, const char *name, uint64_t offset)
{
	const int64_t size = btf__resolve_size(walk->types, id);
	const struct btf_type *type = resolve(walk->types, id);
	struct pk_raw_field field = {.count = 0};

	while (size >= 0 && type && btf_is_array(type))
		type = resolve(walk->types, btf_array(type)->type);
	if (size < 0 || !type)
		return false;
	if (!scalar(walk->types, type, &field)) {
		field.size = btf_is_composite(type);
		field.kind = PK_RAW_BYTES;
	} else if (field.size == 1 && field.kind == PK_RAW_UNSIGNED) {
		field.kind = PK_RAW_BYTES;
	}
	field.count = field.size ? (uint32_t)size / field.size : 0;
	if (field.count)
		return add_field(walk, name, &field, offset);
	walk->layout->left_out++;
	return true;
}

static bool walk_type(const struct walk *walk, uint32_t id, const char *name, uint64_t offset,
		      unsigned int depth)
{
	const struct btf_type *type = resolve(walk->types, id);
	struct pk_raw_field field = {.count = 0};
	char joined[PK_FIELD_NAME_SIZE];

	if (!type || depth > DEPTH_MAX)
		return false;
	if (btf_is_array(type))
		return walk_array(walk, id, name, offset);
	if (!btf_is_composite(type) && scalar(walk->types, type, &field)) {
		if (field.kind == PK_RAW_TEXT) /* a char outside of an array is a number */
			field.kind = PK_RAW_SIGNED;
		return add_field(walk, name, &field, offset);
	}
	walk->layout->left_out += !btf_is_composite(type);
	for (uint32_t i = 0; btf_is_composite(type) && i < btf_vlen(type); i++) {
		const struct btf_member *member = &btf_members(type)[i];
		const char *part = btf__name_by_offset(walk->types, member->name_off);

		if (btf_member_bitfield_size(type, i)) {
			walk->layout->left_out++;
			continue;
		}
		snprintf(joined, sizeof(joined), "%s%s%s", name, *name && part && *part ? "_" : "",
			 part ? part : "");
		if (!walk_type(walk, member->type, joined,
			       offset + btf_member_bit_offset(type, i) / 8, depth + 1))
			return false;
	}
	return true;
}

bool bpf_library_describe(const struct bpf_library *library, uint32_t id, const char *name,
			  struct pk_raw_layout *layout)
{
	const struct walk walk = {.types = bpf_object__btf(library->object), .layout = layout};
	const struct btf_type *type = walk.types ? resolve(walk.types, id) : NULL;
	const int64_t size = type ? btf__resolve_size(walk.types, id) : 0;

	layout->count = layout->left_out = 0;
	layout->size = (uint32_t)size;
	return size > 0 && size <= BPF_TYPE_SIZE_MAX &&
	       walk_type(&walk, id, btf_is_composite(type) ? "" : name, 0, 0);
}

/* ---- Types of loaded programs ---- */

/* struct bpf_types is never defined. A pointer to it is a pointer to the struct btf of libbpf. */
struct bpf_types *bpf_types_open(uint32_t number)
{
	return (struct bpf_types *)btf__load_from_kernel_by_id(number);
}

void bpf_types_close(struct bpf_types *types)
{
	btf__free((struct btf *)types);
}

const char *bpf_types_function(const struct bpf_types *types, uint32_t type)
{
	const struct btf *btf = (const struct btf *)types;
	const struct btf_type *function = btf__type_by_id(btf, type);

	return function && btf_is_func(function) ? btf__name_by_offset(btf, function->name_off)
						 : NULL;
}

/* ---- Objects of pk-record itself ---- */

void bpf_library_set(struct bpf_library *library, const void *settings, size_t size)
{
	size_t place = 0;
	uint8_t *section = bpf_library_section(library, ".rodata", &place);

	assert(section && place >= size);
	memcpy(section, settings, size);
}

static struct bpf_map *map_of(const struct bpf_library *library, const char *name)
{
	struct bpf_map *map = bpf_object__find_map_by_name(library->object, name);

	assert(map);
	return map;
}

static struct bpf_program *program_of(const struct bpf_library *library, const char *name)
{
	struct bpf_program *program = bpf_object__find_program_by_name(library->object, name);

	assert(program);
	return program;
}

/* Errors of libbpf are not checked here. Its functions that change a map fail only if the map was
 * already created. */
void bpf_library_shape_map(struct bpf_library *library, const char *name, uint32_t value_size,
			   uint32_t entries, uint32_t flags)
{
	struct bpf_map *map = map_of(library, name);

	if (value_size)
		bpf_map__set_value_size(map, value_size);
	bpf_map__set_max_entries(map, entries);
	bpf_map__set_map_flags(map, flags);
}

void bpf_library_leave_out(struct bpf_library *library, const char *program)
{
	bpf_program__set_autoload(program_of(library, program), false);
}

int bpf_library_map(const struct bpf_library *library, const char *map)
{
	return bpf_map__fd(map_of(library, map));
}

int bpf_library_program(const struct bpf_library *library, const char *program)
{
	return bpf_program__fd(program_of(library, program));
}

/* ---- Loading ---- */

enum pk_status bpf_library_start(struct bpf_library *library, struct pk_messages *messages)
{
	int error;

	start_printing();
	error = bpf_object__load(library->object);
	return error == 0 ? PK_OK : explain(library, "cannot be loaded", -error, messages);
}

static enum pk_status attach(struct bpf_library *library, struct bpf_program *program,
			     struct pk_messages *messages)
{
	struct bpf_link *link;
	char what[256];

	if (pk_reserve(&library->links, &library->links_capacity, library->links_count, 1,
		       sizeof(struct bpf_link *)) != PK_OK)
		return pk_messages_no_memory(messages);
	start_printing();
	link = bpf_program__attach(program);
	if (link) {
		library->links[library->links_count++] = link;
		return PK_OK;
	}
	snprintf(what, sizeof(what), "program '%s' cannot be attached to '%s'",
		 bpf_program__name(program), bpf_program__section_name(program));
	return explain(library, what, errno, messages);
}

/* Returns true if pk-record itself attaches the program to perf events. The section of such a
 * program names no target. */
static bool is_for_events(const struct bpf_library *library, const struct bpf_program *program)
{
	return !library->owner.label && !strchr(bpf_program__section_name(program), '/');
}

enum pk_status bpf_library_attach(struct bpf_library *library, struct pk_messages *messages)
{
	struct bpf_program *program = NULL;

	while ((program = bpf_object__next_program(library->object, program)))
		if (bpf_program__autoload(program) && !is_for_events(library, program))
			PK_TRY(attach(library, program, messages));
	return PK_OK;
}

void bpf_library_detach(struct bpf_library *library)
{
	while (library->links_count)
		bpf_link__destroy(library->links[--library->links_count]);
}
