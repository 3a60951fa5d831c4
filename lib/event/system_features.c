// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cpuid.h"
#include "pkutil.h"
#include "pmu.h"
#include "procfs.h"
#include "system_features.h"
#include "texts.h"

/* The state while features are written. */
struct features {
	struct pk_feature *feature;
	struct pk_writer *writer;
	struct pk_failures *lookups;
	const char *sysfs;
	uint32_t cpus; /* the highest CPU number + 1, as in the feature NRCPUS */
};

/* ---- Reading ---- */

/* Reads the first line of a file below the directory devices/system of sysfs. */
static bool read_text(const struct features *f, char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
static bool read_text(const struct features *f, char *text, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int length = snprintf(path, sizeof(path), "%s/devices/system/", f->sysfs);

	if (length < 0 || length >= PATH_MAX)
		return false;
	va_start(args, format);
	vsnprintf(path + length, sizeof(path) - (size_t)length, format, args);
	va_end(args);
	return pk_procfs_read_line(path, text, size, f->lookups);
}

/* Reads a number from the topology of a CPU. Returns -1, as perf does, if the CPU is offline. */
static uint32_t read_id(const struct features *f, uint32_t cpu, const char *name)
{
	char text[32];

	if (!read_text(f, text, sizeof(text), "cpu/cpu%u/topology/%s", cpu, name))
		return UINT32_MAX;
	return (uint32_t)strtol(text, NULL, 10);
}

/* Finds the first line of a file that starts with key and has the form "key : value". Copies its
 * value. Returns false if there is no such line. */
static bool find_value(const struct features *f, const char *path, const char *key, char *value,
		       size_t size)
{
	struct line_reader reader;
	bool found = false;
	char *line, *text;

	if (!pk_line_reader_open(&reader, path, f->lookups))
		return false;
	while (!found && (line = pk_line_reader_next(&reader))) {
		text = strchr(line, ':');
		if (!text || strncmp(line, key, strlen(key)) != 0)
			continue;
		text += 1 + strspn(text + 1, " \t");
		snprintf(value, size, "%s", text);
		found = true;
	}
	pk_line_reader_close(&reader);
	return found;
}

/* ---- Writing ---- */

static void start(const struct features *f, enum perf_feature id)
{
	pk_feature_start(f->feature, id);
}

static void finish(const struct features *f)
{
	if (pk_feature_write(f->feature, f->writer) == PK_UNSUPPORTED)
		pk_failed(f->lookups, "description of the machine", EFBIG);
}

static void write_text(const struct features *f, enum perf_feature id, const char *text)
{
	start(f, id);
	pk_feature_string(f->feature, text);
	finish(f);
}

/* Reserves space for a count, which set_count() sets later. Returns the offset of the count in the
 * feature. */
static uint32_t reserve_count(const struct features *f)
{
	const uint32_t at = f->feature->size;

	pk_feature_u32(f->feature, 0);
	return at;
}

static void set_count(const struct features *f, uint32_t at, uint32_t count)
{
	if (!f->feature->overflow)
		pk_store_u32(f->feature->data + at, count);
}

/* ---- Names, processors, memory ---- */

static void write_names(const struct features *f)
{
	struct utsname names;
	char version[64];

	if (uname(&names))
		return;
	snprintf(version, sizeof(version), "pk %s", pk_version());
	write_text(f, PERF_FEATURE_HOSTNAME, names.nodename);
	write_text(f, PERF_FEATURE_OSRELEASE, names.release);
	write_text(f, PERF_FEATURE_VERSION, version);
	write_text(f, PERF_FEATURE_ARCH, names.machine);
}

/* Returns the highest number of a present CPU + 1. The number of CPUs would not be enough: readers
 * reject a CPU whose number is not less than this value. */
static uint32_t cpus_present(const struct features *f)
{
	char text[4096];
	size_t last;

	if (!read_text(f, text, sizeof(text), "cpu/present"))
		return (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	for (last = strlen(text); last > 0 && isdigit((unsigned char)text[last - 1]); last--)
		;
	return (uint32_t)strtoul(text + last, NULL, 10) + 1;
}

static bool count_cpus(void *arg, uint64_t first, uint64_t last)
{
	*(uint32_t *)arg += (uint32_t)(last - first + 1);
	return true;
}

static uint32_t cpus_online(const struct features *f)
{
	char text[4096];
	uint32_t count = 0;

	if (read_text(f, text, sizeof(text), "cpu/online") &&
	    pk_cpu_ranges(text, count_cpus, &count))
		return count;
	return (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

static void write_cpu_count(const struct features *f)
{
	start(f, PERF_FEATURE_NRCPUS);
	pk_feature_u32(f->feature, f->cpus);
	pk_feature_u32(f->feature, cpus_online(f));
	finish(f);
}

static void write_cpu_name(const struct features *f)
{
	static const char *const keys[] = {"model name", "Processor", "vendor_id", "cpu", "uarch"};
	char text[256];
	bool found = false;

	for (size_t i = 0; !found && i < sizeof(keys) / sizeof(keys[0]); i++)
		found = find_value(f, "/proc/cpuinfo", keys[i], text, sizeof(text));
	if (found)
		write_text(f, PERF_FEATURE_CPUDESC, text);
	if (pk_cpuid_recorded(text, sizeof(text), f->lookups))
		write_text(f, PERF_FEATURE_CPUID, text);
}

static void write_memory_size(const struct features *f)
{
	char text[64];

	if (!find_value(f, "/proc/meminfo", "MemTotal", text, sizeof(text)))
		return;
	start(f, PERF_FEATURE_TOTAL_MEM);
	pk_feature_u64(f->feature, strtoull(text, NULL, 10)); /* in KiB */
	finish(f);
}

/* ---- CPU_TOPOLOGY ---- */

/* Adds the number of lists, and then the lists of CPUs that share a package, core or die. Equal
 * lists are added only once. name is the file that contains the list of a CPU. old_name is the name
 * of this file in older kernels, or NULL. Returns false if there are no lists. */
static bool add_siblings(const struct features *f, const char *name, const char *old_name)
{
	const uint32_t at = reserve_count(f);
	struct pk_texts lists = {0};
	char text[4096];
	bool any;

	for (uint32_t cpu = 0; cpu < f->cpus; cpu++) {
		if ((!read_text(f, text, sizeof(text), "cpu/cpu%u/topology/%s", cpu, name) &&
		     (!old_name ||
		      !read_text(f, text, sizeof(text), "cpu/cpu%u/topology/%s", cpu, old_name))) ||
		    pk_texts_find(&lists, text, strlen(text)))
			continue;
		if (pk_need_room(f->lookups,
				 pk_texts_add(&lists, text, strlen(text)) ? PK_OK : PK_NOMEM) !=
		    PK_OK)
			break;
		pk_feature_string(f->feature, text);
	}
	any = lists.count;
	set_count(f, at, (uint32_t)lists.count);
	pk_texts_free(&lists);
	return any;
}

/* Always writes the dies, even if they are unknown. Without them, readers would decode the padding
 * of the record as dies. */
static void write_topology(const struct features *f)
{
	bool has_dies;

	start(f, PERF_FEATURE_CPU_TOPOLOGY);
	add_siblings(f, "package_cpus_list", "core_siblings_list");
	add_siblings(f, "core_cpus_list", "thread_siblings_list");
	for (uint32_t cpu = 0; cpu < f->cpus; cpu++) {
		pk_feature_u32(f->feature, read_id(f, cpu, "core_id"));
		pk_feature_u32(f->feature, read_id(f, cpu, "physical_package_id"));
	}
	has_dies = add_siblings(f, "die_cpus_list", NULL);
	for (uint32_t cpu = 0; cpu < f->cpus; cpu++)
		pk_feature_u32(f->feature, has_dies ? read_id(f, cpu, "die_id") : 0);
	finish(f);
}

/* ---- NUMA_TOPOLOGY, MEM_TOPOLOGY ---- */

struct node_writer {
	const struct features *f;
	void (*write)(const struct features *f, uint32_t node);
	uint32_t count;
};

static bool write_node_range(void *arg, uint64_t first, uint64_t last)
{
	struct node_writer *writer = arg;

	for (uint64_t node = first; node <= last; node++, writer->count++)
		writer->write(writer->f, (uint32_t)node);
	return true;
}

/* Calls write for each NUMA node that is online. Sets *count to the number of nodes. Returns false
 * if sysfs does not list the nodes. */
static bool each_node(const struct features *f,
		      void (*write)(const struct features *f, uint32_t node), uint32_t *count)
{
	struct node_writer writer = {f, write, 0};
	char text[4096];

	if (!read_text(f, text, sizeof(text), "node/online") ||
	    !pk_cpu_ranges(text, write_node_range, &writer))
		return false;
	*count = writer.count;
	return true;
}

static uint64_t node_memory(const struct features *f, uint32_t node, const char *name)
{
	char path[PATH_MAX], key[64], text[64] = "";

	snprintf(path, sizeof(path), "%s/devices/system/node/node%u/meminfo", f->sysfs, node);
	snprintf(key, sizeof(key), "Node %u %s", node, name);
	return find_value(f, path, key, text, sizeof(text)) ? strtoull(text, NULL, 10) : 0;
}

static void write_node(const struct features *f, uint32_t node)
{
	char text[4096] = "";

	pk_feature_u32(f->feature, node);
	pk_feature_u64(f->feature, node_memory(f, node, "MemTotal"));
	pk_feature_u64(f->feature, node_memory(f, node, "MemFree"));
	read_text(f, text, sizeof(text), "node/node%u/cpulist", node);
	pk_feature_string(f->feature, text);
}

static void write_nodes(const struct features *f)
{
	uint32_t at, count;

	start(f, PERF_FEATURE_NUMA_TOPOLOGY);
	at = reserve_count(f);
	if (!each_node(f, write_node, &count))
		return;
	set_count(f, at, count);
	finish(f);
}

/* Calls each for the memory blocks of a node. The directory of the node contains a link memoryN for
 * each block. */
static void each_block(const struct features *f, uint32_t node,
		       void (*each)(void *arg, uint32_t block), void *arg)
{
	char path[PATH_MAX];
	struct dirent *entry;
	uint32_t block;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/devices/system/node/node%u", f->sysfs, node);
	folder = opendir(path);
	if (!folder) {
		pk_failed_errno(f->lookups, path);
		return;
	}
	while ((errno = 0, entry = readdir(folder)))
		if (sscanf(entry->d_name, "memory%u", &block) == 1 &&
		    block < PK_FEATURE_BUILD_MAX * 8)
			each(arg, block);
	if (errno)
		pk_failed_errno(f->lookups, path);
	closedir(folder);
}

/* The set of the memory blocks of a node. */
struct blocks {
	uint64_t count; /* the highest block number + 1 */
	uint8_t *bits;
};

static void find_highest(void *arg, uint32_t block)
{
	struct blocks *blocks = arg;

	if (blocks->count < block + UINT64_C(1))
		blocks->count = block + UINT64_C(1);
}

/* Sets the bit of a block. Skips blocks that were added to the machine after they were counted. */
static void set_bit(void *arg, uint32_t block)
{
	const struct blocks *blocks = arg;
	uint8_t *word = blocks->bits + (size_t)block / 64 * 8;

	if (block < blocks->count)
		pk_store_u64(word, pk_load_u64(word) | UINT64_C(1) << block % 64);
}

static void write_blocks(const struct features *f, uint32_t node)
{
	struct pk_feature *feature = f->feature;
	struct blocks blocks = {0};

	each_block(f, node, find_highest, &blocks);
	pk_feature_u64(feature, node);
	pk_feature_u64(feature, blocks.count);
	pk_feature_u64(feature, blocks.count);
	blocks.bits = feature->data + feature->size;
	for (uint64_t word = 0; word < (blocks.count + 63) / 64; word++)
		pk_feature_u64(feature, 0);
	if (!feature->overflow)
		each_block(f, node, set_bit, &blocks);
}

static void write_memory(const struct features *f)
{
	char text[64];
	uint32_t at, count;

	if (!read_text(f, text, sizeof(text), "memory/block_size_bytes"))
		return;
	start(f, PERF_FEATURE_MEM_TOPOLOGY);
	pk_feature_u64(f->feature, 1);
	pk_feature_u64(f->feature, strtoull(text, NULL, 16));
	at = f->feature->size;
	pk_feature_u64(f->feature, 0);
	if (!each_node(f, write_blocks, &count))
		return;
	if (!f->feature->overflow)
		pk_store_u64(f->feature->data + at, count);
	finish(f);
}

/* ---- CACHE ---- */

#define CACHES_MOST 4 /* the most levels of caches, and the most caches of a CPU, as in perf */

/* Reads the levels of the caches of all CPUs into an array with CACHES_MOST items for each CPU. The
 * level is 0 if there is no such cache. The caller frees the array. Returns NULL if memory is
 * exhausted. */
static unsigned long *read_levels(const struct features *f)
{
	unsigned long *levels =
		pk_need(f->lookups, calloc((size_t)f->cpus * CACHES_MOST, sizeof(*levels)));
	char text[32];

	for (uint32_t cpu = 0; levels && cpu < f->cpus; cpu++)
		for (unsigned int index = 0; index < CACHES_MOST; index++)
			if (read_text(f, text, sizeof(text), "cpu/cpu%u/cache/index%u/level", cpu,
				      index))
				levels[cpu * CACHES_MOST + index] = strtoul(text, NULL, 10);
	return levels;
}

/* Adds a cache of a CPU. Skips it if it was already added for another CPU that shares the cache. */
static void add_cache(const struct features *f, uint32_t cpu, unsigned int index,
		      unsigned int level, struct pk_texts *caches)
{
	static const char *const numbers[] = {"coherency_line_size", "number_of_sets",
					      "ways_of_associativity"};
	static const char *const names[] = {"type", "size", "shared_cpu_list"};
	char number[3][32] = {""}, text[3][4096] = {""}, key[4200];

	if (!read_text(f, text[2], sizeof(text[2]), "cpu/cpu%u/cache/index%u/shared_cpu_list", cpu,
		       index))
		return;
	snprintf(key, sizeof(key), "%u %s", index, text[2]);
	if (pk_texts_find(caches, key, strlen(key)) ||
	    pk_need_room(f->lookups, pk_texts_add(caches, key, strlen(key)) ? PK_OK : PK_NOMEM) !=
		    PK_OK)
		return;
	for (size_t i = 0; i < 3; i++)
		read_text(f, number[i], sizeof(number[i]), "cpu/cpu%u/cache/index%u/%s", cpu, index,
			  numbers[i]);
	for (size_t i = 0; i < 2; i++)
		read_text(f, text[i], sizeof(text[i]), "cpu/cpu%u/cache/index%u/%s", cpu, index,
			  names[i]);
	pk_feature_u32(f->feature, level);
	for (size_t i = 0; i < 3; i++)
		pk_feature_u32(f->feature, (uint32_t)strtoul(number[i], NULL, 10));
	for (size_t i = 0; i < 3; i++)
		pk_feature_string(f->feature, text[i]);
}

/* Writes all caches, sorted by level as in perf. */
static void write_caches(const struct features *f)
{
	unsigned long *levels = read_levels(f);
	struct pk_texts caches = {0};
	uint32_t at;

	if (!levels)
		return; /* The feature is left out, because it is optional. */
	start(f, PERF_FEATURE_CACHE);
	pk_feature_u32(f->feature, 1);
	at = reserve_count(f);
	for (unsigned int level = 1; level <= CACHES_MOST; level++)
		for (uint32_t cpu = 0; cpu < f->cpus; cpu++)
			for (unsigned int index = 0; index < CACHES_MOST; index++)
				if (levels[cpu * CACHES_MOST + index] == level)
					add_cache(f, cpu, index, level, &caches);
	set_count(f, at, (uint32_t)caches.count);
	if (caches.count)
		finish(f);
	pk_texts_free(&caches);
	free(levels);
}

/* ---- PMU_MAPPINGS, CPU_PMU_CAPS, PMU_CAPS ---- */

static void write_pmus(const struct features *f, const struct pmu_names *pmus)
{
	uint32_t at, count = 0, type;

	start(f, PERF_FEATURE_PMU_MAPPINGS);
	at = reserve_count(f);
	for (size_t i = 0; i < pmus->count; i++) {
		if (!pk_pmu_type(f->sysfs, pmus->items[i], &type, f->lookups))
			continue;
		pk_feature_u32(f->feature, type);
		pk_feature_string(f->feature, pmus->items[i]);
		count++;
	}
	set_count(f, at, count);
	if (count)
		finish(f);
}

/* Adds the number of capabilities of a PMU, and then their names and values. Returns the number. */
static uint32_t add_caps(const struct features *f, const char *pmu)
{
	struct pmu_names caps = pk_pmu_files(f->sysfs, pmu, "caps", f->lookups);
	const uint32_t at = reserve_count(f);
	char file[300], text[256];
	uint32_t count = 0;

	for (size_t i = 0; i < caps.count; i++) {
		snprintf(file, sizeof(file), "caps/%.250s", caps.items[i]);
		if (!pk_pmu_read(f->sysfs, pmu, file, text, sizeof(text), f->lookups))
			continue;
		pk_feature_string(f->feature, caps.items[i]);
		pk_feature_string(f->feature, text);
		count++;
	}
	set_count(f, at, count);
	pk_pmu_names_free(&caps);
	return count;
}

static bool is_cpu(const char *pmu)
{
	return !strcmp(pmu, "cpu");
}

/* Writes the capabilities of the PMU "cpu" as CPU_PMU_CAPS, and the capabilities of all other PMUs
 * as PMU_CAPS. */
static void write_caps(const struct features *f, const struct pmu_names *pmus)
{
	uint32_t at, count = 0, before;

	start(f, PERF_FEATURE_CPU_PMU_CAPS);
	if (add_caps(f, "cpu"))
		finish(f);
	start(f, PERF_FEATURE_PMU_CAPS);
	at = reserve_count(f);
	for (size_t i = 0; i < pmus->count; i++) {
		if (is_cpu(pmus->items[i]))
			continue;
		before = f->feature->size;
		if (!add_caps(f, pmus->items[i])) {
			f->feature->size = before;
			continue;
		}
		pk_feature_string(f->feature, pmus->items[i]);
		count++;
	}
	set_count(f, at, count);
	if (count)
		finish(f);
}

void pk_system_features_write(struct pk_feature *feature, struct pk_writer *writer,
			      struct pk_failures *lookups)
{
	struct features f = {feature, writer, lookups, pk_pmu_sysfs(NULL), 0};
	struct pmu_names pmus = pk_pmu_list(f.sysfs, lookups);

	f.cpus = cpus_present(&f);
	write_names(&f);
	write_cpu_count(&f);
	write_cpu_name(&f);
	write_memory_size(&f);
	write_topology(&f);
	write_nodes(&f);
	write_pmus(&f, &pmus);
	write_caches(&f);
	write_memory(&f);
	write_caps(&f, &pmus);
	pk_pmu_names_free(&pmus);
}
