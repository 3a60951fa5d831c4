// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "tracefs.h"

#define USUAL_PLACE "/sys/kernel/tracing"

static bool is_mounted(const char *path)
{
	char events[64];

	snprintf(events, sizeof(events), "%s/events", path);
	if (access(events, F_OK) == 0)
		return true;
	pk_lookup_failed(events);
	return false;
}

const char *tracefs_path(void)
{
	static const char *const places[] = {USUAL_PLACE, "/sys/kernel/debug/tracing"};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (is_mounted(places[i]))
			return places[i];
	if (geteuid() == 0 && mount("tracefs", USUAL_PLACE, "tracefs", 0, NULL) == 0 &&
	    is_mounted(USUAL_PLACE)) {
		pk_info("mounted tracefs at " USUAL_PLACE);
		return USUAL_PLACE;
	}
	return NULL;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/* Calls visit for each name in a directory that matches; a name without wildcards is not looked
 * for, so that a directory that may not be listed can still be entered. */
static bool each_match(const char *path, const char *pattern,
		       bool (*visit)(void *arg, const char *name), void *arg)
{
	struct dirent **names;
	bool ok = true;
	int count;

	if (!is_pattern(pattern))
		return visit(arg, pattern);
	count = scandir(path, &names, NULL, by_name);
	if (count < 0) {
		pk_lookup_failed(path);
		pk_error("%s: %s", path, strerror(errno));
		return false;
	}
	for (int i = 0; i < count; i++) {
		if (ok && names[i]->d_name[0] != '.' && !fnmatch(pattern, names[i]->d_name, 0))
			ok = visit(arg, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return ok;
}

struct search {
	const char *root, *event;
	const char *system; /* the one that is being looked through */
	bool (*found)(void *arg, const char *system, const char *name, uint64_t id);
	void *arg;
};

static bool visit_event(void *arg, const char *name)
{
	const struct search *search = arg;
	char path[600], text[32];
	uint64_t id;

	snprintf(path, sizeof(path), "%s/events/%s/%s/id", search->root, search->system, name);
	if (!procfs_read_line(path, text, sizeof(text))) {
		/* Directories hold other files too; what does not exist is told by our caller. */
		if (errno != EACCES && errno != EPERM)
			return true;
		pk_error("%s: %s: tracepoints need root, or a readable tracefs", path,
			 strerror(errno));
		return false;
	}
	if (!pk_parse_u64(text, &id))
		return true;
	return search->found(search->arg, search->system, name, id);
}

static bool visit_system(void *arg, const char *name)
{
	struct search *search = arg;
	char path[300];

	search->system = name;
	snprintf(path, sizeof(path), "%s/events/%s/.", search->root, name);
	if (access(path, F_OK) < 0 && errno != EACCES && errno != EPERM) {
		pk_lookup_failed(path);
		return true;
	}
	return each_match(path, search->event, visit_event, search);
}

bool tracefs_name_is_plain(const char *name)
{
	return *name && !strchr(name, '/') && name[0] != '.' && strlen(name) < 128;
}

bool tracefs_find(const char *system, const char *name,
		  bool (*found)(void *arg, const char *system, const char *name, uint64_t id),
		  void *arg)
{
	struct search search = {.event = name, .found = found, .arg = arg};
	char path[64];

	if (!tracefs_name_is_plain(system) || !tracefs_name_is_plain(name))
		return true;
	search.root = tracefs_path();
	if (!search.root) {
		pk_error("event '%s:%s': tracefs is not mounted or not accessible: as root, mount "
			 "-t "
			 "tracefs tracefs " USUAL_PLACE,
			 system, name);
		return false;
	}
	snprintf(path, sizeof(path), "%s/events", search.root);
	return each_match(path, system, visit_system, &search);
}
