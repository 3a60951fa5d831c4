// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <assert.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_library.h"
#include "bpf_call.h"
#include "cli.h"
#include "vector.h"

#define MESSAGE_SIZE 512

/* The messages of the library since the last failure was reported. Its callback has no argument.
 */
static struct {
	char first[MESSAGE_SIZE]; /* the first warning */
	char cause[MESSAGE_SIZE]; /* of the verifier: the last line before its statistics */
} printed;

/* Copies a line of the text without its end. */
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
		copy_line(printed.cause, line, size); /* of the verifier's log */
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

/* Adds the message for a failure: the messages of the library, or the errno. */
static bool explain(const struct bpf_library *library, const char *what, int error,
		    struct pk_messages *messages)
{
	const struct bpf_owner *owner = &library->owner;

	if (error == ENOMEM)
		pk_messages_no_memory(messages);
	else if (!owner->label || error == EPERM || error == EACCES || error == ENOSYS)
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
	return false;
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

const void *bpf_library_types(const struct bpf_library *library, size_t *size)
{
	const struct btf *btf = bpf_object__btf(library->object);
	uint32_t bytes = 0;
	const void *data = btf ? btf__raw_data(btf, &bytes) : NULL;

	*size = bytes;
	return data;
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

/* The library names the maps of sections OBJECT.SECTION, and may cut OBJECT. */
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

	/* Later versions of the library return a pointer to const. */
	return map ? (uint8_t *)(uintptr_t)bpf_map__initial_value(map, size) : NULL;
}

int bpf_library_section_map(const struct bpf_library *library, const char *section)
{
	const struct bpf_map *map = find_section(library, section);

	return map ? bpf_map__fd(map) : -1;
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

/* The functions of the library that change a map fail only after it was created. */
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

bool bpf_library_start(struct bpf_library *library, struct pk_messages *messages)
{
	int error;

	start_printing();
	error = bpf_object__load(library->object);
	return error == 0 || explain(library, "cannot be loaded", -error, messages);
}

static bool attach(struct bpf_library *library, struct bpf_program *program,
		   struct pk_messages *messages)
{
	struct bpf_link *link;
	char what[256];

	if (!pk_reserve(&library->links, &library->links_capacity, library->links_count, 1,
			sizeof(struct bpf_link *)))
		return pk_messages_no_memory(messages);
	start_printing();
	link = bpf_program__attach(program);
	if (link) {
		library->links[library->links_count++] = link;
		return true;
	}
	snprintf(what, sizeof(what), "program '%s' cannot be attached to '%s'",
		 bpf_program__name(program), bpf_program__section_name(program));
	return explain(library, what, errno, messages);
}

/* Whether pk-record attaches the program to perf events itself. */
static bool is_for_events(const struct bpf_library *library, const struct bpf_program *program)
{
	return !library->owner.label && bpf_program__type(program) == BPF_PROG_TYPE_PERF_EVENT;
}

bool bpf_library_attach(struct bpf_library *library, struct pk_messages *messages)
{
	struct bpf_program *program = NULL;

	while ((program = bpf_object__next_program(library->object, program)))
		if (bpf_program__autoload(program) && !is_for_events(library, program) &&
		    !attach(library, program, messages))
			return false;
	return true;
}

void bpf_library_detach(struct bpf_library *library)
{
	while (library->links_count)
		bpf_link__destroy(library->links[--library->links_count]);
}
