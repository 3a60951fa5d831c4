// SPDX-License-Identifier: BSD-2-Clause
/* Tests which owners of files and links are trusted. Without privileges, this user owns all files,
 * and the tests act as if another user reads them. */
#define _GNU_SOURCE
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trusted_file.h"

enum { SOMEBODY = 54321, GIVEN = 12345 };

static char dir[] = "/tmp/test_trusted_file.XXXXXX";
static int root;
static uid_t them;
static struct pk_distrust distrust;

static void give(const char *name)
{
	if (!getuid())
		ck_assert_int_eq(fchownat(root, name, them, (gid_t)-1, AT_SYMLINK_NOFOLLOW), 0);
}

static void make_file(const char *name)
{
	const int fd = openat(root, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, name, strlen(name)), (ssize_t)strlen(name));
	close(fd);
	give(name);
}

static void make_link(const char *to, const char *name)
{
	ck_assert_int_eq(symlinkat(to, root, name), 0);
	give(name);
}

static void setup(void)
{
	them = getuid() ? getuid() : GIVEN;
	strcpy(dir + sizeof(dir) - sizeof("XXXXXX"), "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	root = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(root, 0);
	ck_assert_int_eq(mkdirat(root, "tmp", 0700), 0);
	give("tmp");
	make_file("tmp/map");
}

static void teardown(void)
{
	char command[64];

	close(root);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* Opens the file for the user `reader`. `process` is the owner of the process to which the file
 * belongs. Returns 0, an errno or PK_NOT_TRUSTED. If the file is opened, it must contain `content`.
 */
static int opened(const char *path, uid_t reader, uid_t process, const char *content)
{
	const struct pk_owners owners = {reader, process};
	char found[64] = "";
	int fd, error = pk_trusted_open(root, path, &owners, &fd, &distrust);

	if (error) {
		ck_assert_int_eq(fd, -1);
		return error;
	}
	ck_assert_int_ge(read(fd, found, sizeof(found) - 1), 0);
	close(fd);
	ck_assert_str_eq(found, content);
	return 0;
}

static void refused(const char *path, uid_t reader, uid_t process, uid_t owner, int what)
{
	ck_assert_int_eq(opened(path, reader, process, ""), PK_NOT_TRUSTED);
	ck_assert_uint_eq(distrust.owner, owner);
	ck_assert_int_eq(distrust.what, what);
}

START_TEST(owners)
{
	ck_assert_int_eq(opened("/tmp/map", them, them, "tmp/map"), 0);
	ck_assert_int_eq(opened("/tmp/map", them, SOMEBODY, "tmp/map"), 0);
	ck_assert_int_eq(opened("/tmp/map", SOMEBODY, them, "tmp/map"), 0);
	refused("/tmp/map", SOMEBODY, SOMEBODY, them, PK_FILE_OF_ANOTHER);
	/* All readers trust files of root. */
	if (!getuid()) {
		ck_assert_int_eq(fchownat(root, "tmp/map", 0, (gid_t)-1, 0), 0);
		ck_assert_int_eq(opened("/tmp/map", SOMEBODY, SOMEBODY, "tmp/map"), 0);
	}
}
END_TEST

START_TEST(links)
{
	make_link("map", "tmp/near");
	make_link("/tmp/map", "tmp/from-root");
	make_link("../../../../tmp/./map", "tmp/up");
	make_link("tmp", "folder");
	make_link("/folder/up", "tmp/long");
	for (const char *const *path =
		     (const char *const[]){"/tmp/near", "/tmp/from-root", "tmp//up", "/folder/map",
					   "/folder/long", "/../folder/map", NULL};
	     *path; path++) {
		ck_assert_int_eq(opened(*path, them, them, "tmp/map"), 0);
		ck_assert_int_eq(opened(*path, SOMEBODY, them, "tmp/map"), 0);
		refused(*path, SOMEBODY, SOMEBODY, them, PK_LINK_OF_ANOTHER);
	}
}
END_TEST

/* With a link, a user cannot make another user read a file that the first user cannot read. */
START_TEST(others_behind_links)
{
	struct stat st;
	char path[64];

	ck_assert_int_eq(stat("/etc/passwd", &st), 0);
	close(root);
	root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof(path), "%s/tmp/passwd", dir);
	make_link("/etc/passwd", path);
	refused(path, SOMEBODY, them, st.st_uid, PK_FILE_BEHIND_LINK);
	refused(path, SOMEBODY, SOMEBODY, them, PK_LINK_OF_ANOTHER);
	snprintf(path, sizeof(path), "%s/tmp/etc", dir);
	make_link("/etc", path);
	snprintf(path, sizeof(path), "%s/tmp/etc/passwd", dir);
	refused(path, SOMEBODY, them, st.st_uid, PK_FILE_BEHIND_LINK);
	refused(path, SOMEBODY, SOMEBODY, them, PK_LINK_OF_ANOTHER);
}
END_TEST

/* The kernel follows a link in /proc/PID/fd to an open file. */
START_TEST(magic)
{
	char path[PATH_MAX];
	int fd = openat(root, "tmp/map", O_RDONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	close(root);
	root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_int_eq(opened(path, getuid(), them, "tmp/map"), 0);
	snprintf(path, sizeof(path), "/proc/self/root%s/tmp/map", dir);
	ck_assert_int_eq(opened(path, getuid(), them, "tmp/map"), 0);
	close(fd);
}
END_TEST

START_TEST(others)
{
	static char deep[3 * PATH_MAX];

	make_link("loop", "loop");
	make_link("nowhere", "tmp/nowhere-yet");
	ck_assert_int_eq(mkfifoat(root, "fifo", 0600), 0);
	ck_assert_int_eq(opened("/tmp/none", them, them, ""), ENOENT);
	ck_assert_int_eq(opened("/none/map", them, them, ""), ENOENT);
	ck_assert_int_eq(opened("/tmp/map/map", them, them, ""), ENOTDIR);
	ck_assert_int_eq(opened("/tmp/nowhere-yet", them, them, ""), ENOENT);
	ck_assert_int_eq(opened("/loop", them, them, ""), ELOOP);
	ck_assert_int_eq(opened("/loop/map", them, them, ""), ELOOP);
	ck_assert_int_eq(opened("/fifo", them, them, ""), EINVAL);
	ck_assert_int_eq(opened("/tmp", them, them, ""), EINVAL);
	ck_assert_int_eq(opened("/", them, them, ""), EINVAL);
	memset(deep, '/', sizeof(deep) - 1);
	ck_assert_int_eq(opened(deep, them, them, ""), ENAMETOOLONG);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("trusted_file");
	TCase *files = tcase_create("files");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(files, setup, teardown);
	tcase_add_test(files, owners);
	tcase_add_test(files, links);
	tcase_add_test(files, others_behind_links);
	tcase_add_test(files, magic);
	tcase_add_test(files, others);
	suite_add_tcase(s, files);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
