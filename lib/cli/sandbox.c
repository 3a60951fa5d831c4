// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli.h"
#include "sandbox.h"
#include "sandbox_calls.h"
#include "vector.h"

/* Of later kernels than some <linux/landlock.h>:
 * https://docs.kernel.org/userspace-api/landlock.html
 */
#define REFER	 (UINT64_C(1) << 13) /* version 2 */
#define TRUNCATE (UINT64_C(1) << 14) /* version 3 */

/* The rights of version 1 except those to read files and folders. */
#define CHANGES_1                                                                                  \
	(((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1) &                                                \
	 ~(uint64_t)(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR))
/* To read files and folders: only the helper is limited. */
#define READS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
/* Those that a rule for a file can have. */
#define OF_FILES                                                                                   \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |                              \
	 LANDLOCK_ACCESS_FS_READ_FILE | TRUNCATE)
/* Those in a declared folder. */
#define IN_FOLDER                                                                                  \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |                          \
	 LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | REFER | TRUNCATE)

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

struct place {
	char *path;
	bool readable; /* else files can be created in this folder */
};

static struct {
	bool wanted, off, anywhere, entered;
	bool incomplete; /* memory was exhausted: a place is missing */
	struct place *places;
	size_t count, capacity;
} sandbox;

void pk_sandbox_want(void)
{
	sandbox.wanted = true;
}

void pk_sandbox_off(void)
{
	sandbox.off = true;
}

static void add_place(char *path, bool readable)
{
	if (path && pk_reserve(&sandbox.places, &sandbox.capacity, sandbox.count, 1,
			       sizeof(*sandbox.places))) {
		sandbox.places[sandbox.count++] = (struct place){path, readable};
		return;
	}
	free(path);
	sandbox.incomplete = true;
}

void pk_sandbox_folder(const char *folder)
{
	add_place(strdup(folder), false);
}

void pk_sandbox_readable(const char *path)
{
	add_place(strdup(path), true);
}

static void add_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	add_place(slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("."), false);
}

void pk_sandbox_folder_of(const char *path)
{
	char *target = realpath(path, NULL); /* of a link, or NULL: the file does not exist yet */

	add_folder_of(path);
	if (target)
		add_folder_of(target);
	free(target);
}

void pk_sandbox_write_anywhere(void)
{
	sandbox.anywhere = true;
}

/* The folder of temporary files: the usual unnamed ones need no right to create names in it. */
static void add_temporary(void)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	if (sandbox.count || (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)))
		pk_sandbox_folder(folder);
}

/* A place that cannot be opened is not used: the program will report that. */
static bool allow_place(int rules, const struct place *place, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = rights};
	struct stat st;
	bool ok;

	rule.parent_fd = open(place->path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return true;
	if (!fstat(rule.parent_fd, &st) && !S_ISDIR(st.st_mode))
		rule.allowed_access &= OF_FILES;
	ok = !rule.allowed_access ||
	     !syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
	return ok;
}

/* Only the places can be changed; with limit_reading, only they can be read. False with errno. */
static bool limit_places(bool limit_reading)
{
	const long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	const uint64_t reads = limit_reading ? READS : 0;
	const uint64_t handled =
		CHANGES_1 | reads | (version > 1 ? REFER : 0) | (version > 2 ? TRUNCATE : 0);
	const struct landlock_ruleset_attr attr = {.handled_access_fs = handled};
	const uint64_t in_folder =
		IN_FOLDER | (limit_reading ? READS | LANDLOCK_ACCESS_FS_MAKE_DIR : 0);
	bool ok = true;
	int rules;

	if (version < 1)
		return false;
	rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr.handled_access_fs), 0);
	if (rules < 0)
		return false;
	for (size_t i = 0; ok && i < sandbox.count; i++)
		ok = allow_place(rules, &sandbox.places[i],
				 sandbox.places[i].readable ? reads : in_folder & handled);
	ok = ok && !syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
	return ok;
}

static void free_places(void)
{
	while (sandbox.count)
		free(sandbox.places[--sandbox.count].path);
	free(sandbox.places);
	sandbox.places = NULL;
	sandbox.capacity = 0;
}

void pk_sandbox_enter(void)
{
	struct sandbox_calls calls;

	if (!sandbox.wanted)
		return;
	sandbox.wanted = false;
	if (!sandbox.off && !SANITIZED) {
		add_temporary();
		calls = (struct sandbox_calls){
			.writes = sandbox.count || sandbox.anywhere || sandbox.incomplete,
		};
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
			pk_info("no sandbox: %s", strerror(errno));
		if (sandbox.count && !sandbox.anywhere && !sandbox.incomplete &&
		    !limit_places(false))
			pk_info("sandbox without Landlock: %s", strerror(errno));
		sandbox.entered = true;
		if (!pk_sandbox_limit_calls(&calls))
			pk_info("sandbox without seccomp: %s", strerror(errno));
	}
	free_places();
}

void pk_sandbox_start_helper(void)
{
	free_places();
	sandbox.incomplete = false;
}

void pk_sandbox_enter_helper(void)
{
	const struct sandbox_calls calls = {.writes = true, .network = true};

	if (!SANITIZED && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
		if (!sandbox.incomplete)
			limit_places(true);
		pk_sandbox_limit_calls(&calls);
	}
	free_places();
}

bool pk_sandbox_entered(void)
{
	return sandbox.entered;
}

bool pk_sandbox_wanted(void)
{
	return sandbox.wanted;
}
