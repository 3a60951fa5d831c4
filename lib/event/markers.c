// SPDX-License-Identifier: BSD-2-Clause
/* USDT probes without a file. They are searched in the files of the processes or of the command
 * that will be recorded. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event.h"
#include "probe_object.h"
#include "usdt.h"
#include "vector.h"

struct files {
	char **items;
	size_t count, capacity;
};

static enum pk_status add_file(struct files *files, const char *path)
{
	for (size_t i = 0; i < files->count; i++)
		if (!strcmp(files->items[i], path))
			return PK_OK;
	PK_TRY(pk_vector_reserve(files, 1));
	files->items[files->count] = strdup(path);
	return files->items[files->count++] ? PK_OK : PK_NOMEM;
}

static void free_files(struct files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->items[i]);
	free(files->items);
}

/* The line is "START-END r-xp ...": the permissions follow the addresses. */
static bool is_executable(const char *line)
{
	const char *blank = strchr(line, ' ');

	return blank && strlen(blank) > 4 && blank[3] == 'x';
}

/* Adds the files that a process has mapped as executable. If the process has another root
 * directory, the file is searched below that directory. */
static enum pk_status add_maps(struct files *files, const char *pid, struct pk_messages *messages)
{
	char path[64], *line = NULL, *file;
	size_t room = 0;
	enum pk_status status = PK_OK;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%.20s/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return pk_messages_error(messages, "%s: %s", path, strerror(errno));
	while (status == PK_OK && getline(&line, &room, maps) > 0) {
		char below_root[4200];

		file = strchr(line, '/');
		line[strcspn(line, "\n")] = 0;
		if (!file || !is_executable(line))
			continue;
		snprintf(below_root, sizeof(below_root), "/proc/%.20s/root%s", pid, file);
		if (access(file, R_OK) == 0)
			status = add_file(files, file);
		else if (access(below_root, R_OK) == 0)
			status = add_file(files, below_root);
	}
	free(line);
	fclose(maps);
	return status == PK_OK ? PK_OK : pk_messages_no_memory(messages);
}

/* Adds the file that execvp(3) would execute. */
static enum pk_status add_command(struct files *files, const char *name,
				  struct pk_messages *messages)
{
	const char *path = getenv("PATH");
	char *copy = strdup(path ? path : "/bin:/usr/bin"), *rest = copy, *folder, *file;
	enum pk_status status = copy ? PK_OK : PK_NOMEM;

	if (status == PK_OK && strchr(name, '/'))
		status = add_file(files, name);
	else
		while (status == PK_OK && !files->count && (folder = strsep(&rest, ":"))) {
			status = asprintf(&file, "%s/%s", *folder ? folder : ".", name) >= 0
					 ? PK_OK
					 : PK_NOMEM;
			if (status == PK_OK && access(file, X_OK) == 0)
				status = add_file(files, file);
			if (status == PK_OK)
				free(file);
		}
	free(copy);
	return status == PK_OK ? PK_OK : pk_messages_no_memory(messages);
}

static enum pk_status list_files(struct files *files, const struct target_spec *spec,
				 char *const *command, struct pk_messages *messages)
{
	const char *list = spec->pids ? spec->pids : spec->tids;
	char *copy = list ? strdup(list) : NULL, *rest = copy, *pid;
	enum pk_status status = !list || copy ? PK_OK : PK_FAILED;

	if (status != PK_OK)
		pk_messages_no_memory(messages);
	while (status == PK_OK && (pid = strsep(&rest, ",")))
		status = add_maps(files, pid, messages);
	free(copy);
	PK_TRY(status);
	return command ? add_command(files, command[0], messages) : PK_OK;
}

static void count_marker(void *arg, const struct pk_usdt *usdt)
{
	(void)usdt;
	++*(size_t *)arg;
}

/* Adds the probe for each file that contains it. */
static enum pk_status add_marker(struct event_list *list, const struct files *files,
				 const char *text)
{
	struct pk_messages kept = list->messages;
	const size_t before = list->count;

	for (size_t i = 0; i < files->count; i++) {
		size_t markers = 0;

		if (!pk_usdt_each(files->items[i], count_marker, &markers) || !markers)
			continue;
		/* It is not an error if a file does not have this probe. */
		list->messages = (struct pk_messages){.quiet = true};
		pk_event_list_add_probe(list, files->items[i], text);
		kept.no_memory |= list->messages.no_memory;
		pk_failures_add(&kept.failures, &list->messages.failures);
		pk_messages_clear(&list->messages);
	}
	list->messages = kept;
	if (list->count > before || kept.no_memory)
		return kept.no_memory ? PK_NOMEM : PK_OK;
	return pk_messages_error(&list->messages,
				 "%s: no USDT probe of this name%s in %s: -x FILE names the "
				 "file",
				 text, strchr(text, ' ') ? " and with these arguments" : "",
				 files->count ? "the files of the command or of the processes"
					      : "a file, because there is no command, -p or -t");
}

static enum pk_status check_go(struct event_list *list)
{
	if (!list->go_returned || list->go_returns)
		return PK_OK;
	return pk_messages_error(&list->messages,
				 "-x %s: a return probe would end this Go program: Go moves its "
				 "stacks, and the kernel has replaced a return address there: "
				 "probe the entry, or the instructions where the function returns "
				 "(FUNCTION+OFFSET); --go-returns records it nevertheless",
				 list->go_returned);
}

enum pk_status pk_event_list_add_markers(struct event_list *list, const struct target_spec *spec,
					 char *const *command)
{
	struct files files = {0};
	enum pk_status status =
		check_go(list)
			?: (list->pending_count ? list_files(&files, spec, command, &list->messages)
						: PK_OK);

	for (size_t i = 0; status == PK_OK && i < list->pending_count; i++)
		status = add_marker(list, &files, list->pending[i]);
	free_files(&files);
	pk_probe_object_free(list->probed);
	list->probed = NULL;
	return status;
}
