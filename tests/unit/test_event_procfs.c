// SPDX-License-Identifier: BSD-2-Clause
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "procfs.h"
#include "synthesize.h"

static bool parse(const char *text, struct map_line *map)
{
	static char line[512];

	snprintf(line, sizeof(line), "%s", text);
	return map_line_parse(line, map);
}

START_TEST(map_lines)
{
	struct map_line map;

	ck_assert(parse("55580fcf1000-55580fcf7000 r-xp 00002000 fe:01 247498      /usr/bin/head",
			&map));
	ck_assert_uint_eq(map.start, 0x55580fcf1000);
	ck_assert_uint_eq(map.end, 0x55580fcf7000);
	ck_assert_str_eq(map.permissions, "r-xp");
	ck_assert_uint_eq(map.offset, 0x2000);
	ck_assert_uint_eq(map.major, 0xfe);
	ck_assert_uint_eq(map.minor, 1);
	ck_assert_uint_eq(map.inode, 247498);
	ck_assert_str_eq(map.name, "/usr/bin/head");

	ck_assert(parse("7f0000000000-7f0000001000 rwxs 00000000 00:00 0 ", &map));
	ck_assert_str_eq(map.name, "");
	ck_assert(parse("7f0000000000-7f0000001000 rwxs 00000000 00:00 0", &map));
	ck_assert_str_eq(map.name, "");
	ck_assert(parse("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]",
			&map));
	ck_assert_uint_eq(map.start, UINT64_C(0xffffffffff600000));
	ck_assert(parse("1000-2000 r-xp 00000000 00:00 7   /with blanks (deleted)", &map));
	ck_assert_str_eq(map.name, "/with blanks (deleted)");
}
END_TEST

START_TEST(no_map_lines)
{
	static const char *const wrong[] = {
		"",
		"-",
		"1000-",
		"1000-2000",
		"1000-2000 ",
		"1000-2000 r-x",
		"1000-2000 r-xp",
		"1000-2000 r-xp 0",
		"1000-2000 r-xp 0 0",
		"1000-2000 r-xp 0 0:0",
		"1000-2000 r-xp 0 0:0 ",
		"1000-2000 r-xp 0 0:0 x",
		"2000-1000 r-xp 0 0:0 0 /x",
		"1000-1000 r-xp 0 0:0 0 /x",
		"1000 2000 r-xp 0 0:0 0 /x",
	};
	struct map_line map;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(!parse(wrong[i], &map), "%s", wrong[i]);
}
END_TEST

static const char *write_file(const char *text, size_t size)
{
	static char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/pk-test-%d", getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, size), (ssize_t)size);
	close(fd);
	return path;
}

START_TEST(lines)
{
	const char text[] = "first\n\nthird\nlast";
	struct line_reader reader;

	ck_assert(pk_line_reader_open(&reader, write_file(text, strlen(text)), NULL));
	ck_assert_str_eq(pk_line_reader_next(&reader), "first");
	ck_assert_str_eq(pk_line_reader_next(&reader), "");
	ck_assert_str_eq(pk_line_reader_next(&reader), "third");
	ck_assert_str_eq(pk_line_reader_next(&reader), "last");
	ck_assert_ptr_null(pk_line_reader_next(&reader));
	pk_line_reader_close(&reader);
	ck_assert(!pk_line_reader_open(&reader, "/nonexistent", NULL));
}
END_TEST

/* Many lines cross the end of the buffer, and one line is longer than the buffer. */
START_TEST(many_lines)
{
	const size_t size = 400000, longest = 200000;
	char *text = malloc(size + 1), *line, number[32];
	struct line_reader reader;
	size_t at = 0, next = 0, total = 0;

	while (at < longest)
		at += (size_t)snprintf(text + at, size - at, "%zu\n", next++);
	memset(text + at, 'x', longest - 1);
	at += longest - 1;
	text[at++] = '\n';
	ck_assert(pk_line_reader_open(&reader, write_file(text, at), NULL));
	for (size_t i = 0; i < next; i++) {
		snprintf(number, sizeof(number), "%zu", i);
		line = pk_line_reader_next(&reader);
		ck_assert_ptr_nonnull(line);
		ck_assert_str_eq(line, number);
	}
	while ((line = pk_line_reader_next(&reader))) {
		ck_assert_uint_eq(strspn(line, "x"), strlen(line));
		total += strlen(line);
	}
	ck_assert_uint_eq(total, longest - 1);
	pk_line_reader_close(&reader);
	free(text);
}
END_TEST

START_TEST(files)
{
	char text[8];
	size_t size;
	char *all;

	write_file("12345678901\n", 12);
	ck_assert(pk_procfs_read_line(write_file("12345678901\n", 12), text, sizeof(text), NULL));
	ck_assert_str_eq(text, "1234567");
	ck_assert_int_eq(pk_procfs_read_number(write_file("-42\n", 4), 7, NULL), -42);
	ck_assert_int_eq(pk_procfs_read_number(write_file("4x\n", 3), 7, NULL), 7);
	ck_assert_int_eq(pk_procfs_read_number("/nonexistent", 7, NULL), 7);
	all = pk_procfs_read_file(write_file("abc", 3), 100, &size, NULL);
	ck_assert_str_eq(all, "abc");
	free(all);
	all = pk_procfs_read_file(write_file("abcdef", 6), 4, &size, NULL);
	ck_assert_str_eq(all, "abcd");
	free(all);
}
END_TEST

START_TEST(tasks)
{
	struct task_info info;
	static const char *const names[] = {"12", "3", "net"};
	char comm[16], folder[] = "/tmp/pk-ids.XXXXXX", path[64];
	pid_t *ids = NULL;

	ck_assert(pk_procfs_task(getpid(), &info, NULL));
	ck_assert_int_eq(info.parent, getppid());
	ck_assert(!info.kernel);
	ck_assert(pk_procfs_thread_comm(getpid(), getpid(), comm, sizeof(comm), NULL));
	ck_assert_int_eq(strncmp(comm, info.comm, sizeof(comm) - 1), 0);
	ck_assert_int_eq(pk_procfs_process_of(getpid(), NULL), getpid());
	ck_assert_int_eq(pk_procfs_process_of(1 << 23, NULL), -1);
	/* Under an emulator, the process also has threads of the emulator. */
	ck_assert_int_ge(pk_procfs_list_ids("/proc/self/task", &ids, NULL), 1);
	ck_assert_int_eq(ids[0], getpid());
	free(ids);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	ck_assert_int_eq(pk_procfs_list_ids(folder, &ids, NULL), 2);
	ck_assert_int_eq(ids[0], 3);
	ck_assert_int_eq(ids[1], 12);
	free(ids);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		ck_assert_int_eq(rmdir(path), 0);
	}
	ck_assert_int_eq(rmdir(folder), 0);
	ck_assert_int_eq(pk_procfs_list_ids("/nonexistent", &ids, NULL), -1);
}
END_TEST

static void remove_file(void)
{
	unlink(write_file("", 0));
}

int main(void)
{
	Suite *suite = suite_create("pk-record: /proc");
	TCase *test = tcase_create("procfs");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(test, NULL, remove_file);
	tcase_add_test(test, map_lines);
	tcase_add_test(test, no_map_lines);
	tcase_add_test(test, lines);
	tcase_add_test(test, many_lines);
	tcase_add_test(test, files);
	tcase_add_test(test, tasks);
	suite_add_tcase(suite, test);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
