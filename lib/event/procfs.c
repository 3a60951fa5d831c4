// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "number.h"
#include "procfs.h"
#include "vector.h"

bool pk_cpu_ranges(const char *text, bool (*each)(void *arg, uint64_t first, uint64_t last),
		   void *arg)
{
	return pk_parse_ranges(text, CPU_MAX - 1, each, arg);
}

struct array {
	int *items;
	size_t count, capacity;
	bool no_memory;
};

static bool append(void *arg, uint64_t first, uint64_t last)
{
	struct array *array = arg;
	const size_t more = (size_t)(last - first + 1);

	/* A list can name a CPU several times. Without this limit, it could need any amount of
	 * memory. */
	if (array->count + more > CPU_MAX)
		return false;
	array->no_memory = pk_vector_reserve(array, more) != PK_OK;
	if (array->no_memory)
		return false;
	for (uint64_t cpu = first; cpu <= last; cpu++)
		array->items[array->count++] = (int)cpu;
	return true;
}

enum pk_status pk_cpu_list_parse(const char *text, int **cpus, size_t *count)
{
	struct array array = {0};
	const bool ok = pk_cpu_ranges(text, append, &array);

	*cpus = ok ? array.items : NULL;
	*count = ok ? array.count : 0;
	if (ok)
		return PK_OK;
	free(array.items);
	return array.no_memory ? PK_NOMEM : PK_CORRUPT;
}

static ssize_t read_retrying(int fd, void *data, size_t size)
{
	ssize_t n;

	do
		n = read(fd, data, size);
	while (n < 0 && errno == EINTR);
	return n;
}

bool pk_procfs_read_line(const char *path, char *text, size_t size, struct pk_failures *lookups)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t n = 1;

	if (fd < 0) {
		pk_failed_errno(lookups, path);
		return false;
	}
	while (n > 0 && used < size - 1 && !memchr(text, '\n', used)) {
		n = read_retrying(fd, text + used, size - 1 - used);
		used += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		pk_failed_errno(lookups, path);
	close(fd);
	text[used] = 0;
	text[strcspn(text, "\n")] = 0;
	return n >= 0;
}

int64_t pk_procfs_read_number(const char *path, int64_t otherwise, struct pk_failures *lookups)
{
	char text[32], *end;
	long long value;

	if (!pk_procfs_read_line(path, text, sizeof(text), lookups))
		return otherwise;
	errno = 0;
	value = strtoll(text, &end, 10);
	return errno || end == text || *end ? otherwise : value;
}

static char *read_all(int fd, size_t limit, size_t *size)
{
	struct buffer all = {0};
	ssize_t n = 1;

	while (n > 0 && all.size < limit) {
		const size_t left = limit - all.size;
		char *room = buffer_room(&all, 4096 + 1); /* room for 4096 bytes and a NUL */
		const size_t space = room ? all.capacity - all.size - 1 : 0;

		n = room ? read_retrying(fd, room, space < left ? space : left) : -1;
		if (n < 0) {
			free(all.data);
			return NULL;
		}
		all.size += (size_t)n;
	}
	all.data[all.size] = 0;
	*size = all.size;
	return all.data;
}

char *pk_procfs_read_file(const char *path, size_t limit, size_t *size, struct pk_failures *lookups)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *data;

	if (fd < 0) {
		pk_failed_errno(lookups, path);
		return NULL;
	}
	data = read_all(fd, limit, size);
	if (!data)
		pk_failed_errno(lookups, path);
	close(fd);
	return data;
}

bool pk_line_reader_open(struct line_reader *reader, const char *path, struct pk_failures *lookups)
{
	reader->fd = open(path, O_RDONLY | O_CLOEXEC);
	reader->start = reader->end = 0;
	reader->ended = false;
	reader->path = path;
	reader->lookups = lookups;
	if (reader->fd < 0)
		pk_failed_errno(lookups, path);
	return reader->fd >= 0;
}

void pk_line_reader_close(struct line_reader *reader)
{
	close(reader->fd);
}

/* Reads more bytes. Returns false at the end of the file, after a read error, or if the buffer is
 * full. */
static bool line_reader_fill(struct line_reader *reader)
{
	ssize_t n;

	if (reader->start) {
		memmove(reader->data, reader->data + reader->start, reader->end - reader->start);
		reader->end -= reader->start;
		reader->start = 0;
	}
	if (reader->ended || reader->end == sizeof(reader->data) - 1)
		return false;
	n = read_retrying(reader->fd, reader->data + reader->end,
			  sizeof(reader->data) - 1 - reader->end);
	if (n < 0)
		pk_failed_errno(reader->lookups, reader->path);
	reader->ended = n <= 0;
	reader->end += n > 0 ? (size_t)n : 0;
	return n > 0;
}

char *pk_line_reader_next(struct line_reader *reader)
{
	char *line, *newline;

	do {
		line = reader->data + reader->start;
		newline = memchr(line, '\n', reader->end - reader->start);
	} while (!newline && line_reader_fill(reader));
	line = reader->data + reader->start;
	if (newline) {
		*newline = 0;
		reader->start = (size_t)(newline + 1 - reader->data);
		return line;
	}
	if (reader->start == reader->end)
		return NULL;
	reader->data[reader->end] = 0;
	reader->start = reader->end = 0;
	return line;
}

#define TASK_IS_KERNEL_THREAD 0x00200000UL /* PF_KTHREAD in the flags of /proc/PID/stat */

bool pk_procfs_task(pid_t pid, struct task_info *info, struct pk_failures *lookups)
{
	char path[64], text[1024], *start, *end;
	unsigned long flags;
	long parent;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (!pk_procfs_read_line(path, text, sizeof(text), lookups))
		return false;
	/* The comm (the name of the thread) is in parentheses, and can itself contain parentheses.
	 */
	start = strchr(text, '(');
	end = strrchr(text, ')');
	if (!start || !end || end < start)
		return false;
	*end = 0;
	snprintf(info->comm, sizeof(info->comm), "%s", start + 1);
	if (sscanf(end + 1,
		   " %*c %ld %*d %*d %*d %*d %lu %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %lu",
		   &parent, &flags, &info->threads) != 3)
		return false;
	info->parent = (pid_t)parent;
	info->kernel = flags & TASK_IS_KERNEL_THREAD;
	return true;
}

bool pk_procfs_thread_comm(pid_t pid, pid_t tid, char *comm, size_t size,
			   struct pk_failures *lookups)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	return pk_procfs_read_line(path, comm, size, lookups);
}

pid_t pk_procfs_process_of(pid_t tid, struct pk_failures *lookups)
{
	char path[64], *line;
	struct line_reader reader;
	int pid = -1;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	if (!pk_line_reader_open(&reader, path, lookups))
		return -1;
	while (pid < 0 && (line = pk_line_reader_next(&reader)))
		if (sscanf(line, "Tgid: %d", &pid) != 1)
			pid = -1;
	pk_line_reader_close(&reader);
	return pid;
}

static int by_value(const void *a, const void *b)
{
	const pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

ssize_t pk_procfs_list_ids(const char *path, pid_t **ids, struct pk_failures *lookups)
{
	size_t count = 0, capacity = 0;
	pid_t *list = NULL;
	struct dirent *entry;
	uint64_t id;
	int error;
	DIR *dir;

	dir = opendir(path);
	if (!dir) {
		pk_failed_errno(lookups, path);
		return -1;
	}
	while ((errno = 0, entry = readdir(dir))) {
		if (!pk_parse_u64(entry->d_name, &id) || id > INT32_MAX)
			continue;
		if (pk_reserve(&list, &capacity, count, 1, sizeof(*list)) != PK_OK)
			goto failed;
		list[count++] = (pid_t)id;
	}
	if (errno)
		goto failed;
	closedir(dir);
	if (count)
		qsort(list, count, sizeof(*list), by_value);
	*ids = list;
	return (ssize_t)count;

failed:
	error = errno;
	pk_failed_errno(lookups, path);
	closedir(dir);
	free(list);
	errno = error;
	return -1;
}

/* ---- This program ---- */

/* e_machine has the same offset in 32-bit and 64-bit ELF files. */
#define OFFSET_MACHINE offsetof(Elf64_Ehdr, e_machine)

struct pk_session_info pk_procfs_session_info(struct pk_failures *failures)
{
	struct pk_session_info info = {
		.version = PK_FORMAT_VERSION,
		.byte_order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB,
		.word_size = sizeof(long),
	};
	static const char own[] = "/proc/self/exe";
	const int fd = open(own, O_RDONLY | O_CLOEXEC);
	uint8_t header[OFFSET_MACHINE + 2];
	ssize_t size;

	if (fd < 0) {
		pk_failed_errno(failures, own);
		return info;
	}
	size = read(fd, header, sizeof(header));
	if (size < 0)
		pk_failed_errno(failures, own);
	if (size == sizeof(header) && !memcmp(header, ELFMAG, SELFMAG))
		info.e_machine = pk_load_u16(header + OFFSET_MACHINE);
	close(fd);
	return info;
}
