// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "number.h"
#include "procfs.h"
#include "tracefs.h"

static bool is_mounted(const char *path, struct pk_messages *messages)
{
	char events[64];

	snprintf(events, sizeof(events), "%s/events", path);
	if (access(events, F_OK) == 0)
		return true;
	pk_failed_errno(&messages->failures, events);
	return false;
}

#define PLACES 2
static const char *const places[PLACES] = {TRACEFS_PLACE, "/sys/kernel/debug/tracing"};

const char *pk_tracefs_path(struct pk_messages *messages)
{
	for (size_t i = 0; i < PLACES; i++)
		if (is_mounted(places[i], messages))
			return places[i];
	if (geteuid() == 0 && mount("tracefs", TRACEFS_PLACE, "tracefs", 0, NULL) == 0 &&
	    is_mounted(TRACEFS_PLACE, messages)) {
		pk_messages_info(messages, "mounted tracefs at " TRACEFS_PLACE);
		return TRACEFS_PLACE;
	}
	return NULL;
}

const char *pk_tracefs_obstacle(void)
{
	if (access(TRACEFS_PLACE "/events", F_OK) < 0 && errno == EACCES)
		return "no permission to read tracefs: be root, or let root run mount -o "
		       "remount,mode=755 " TRACEFS_PLACE;
	return "tracefs is not mounted: as root, mount -t tracefs tracefs " TRACEFS_PLACE;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/* Calls visit for each name in a directory that matches the pattern. If the pattern has no
 * wildcards, calls visit without reading the directory, because the user may have no permission to
 * read it. */
static enum pk_status each_match(const char *path, const char *pattern,
				 enum pk_status (*visit)(void *arg, const char *name), void *arg,
				 struct pk_messages *messages)
{
	struct dirent **names;
	enum pk_status status = PK_OK;
	int count;

	if (!is_pattern(pattern))
		return visit(arg, pattern);
	count = scandir(path, &names, NULL, by_name);
	if (count < 0) {
		pk_failed_errno(&messages->failures, path);
		return pk_messages_error(messages, "%s: %s", path, strerror(errno));
	}
	for (int i = 0; i < count; i++) {
		if (status == PK_OK && names[i]->d_name[0] != '.' &&
		    !fnmatch(pattern, names[i]->d_name, 0))
			status = visit(arg, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return status;
}

/* A search for tracepoints. */
struct search {
	const char *root, *event;
	const char *system; /* the system whose events are visited */
	enum pk_status (*found)(void *arg, const char *system, const char *name, uint64_t id);
	void *arg;
	struct pk_messages *messages;
};

static enum pk_status visit_event(void *arg, const char *name)
{
	const struct search *search = arg;
	char path[600], text[32];
	uint64_t id;

	snprintf(path, sizeof(path), "%s/events/%s/%s/id", search->root, search->system, name);
	if (!pk_procfs_read_line(path, text, sizeof(text), &search->messages->failures)) {
		/* Skips a name that is not a tracepoint, because a directory also contains other
		 * files. If no tracepoint was found, the caller reports that. */
		if (errno != EACCES && errno != EPERM)
			return PK_OK;
		return pk_messages_error(search->messages,
					 "%s: %s: tracepoints need root, or a readable tracefs",
					 path, strerror(errno));
	}
	if (!pk_parse_u64(text, &id))
		return PK_OK;
	return search->found(search->arg, search->system, name, id);
}

static enum pk_status visit_system(void *arg, const char *name)
{
	struct search *search = arg;
	struct pk_messages *messages = search->messages;
	char path[300];

	search->system = name;
	snprintf(path, sizeof(path), "%s/events/%s/.", search->root, name);
	if (access(path, F_OK) < 0 && errno != EACCES && errno != EPERM) {
		pk_failed_errno(&messages->failures, path);
		return PK_OK;
	}
	return each_match(path, search->event, visit_event, search, messages);
}

bool pk_tracefs_name_is_plain(const char *name)
{
	return *name && !strchr(name, '/') && name[0] != '.' && strlen(name) < 128;
}

enum pk_status pk_tracefs_find(const char *system, const char *name,
			       enum pk_status (*found)(void *arg, const char *system,
						       const char *name, uint64_t id),
			       void *arg, struct pk_messages *messages)
{
	struct search search = {.event = name, .found = found, .arg = arg, .messages = messages};
	char path[64];

	if (!pk_tracefs_name_is_plain(system) || !pk_tracefs_name_is_plain(name))
		return PK_OK;
	search.root = pk_tracefs_path(messages);
	if (!search.root)
		return pk_messages_error(messages, "event '%s:%s': %s", system, name,
					 pk_tracefs_obstacle());
	snprintf(path, sizeof(path), "%s/events", search.root);
	return each_match(path, system, visit_system, &search, messages) == PK_OK ? PK_OK
										  : PK_FAILED;
}
