// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "stream_head.h"
#include "symbols.h"
#include "vector.h"

/* The range of addresses that the code of the kernel has. */
struct kernel_range {
	const char *reference; /* the symbol from which readers calculate how far the kernel was
				* moved in memory */
	uint64_t start, end;
};

/* The range of the kernel in physical memory, from the start of its code to the end of its data.
 * `end` is 0 if the range is unknown. */
struct image {
	uint64_t start, end;
};

/* The kernel can be moved in physical and in virtual memory. The distance is always a multiple of
 * this size. */
#define KERNEL_ALIGNMENT UINT64_C(0x200000)

/* Reads the range from /proc/iomem. Users without CAP_SYS_ADMIN only see zeros there. */
static struct image find_image(void)
{
	struct image image = {0};
	struct line_reader reader;
	uint64_t first, last;
	char *line, *name;

	if (!pk_line_reader_open(&reader, "/proc/iomem", pk_lookups()))
		return image;
	/* a line such as "  01000000-0220bb07 : Kernel code" */
	while (!image.end && (line = pk_line_reader_next(&reader))) {
		name = strstr(line, " : Kernel ");
		if (!name || sscanf(line, "%" SCNx64 "-%" SCNx64, &first, &last) != 2)
			continue;
		if (!strcmp(name, " : Kernel code"))
			image.start = first;
		else if (!strcmp(name, " : Kernel data") && image.start && last > image.start)
			image.end = last + 1;
	}
	pk_line_reader_close(&reader);
	return image;
}

/* Returns true if the range in physical memory starts at _text. Then it has the same size as the
 * range in virtual memory. */
static bool starts_at(const struct image *image, uint64_t text)
{
	return image->end && !((image->start ^ text) & (KERNEL_ALIGNMENT - 1));
}

static bool is_bound(const char *name)
{
	return !strcmp(name, "_text") || !strcmp(name, "_stext") || !strcmp(name, "_etext") ||
	       !strcmp(name, "_edata");
}

/* Sets the start or the end of the range from a symbol. Returns true if the range is complete, or
 * if the kernel hides its addresses. */
static bool set_bound(struct kernel_range *range, const struct image *image, const char *name,
		      uint64_t address)
{
	if (!strcmp(name, "_text")) {
		range->reference = "_text";
		range->start = address;
		if (starts_at(image, address))
			range->end = address + (image->end - image->start);
		return range->end || !address;
	}
	if (strcmp(name, "_stext") != 0) {
		range->end = address;
		return !strcmp(name, "_edata");
	}
	if (!range->reference) {
		range->reference = "_stext";
		range->start = address;
	}
	return false;
}

/* Finds the range of the kernel in virtual memory. The kernel generates the lines of /proc/kallsyms
 * one by one, and all lines take tens of milliseconds. _text is one of the first lines, and the
 * symbols of the end are among the last. So the end is calculated if possible. Returns false if the
 * file cannot be read or shows only zeros. */
static bool find_kernel(struct kernel_range *range)
{
	const struct image image = find_image();
	struct line_reader reader;
	bool complete = false;
	char *line, *name;

	*range = (struct kernel_range){0};
	if (!pk_line_reader_open(&reader, "/proc/kallsyms", pk_lookups()))
		return false;
	while (!complete && (line = pk_line_reader_next(&reader))) {
		/* a line such as "ffffffff81000000 T _stext" */
		name = strchr(line, '_');
		if (name && name[-1] == ' ' && is_bound(name))
			complete = set_bound(range, &image, name, strtoull(line, NULL, 16));
	}
	pk_line_reader_close(&reader);
	return range->start && range->end > range->start;
}

static void set_build_id(struct mapping *mapping, const struct pk_build_id *id)
{
	mapping->build_id = id->bytes;
	mapping->build_id_size = id->size;
}

static void write_kernel(const struct perf_attr *attr, struct pk_writer *writer)
{
	struct mapping mapping = {.pid = -1, .cpumode = PERF_RECORD_MISC_KERNEL};
	struct kernel_range range;
	struct pk_build_id id;
	char name[64];

	if (!find_kernel(&range)) {
		pk_info("/proc/kallsyms shows no addresses (kernel.kptr_restrict): the stream has "
			"no address of the kernel");
		return;
	}
	snprintf(name, sizeof(name), "[kernel.kallsyms]%s", range.reference);
	mapping.name = name;
	mapping.start = mapping.offset = range.start;
	mapping.size = range.end - range.start;
	if (pk_build_id_of_file("/sys/kernel/notes", &id, pk_lookups()))
		set_build_id(&mapping, &id);
	write_mapping(&mapping, attr, writer);
}

/* The content of modules.dep. Each line has the file of a module, followed by a colon. */
struct module_files {
	char *text;
	char release[65];
};

static void module_files_init(struct module_files *files)
{
	struct utsname names;
	char path[128];
	size_t size;

	uname(&names);
	snprintf(files->release, sizeof(files->release), "%s", names.release);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", files->release);
	files->text = pk_procfs_read_file(path, 16 << 20, &size, pk_lookups());
}

/* Returns true if the file is that of the module. The name of a module has '_' where the name of
 * its file can have '-'. */
static bool same_module(const char *file, const char *module, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (file[i] != module[i] && !(file[i] == '-' && module[i] == '_'))
			return false;
	return file[size] == '.';
}

/* Sets path to the path of a module's file. If it is unknown, sets path to the name of the module
 * in brackets, as perf does. */
static void module_path(const struct module_files *files, const char *module, char *path,
			size_t size)
{
	const size_t length = strlen(module);
	const char *line = files->text, *colon, *base;

	for (; line; line = strchr(line, '\n'), line += line != NULL) {
		colon = strchr(line, ':');
		if (!colon)
			break;
		for (base = colon; base > line && base[-1] != '/'; base--)
			;
		if (!same_module(base, module, length))
			continue;
		snprintf(path, size, "/lib/modules/%s/%.*s", files->release, (int)(colon - line),
			 line);
		return;
	}
	snprintf(path, size, "[%s]", module);
}

struct module {
	char name[65];
	uint64_t start, size;
};

struct modules {
	struct module *items;
	size_t count, capacity;
};

static void read_modules(struct modules *modules)
{
	struct line_reader reader;
	struct module module;
	char *line;

	if (!pk_line_reader_open(&reader, "/proc/modules", pk_lookups()))
		return;
	while ((line = pk_line_reader_next(&reader))) {
		/* a line such as "name size users used-by state address" */
		if (sscanf(line, "%64s %" SCNu64 " %*s %*s %*s %" SCNx64, module.name, &module.size,
			   &module.start) != 3 ||
		    !module.start || strchr(module.name, '/'))
			continue;
		if (pk_need_room(pk_lookups(), pk_vector_reserve(modules, 1)) != PK_OK)
			break;
		modules->items[modules->count++] = module;
	}
	pk_line_reader_close(&reader);
}

static int compare_modules(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void write_module(const struct module_files *files, const struct module *module,
			 const struct perf_attr *attr, struct pk_writer *writer)
{
	struct mapping mapping = {.pid = -1,
				  .cpumode = PERF_RECORD_MISC_KERNEL,
				  .start = module->start,
				  .size = module->size};
	struct pk_build_id id;
	char path[512], notes[128];

	module_path(files, module->name, path, sizeof(path));
	mapping.name = path;
	snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id", module->name);
	if (pk_build_id_of_file(notes, &id, pk_lookups()))
		set_build_id(&mapping, &id);
	write_mapping(&mapping, attr, writer);
}

/* Writes the maps of modules. The size of a module in /proc/modules includes all its memory. Since
 * Linux 6.4, only the code of a module is at the address of the module, and other modules can start
 * within this size. In that case, the map ends at the start of the next module. */
static void write_modules(const struct perf_attr *attr, struct pk_writer *writer)
{
	struct modules modules = {0};
	struct module_files files;

	read_modules(&modules);
	if (!modules.count)
		return;
	qsort(modules.items, modules.count, sizeof(*modules.items), compare_modules);
	module_files_init(&files);
	for (size_t i = 0; i < modules.count; i++) {
		struct module *module = &modules.items[i];

		if (i + 1 < modules.count && module[1].start - module->start < module->size)
			module->size = module[1].start - module->start;
		write_module(&files, module, attr, writer);
	}
	free(files.text);
	free(modules.items);
}

void write_kernel_maps(const struct perf_attr *attr, struct pk_writer *writer)
{
	write_kernel(attr, writer);
	write_modules(attr, writer);
}
