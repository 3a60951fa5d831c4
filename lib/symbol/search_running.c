// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_id.h"
#include "file.h"
#include "search.h"
#include "trusted_file.h"

/* ---- Paths ---- */

bool pk_make_path(pk_path path, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(path, sizeof(pk_path), format, args);
	va_end(args);
	return n >= 0 && (size_t)n < sizeof(pk_path);
}

bool pk_leaves_its_root(const char *path)
{
	for (const char *dots = strstr(path, "/.."); dots; dots = strstr(dots + 1, "/.."))
		if (!dots[3] || dots[3] == '/')
			return true;
	return false;
}

enum pk_object_state pk_search_failed(const struct pk_search *s, const char *path, int error)
{
	if (pk_is_failure(error))
		pk_failed(s->failures, path, error);
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case ESRCH:
	case ENAMETOOLONG: return PK_OBJECT_NO_FILE;
	case EACCES:
	case EPERM: return PK_OBJECT_DENIED;
	case ENOMEM: return PK_OBJECT_NO_MEMORY;
	default: return pk_is_failure(error) ? PK_OBJECT_FAILED : PK_OBJECT_UNUSABLE;
	}
}

bool pk_cache_path(const struct pk_search *s, const char *name, pk_path path)
{
	char hex[PK_BUILD_ID_HEX];

	if (s->build_id->size < 2 || !*s->where->cache_dir)
		return false;
	pk_build_id_format(s->build_id, hex);
	return pk_make_path(path, "%s/.build-id/%.2s/%s/%s", s->where->cache_dir, hex, hex + 2,
			    name);
}

const char *pk_state_text(enum pk_object_state state)
{
	switch (state) {
	case PK_OBJECT_UNREAD: break;
	case PK_OBJECT_READY: return "has symbols";
	case PK_OBJECT_NO_FILE: return "no such file";
	case PK_OBJECT_DENIED: return "may not be read";
	case PK_OBJECT_NOT_TRUSTED: return "belongs to another user, and is not used";
	case PK_OBJECT_UNUSABLE: return "is not a file with symbols, or is damaged";
	case PK_OBJECT_OTHER_BUILD: return "is of another build";
	case PK_OBJECT_GONE:
		return "is gone: it was deleted, replaced or in a container, and its process has "
		       "ended "
		       "or only root may read it (pk-inject and pk-archive keep it before)";
	case PK_OBJECT_STRIPPED: return "has no symbols, and no debug file was found";
	case PK_OBJECT_NOT_A_FILE: return "is not a file";
	case PK_OBJECT_HIDDEN: return "shows no addresses (kptr_restrict)";
	case PK_OBJECT_NO_MEMORY: return "out of memory";
	case PK_OBJECT_FAILED: return "could not be read";
	}
	return "not read";
}

/* ---- The running system: kallsyms, perf maps, the vDSO ---- */

/* Opens a text file of /proc. Returns NULL if this fails. */
static FILE *open_text(const char *path, struct pk_failures *failures)
{
	FILE *file = fopen(path, "re");

	if (!file && pk_is_failure(errno))
		pk_failed(failures, path, errno);
	errno = 0;
	return file;
}

/* Closes the file after its last line was read, and frees the line. A read can fail because the
 * process has ended, and this is not counted as a failure. */
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
	/* The user's list can be a pipe, for example --kallsyms <(zcat FILE). */
	const bool named = path == s->where->kallsyms;
	int error = named ? pk_text_open(path, fd) : pk_file_open(path, fd);

	if (error)
		return pk_search_failed(s, path, error);
	*source = pk_need(s->failures, strdup(path));
	if (*source)
		return PK_OBJECT_READY;
	close(*fd);
	return PK_OBJECT_NO_MEMORY;
}

enum pk_object_state pk_search_kallsyms(const struct pk_search *s, int *fd, char **source)
{
	struct pk_build_id running, wanted = *s->build_id;
	struct pk_search like = *s;
	pk_path path;

	if (*s->path)
		return open_source(s, s->path, fd, source);
	if (!wanted.size && !*s->where->vmlinux)
		return open_source(s, "/proc/kallsyms", fd, source);
	/* The file of --vmlinux can be from another machine, so its build-id is used. */
	if (!wanted.size)
		pk_build_id_of_file(s->where->vmlinux, &wanted, s->failures);
	like.build_id = &wanted;
	if (pk_build_id_of_file("/sys/kernel/notes", &running, s->failures) &&
	    pk_build_id_equal(&running, &wanted))
		return open_source(s, "/proc/kallsyms", fd, source);
	if (pk_cache_path(&like, "kallsyms", path) &&
	    open_source(s, path, fd, source) == PK_OBJECT_READY)
		return PK_OBJECT_READY;
	return PK_OBJECT_OTHER_BUILD;
}

/* ---- Mapped files of a process ---- */

#define DELETED " (deleted)"

/* Returns the length of the path without the mark that the kernel adds for a deleted file. */
size_t pk_plain_path(const char *path)
{
	const size_t size = strlen(path), mark = strlen(DELETED);

	return size > mark && !strcmp(path + size - mark, DELETED) ? size - mark : size;
}

/* Reads a line of /proc/PID/maps. *name is set to the path in the line. */
static bool read_map(char *line, struct pk_mapped_file *file, const char **name)
{
	unsigned long start, end, inode;
	unsigned major, minor;
	int at = 0;

	if (sscanf(line, "%lx-%lx %*s %*x %x:%x %lu %n", &start, &end, &major, &minor, &inode,
		   &at) < 5 ||
	    !at || !inode)
		return false;
	line[strcspn(line, "\n")] = 0;
	*file = (struct pk_mapped_file){start, end, major, minor, inode, false};
	*name = line + at;
	return true;
}

/* Returns whether the map is of another file than the recorded one. If the devices differ, this is
 * not known, because a file system on top of others has several devices. */
static bool is_another(const struct pk_search *s, const struct pk_mapped_file *file)
{
	return s->by.inode && file->inode != s->by.inode && file->major == s->by.major &&
	       file->minor == s->by.minor;
}

static bool is_recorded(const struct pk_search *s, const struct pk_mapped_file *file)
{
	return s->by.inode && file->inode == s->by.inode && file->major == s->by.major &&
	       file->minor == s->by.minor;
}

bool pk_search_map(const struct pk_search *s, struct pk_mapped_file *found)
{
	const size_t size = pk_plain_path(s->path);
	struct pk_mapped_file file;
	bool any = false, same = false;
	char *line = NULL, path[64];
	const char *name;
	size_t room = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)s->by.pid);
	maps = s->by.pid > 0 ? open_text(path, s->failures) : NULL;
	while (maps && getline(&line, &room, maps) > 0) {
		if (same || !read_map(line, &file, &name))
			continue;
		same = is_recorded(s, &file);
		if (!same && is_another(s, &file))
			continue;
		if (!same && (any || pk_plain_path(name) != size || memcmp(name, s->path, size)))
			continue;
		any = true;
		*found = file;
		found->at_path = !strcmp(name, s->path) && !name[size];
	}
	close_text(maps, line, path, s->failures);
	return any;
}

/* ---- Files that a process writes ---- */

/* A process that writes perf maps or jitdumps. */
struct writer {
	bool lives;
	bool ended;  /* the process has ended, but its parent has not waited for it yet */
	uid_t uid;   /* owner of the files that the process creates */
	pid_t inner; /* pid of the process in its innermost pid namespace */
	int root;    /* root folder of the process, or -1 without permission */
};

static void look_at_writer(const struct pk_search *s, struct writer *writer)
{
	char *line = NULL;
	long inner = s->by.pid;
	size_t room = 0;
	unsigned uid;
	FILE *status;
	char path[64];

	*writer = (struct writer){.root = -1};
	snprintf(path, sizeof(path), "/proc/%d/status", (int)s->by.pid);
	status = s->by.pid > 0 ? open_text(path, s->failures) : NULL;
	while (status && getline(&line, &room, status) > 0) {
		const char *last = strrchr(line, '\t');

		if (!strncmp(line, "Uid:", 4) && last && sscanf(last, "%u", &uid) == 1) {
			writer->lives = true;
			writer->uid = uid;
		}
		if (!strncmp(line, "State:", 6) && last)
			writer->ended = last[1] == 'Z' || last[1] == 'X';
		if (!strncmp(line, "NSpid:", 6) && last)
			inner = strtol(last + 1, NULL, 10);
	}
	close_text(status, line, path, s->failures);
	writer->inner = inner > 0 && inner <= INT32_MAX ? (pid_t)inner : s->by.pid;
	snprintf(path, sizeof(path), "/proc/%d/root", (int)s->by.pid);
	if (writer->lives)
		writer->root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (writer->lives && writer->root < 0)
		pk_failed_errno(s->failures, path);
}

bool pk_search_writer_runs(const struct pk_search *s)
{
	struct writer writer;

	look_at_writer(s, &writer);
	if (writer.root >= 0)
		close(writer.root);
	return writer.lives && !writer.ended;
}

static char *describe_distrust(const struct pk_search *s, const char *path,
			       const struct pk_distrust *distrust, const struct writer *writer)
{
	const char *what = distrust->what == PK_LINK_OF_ANOTHER ? "a symbolic link to it" : "it";
	const unsigned owner = distrust->owner;
	char reason[64];

	if (distrust->what == PK_FILE_BEHIND_LINK)
		snprintf(reason, sizeof(reason), "a symbolic link of user %u leads to it",
			 (unsigned)writer->uid);
	else if (writer->lives)
		snprintf(reason, sizeof(reason), "process %d runs as user %u", (int)s->by.pid,
			 (unsigned)writer->uid);
	else
		snprintf(reason, sizeof(reason), "process %d has ended", (int)s->by.pid);
	return pk_need_text(s->failures, "%s is not used: %s belongs to user %u, and %s", path,
			    what, owner, reason);
}

/* Opens a path below the folder `root`, if its owner is trusted. `prefix` is the path of this
 * folder. */
static enum pk_object_state open_trusted(const struct pk_search *s, const struct writer *writer,
					 int root, const char *prefix, const char *path,
					 struct pk_written *written)
{
	const uid_t reader = geteuid();
	const struct pk_owners owners = {reader, writer->lives ? writer->uid : reader};
	struct pk_distrust distrust;
	char *source = pk_need_text(s->failures, "%s%s", prefix, path);
	int error = source ? pk_trusted_open(root, path, &owners, &written->fd, &distrust) : ENOMEM;

	if (!error) {
		written->source = source;
		return PK_OBJECT_READY;
	}
	if (error == PK_NOT_TRUSTED && !written->distrust)
		written->distrust = describe_distrust(s, source, &distrust, writer);
	free(source);
	return error == PK_NOT_TRUSTED ? PK_OBJECT_NOT_TRUSTED : pk_search_failed(s, path, error);
}

/* Opens the perf map or jitdump in the mount namespace of the process. */
static enum pk_object_state open_of_process(const struct pk_search *s, const struct writer *writer,
					    bool perf_map, struct pk_written *written)
{
	char prefix[64], path[64];

	if (writer->root < 0)
		return PK_OBJECT_NO_FILE;
	snprintf(prefix, sizeof(prefix), "/proc/%d/root", (int)s->by.pid);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)writer->inner);
	return open_trusted(s, writer, writer->root, prefix, perf_map ? path : s->path, written);
}

static enum pk_object_state open_here(const struct pk_search *s, const struct writer *writer,
				      struct pk_written *written)
{
	enum pk_object_state state;
	struct stat st;
	int root;

	/* Most processes have no such file. Finding this out takes one system call. */
	if (stat(s->path, &st) && errno == ENOENT)
		return PK_OBJECT_NO_FILE;
	root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return pk_search_failed(s, "/", errno);
	state = open_trusted(s, writer, root, "", s->path, written);
	close(root);
	return state;
}

static enum pk_object_state open_in_symfs(const struct pk_search *s, struct pk_written *written)
{
	pk_path path;

	if (pk_leaves_its_root(s->path))
		return PK_OBJECT_NOT_A_FILE;
	return pk_make_path(path, "%s%s", s->where->symfs, s->path)
		       ? open_source(s, path, &written->fd, &written->source)
		       : PK_OBJECT_NO_FILE;
}

enum pk_object_state pk_search_written(const struct pk_search *s, bool perf_map,
				       struct pk_written *written)
{
	enum pk_object_state state;
	struct writer writer;

	*written = (struct pk_written){.fd = -1};
	if (*s->where->symfs)
		return open_in_symfs(s, written);
	look_at_writer(s, &writer);
	state = open_of_process(s, &writer, perf_map, written);
	if (state != PK_OBJECT_READY)
		state = open_here(s, &writer, written);
	if (writer.root >= 0)
		close(writer.root);
	if (state == PK_OBJECT_NO_FILE && written->distrust)
		state = PK_OBJECT_NOT_TRUSTED;
	if (state != PK_OBJECT_NOT_TRUSTED) {
		free(written->distrust);
		written->distrust = NULL;
	}
	return state;
}
