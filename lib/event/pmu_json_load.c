// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "cpuid.h"
#include "lookups.h"
#include "pmu_json.h"
#include "pmu_json_internal.h"
#include "procfs.h"

#define JSON_MAX (64u << 20) /* bytes; the kernel's largest file has less than 4 MiB */

static bool no_memory(void)
{
	pk_no_memory();
	return false;
}

static bool load_file(struct pmu_json *json, const char *path, bool standards)
{
	size_t size = 0;
	char *data = procfs_read_file(path, JSON_MAX + 1, &size);
	bool ok = data && size <= JSON_MAX;

	pk_protect_input(path);
	if (!data)
		pk_error("%s: %s", path, strerror(errno));
	else if (!ok)
		pk_error("%s: larger than %u MiB: no file of events or metrics", path,
			 JSON_MAX >> 20);
	ok = ok && pmu_json_add(json, path, data, size, standards);
	free(data);
	return ok;
}

static int is_json(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".json");
}

static bool load_directory(struct pmu_json *json, const char *path, bool standards)
{
	struct dirent **entries;
	const int count = scandir(path, &entries, is_json, alphasort);
	bool ok = count > 0 || (count == 0 && standards);
	char *file;

	if (count < 0) {
		pk_lookup_failed(path);
		pk_error("%s: %s", path, strerror(errno));
	} else if (!ok)
		pk_error("%s: there are no files NAME.json in it", path);
	for (int i = 0; i < count; i++) {
		if (ok && asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0) {
			ok = no_memory();
		} else if (ok) {
			ok = load_file(json, file, standards);
			free(file);
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return ok;
}

static bool load_architecture(struct pmu_json *json, const char *path, const char *mapfile)
{
	char cpuid[128] = "", folder[256], *whole;
	bool ok;

	if (!cpuid_text(cpuid, sizeof(cpuid)) ||
	    !cpuid_folder(mapfile, cpuid, folder, sizeof(folder))) {
		pk_error("%s: nothing for a processor like this one, %s", mapfile, cpuid);
		return false;
	}
	if (asprintf(&whole, "%s/%s", path, folder) < 0)
		return no_memory();
	ok = load_directory(json, path, true) && load_directory(json, whole, false);
	free(whole);
	return ok;
}

/* There is no mapfile, or none that can be looked at: what else there is would be of all machines.
 */
static bool load_unmapped(struct pmu_json *json, const char *path, const char *mapfile)
{
	if (errno == ENOENT)
		return load_directory(json, path, false);
	pk_lookup_failed(mapfile);
	pk_error("%s: %s", mapfile, strerror(errno));
	return false;
}

bool pmu_json_load(struct pmu_json *json, const char *path)
{
	struct stat st;
	char *mapfile;
	bool ok;

	if (stat(path, &st)) {
		pk_lookup_failed(path);
		pk_error("%s: %s", path, strerror(errno));
		return false;
	}
	if (asprintf(&mapfile, "%s/mapfile.csv", path) < 0)
		return no_memory();
	if (!S_ISDIR(st.st_mode))
		ok = load_file(json, path, false);
	else if (!stat(mapfile, &st))
		ok = load_architecture(json, path, mapfile);
	else
		ok = load_unmapped(json, path, mapfile);
	free(mapfile);
	return pmu_json_complete(json) && ok;
}

bool pmu_json_parse(struct pmu_json *json, const char *name, const char *data, size_t size)
{
	const bool ok = pmu_json_add(json, name, data, size, false);

	return pmu_json_complete(json) && ok;
}
