// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "pmu.h"
#include "procfs.h"

#define PATH_SIZE 1024

const char *pk_pmu_sysfs(const char *chosen)
{
	const char *environment = getenv("SYSFS_PATH");

	return chosen ? chosen : environment && *environment ? environment : "/sys";
}

static bool pmu_path(char *path, const char *sysfs, const char *pmu, const char *file)
{
	return snprintf(path, PATH_SIZE, "%s/bus/event_source/devices/%s/%s", sysfs, pmu, file) <
	       PATH_SIZE;
}

static int any_name(const struct dirent *entry)
{
	static const char *const suffixes[] = {".unit", ".scale", ".per-pkg", ".snapshot"};
	const size_t size = strlen(entry->d_name);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const size_t length = strlen(suffixes[i]);

		if (size > length && !strcmp(entry->d_name + size - length, suffixes[i]))
			return false;
	}
	return entry->d_name[0] != '.';
}

static struct pmu_names list_folder(const char *path, struct pk_failures *lookups)
{
	struct pmu_names names = {0};
	struct dirent **entries;
	const int count = scandir(path, &entries, any_name, alphasort);

	if (count < 0) {
		pk_failed_errno(lookups, path);
		return names;
	}
	names.items = pk_need(lookups, calloc((size_t)count + 1, sizeof(*names.items)));
	for (int i = 0; i < count; i++) {
		char *name = names.items ? pk_need(lookups, strdup(entries[i]->d_name)) : NULL;

		if (name)
			names.items[names.count++] = name;
		free(entries[i]);
	}
	free(entries);
	return names;
}

struct pmu_names pk_pmu_list(const char *sysfs, struct pk_failures *lookups)
{
	char path[PATH_SIZE];

	if (!pmu_path(path, sysfs, "", ""))
		return (struct pmu_names){0};
	return list_folder(path, lookups);
}

struct pmu_names pk_pmu_files(const char *sysfs, const char *pmu, const char *folder,
			      struct pk_failures *lookups)
{
	char path[PATH_SIZE];

	if (!pmu_path(path, sysfs, pmu, folder))
		return (struct pmu_names){0};
	return list_folder(path, lookups);
}

void pk_pmu_names_free(struct pmu_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct pmu_names){0};
}

bool pk_pmu_read(const char *sysfs, const char *pmu, const char *file, char *text, size_t size,
		 struct pk_failures *lookups)
{
	char path[PATH_SIZE];

	/* The names become components of a path. They must not lead to a file outside of the
	 * directory of the PMU. */
	return *pmu && !strchr(pmu, '/') && pmu[0] != '.' && !strstr(file, "..") &&
	       pmu_path(path, sysfs, pmu, file) && pk_procfs_read_line(path, text, size, lookups);
}

bool pk_pmu_type(const char *sysfs, const char *pmu, uint32_t *type, struct pk_failures *lookups)
{
	char text[32];
	uint64_t number;

	if (!pk_pmu_read(sysfs, pmu, "type", text, sizeof(text), lookups) ||
	    !pk_parse_u64(text, &number) || number > UINT32_MAX)
		return false;
	*type = (uint32_t)number;
	return true;
}

bool pk_pmu_is_core(const char *sysfs, const char *pmu, struct pk_failures *lookups)
{
	char text[8];

	return !strcmp(pmu, "cpu") || pk_pmu_read(sysfs, pmu, "cpus", text, sizeof(text), lookups);
}

struct pmu_names pk_pmu_hybrid(const char *sysfs, struct pk_failures *lookups)
{
	struct pmu_names all = pk_pmu_list(sysfs, lookups);
	size_t kept = 0;

	for (size_t i = 0; i < all.count; i++) {
		if (pk_pmu_is_core(sysfs, all.items[i], lookups))
			all.items[kept++] = all.items[i];
		else
			free(all.items[i]);
	}
	all.count = kept;
	if (kept < 2)
		pk_pmu_names_free(&all);
	return all;
}

int *pk_pmu_cpus(const char *sysfs, const char *pmu, size_t *count, struct pk_failures *lookups)
{
	static const char *const files[] = {"cpus", "cpumask"};
	char text[4096], path[PATH_SIZE];
	int *cpus;

	*count = 0;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!pk_pmu_read(sysfs, pmu, files[i], text, sizeof(text), lookups))
			continue;
		if (*text && pk_cpu_list_parse(text, &cpus, count) != PK_OK)
			pk_failed(lookups, pmu_path(path, sysfs, pmu, files[i]) ? path : NULL,
				  errno == ENOMEM ? ENOMEM : EINVAL);
		return *count ? cpus : NULL;
	}
	return NULL;
}

/* Parses one "LOW-HIGH" or "BIT" of a format. Adds the bits to *bits, and moves *text to the end of
 * the parsed text. */
static bool parse_bits(const char **text, uint64_t *bits)
{
	unsigned long low, high;
	char *end;

	low = high = strtoul(*text, &end, 10);
	if (end == *text)
		return false;
	if (*end == '-') {
		*text = end + 1;
		high = strtoul(*text, &end, 10);
		if (end == *text)
			return false;
	}
	*text = end;
	if (low > high || high > 63)
		return false;
	*bits |= (high - low == 63 ? UINT64_MAX : (UINT64_C(1) << (high - low + 1)) - 1) << low;
	return true;
}

bool pk_pmu_format_parse(const char *text, struct pmu_format *format)
{
	*format = (struct pmu_format){0};
	if (strncmp(text, "config", 6))
		return false;
	text += 6;
	if (*text >= '1' && *text <= '4')
		format->word = (unsigned int)(*text++ - '0');
	if (*text++ != ':')
		return false;
	while (parse_bits(&text, &format->bits)) {
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
	return false;
}

uint64_t pk_pmu_format_most(const struct pmu_format *format)
{
	const int bits = __builtin_popcountll(format->bits);

	return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

uint64_t pk_pmu_format_place(const struct pmu_format *format, uint64_t value)
{
	uint64_t placed = 0;

	for (uint64_t left = format->bits; left; left &= left - 1, value >>= 1)
		if (value & 1)
			placed |= left & -left;
	return placed;
}
