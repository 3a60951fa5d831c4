// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "session_internal.h"

/* As they are in MMAP2, whatever machine wrote it. */
#define PROT_EXEC   4
#define MAP_HUGETLB 0x40000

/* MMAP and MMAP2 have the same beginning (SPEC 3.5). */
struct mmap_fields {
	uint32_t pid, tid;
	uint64_t start, size, pgoff;
	const char *name;
	bool executable;
	uint32_t flags;
	uint32_t build_id_size;
	const uint8_t *build_id;
	uint32_t major, minor; /* without that */
	uint64_t inode;
};

/*
 * Whether MMAP2 has a build-id, as its misc says. While another recording of the same task asks for
 * build-ids, the kernel sets that bit also in one that does not: then these are the two numbers of
 * a device (SPEC 3.5).
 */
static bool has_build_id(const struct pk_record *record)
{
	const struct perf_record_mmap2 *map = (const void *)record->data;
	const uint8_t *id = map->build_id;

	if (!(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) ||
	    map->build_id_size > PK_BUILD_ID_MAX || map->reserved_1 || map->reserved_2[0] ||
	    map->reserved_2[1])
		return false;
	return map->build_id_size >= 16 || id[1] || id[2] || id[3];
}

static bool parse_mmap(const struct pk_record *record, struct mmap_fields *fields)
{
	const struct perf_record_mmap2 *map = (const void *)record->data; /* begins as MMAP */
	bool second = record->type == PERF_RECORD_MMAP2;

	*fields = (struct mmap_fields){
		.pid = map->pid,
		.tid = map->tid,
		.start = map->addr,
		.size = map->len,
		.pgoff = map->pgoff,
		.name = pk_record_text(record, pk_mmap_name_at(record)),
	};
	fields->executable = !(record->misc & PERF_RECORD_MISC_MMAP_DATA);
	if (second) {
		fields->executable = map->prot & PROT_EXEC;
		fields->flags = map->flags;
	}
	if (second && has_build_id(record)) {
		fields->build_id_size = map->build_id_size;
		fields->build_id = map->build_id;
	} else if (second) {
		fields->major = map->maj;
		fields->minor = map->min;
		fields->inode = map->ino;
	}
	return fields->name;
}

/* SPEC 12: one of length 0, or that ends beyond 2^64, maps nothing. */
static bool is_empty(const struct mmap_fields *fields)
{
	return fields->start + fields->size <= fields->start;
}

/* perf shows code that has no file as if it came from the process's perf map. */
static enum pk_dso_kind user_kind(const struct mmap_fields *fields, char *path, size_t size)
{
	enum pk_dso_kind kind = pk_image_kind(fields->name);
	bool named = !strncmp(fields->name, "[anon:", 6) || !strncmp(fields->name, "/memfd:", 7);

	if (fields->flags & MAP_HUGETLB)
		kind = PK_DSO_JIT;
	if (kind == PK_DSO_JIT && !fields->executable)
		kind = PK_DSO_ANON;
	if (kind == PK_DSO_JIT && !named)
		snprintf(path, size, "/tmp/perf-%u.map", fields->pid);
	else
		snprintf(path, size, "%s", fields->name);
	return kind;
}

enum pk_status pk_session_map_code(struct pk_session *session, const struct pk_code_map *code)
{
	struct pk_process *process = pk_session_process(session, code->pid);
	struct pk_image like = {
		.kind = PK_DSO_JIT, .pid = code->pid, .dump = true, .path = code->path};
	struct pk_map map = {
		.start = code->start, .end = code->start + code->size, .pgoff = code->offset};

	if (!process || map.end <= map.start)
		return process ? PK_CORRUPT : PK_NOMEM;
	if (!process->code)
		process->code = pk_space_new(&session->serials);
	map.image = process->code ? pk_images_add(&session->images, &like) : NULL;
	return map.image && pk_space_map(&process->code, &map) ? PK_OK : PK_NOMEM;
}

/* SPEC 9.12: memory that is mapped again does not take away what a jitdump tells of it. */
static enum pk_status map_dump(struct pk_session *session, const struct mmap_fields *fields)
{
	const struct pk_code_map code = {.pid = fields->pid,
					 .path = fields->name,
					 .start = fields->start,
					 .size = fields->size,
					 .offset = fields->pgoff};

	return pk_session_map_code(session, &code);
}

static enum pk_status map_user(struct pk_session *session, const struct mmap_fields *fields)
{
	struct pk_process *process = pk_session_process(session, fields->pid);
	struct pk_image like = {.pid = fields->pid, .build_id_size = fields->build_id_size};
	struct pk_map map = {fields->start, fields->start + fields->size, fields->pgoff, NULL};
	size_t size = strlen(fields->name) + 32;
	char *path = malloc(size);

	if (!process || !path) {
		free(path);
		return PK_NOMEM;
	}
	if (fields->build_id_size)
		memcpy(like.build_id, fields->build_id, fields->build_id_size);
	like.kind = user_kind(fields, path, size);
	like.path = path;
	if (like.kind == PK_DSO_FILE) {
		like.major = fields->major;
		like.minor = fields->minor;
		like.inode = fields->inode;
	}
	if (like.kind == PK_DSO_VDSO)
		map.pgoff = 0; /* what stands there is an address */
	map.image = pk_images_add(&session->images, &like);
	free(path);
	return map.image && pk_space_map(&process->space, &map) ? PK_OK : PK_NOMEM;
}

/* "[kernel.kallsyms]_text": the name of the kernel and, behind it, of the symbol that pgoff is the
 * address of. */
static const char *reference_symbol(const char *name)
{
	const char *end = strchr(name, ']');

	return end && end[1] ? end + 1 : NULL;
}

static bool is_kernel(const char *name)
{
	return !strncmp(name, "[kernel.kallsyms]", 17) || !strncmp(name, "[kernel.vmlinux]", 16) ||
	       !strncmp(name, "[kernel]", 8);
}

static enum pk_status map_kernel(struct pk_session *session, const struct mmap_fields *fields)
{
	struct pk_image like = {.kind = PK_DSO_MODULE,
				.path = fields->name,
				.build_id_size = fields->build_id_size};
	struct pk_map map = {fields->start, fields->start + fields->size, 0, NULL};
	const char *symbol = NULL;
	struct pk_image *image;

	if (is_kernel(fields->name)) {
		symbol = reference_symbol(fields->name);
		like.kind = PK_DSO_KERNEL;
		like.path = "[kernel.kallsyms]";
	}
	if (fields->build_id_size)
		memcpy(like.build_id, fields->build_id, fields->build_id_size);
	image = pk_images_add(&session->images, &like);
	if (!image)
		return PK_NOMEM;
	if (symbol && !image->reference_symbol) {
		uint32_t number = pk_names_add(&session->images.paths, symbol, strlen(symbol));

		if (number == UINT32_MAX)
			return PK_NOMEM;
		image->reference_symbol = session->images.paths.texts[number];
		image->reference_address = fields->pgoff;
	}
	map.image = image;
	return pk_space_map(&session->kernel, &map) ? PK_OK : PK_NOMEM;
}

enum pk_status pk_session_mmap(struct pk_session *session, const struct pk_record *record)
{
	uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct mmap_fields fields;

	if (!parse_mmap(record, &fields))
		return PK_CORRUPT;
	if (is_empty(&fields))
		return PK_OK;
	if (mode == PERF_RECORD_MISC_KERNEL)
		return map_kernel(session, &fields);
	if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER)
		return PK_OK;
	if (fields.executable && pk_is_jitdump(fields.name))
		return map_dump(session, &fields);
	return map_user(session, &fields);
}

enum pk_status pk_session_ksymbol(struct pk_session *session, const struct pk_record *record)
{
	enum { KSYMBOL_UNREGISTER = 1 };
	const struct perf_record_ksymbol *symbol = (const void *)record->data;
	struct pk_image like = {.kind = PK_DSO_BPF,
				.path = pk_record_text(record, sizeof(*symbol))};
	struct pk_map map = {.start = symbol->addr, .end = symbol->addr + symbol->len};

	if (!like.path || map.end <= map.start)
		return PK_CORRUPT;
	if (symbol->flags & KSYMBOL_UNREGISTER)
		return pk_space_unmap(&session->kernel, map.start, map.end) ? PK_OK : PK_NOMEM;
	map.image = pk_images_add(&session->images, &like);
	return map.image && pk_space_map(&session->kernel, &map) ? PK_OK : PK_NOMEM;
}

enum pk_status pk_session_build_id(struct pk_session *session, const struct pk_record *record)
{
	uint32_t size = PK_BUILD_ID_MAX;
	const struct perf_record_build_id *from = (const void *)record->data;
	const char *path = pk_record_text(record, sizeof(*from));
	uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (!path)
		return PK_CORRUPT;
	if (record->misc & PERF_RECORD_MISC_BUILD_ID_SIZE)
		size = from->size;
	if (!size || size > PK_BUILD_ID_MAX)
		return PK_CORRUPT;
	if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER)
		return PK_OK;
	return pk_images_set_build_id(&session->images, path, from->build_id, size) ? PK_OK
										    : PK_NOMEM;
}
