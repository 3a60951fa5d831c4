/* SPDX-License-Identifier: BSD-2-Clause */
/* Small files of /proc and /sys. If the file does not exist or the user may not read it, that is an
 * answer. Errors of opening and reading that are failures (pk_is_failure) are counted in lookups,
 * as is exhausted memory. */
#ifndef PK_PROCFS_H
#define PK_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "failures.h"
#include "pkstream.h"

#define CPU_MAX 65535 /* all CPU numbers are below this: CPU_MAP has 16 bits for a CPU */

/* pk_parse_ranges() for numbers below CPU_MAX. */
bool pk_cpu_ranges(const char *text, bool (*each)(void *arg, uint64_t first, uint64_t last),
		   void *arg);
/* Sets *cpus to an array of the numbers in such a list, to be freed. Returns false in the cases of
 * pk_cpu_ranges(), for more than CPU_MAX numbers, or if memory is exhausted. Then *cpus is NULL,
 * and *count is 0. */
PK_MUST_CHECK enum pk_status pk_cpu_list_parse(const char *text, int **cpus, size_t *count);

/* Reads the first line of a file without its newline, cut to size - 1 bytes. Returns false with
 * errno. */
bool pk_procfs_read_line(const char *path, char *text, size_t size, struct pk_failures *lookups);
/* Reads the decimal number in the first line of a file, and returns `otherwise` if that fails. */
int64_t pk_procfs_read_number(const char *path, int64_t otherwise, struct pk_failures *lookups);
/* Reads a file of unknown size, but at most limit bytes of it. The result is NUL-terminated and to
 * be freed. *size is without the NUL. Returns NULL with errno if that fails. */
char *pk_procfs_read_file(const char *path, size_t limit, size_t *size,
			  struct pk_failures *lookups);

/* Reads a file line by line, with a buffer of 64 KiB. */
struct line_reader {
	int fd;
	const char *path; /* not copied: must live as long as the reader */
	struct pk_failures *lookups;
	size_t start, end;
	bool ended;
	char data[64 << 10];
};

bool pk_line_reader_open(struct line_reader *reader, const char *path, struct pk_failures *lookups);
/* The next line without its newline, valid until the next call. NULL at the end, or after a read
 * error. Lines longer than the buffer are returned in parts. */
char *pk_line_reader_next(struct line_reader *reader);
void pk_line_reader_close(struct line_reader *reader);

/* Some fields of /proc/PID/stat. */
struct task_info {
	char comm[64]; /* those of kernel threads can be longer than 15 bytes */
	pid_t parent;
	unsigned long threads; /* number of threads */
	bool kernel;	       /* a kernel thread, which has no maps */
};

bool pk_procfs_task(pid_t pid, struct task_info *info, struct pk_failures *lookups);
/* Reads the comm of one thread. */
bool pk_procfs_thread_comm(pid_t pid, pid_t tid, char *comm, size_t size,
			   struct pk_failures *lookups);
/* The pid of the process of a thread, or -1 if there is no such thread, or it cannot be read. */
pid_t pk_procfs_process_of(pid_t tid, struct pk_failures *lookups);

/* Lists the names in a directory that are numbers, such as /proc, as an ascending array, to be
 * freed. Returns their number, or -1 with errno. */
ssize_t pk_procfs_list_ids(const char *path, pid_t **ids, struct pk_failures *lookups);
/* Version of the format, byte order, word size and, from this program's ELF header, ELF machine. */
struct pk_session_info pk_procfs_session_info(struct pk_failures *failures);

#endif
