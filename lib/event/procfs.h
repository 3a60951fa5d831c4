/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that read small files of /proc and /sys. It is not a failure if the file does not exist
 * or the user may not read it. Other errors (see pk_is_failure) are counted in lookups, and so is
 * exhausted memory. */
#ifndef PK_PROCFS_H
#define PK_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "failures.h"
#include "pkstream.h"

#define CPU_MAX 65535 /* CPU numbers are less, because CPU_MAP stores them in 16 bits */

/* Like pk_parse_ranges(), but all numbers must be less than CPU_MAX. */
bool pk_cpu_ranges(const char *text, bool (*each)(void *arg, uint64_t first, uint64_t last),
		   void *arg);
/* Sets *cpus to an array of the numbers in a list such as "0-3,8". The caller frees the array.
 * Returns PK_CORRUPT if pk_cpu_ranges() fails or there are more than CPU_MAX numbers, and
 * PK_NOMEM if memory is exhausted. Then *cpus is NULL, and *count is 0. */
PK_MUST_CHECK enum pk_status pk_cpu_list_parse(const char *text, int **cpus, size_t *count);

/* Reads the first line of a file. The text has no newline, and is cut to size - 1 bytes. Returns
 * false with errno if the file cannot be read. */
bool pk_procfs_read_line(const char *path, char *text, size_t size, struct pk_failures *lookups);
/* Returns the decimal number in the first line of a file. Returns `otherwise` if the number cannot
 * be read. */
int64_t pk_procfs_read_number(const char *path, int64_t otherwise, struct pk_failures *lookups);
/* Reads a file of unknown size, but at most limit bytes. The caller frees the result, which ends
 * with a NUL. *size does not include the NUL. Returns NULL with errno if the file cannot be read.
 */
char *pk_procfs_read_file(const char *path, size_t limit, size_t *size,
			  struct pk_failures *lookups);

/* Reads a file line by line, with a buffer of 64 KiB. */
struct line_reader {
	int fd;
	const char *path; /* The path is not copied. It must stay valid as long as the reader. */
	struct pk_failures *lookups;
	size_t start, end;
	bool ended;
	char data[64 << 10];
};

bool pk_line_reader_open(struct line_reader *reader, const char *path, struct pk_failures *lookups);
/* Returns the next line without its newline. The line is valid until the next call. Lines that are
 * longer than the buffer are returned in several parts. Returns NULL at the end of the file or
 * after a read error. */
char *pk_line_reader_next(struct line_reader *reader);
void pk_line_reader_close(struct line_reader *reader);

/* Some fields of /proc/PID/stat. */
struct task_info {
	char comm[64]; /* the name of the thread; names of kernel threads can be longer than 15
			* bytes */
	pid_t parent;
	unsigned long threads; /* number of threads */
	bool kernel;	       /* true if the task is a kernel thread, which has no maps */
};

bool pk_procfs_task(pid_t pid, struct task_info *info, struct pk_failures *lookups);
/* Reads the comm (the name) of one thread. */
bool pk_procfs_thread_comm(pid_t pid, pid_t tid, char *comm, size_t size,
			   struct pk_failures *lookups);
/* Returns the process of a thread. Returns -1 if there is no such thread, or if its process cannot
 * be read. */
pid_t pk_procfs_process_of(pid_t tid, struct pk_failures *lookups);

/* Lists the names in a directory, such as /proc, that are numbers. *ids is an ascending array,
 * which the caller frees. Returns the number of names, or -1 with errno. */
ssize_t pk_procfs_list_ids(const char *path, pid_t **ids, struct pk_failures *lookups);
/* Returns the version of the stream format, the byte order, the word size and the ELF machine. The
 * machine is read from the ELF header of this program. */
struct pk_session_info pk_procfs_session_info(struct pk_failures *failures);

#endif
