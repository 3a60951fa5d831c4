// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_id_cache.h"
#include "cli.h"
#include "pkstream.h"
#include "pkutil.h"
#include "safe_text.h"
#include "vector.h"

/* ---- Lists of build-ids ---- */

enum pk_status build_id_list_add(struct build_id_list *listing, const char *hex, const char *path)
{
	struct listed *item;

	PK_TRY(pk_vector_reserve(listing, 1));
	item = &listing->items[listing->count];
	item->path = strdup(path);
	if (!item->path)
		return PK_NOMEM;
	snprintf(item->hex, sizeof(item->hex), "%s", hex);
	listing->count++;
	return PK_OK;
}

static int by_path(const void *a, const void *b)
{
	const struct listed *one = a, *other = b;
	const int order = strcmp(one->path, other->path);

	return order ? order : strcmp(one->hex, other->hex);
}

void build_id_list_print(struct build_id_list *listing)
{
	if (listing->count)
		qsort(listing->items, listing->count, sizeof(*listing->items), by_path);
	for (size_t i = 0; i < listing->count; i++) {
		struct listed *item = &listing->items[i];

		if (i + 1 < listing->count && !by_path(item, item + 1))
			continue;
		pk_harmless(item->path);
		printf("%-*s %s\n", PK_BUILD_ID_HEX - 1, item->hex, item->path);
	}
}

void build_id_list_free(struct build_id_list *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		free(listing->items[i].path);
	free(listing->items);
	*listing = (struct build_id_list){0};
}

/* ---- The cache ---- */

#define LINKS_FOLDER ".build-id"
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct cache {
	char *folder;
	int fd;
};

static enum pk_status no_memory(void)
{
	pk_error("%s", pk_status_text(PK_NOMEM));
	return PK_FAILED;
}

struct cache *cache_open(const char *folder, bool create)
{
	struct cache *cache = calloc(1, sizeof(*cache));

	if (cache)
		cache->folder = strdup(folder);
	if (!cache || !cache->folder) {
		no_memory();
		free(cache);
		return NULL;
	}
	if (create)
		mkdir(folder, 0777);
	cache->fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cache->fd >= 0)
		return cache;
	pk_error("%s: %s", *folder ? folder : "the build-id cache (--buildid-dir)",
		 strerror(errno));
	cache_free(cache);
	return NULL;
}

void cache_free(struct cache *cache)
{
	if (!cache)
		return;
	if (cache->fd >= 0)
		close(cache->fd);
	free(cache->folder);
	free(cache);
}

static enum pk_status fail(const struct cache *cache, const char *name)
{
	pk_error("%s/%s: %s", cache->folder, name, strerror(errno));
	return PK_FAILED;
}

/* ---- Folders ---- */

/* Opens the next folder of a path. If make is true, creates a missing folder. Returns -1 with errno
 * on failure. */
static int enter(int folder, const char *name, size_t size, bool make)
{
	char part[NAME_MAX + 1];

	if (size > NAME_MAX || (size == 2 && !memcmp(name, "..", 2))) {
		errno = size == 2 ? EINVAL : ENAMETOOLONG;
		return -1;
	}
	memcpy(part, name, size);
	part[size] = '\0';
	if (make && mkdirat(folder, part, 0777) && errno != EEXIST)
		return -1;
	return openat(folder, part, FOLDER_FLAGS);
}

/* Opens the folder that contains a member. Sets *last to the member's name in that folder. Returns
 * -1 with errno on failure. */
static int folder_of(const struct cache *cache, const char *name, bool make, const char **last)
{
	int fd = fcntl(cache->fd, F_DUPFD_CLOEXEC, 0), next;
	const char *slash;

	while (fd >= 0 && (slash = strchr(name, '/'))) {
		if (slash == name) {
			name++;
			continue;
		}
		next = enter(fd, name, (size_t)(slash - name), make);
		close(fd);
		fd = next;
		name = slash + 1;
	}
	*last = name;
	return fd;
}

/* ---- Adding ---- */

enum pk_status cache_symlink(struct cache *cache, const char *name, const char *target)
{
	const char *last;
	const int folder = folder_of(cache, name, true, &last);
	bool good;

	if (folder < 0)
		return fail(cache, name);
	good = !symlinkat(target, folder, last);
	if (!good && errno == EEXIST) {
		/* An existing link is kept unless its target does not exist. */
		good = !faccessat(folder, last, F_OK, 0) ||
		       (!unlinkat(folder, last, 0) && !symlinkat(target, folder, last));
	}
	if (!good)
		fail(cache, name);
	close(folder);
	return good ? PK_OK : PK_FAILED;
}

static bool is_complete(int folder, const char *name, uint64_t size)
{
	struct stat st;

	return !fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) &&
	       (uint64_t)st.st_size == size;
}

/* The content of a new file. It comes from bytes in memory, or from another file. If it comes from
 * another file, `why` tells up to where this file could be read. */
struct source {
	const uint8_t *bytes; /* NULL if the content is in fd */
	int fd;
	uint64_t size;
	bool *read;
	struct tar_unreadable *why;
};

/* Copies the source to the descriptor. Returns PK_IO on failure. If the source cannot be read,
 * *source->read is set to false. Otherwise, writing failed, and errno is set. */
static enum pk_status copy(const struct source *source, int to)
{
	char buffer[64 << 10];
	struct tar_unreadable *why = source->why;

	if (source->bytes)
		return pk_write_all(to, source->bytes, (size_t)source->size);
	*why = (struct tar_unreadable){0};
	while (why->offset < source->size) {
		const uint64_t left = source->size - why->offset;
		const size_t want = left < sizeof(buffer) ? (size_t)left : sizeof(buffer);
		const ssize_t n = pread(source->fd, buffer, want, (off_t)why->offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			why->error = n ? errno : 0;
			*source->read = false;
			return PK_IO;
		}
		PK_TRY(pk_write_all(to, buffer, (size_t)n));
		why->offset += (uint64_t)n;
	}
	return PK_OK;
}

/* Writes the file under a temporary name, and then renames it. So other programs never find an
 * incomplete file. */
static enum pk_status create(struct cache *cache, const char *name, int folder, const char *last,
			     const struct source *source)
{
	char path[PATH_MAX];
	enum pk_status status;
	int fd, n;

	n = snprintf(path, sizeof(path), "%s/%s.%d", cache->folder, name, (int)getpid());
	if (n < 0 || (size_t)n >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return fail(cache, name);
	}
	fd = pk_create(path, PK_CREATE_APPEND);
	if (fd < 0)
		return PK_FAILED;
	status = copy(source, fd);
	if (status != PK_OK && *source->read)
		fail(cache, name);
	if (close(fd) && status == PK_OK)
		status = fail(cache, name);
	if (status == PK_OK && renameat(AT_FDCWD, path, folder, last))
		status = fail(cache, name);
	if (status != PK_OK)
		unlink(path);
	return status;
}

static enum pk_status add_entry(struct cache *cache, const char *name, const struct source *source)
{
	const char *last;
	const int folder = folder_of(cache, name, true, &last);
	enum pk_status status;

	*source->read = true;
	if (folder < 0)
		return fail(cache, name);
	status = is_complete(folder, last, source->size)
			 ? PK_OK
			 : create(cache, name, folder, last, source);
	close(folder);
	return *source->read ? status : PK_OK;
}

enum pk_status cache_bytes(struct cache *cache, const char *name, const void *bytes, uint64_t size)
{
	bool read;
	const struct source source = {.bytes = bytes, .size = size, .read = &read};

	return add_entry(cache, name, &source);
}

enum pk_status cache_file(struct cache *cache, const char *name, int fd, uint64_t size, bool *read,
			  struct tar_unreadable *why)
{
	const struct source source = {.fd = fd, .size = size, .read = read, .why = why};

	return add_entry(cache, name, &source);
}

/* ---- Reading ---- */

typedef char link_target[PATH_MAX];

/* Returns true if the path is relative and not empty, and has no empty parts and no "..". */
static bool is_below(const char *path)
{
	for (const char *part = path; *part; part += strspn(part, "/")) {
		const size_t size = strcspn(part, "/");

		if (!size || (size == 2 && !memcmp(part, "..", 2)))
			return false;
		part += size;
	}
	return *path;
}

/* Reads a link to "../../PATH/HEX", and sets *path to PATH. If it fails, returns PK_IO and sets
 * errno: ENOENT if there is no such link, and EINVAL if the link has another form. */
static enum pk_status read_link(int folder, const char *name, const char *hex, link_target target,
				char **path)
{
	const ssize_t size = readlinkat(folder, name, target, sizeof(link_target));
	char *slash;

	if (size < 0)
		return PK_IO;
	errno = EINVAL;
	if ((size_t)size >= sizeof(link_target))
		return PK_IO;
	target[size] = '\0';
	slash = strrchr(target, '/');
	if (strncmp(target, "../../", 6) || !slash || slash < target + 7 || strcmp(slash + 1, hex))
		return PK_IO;
	*slash = '\0';
	*path = target + 6;
	return is_below(*path) ? PK_OK : PK_IO;
}

static bool is_hex(const char *text, size_t least)
{
	const size_t size = strspn(text, "0123456789abcdef");

	return !text[size] && size >= least && size % 2 == 0;
}

/* Returns the next entry of a folder. Returns NULL at the end of the folder. If reading fails,
 * returns NULL, sets *good to false, and sets errno. */
static const struct dirent *next_entry(DIR *folder, bool *good)
{
	const struct dirent *entry;

	errno = 0;
	entry = readdir(folder);
	*good = entry || !errno;
	return entry;
}

/* Adds the links in the folder .build-id/XX to the list. prefix is XX. fd is the folder, which the
 * function closes. Returns PK_FAILED if something failed, after an error message. */
static enum pk_status list_folder(const struct cache *cache, int fd, const char *prefix,
				  struct build_id_list *listing)
{
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	char hex[PK_BUILD_ID_HEX], *path, full[PATH_MAX + 1];
	link_target target;
	bool is_read;
	enum pk_status status = PK_OK;

	if (!folder) {
		fail(cache, prefix);
		if (fd >= 0)
			close(fd);
		return PK_FAILED;
	}
	while (status == PK_OK && (entry = next_entry(folder, &is_read))) {
		const int n = snprintf(hex, sizeof(hex), "%s%s", prefix, entry->d_name);

		if (!is_hex(entry->d_name, 2) || n < 0 || (size_t)n >= sizeof(hex))
			continue;
		if (read_link(dirfd(folder), entry->d_name, hex, target, &path) != PK_OK) {
			status = pk_is_failure(errno) ? fail(cache, hex) : PK_OK;
			continue;
		}
		snprintf(full, sizeof(full), "%s%s", *path == '[' ? "" : "/", path);
		status = build_id_list_add(listing, hex, full) == PK_OK ? PK_OK : no_memory();
	}
	if (status == PK_OK && !is_read)
		status = fail(cache, prefix);
	closedir(folder);
	return status;
}

enum pk_status cache_list(struct cache *cache, struct build_id_list *listing)
{
	const int fd = openat(cache->fd, LINKS_FOLDER, FOLDER_FLAGS);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool is_read;
	enum pk_status status = PK_OK;

	if (!folder) {
		status = fd < 0 && errno == ENOENT ? PK_OK : fail(cache, LINKS_FOLDER);
		if (fd >= 0)
			close(fd);
		return status;
	}
	while (status == PK_OK && (entry = next_entry(folder, &is_read)))
		if (is_hex(entry->d_name, 2) && strlen(entry->d_name) == 2)
			status = list_folder(cache,
					     openat(dirfd(folder), entry->d_name, FOLDER_FLAGS),
					     entry->d_name, listing);
	if (status == PK_OK && !is_read)
		status = fail(cache, LINKS_FOLDER);
	closedir(folder);
	return status;
}

bool cache_has_elsewhere(struct cache *cache, const char *hex, const char *path)
{
	char name[sizeof(LINKS_FOLDER) + PK_BUILD_ID_HEX + 1], *there;
	const char *last;
	link_target target;
	int folder;
	bool has;

	snprintf(name, sizeof(name), LINKS_FOLDER "/%.2s/%s", hex, hex + 2);
	folder = folder_of(cache, name, false, &last);
	if (folder < 0)
		return false;
	has = !faccessat(folder, last, F_OK, 0) &&
	      read_link(folder, last, hex, target, &there) == PK_OK && strcmp(there, path) != 0;
	close(folder);
	return has;
}

/* ---- Removing ---- */

/* Removes the folder of a build-id. The folder contains only files. Returns PK_IO with errno on
 * failure. */
static enum pk_status remove_files(const struct cache *cache, const char *name)
{
	const char *last;
	int parent = folder_of(cache, name, false, &last), fd;
	const struct dirent *entry;
	bool good = true, is_read = true;
	DIR *folder;
	int error;

	if (parent < 0)
		return errno == ENOENT ? PK_OK : PK_IO;
	fd = openat(parent, last, FOLDER_FLAGS);
	folder = fd < 0 ? NULL : fdopendir(fd);
	if (!folder)
		good = errno == ENOENT;
	while (folder && good && (entry = next_entry(folder, &is_read)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			good = !unlinkat(fd, entry->d_name, 0);
	good &= is_read;
	error = errno;
	if (folder)
		closedir(folder);
	else if (fd >= 0)
		close(fd);
	if (good && folder && unlinkat(parent, last, AT_REMOVEDIR)) {
		error = errno;
		good = false;
	}
	close(parent);
	errno = error;
	return good ? PK_OK : PK_IO;
}

/* Removes the folder and its parents. Stops at the first folder that is not empty. */
static void remove_folders(const struct cache *cache, char *name)
{
	char *slash;

	do {
		const char *last;
		const int parent = folder_of(cache, name, false, &last);
		const bool removed = parent >= 0 && !unlinkat(parent, last, AT_REMOVEDIR);

		if (parent >= 0)
			close(parent);
		if (!removed)
			return;
		slash = strrchr(name, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
}

/* Removes a build. Removes the link first, so that no link ever points to an incomplete folder.
 * Returns PK_IO with errno on failure. */
static enum pk_status remove_entry(struct cache *cache, int folder, const char *hex, char *path)
{
	char name[PATH_MAX + PK_BUILD_ID_HEX + 1];

	snprintf(name, sizeof(name), "%s.debug", hex + 2);
	if (unlinkat(folder, hex + 2, 0) || (unlinkat(folder, name, 0) && errno != ENOENT))
		return PK_IO;
	snprintf(name, sizeof(name), "%s/%s", path, hex);
	PK_TRY(remove_files(cache, name));
	remove_folders(cache, path);
	return PK_OK;
}

enum pk_status cache_remove(struct cache *cache, const char *hex, bool *found)
{
	char links[sizeof(LINKS_FOLDER) + PK_BUILD_ID_HEX + 1], *path;
	const char *last;
	link_target target;
	int folder;
	enum pk_status status = PK_OK;

	*found = false;
	if (!is_hex(hex, 4))
		return PK_OK;
	snprintf(links, sizeof(links), LINKS_FOLDER "/%.2s/%s", hex, hex + 2);
	folder = folder_of(cache, links, false, &last);
	if (folder < 0)
		return errno == ENOENT ? PK_OK : fail(cache, links);
	*found = read_link(folder, hex + 2, hex, target, &path) == PK_OK;
	if (*found)
		status = remove_entry(cache, folder, hex, path);
	else
		status = pk_is_failure(errno) ? PK_IO : PK_OK;
	if (status != PK_OK)
		fail(cache, hex);
	close(folder);
	links[sizeof(LINKS_FOLDER) + 2] = '\0';
	remove_folders(cache, links);
	return status;
}
