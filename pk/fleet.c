// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "data_lines.h"
#include "fleet.h"
#include "fleet_stream.h"
#include "lookups.h"
#include "nearest.h"

struct scripts {
	char programs[PATH_MAX]; /* the folder of pk's programs */
	char folder[PATH_MAX];
	struct dirent **names; /* sorted */
	int count;
};

/* Every script is a name without a suffix. Other files have one, and folders are not executed. */
static int is_script(const struct dirent *entry)
{
	return !strchr(entry->d_name, '.') && entry->d_type != DT_DIR;
}

/* Returns PK_FAILED after a message. */
static enum pk_status find_scripts(struct scripts *scripts)
{
	static const char *const places[] = {"../share/pk/fleet", "../../fleet"};

	scripts->count = -1;
	if (!pk_program_folder(scripts->programs, sizeof(scripts->programs)))
		return PK_FAILED;
	for (size_t i = 0; scripts->count < 0 && i < sizeof(places) / sizeof(places[0]); i++) {
		if (snprintf(scripts->folder, sizeof(scripts->folder), "%s/%s", scripts->programs,
			     places[i]) < PATH_MAX)
			scripts->count =
				scandir(scripts->folder, &scripts->names, is_script, alphasort);
		if (scripts->count < 0 && errno != ENOENT && errno != ENOTDIR)
			break;
	}
	if (scripts->count >= 0)
		return PK_OK;
	pk_error("no scripts: share/pk/fleet beside this program: %s", strerror(errno));
	return PK_FAILED;
}

static void free_scripts(struct scripts *scripts)
{
	for (int i = 0; i < scripts->count; i++)
		free(scripts->names[i]);
	free(scripts->names);
}

/* Prints how a script is called, and its purpose. The line "# fleet/ship FOLDER TARGET: copies ..."
 * of the script has both. The purpose ends with the first sentence. */
static void print_script(const struct scripts *scripts, const char *name)
{
	char path[PATH_MAX + NAME_MAX + 2], line[512], *about, *end;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", scripts->folder, name);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "# fleet/", 8) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		about = strstr(line, ": ");
		if (about && !about[2])
			about = NULL;
		if (about)
			*about = '\0';
		printf("  pk fleet %s\n", line + 8);
		if (!about)
			break;
		about += 2;
		end = strstr(about, ". ");
		end = end ? end : about + strlen(about) - (about[strlen(about) - 1] == '.');
		printf("      %.*s\n", (int)(end - about), about);
		break;
	}
	if (file)
		fclose(file);
}

static int print_scripts(const struct scripts *scripts)
{
	puts("Scripts for recordings of many hosts:\n");
	for (int i = 0; i < scripts->count; i++)
		print_script(scripts, scripts->names[i]->d_name);
	puts("  pk fleet stream [EVENT] <FOLDED\n"
	     "      writes folded text, such as that of fleet/query, as a stream");
	return PK_EXIT_OK;
}

/* The scripts call programs of pk by their names. */
static enum pk_status extend_path(const struct scripts *scripts)
{
	const char *old = getenv("PATH");
	char *path;
	int failed;

	if (asprintf(&path, "%s%s%s", scripts->programs, old ? ":" : "", old ? old : "") < 0)
		return PK_NOMEM;
	failed = setenv("PATH", path, 1);
	free(path);
	return failed ? PK_NOMEM : PK_OK;
}

static int become(const struct scripts *scripts, char **argv, bool only_print)
{
	char path[PATH_MAX + NAME_MAX + 2];

	snprintf(path, sizeof(path), "%s/%s", scripts->folder, argv[0]);
	if (only_print) {
		puts(path);
		return pk_finish(PK_EXIT_OK);
	}
	if (extend_path(scripts) != PK_OK)
		return pk_no_memory();
	execv(path, argv);
	pk_error("%s: %s", path, strerror(errno));
	return PK_EXIT_FAILED;
}

int fleet_run(int argc, char **argv, bool only_print)
{
	struct scripts scripts = {.count = 0};
	struct pk_nearest nearest = {.wanted = argc ? argv[0] : ""};
	bool known = false;
	int result;

	if (argc && !strcmp(argv[0], "stream") && !only_print)
		return fleet_stream(argc, argv);
	if (find_scripts(&scripts) != PK_OK)
		return PK_EXIT_FAILED;
	for (int i = 0; i < scripts.count; i++) {
		known |= argc && !strcmp(scripts.names[i]->d_name, argv[0]);
		pk_nearest_try(&nearest, scripts.names[i]->d_name);
	}
	if (!argc || !strcmp(argv[0], "-h") || !strcmp(argv[0], "--help"))
		result = pk_finish(print_scripts(&scripts));
	else if (known)
		result = become(&scripts, argv, only_print);
	else
		result = pk_usage_error("fleet: no script %s%s; pk fleet prints all", argv[0],
					pk_nearest_hint(&nearest));
	free_scripts(&scripts);
	return result;
}
