/* SPDX-License-Identifier: BSD-2-Clause */
/* What the running system has to offer: kallsyms, perf maps, the vDSO. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "search.h"

/* A text of /proc, or NULL. */
static FILE *open_text(const char *path, struct pk_failures *failures)
{
	FILE *file = fopen(path, "re");

	if (!file && pk_is_failure(errno))
		pk_failed(failures, path, errno);
	errno = 0;
	return file;
}

/* After its last line, which getline() made room for. The process may have ended meanwhile. */
static void close_text(FILE *file, char *line, const char *path, struct pk_failures *failures)
{
	if (file && !feof(file) && pk_is_failure(errno))
		pk_failed(failures, path, errno);
	free(line);
	if (file)
		fclose(file);
}

const void *pk_own_vdso(size_t *size, struct pk_failures *failures)
{
	const unsigned long base = getauxval(AT_SYSINFO_EHDR);
	unsigned long start, end;
	char *line = NULL;
	size_t room = 0;
	FILE *maps;

	*size = 0;
	maps = base ? open_text("/proc/self/maps", failures) : NULL;
	while (maps && getline(&line, &room, maps) > 0)
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 && start == base && end > start)
			*size = end - start;
	close_text(maps, line, "/proc/self/maps", failures);
	return *size ? (const void *)base : NULL;
}

static enum pk_object_state open_source(const struct pk_search *s, const char *path, int *fd,
					char **source)
{
	int error = pk_file_open(path, fd);

	if (error)
		return pk_search_failed(s, path, error);
	*source = pk_need(s->failures, strdup(path));
	if (*source)
		return PK_OBJECT_READY;
	close(*fd);
	return PK_OBJECT_NO_MEMORY;
}

enum pk_object_state pk_search_kallsyms(const struct pk_search *s, int *fd, char **source,
					bool *verified)
{
	struct pk_build_id running;
	pk_path path;

	*verified = false;
	if (*s->path)
		return open_source(s, s->path, fd, source);
	if (!s->build_id->size)
		return open_source(s, "/proc/kallsyms", fd, source);
	*verified = true;
	if (pk_build_id_of_file("/sys/kernel/notes", &running, s->failures) &&
	    pk_build_id_equal(&running, s->build_id))
		return open_source(s, "/proc/kallsyms", fd, source);
	if (pk_cache_path(s, "kallsyms", path) &&
	    open_source(s, path, fd, source) == PK_OBJECT_READY)
		return PK_OBJECT_READY;
	return PK_OBJECT_OTHER_BUILD;
}

/* The pid that the process knows itself by; in the innermost of its namespaces. */
static pid_t inner_pid(pid_t pid, struct pk_failures *failures)
{
	char *line = NULL;
	long inner = pid;
	size_t room = 0;
	FILE *status;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	status = open_text(path, failures);
	while (status && getline(&line, &room, status) > 0) {
		const char *last = strrchr(line, '\t');

		if (!strncmp(line, "NSpid:", 6) && last)
			inner = strtol(last + 1, NULL, 10);
	}
	close_text(status, line, path, failures);
	return inner > 0 && inner <= INT32_MAX ? (pid_t)inner : pid;
}

static enum pk_object_state open_owned(const struct pk_search *s, const char *path, uid_t uid,
				       int *fd, char **source)
{
	enum pk_object_state state = open_source(s, path, fd, source);
	struct stat st;

	if (state != PK_OBJECT_READY || uid == (uid_t)-1)
		return state;
	if (fstat(*fd, &st))
		state = pk_search_failed(s, path, errno);
	else if (st.st_uid == 0 || st.st_uid == uid)
		return state;
	else
		state = PK_OBJECT_DENIED;
	close(*fd);
	free(*source);
	*source = NULL;
	return state;
}

enum pk_object_state pk_search_perf_map(const struct pk_search *s, uid_t uid, int *fd,
					char **source)
{
	pk_path path;

	if (!*s->where->symfs &&
	    pk_make_path(path, "/proc/%d/root/tmp/perf-%d.map", (int)s->pid,
			 (int)inner_pid(s->pid, s->failures)) &&
	    open_owned(s, path, uid, fd, source) == PK_OBJECT_READY)
		return PK_OBJECT_READY;
	if (!pk_make_path(path, "%s/tmp/perf-%d.map", s->where->symfs, (int)s->pid))
		return PK_OBJECT_NO_FILE;
	return open_owned(s, path, uid, fd, source);
}

enum pk_object_state pk_search_jitdump(const struct pk_search *s, uid_t uid, int *fd, char **source)
{
	pk_path path;

	if (!*s->where->symfs && s->pid > 0 &&
	    pk_make_path(path, "/proc/%d/root%s", (int)s->pid, s->path) &&
	    open_owned(s, path, uid, fd, source) == PK_OBJECT_READY)
		return PK_OBJECT_READY;
	if (!pk_make_path(path, "%s%s", s->where->symfs, s->path))
		return PK_OBJECT_NO_FILE;
	return open_owned(s, path, uid, fd, source);
}
