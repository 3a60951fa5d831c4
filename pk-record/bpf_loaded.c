// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf_call.h"
#include "bpf_library.h"
#include "bpf_loaded.h"
#include "configure.h"
#include "lookups.h"
#include "pkprivate.h"
#include "procfs.h"
#include "vector.h"

enum {
	FUNCTIONS_MAX = 1 << 16, /* maximum number of functions of one program; the verifier allows
				  * far fewer */
	KERNEL_NAME_SIZE = 512,	 /* maximum size of a name in /proc/kallsyms */
	KSYMBOL_BPF = 1,	 /* the value of perf_record_ksymbol.ksym_type for BPF functions */
	PROGRAM_LOAD = 1,	 /* the value of bpf_type for a program that is loaded */
	LENGTH_MAX = 4096, /* length in bytes that a function is assumed to have if its length is
			    * unknown */
};

/* A function of a BPF program, with its address in the kernel. */
struct function {
	uint64_t start;
	uint32_t size; /* 0 if it is unknown */
	char *name;
};

/* The functions of one loaded BPF program. */
struct functions {
	struct function *items;
	size_t count, capacity;
	bool incomplete;	 /* /proc/kallsyms has better names or more functions */
	struct bpf_types *types; /* types of the last program that has types, or NULL */
	uint32_t types_number;
};

static enum pk_status add_function(struct functions *list, uint64_t start, uint32_t size,
				   char *name)
{
	if (!name || pk_need_room(pk_lookups(), pk_vector_reserve(list, 1)) != PK_OK) {
		free(name);
		return PK_NOMEM;
	}
	list->items[list->count++] = (struct function){start, size, name};
	return PK_OK;
}

static void free_functions(struct functions *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].name);
	free(list->items);
	bpf_types_close(list->types);
}

/* ---- Programs ---- */

/* The information of the kernel about the functions of a program. */
struct program {
	struct bpf_prog_info info;
	uint64_t *starts;
	uint32_t *sizes;
	uint8_t (*tags)[BPF_TAG_SIZE];
	struct bpf_func_info *types; /* types of the functions; NULL if they are unknown */
};

static bool get_info(int fd, struct bpf_prog_info *info)
{
	union bpf_attr attr = {.info = {.bpf_fd = (uint32_t)fd,
					.info_len = sizeof(*info),
					.info = (uint64_t)(uintptr_t)info}};

	return bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr) == 0;
}

static void free_program(struct program *program)
{
	free(program->starts);
	free(program->sizes);
	free(program->tags);
	free(program->types);
}

/* Returns false if the kernel shows no code of the program, because of kernel.kptr_restrict or
 * because there is no JIT. Also returns false if an error occurs; the error is counted. */
static bool get_program(int fd, struct program *program)
{
	struct bpf_prog_info counts = {0};
	uint32_t count;

	*program = (struct program){0};
	if (!get_info(fd, &counts)) {
		pk_lookup_failed("bpf");
		return false;
	}
	count = counts.nr_jited_ksyms;
	if (!count || count > FUNCTIONS_MAX || counts.nr_jited_func_lens != count)
		return false;
	program->starts = pk_need(pk_lookups(), calloc(count, sizeof(*program->starts)));
	program->sizes = pk_need(pk_lookups(), calloc(count, sizeof(*program->sizes)));
	program->tags = pk_need(pk_lookups(), calloc(count, sizeof(*program->tags)));
	program->types = pk_need(pk_lookups(), calloc(count, sizeof(*program->types)));
	if (!program->starts || !program->sizes || !program->tags || !program->types)
		return false;
	program->info = (struct bpf_prog_info){
		.nr_jited_ksyms = count,
		.nr_jited_func_lens = count,
		.nr_prog_tags = counts.nr_prog_tags == count ? count : 0,
		.nr_func_info = counts.nr_func_info == count ? count : 0,
		.func_info_rec_size = sizeof(*program->types),
		.jited_ksyms = (uint64_t)(uintptr_t)program->starts,
		.jited_func_lens = (uint64_t)(uintptr_t)program->sizes,
		.prog_tags = (uint64_t)(uintptr_t)program->tags,
		.func_info = (uint64_t)(uintptr_t)program->types,
	};
	if (get_info(fd, &program->info))
		return true;
	pk_lookup_failed("bpf");
	return false;
}

/* Reads the types of a program. Usually, they are the types that were read for the previous
 * program. Returns false if an error occurs; the error is counted. */
static bool find_types(struct functions *list, const struct program *program)
{
	const uint32_t number = program->info.btf_id;

	if (list->types && list->types_number == number)
		return true;
	bpf_types_close(list->types);
	list->types = bpf_types_open(number);
	list->types_number = number;
	if (!list->types)
		pk_lookup_failed("bpf");
	return list->types != NULL;
}

/* Returns the name that the kernel gives to a function: "bpf_prog_TAG_NAME". `function` is the name
 * in its type, or NULL if it has no type. */
static char *kernel_name(const struct program *program, uint32_t index, const char *function)
{
	const int size = function ? KERNEL_NAME_SIZE : BPF_OBJ_NAME_LEN;
	const uint8_t *tag = program->info.nr_prog_tags ? program->tags[index] : program->info.tag;
	char hex[2 * BPF_TAG_SIZE + 1];

	for (size_t i = 0; i < BPF_TAG_SIZE; i++)
		snprintf(hex + 2 * i, 3, "%02x", tag[i]);
	function = function ? function : program->info.name;
	return pk_need_text(pk_lookups(), "bpf_prog_%s%s%.*s", hex, *function ? "_" : "", size,
			    function);
}

/* Returns true if the kernel generates additional code for programs of this type, such as
 * trampolines and dispatchers. */
static bool has_trampoline(uint32_t type)
{
	return type == BPF_PROG_TYPE_TRACING || type == BPF_PROG_TYPE_LSM ||
	       type == BPF_PROG_TYPE_EXT || type == BPF_PROG_TYPE_STRUCT_OPS ||
	       type == BPF_PROG_TYPE_XDP;
}

static void write_program(const struct program *program, const struct perf_attr *attr,
			  struct pk_writer *writer)
{
	struct perf_record_bpf_event *record = pk_writer_zeroed(
		writer, PERF_RECORD_BPF_EVENT, 0, sizeof(*record) + trailer_size(attr));

	if (!record)
		return;
	record->type = PROGRAM_LOAD;
	record->id = program->info.id;
	memcpy(record->tag, program->info.tag, sizeof(record->tag));
}

static void add_program(struct functions *list, const struct program *program)
{
	const bool typed = program->info.nr_func_info && find_types(list, program);

	list->incomplete |= (program->info.btf_id && !typed) || has_trampoline(program->info.type);
	for (uint32_t i = 0; i < program->info.nr_jited_ksyms; i++) {
		const char *function =
			typed ? bpf_types_function(list->types, program->types[i].type_id) : NULL;

		if (program->starts[i] && add_function(list, program->starts[i], program->sizes[i],
						       kernel_name(program, i, function)) != PK_OK)
			return;
	}
}

static void list_program(uint32_t id, struct functions *list, const struct perf_attr *attr,
			 struct pk_writer *writer)
{
	union bpf_attr get = {.prog_id = id};
	const int fd = bpf_call(BPF_PROG_GET_FD_BY_ID, &get);
	struct program program;

	if (fd < 0) {
		pk_lookup_failed(
			"bpf"); /* counts no failure if the program was unloaded meanwhile */
		return;
	}
	if (get_program(fd, &program)) {
		write_program(&program, attr, writer);
		add_program(list, &program);
	}
	free_program(&program);
	close(fd);
}

/* Returns false if this user is not allowed to list programs. */
static bool list_programs(struct functions *list, const struct perf_attr *attr,
			  struct pk_writer *writer)
{
	union bpf_attr next = {0};

	while (bpf_call(BPF_PROG_GET_NEXT_ID, &next) == 0) {
		list_program(next.next_id, list, attr, writer);
		next = (union bpf_attr){.start_id = next.next_id};
	}
	if (errno != ENOSYS)
		pk_lookup_failed("bpf"); /* counts no failure if this is the end of the list */
	return errno != EPERM && errno != EACCES;
}

/* ---- /proc/kallsyms ---- */

static int compare_functions(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static struct function *function_at(const struct functions *list, size_t known, uint64_t start)
{
	const struct function key = {.start = start};

	return known ? bsearch(&key, list->items, known, sizeof(key), compare_functions) : NULL;
}

/* Reads a line such as "ffffffffc0370000 t bpf_prog_6deef7357e7b4530_sd_fw_egress\t[bpf]". Returns
 * false for other lines, and if the kernel hides the address. */
static bool read_line(const char *line, uint64_t *start, char name[KERNEL_NAME_SIZE])
{
	const char *module = strchr(line, '\t');

	return module && !strcmp(module, "\t[bpf]") &&
	       sscanf(line, "%" SCNx64 " %*c %511s", start, name) == 2 && *start;
}

/* Adds functions that are missing in the list, and replaces names. The names of the kernel are
 * better because they come from the program's type information. The first `known` functions of the
 * list must be sorted. */
static void add_listed(struct functions *list)
{
	const size_t known = list->count;
	char name[KERNEL_NAME_SIZE], *copy;
	struct line_reader *reader = pk_need(pk_lookups(), malloc(sizeof(*reader)));
	struct function *function;
	uint64_t start;
	const char *line;

	if (!reader || !pk_line_reader_open(reader, "/proc/kallsyms", pk_lookups())) {
		free(reader);
		return;
	}
	while ((line = pk_line_reader_next(reader))) {
		if (!read_line(line, &start, name))
			continue;
		copy = pk_need_text(pk_lookups(), "%s", name);
		function = function_at(list, known, start);
		if (function && copy) {
			free(function->name);
			function->name = copy;
		} else if (add_function(list, start, 0, copy) != PK_OK) {
			break;
		}
	}
	pk_line_reader_close(reader);
	free(reader);
}

/* Sets unknown sizes. A function ends before the next function starts. */
static void set_sizes(struct functions *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct function *function = &list->items[i];
		uint64_t size = LENGTH_MAX;

		if (i + 1 < list->count && function[1].start - function->start < size)
			size = function[1].start - function->start;
		if (!function->size)
			function->size = (uint32_t)size;
	}
}

static void sort(struct functions *list)
{
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare_functions);
}

/* ---- Records ---- */

static void write_functions(const struct functions *list, const struct perf_attr *attr,
			    struct pk_writer *writer)
{
	struct perf_record_ksymbol *record;

	for (size_t i = 0; i < list->count; i++) {
		record = pk_writer_with_text(writer, PERF_RECORD_KSYMBOL, 0, sizeof(*record),
					     list->items[i].name, trailer_size(attr));
		if (!record)
			return;
		record->addr = list->items[i].start;
		record->len = list->items[i].size;
		record->ksym_type = KSYMBOL_BPF;
	}
}

/* Returns true if an event records BPF programs, and an event can have samples in the kernel. */
static bool are_wanted(const struct event_list *events)
{
	bool programs = false, kernel = false;

	for (size_t i = 0; i < events->count; i++) {
		const struct perf_attr *attr = &events->items[i].attr;

		programs |= attr->flags & PERF_ATTR_BPF_EVENT;
		kernel |=
			!(attr->flags & PERF_ATTR_EXCLUDE_KERNEL) &&
			!(attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY);
	}
	return programs && kernel;
}

void write_bpf_programs(const struct event_list *events, struct pk_writer *writer)
{
	const struct perf_attr *attr = &events->items[0].attr;
	struct functions list = {0};

	if (!are_wanted(events))
		return;
	list.incomplete = !list_programs(&list, attr, writer) || list.incomplete;
	sort(&list);
	if (list.incomplete)
		add_listed(&list);
	sort(&list);
	set_sizes(&list);
	write_functions(&list, attr, writer);
	free_functions(&list);
}
