// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "event.h"
#include "procfs.h"

/* Returns true if a mount is a control group hierarchy of version 2, or the version 1 hierarchy for
 * perf events. */
static bool is_hierarchy(const char *type, const char *options)
{
	return !strcmp(type, "cgroup2") ||
	       (!strcmp(type, "cgroup") && strstr(options, "perf_event"));
}

/* Writes the path of a control group. `place` is the mount point of the hierarchy. name is either
 * the path below `place`, with or without a leading slash, or the whole path. */
static void cgroup_path(const char *place, const char *name, char *path, size_t size)
{
	const size_t length = strlen(place);

	if (!strncmp(name, place, length) && (!name[length] || name[length] == '/'))
		snprintf(path, size, "%s", name);
	else
		snprintf(path, size, "%s/%s", place, name);
}

/* Opens the directory of a control group. Returns -1 if it was not found. Appends the mount points
 * that were searched to places, separated by commas. */
static int open_cgroup(const char *name, struct buffer *places, struct pk_failures *lookups)
{
	char place[1024], type[64], options[1024], path[4200];
	struct line_reader reader;
	const char *line;
	int fd = -1;

	errno = ENOENT;
	if (!pk_line_reader_open(&reader, "/proc/self/mounts", lookups))
		return -1;
	while (fd < 0 && (line = pk_line_reader_next(&reader))) {
		if (sscanf(line, "%*s %1023s %63s %1023s", place, type, options) != 3 ||
		    !is_hierarchy(type, options))
			continue;
		cgroup_path(place, name, path, sizeof(path));
		buffer_format(places, "%s%s", places->size ? ", " : "", place);
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	pk_line_reader_close(&reader);
	return fd;
}

/* The hierarchy of version 1 for perf events has precedence. The hierarchy of version 2 is used if
 * there is no other. */
char *pk_cgroup_root(struct pk_failures *lookups)
{
	char place[1024], type[64], options[1024], *root = NULL;
	struct line_reader reader;
	const char *line;

	if (!pk_line_reader_open(&reader, "/proc/self/mounts", lookups))
		return NULL;
	while ((line = pk_line_reader_next(&reader))) {
		if (sscanf(line, "%*s %1023s %63s %1023s", place, type, options) != 3 ||
		    !is_hierarchy(type, options) || (root && !strcmp(type, "cgroup2")))
			continue;
		free(root);
		root = strdup(place);
	}
	pk_line_reader_close(&reader);
	return root;
}

static enum pk_status set_cgroup(struct event *event, const char *name,
				 struct pk_messages *messages)
{
	struct buffer places = {0};

	if (event->cgroup || !*name)
		return PK_OK;
	event->opened.cgroup = open_cgroup(name, &places, &messages->failures);
	if (event->opened.cgroup < 0 && places.size)
		pk_messages_error(messages, "-G %s: no such control group below %.*s", name,
				  (int)places.size, (const char *)places.data);
	else if (event->opened.cgroup < 0)
		pk_messages_error(messages,
				  "-G %s: no control groups for perf events are mounted here",
				  name);
	free(places.data);
	if (event->opened.cgroup < 0)
		return PK_FAILED;
	event->cgroup = strdup(name);
	return event->cgroup ? PK_OK : pk_messages_no_memory(messages);
}

enum pk_status pk_event_list_set_cgroups(struct event_list *list, const char *text)
{
	char *copy = strdup(text), *cursor = copy, *item;
	const bool single = !strchr(text, ',');
	size_t i = 0;
	enum pk_status status = copy ? PK_OK : pk_messages_no_memory(&list->messages);

	while (status == PK_OK && (item = strsep(&cursor, ","))) {
		if (i >= list->count) {
			status = pk_messages_error(&list->messages,
						   "-G %s: more control groups than events", text);
		} else if (single) {
			for (; status == PK_OK && i < list->count; i++)
				status = set_cgroup(&list->items[i], item, &list->messages);
		} else {
			status = set_cgroup(&list->items[i++], item, &list->messages);
		}
	}
	free(copy);
	return status;
}

enum pk_status pk_event_list_for_each_cgroup(struct event_list *list, const char *text)
{
	char *copy = strdup(text), *cursor = copy, *item;
	const size_t count = list->count;
	size_t done = 0;
	enum pk_status status = copy ? PK_OK : pk_messages_no_memory(&list->messages);

	/* Makes all copies before any control group is set. The copies must have no control group
	 * yet. */
	for (const char *comma = text; status == PK_OK && (comma = strchr(comma, ',')); comma++) {
		const size_t first = list->count;

		for (size_t i = 0; status == PK_OK && i < count; i++) {
			struct event *event = pk_event_list_copy(list, i);

			status = event ? PK_OK : PK_FAILED;
			if (status == PK_OK)
				event->leader = first + list->items[i].leader;
		}
	}
	while (status == PK_OK && (item = strsep(&cursor, ",")))
		for (size_t i = 0; status == PK_OK && i < count; i++)
			status = set_cgroup(&list->items[done++], item, &list->messages);
	free(copy);
	return status;
}
