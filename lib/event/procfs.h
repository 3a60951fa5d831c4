/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PROCFS_H
#define PK_PROCFS_H

/* Small files of /proc and /sys. A missing file, or one without permission, is an answer; all other
 * failures to open or read are counted in lookups, as is exhausted memory. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "failures.h"
#include "pkstream.h"

/* The first line without its newline, cut to size - 1 bytes. False with errno. */
bool procfs_read_line(const char *path, char *text, size_t size, struct pk_failures *lookups);
/* Reads a file with one number; returns otherwise if that fails. */
int64_t procfs_read_number(const char *path, int64_t otherwise, struct pk_failures *lookups);
/* Reads a whole file of unknown size, NUL-terminated, to be freed; NULL with errno. At most limit
 * bytes. */
char *procfs_read_file(const char *path, size_t limit, size_t *size, struct pk_failures *lookups);

/* Reads a file line by line; memory does not depend on its size. */
struct line_reader {
	int fd;
	const char *path; /* the caller's */
	struct pk_failures *lookups;
	size_t start, end;
	bool ended;
	char data[64 << 10];
};

bool line_reader_open(struct line_reader *reader, const char *path, struct pk_failures *lookups);
/* The next line without its newline, valid until the next call; NULL at the end. Lines longer than
 * the buffer are returned in parts. */
char *line_reader_next(struct line_reader *reader);
void line_reader_close(struct line_reader *reader);

/* The fields of /proc/PID/stat. */
struct task_info {
	char comm[64]; /* names of kernel threads can be long */
	pid_t parent;
	unsigned long threads;
	bool kernel; /* a kernel thread: no maps */
};

bool procfs_task(pid_t pid, struct task_info *info, struct pk_failures *lookups);
/* The comm of one thread. */
bool procfs_thread_comm(pid_t pid, pid_t tid, char *comm, size_t size, struct pk_failures *lookups);
/* The process of a thread; -1: none. */
pid_t procfs_process_of(pid_t tid, struct pk_failures *lookups);

/* The names in a directory that are numbers, ascending; to be freed. -1 with errno. */
ssize_t procfs_list_ids(const char *path, pid_t **ids, struct pk_failures *lookups);
/* Byte order, word size and ELF machine of this program, from its own ELF header. */
struct pk_session_info procfs_session_info(struct pk_failures *failures);

#endif
