// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf_library.h"
#include "bpf_program.h"
#include "cli.h"
#include "vector.h"

#define TEXT_OF(number) #number
#define SONAME(number)	"libbpf.so." TEXT_OF(number)

/* ---- The library ---- */

#define FUNCTIONS(of)                                                                              \
	of(libbpf_set_print);                                                                      \
	of(bpf_object__open_mem);                                                                  \
	of(bpf_object__close);                                                                     \
	of(bpf_object__btf);                                                                       \
	of(btf__raw_data);                                                                         \
	of(bpf_object__next_map);                                                                  \
	of(bpf_map__name);                                                                         \
	of(bpf_map__type);                                                                         \
	of(bpf_map__key_size);                                                                     \
	of(bpf_map__value_size);                                                                   \
	of(bpf_map__max_entries);                                                                  \
	of(bpf_map__btf_key_type_id);                                                              \
	of(bpf_map__btf_value_type_id);                                                            \
	of(bpf_map__is_internal);                                                                  \
	of(bpf_map__initial_value);                                                                \
	of(bpf_map__fd);                                                                           \
	of(bpf_object__load);                                                                      \
	of(bpf_object__next_program);                                                              \
	of(bpf_program__autoload);                                                                 \
	of(bpf_program__name);                                                                     \
	of(bpf_program__section_name);                                                             \
	of(bpf_program__attach);                                                                   \
	of(bpf_link__destroy)

#define DECLARE(name) typeof(name) *name
static struct {
	FUNCTIONS(DECLARE);
} bpf;

static bool find(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);

	memcpy(function, &symbol, sizeof(symbol)); /* ISO C has no conversion for it */
	return symbol;
}

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

#define FIND(name) found = found && find(library, #name, &bpf.name)

bool bpf_library_load(struct pk_messages *messages)
{
	static bool found;
	void *library;

	if (found)
		return true;
	library = dlopen(SONAME(LIBBPF_MAJOR_VERSION), RTLD_NOW);
	if (!library)
		return pk_messages_error(messages,
					 "--bpf: %s: install libbpf (Debian's package libbpf%d)",
					 dlerror(), LIBBPF_MAJOR_VERSION);
	found = true;
	FUNCTIONS(FIND);
	if (!found)
		return pk_messages_error(messages,
					 "--bpf: %s: it lacks functions: use libbpf 1.0 "
					 "or later",
					 SONAME(LIBBPF_MAJOR_VERSION));
	bpf.libbpf_set_print(print);
	return true;
}

/* ---- Objects ---- */

struct bpf_library {
	struct bpf_object *object;
	char label[256];
	struct bpf_link **links;
	size_t links_count, links_capacity;
};

/* Adds the message for a failure: the messages of the library, or the errno. */
static bool explain(const struct bpf_library *library, const char *what, int error,
		    struct pk_messages *messages)
{
	if (!printed.first[0])
		pk_messages_error(messages, "--bpf %s: %s: %s", library->label, what,
				  strerror(error));
	else if (printed.cause[0])
		pk_messages_error(messages, "--bpf %s: %s: %s (-v prints the verifier's log)",
				  library->label, printed.first, printed.cause);
	else if (error == EPERM || error == EACCES || error == ENOSYS)
		bpf_explain(messages, "--bpf", "without it", error);
	else
		pk_messages_error(messages, "--bpf %s: %s", library->label, printed.first);
	return false;
}

static void forget_printed(void)
{
	printed.first[0] = printed.cause[0] = '\0';
}

struct bpf_library *bpf_library_open(const void *data, size_t size, const char *label,
				     struct pk_messages *messages)
{
	struct bpf_library *library;

	if (!bpf_library_load(messages))
		return NULL;
	library = calloc(1, sizeof(*library));
	if (!library) {
		pk_messages_no_memory(messages);
		return NULL;
	}
	snprintf(library->label, sizeof(library->label), "%s", label);
	forget_printed();
	library->object = bpf.bpf_object__open_mem(data, size, NULL);
	if (library->object)
		return library;
	if (errno == ENOMEM)
		pk_messages_no_memory(messages);
	else
		explain(library, "not a BPF object", errno, messages);
	free(library);
	return NULL;
}

void bpf_library_close(struct bpf_library *library)
{
	if (!library)
		return;
	for (size_t i = 0; i < library->links_count; i++)
		bpf.bpf_link__destroy(library->links[i]);
	bpf.bpf_object__close(library->object);
	free(library->links);
	free(library);
}

const void *bpf_library_types(const struct bpf_library *library, size_t *size)
{
	const struct btf *btf = bpf.bpf_object__btf(library->object);
	uint32_t bytes = 0;
	const void *data = btf ? bpf.btf__raw_data(btf, &bytes) : NULL;

	*size = bytes;
	return data;
}

bool bpf_library_map_at(const struct bpf_library *library, size_t index,
			struct bpf_library_map *map)
{
	struct bpf_map *at = NULL;

	while ((at = bpf.bpf_object__next_map(library->object, at))) {
		if (bpf.bpf_map__is_internal(at) || index--)
			continue;
		*map = (struct bpf_library_map){
			.name = bpf.bpf_map__name(at),
			.type = bpf.bpf_map__type(at),
			.key_size = bpf.bpf_map__key_size(at),
			.value_size = bpf.bpf_map__value_size(at),
			.entries = bpf.bpf_map__max_entries(at),
			.key_type = bpf.bpf_map__btf_key_type_id(at),
			.value_type = bpf.bpf_map__btf_value_type_id(at),
			.fd = bpf.bpf_map__fd(at),
		};
		return true;
	}
	return false;
}

/* The library names the maps of sections OBJECT.SECTION, and may cut OBJECT. */
static struct bpf_map *find_section(const struct bpf_library *library, const char *section)
{
	struct bpf_map *at = NULL;

	while ((at = bpf.bpf_object__next_map(library->object, at))) {
		const char *name = bpf.bpf_map__name(at);
		const size_t size = strlen(name), tail = strlen(section);

		if (bpf.bpf_map__is_internal(at) && size >= tail &&
		    !strcmp(name + size - tail, section))
			break;
	}
	return at;
}

uint8_t *bpf_library_section(const struct bpf_library *library, const char *section, size_t *size)
{
	struct bpf_map *map = find_section(library, section);

	/* Later versions of the library return a pointer to const. */
	return map ? (uint8_t *)(uintptr_t)bpf.bpf_map__initial_value(map, size) : NULL;
}

int bpf_library_section_map(const struct bpf_library *library, const char *section)
{
	const struct bpf_map *map = find_section(library, section);

	return map ? bpf.bpf_map__fd(map) : -1;
}

bool bpf_library_start(struct bpf_library *library, struct pk_messages *messages)
{
	int error;

	forget_printed();
	error = bpf.bpf_object__load(library->object);
	return error == 0 || explain(library, "cannot be loaded", -error, messages);
}

bool bpf_library_attach(struct bpf_library *library, struct pk_messages *messages)
{
	struct bpf_program *program = NULL;
	struct bpf_link *link;
	char what[256];

	while ((program = bpf.bpf_object__next_program(library->object, program))) {
		if (!bpf.bpf_program__autoload(program))
			continue;
		if (!pk_reserve(&library->links, &library->links_capacity, library->links_count, 1,
				sizeof(struct bpf_link *)))
			return pk_messages_no_memory(messages);
		forget_printed();
		link = bpf.bpf_program__attach(program);
		if (link) {
			library->links[library->links_count++] = link;
			continue;
		}
		snprintf(what, sizeof(what), "program '%s' cannot be attached to '%s'",
			 bpf.bpf_program__name(program), bpf.bpf_program__section_name(program));
		return explain(library, what, errno, messages);
	}
	return true;
}
