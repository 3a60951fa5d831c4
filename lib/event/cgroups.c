// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "procfs.h"

/* Whether a mount is a hierarchy of version 2, or the one for perf events. */
static bool is_hierarchy(const char *type, const char *options)
{
	return !strcmp(type, "cgroup2") ||
	       (!strcmp(type, "cgroup") && strstr(options, "perf_event"));
}

static int open_cgroup(const char *name, struct pk_failures *lookups)
{
	char place[1024], type[64], options[1024], path[4200];
	struct line_reader reader;
	const char *line;
	int fd = -1;

	errno = ENOENT;
	if (!line_reader_open(&reader, "/proc/self/mounts", lookups))
		return -1;
	while (fd < 0 && (line = line_reader_next(&reader))) {
		if (sscanf(line, "%*s %1023s %63s %1023s", place, type, options) != 3 ||
		    !is_hierarchy(type, options))
			continue;
		snprintf(path, sizeof(path), "%s/%s", place, name);
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	line_reader_close(&reader);
	return fd;
}

/* The hierarchy for perf events of version 1, or else that of version 2. */
char *cgroup_root(struct pk_failures *lookups)
{
	char place[1024], type[64], options[1024], *root = NULL;
	struct line_reader reader;
	const char *line;

	if (!line_reader_open(&reader, "/proc/self/mounts", lookups))
		return NULL;
	while ((line = line_reader_next(&reader))) {
		if (sscanf(line, "%*s %1023s %63s %1023s", place, type, options) != 3 ||
		    !is_hierarchy(type, options) || (root && !strcmp(type, "cgroup2")))
			continue;
		free(root);
		root = strdup(place);
	}
	line_reader_close(&reader);
	return root;
}

static bool set_cgroup(struct event *event, const char *name, struct pk_messages *messages)
{
	if (event->cgroup || !*name)
		return true;
	event->cgroup_fd = open_cgroup(name, &messages->failures);
	if (event->cgroup_fd < 0)
		return pk_messages_error(
			messages,
			"-G %s: no such control group below the mount point for perf events", name);
	event->cgroup = strdup(name);
	return event->cgroup || pk_messages_no_memory(messages);
}

bool events_set_cgroups(struct event_list *list, const char *text)
{
	char *copy = strdup(text), *cursor = copy, *item;
	const bool single = !strchr(text, ',');
	size_t i = 0;
	bool ok = copy != NULL;

	while (ok && (item = strsep(&cursor, ","))) {
		if (i >= list->count) {
			ok = pk_messages_error(&list->messages,
					       "-G %s: more control groups than events", text);
		} else if (single) {
			for (; ok && i < list->count; i++)
				ok = set_cgroup(&list->items[i], item, &list->messages);
		} else {
			ok = set_cgroup(&list->items[i++], item, &list->messages);
		}
	}
	free(copy);
	return ok;
}

bool events_for_each_cgroup(struct event_list *list, const char *text)
{
	char *copy = strdup(text), *cursor = copy, *item;
	const size_t count = list->count;
	size_t done = 0;
	bool ok = copy != NULL;

	/* The copies come first, as long as there are originals without a group. */
	for (const char *comma = text; ok && (comma = strchr(comma, ',')); comma++) {
		const size_t first = list->count;

		for (size_t i = 0; ok && i < count; i++) {
			struct event *event = events_copy(list, i);

			ok = event != NULL;
			if (ok)
				event->leader = first + list->items[i].leader;
		}
	}
	while (ok && (item = strsep(&cursor, ",")))
		for (size_t i = 0; ok && i < count; i++)
			ok = set_cgroup(&list->items[done++], item, &list->messages);
	free(copy);
	return ok;
}
